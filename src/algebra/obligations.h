// What has to be proved of a correction, read back from its expressions: the derivation is not trusted.
#pragma once

#include "problem.h"

namespace polymend::algebra {

/// left = right for all values of the symbols that satisfy their facts.
struct Obligation {
  Term left = nullptr, right = nullptr;
  bool guarded = false; // of a mend: r must be regular, so that an undefined right side is never evaluated
};

struct Obligations {
  std::vector<Obligation> equations;
  Term growing = nullptr; // must be monotone in `score`: the finalisation of an extreme
  Term score = nullptr;
  bool increasing = true;
};

/// The obligations, or why the correction does not even have the shape of one.
Result<Obligations> obligations(Problem &problem, const Correction &correction);

enum class Opinion { Agrees, Refuted, Unknown, Timeout };

/// Normal forms: Agrees means proved.
Opinion byNormalForm(Problem &problem, const Obligations &all);
/// Evaluation with 60 digits at twenty points.
Opinion byEvaluation(Problem &problem, const Obligations &all);
/// Source and correction in float on data made to hurt: does the correction err far beyond the source?
Opinion byTrial(const Candidate &candidate, const Correction &correction);
/// Lifted real arithmetic, one opinion per set, in a child process; `steps` of the solver at most for each equation.
std::vector<Opinion> bySolver(Problem &problem, const std::vector<Obligations> &sets, unsigned steps);

} // namespace polymend::algebra
