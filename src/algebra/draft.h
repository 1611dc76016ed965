// Drafts: corrections in terms, before they are written as expressions, proved and ranked.
#pragma once

#include "problem.h"

namespace polymend::algebra {

/// A mixed subterm that becomes a fresh variable u. Shift: node = part + rest, u = part, u' = u + (shift of its r-only
/// terms). Ratio: node = part = left(r) right(c), u' = u left(r')/left(r).
struct Pivot {
  Term node = nullptr, part = nullptr, rest = nullptr;
  bool ratio = false;
};

struct Draft {
  Monoid carry = Monoid::Sum;
  std::vector<Term> state;
  std::vector<std::vector<Term>> mend;
  Term final = nullptr;
  std::vector<Term> pivotNodes, regular, nonzero, singular;
  bool moves = false, counted = false, keepsZero = true;
  // how good it is, lower is better: see `cost` in derive.cpp
  int unsafe = 0, uncentred = 0, unordered = 0;
  Term offending = nullptr;   // what makes it unsafe
  std::string conditioning;   // why it is as good in floating point as over the reals
  std::string illConditioned; // why it is not; such a draft is refused
};

/// A draft, or the reason why there is none.
struct Outcome {
  std::optional<Draft> draft;
  std::string reason;
};

/// The subterms of g worth pivoting on, at most six.
std::vector<Pivot> pivotsOf(Problem &problem, Term g);
/// Sum of g with the chosen pivots.
Outcome deriveSum(Problem &problem, Term g, const std::vector<Pivot> &pivots);
/// Maximum or minimum of g.
Outcome deriveExtreme(Problem &problem, Term g);
/// Product of g; `kept`: the r-only factor stays in the state and is mended.
Outcome deriveProduct(Problem &problem, Term g, bool kept);

/// The symbol "#0", "#1", ... of a carried component, or "#n", the number of elements.
Term stateSymbol(Problem &problem, const std::string &index);
/// What blocks, in the candidate's names.
std::string mixing(Problem &problem, Term blocking);
/// Fills `singular`; the reason if a singularity of the source would disappear.
std::optional<std::string> keepDomain(Problem &problem, Draft &draft, Term g);
/// Fills the costs of a draft of a sum that used the pivots.
void judge(Problem &problem, Draft &draft, Term g, const std::vector<Pivot> &pivots);
/// The conditioning obligation of a draft of a sum that used the pivots: fills `conditioning` or `illConditioned`.
void condition(Problem &problem, Draft &draft, Term g, const std::vector<Pivot> &pivots);
/// Does an exponential, a logarithm or a power of a quotient mix producers and elements, so that its parts may leave
/// the range where it does not? The term.
Term unsafePart(const Problem &problem, Term term);
/// Are the terms of an exponent that depend on elements small whatever these are, and those of producers, too, so that
/// neither factor, e^elements or e^producers, leaves the range where their product does not?
bool boundedExponent(const Problem &problem, Term argument);
/// Is term monotone in the subterm s: +1, -1, 0 when s does not occur, nothing when unknown.
std::optional<int> monotone(Problem &problem, Term term, Term s);
/// Replaces each chosen pivot in g; `values` gives what stands for its part.
Term withPivots(Problem &problem, Term g, const std::vector<Pivot> &pivots, const std::vector<Term> &values);

} // namespace polymend::algebra
