// A sum of exponentials about the maximum of their exponents: each is at most 1, and the largest is 1. So the sum at
// any other pivot tells how far that pivot lies from the maximum.
#include "problem.h"

#include <algorithm>

namespace polymend {

bool holdsItsLargest(const Candidate &candidate, const Correction &correction, const std::string &producer) {
  using namespace algebra;
  const auto extreme = std::find_if(candidate.symbols.begin(), candidate.symbols.end(),
                                    [&](const AlgebraSymbol &symbol) { return symbol.name == producer; });
  const bool summed = candidate.monoid == Monoid::Sum && correction.carry == Monoid::Sum;
  if (!summed || correction.state.size() != 1 || extreme == candidate.symbols.end() || !extreme->element) return false;
  if (extreme->monoid != Monoid::Max && extreme->monoid != Monoid::Min) return false;
  const auto problem = pose(candidate, true);
  if (!problem) return false;
  try {
    Terms &terms = (*problem)->terms;
    Forms &forms = (*problem)->forms;
    Importer importer(terms);
    const Term state = importer.import(correction.state[0]), element = importer.import(extreme->element);
    if (state->kind != Kind::Apply || state->op != Op::Exp) return false;
    const Term exponent = state->args[0];
    const Term atExtreme = terms.replace(exponent, {{terms.find(producer), element}});
    return (forms.signs(forms.of(exponent)) & Positive) == 0 && forms.isZero(forms.of(atExtreme));
  } catch (const std::exception &) {
    return false;
  }
}

} // namespace polymend
