// Product of g(r, c) = a(r) b(c) over n elements: a(r)^n prod b(c). Either prod b is carried and a^n applied at the
// end, or prod g is carried and mended by (a(r')/a(r))^n, n being the elements taken in so far. (B): powers distribute.
// Conditioning: a^n leaves the range long before the product does, so that the first is for factors that are 1 alone.
#include "draft.h"
#include "separate.h"

namespace polymend::algebra {
namespace {

/// base^n over the count of elements.
Term counted(Problem &problem, Term base) {
  return problem.terms.apply(Op::Pow, {base, stateSymbol(problem, "n")}, "", problem.type);
}

Outcome deferred(Problem &problem, const Form &factor, const Form &score) {
  Draft draft;
  const Term a = problem.forms.toTerm(factor), x = stateSymbol(problem, "0");
  draft.carry = Monoid::Product;
  draft.state = {problem.forms.toTerm(score)};
  draft.mend = {{problem.terms.number(1)}};
  draft.counted = !isNumber(a, 1);
  draft.final = draft.counted ? problem.terms.product({x, counted(problem, a)}) : x;
  draft.conditioning = "the source's own factors";
  if (draft.counted)
    draft.illConditioned = "over the reals the product can be mended; in floating point the power of " +
                           polymend::show(exported(problem.terms, a, problem.type)) +
                           " by the number of elements leaves the range of its type";
  return {draft, ""};
}

Outcome mended(Problem &problem, Term g, const Form &factor) {
  Forms &forms = problem.forms;
  if (factor.terms.size() != 1 || !(forms.roles(factor) & ProducerRole)) return {std::nullopt, "nothing to mend"};
  Draft draft;
  const Term a = forms.toTerm(factor);
  const Form ratio = forms.multiply(forms.of(problem.primed(a)), forms.power(factor, -1));
  draft.carry = Monoid::Product;
  draft.state = {g};
  draft.mend = {{counted(problem, forms.toTerm(ratio))}};
  draft.final = stateSymbol(problem, "0");
  draft.counted = draft.moves = true;
  draft.conditioning = "the factors are scaled by the running values";
  for (const auto &[id, power] : factor.terms.begin()->first.powers)
    if (forms.at(id).roles & ProducerRole) draft.nonzero.push_back(forms.atomTerm(id));
  draft.regular = draft.nonzero;
  draft.pivotNodes = {g};
  return {draft, ""};
}

Outcome deriveFactors(Problem &problem, Term g, bool kept) {
  Forms &forms = problem.forms;
  const Separation parts = separate(forms, forms.of(g), ProducerRole, ElementRole);
  if (parts.blocking) return {std::nullopt, mixing(problem, forms.toTerm(*parts.blocking))};
  Span span(forms);
  for (const auto &[left, right] : parts.rows) span.insert(right);
  if (span.basis().size() != 1)
    return {std::nullopt, "term " + polymend::show(exported(problem.terms, g, problem.type)) +
                              " is no product of a factor of the producers and a factor of the elements"};
  Form factor;
  for (const auto &[left, right] : parts.rows) accumulate(factor, left, span.coordinates(right)[0]);
  return kept ? mended(problem, g, factor) : deferred(problem, factor, span.basis()[0]);
}

} // namespace

Outcome deriveProduct(Problem &problem, Term g, bool kept) {
  try {
    return deriveFactors(problem, g, kept);
  } catch (const Overgrown &grown) {
    return {std::nullopt, grown.what()};
  }
}

} // namespace polymend::algebra
