// report: the machine-readable account of a run, one field of JSON per field here (schema 1).
#pragma once

#include "polymend/relax.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polymend {

enum class Outcome { Transformed, Left, Refused };

struct ReportedFunction {
  std::string name;
  Outcome outcome = Outcome::Left;
  std::vector<std::vector<std::string>> fused; // statements that share a loop now and did not before
  std::string reason;                          // empty: null
  std::string expected = {};                   // what the result should gain; empty: null
};

struct ReportedStatement {
  std::string id;
  SourceRange where;
};

/// How a dropped dependence is mended, in the source's names.
struct ReportedCorrection {
  std::vector<std::string> state;
  std::string pivot;
  std::vector<std::vector<std::string>> mend;
  std::string final;
  std::vector<std::string> guards;
  std::vector<std::string> roundings; // types to which the source rounds the whole, and this a part: a factor moved out
  std::vector<std::string> obligations = {}; // equations that were proved: what makes it right
};

struct ReportedProof {
  std::string normalForm, numeric, z3, conditioning;
};

struct ReportedDependence {
  std::string function, array, kind; // kind: flow, anti, output
  std::string loop;                  // empty: null
  std::optional<std::vector<std::int64_t>> distance;
  ReportedStatement from, to;
  Verdict verdict = Verdict::Kept;
  Label label = Label::Exact;
  std::string update; // rolling, split-k; empty: null
  std::optional<ReportedCorrection> correction;
  std::optional<ReportedProof> proof;
  std::string reason; // empty: null
};

struct Approximation {
  std::string what, bound;
};

struct Report {
  std::string input, target, arch, fp;
  std::vector<std::string> assumptions;
  std::vector<Approximation> approximations;
  std::vector<ReportedFunction> functions;
  std::vector<ReportedDependence> dependences;
};

std::string spell(Outcome outcome);
std::string spell(Verdict verdict);
std::string spell(Label label);
/// The report as indented JSON.
std::string writeReport(const Report &report);
/// The version of the tool, "0.1.0".
std::string toolVersion();

} // namespace polymend
