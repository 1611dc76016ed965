// Domain check: where the source divides, takes roots or logarithms, the corrected program must be undefined as well.
// A base over producers only is tested once after the loop (`singular`; its root, if it must not be negative either);
// any other base that may become singular must survive in the state, or the correction would turn a NaN into a number.
#include "draft.h"

#include <algorithm>

namespace polymend::algebra {
namespace {

using Partials = TermMap<SignSet>; // base -> the signs it must not have

void collect(Term term, Partials &partials) {
  for (Term a : term->args) collect(a, partials);
  SignSet forbidden = 0;
  if (term->kind == Kind::Apply && term->op == Op::Log) forbidden = NonPositive;
  if (term->kind == Kind::Power) forbidden = (term->value < 0 ? Zero : 0U) | (integral(term->value) ? 0U : Negative);
  if (forbidden && term->args[0]->kind != Kind::Number) partials[term->args[0]] |= forbidden;
}

class DomainCheck {
public:
  DomainCheck(Problem &posed, Draft &checked) : problem(posed), forms(posed.forms), draft(checked) {
    for (Term e : draft.state) collect(e, survivors);
  }

  std::optional<std::string> run(Term g) {
    Partials partials;
    collect(g, partials);
    for (const auto &[base, forbidden] : partials) {
      if (!(base->roles & ElementRole)) {
        const SignSet bad = forms.signs(base) & forbidden;
        if ((base->roles & ProducerRole) || bad)
          testAtEnd(bad & Negative ? problem.terms.power(base, Rational(1, 2)) : base);
      } else if ((forms.signs(base) & forbidden) && !survives(base, forbidden)) {
        return "a singularity of the source would disappear: " +
               polymend::show(exported(problem.terms, base, problem.type)) + " may be zero or negative";
      }
    }
    return std::nullopt;
  }

private:
  Problem &problem;
  Forms &forms;
  Draft &draft;
  Partials survivors;

  void testAtEnd(Term base) {
    if (std::find(draft.singular.begin(), draft.singular.end(), base) == draft.singular.end())
      draft.singular.push_back(base);
  }

  bool kept(const Form &base) {
    return std::any_of(survivors.begin(), survivors.end(), [&](const auto &s) { return forms.of(s.first) == base; });
  }

  /// A product is singular where a factor is; its producer factors are tested at the end.
  bool survives(Term base, SignSet forbidden) {
    const Form form = forms.of(base);
    if (kept(form)) return true;
    if (form.terms.size() != 1 || (forbidden & Negative)) return false;
    for (const auto &[id, p] : form.terms.begin()->first.powers) {
      if (!(forms.atomSigns(id) & Zero)) continue;
      if (forms.at(id).roles & ElementRole) {
        if (!kept(forms.atom(id))) return false;
      } else {
        testAtEnd(forms.atomTerm(id));
      }
    }
    return true;
  }
};

} // namespace

std::optional<std::string> keepDomain(Problem &problem, Draft &draft, Term g) {
  return DomainCheck(problem, draft).run(g);
}

} // namespace polymend::algebra
