// Monotonicity of a term in one of its subterms, by the rules of calculus on the syntax and the known signs.
#include "draft.h"

namespace polymend::algebra {
namespace {

using Direction = std::optional<int>;

class Monotonicity {
public:
  Monotonicity(Problem &posed, Term variable) : problem(posed), s(variable) {}

  Direction of(Term term) {
    if (term == s) return 1;
    if (!contains(term, s)) return 0;
    switch (term->kind) {
    case Kind::Sum: return all(term->args);
    case Kind::Product: return product(term);
    case Kind::Power: return power(term);
    case Kind::Apply: return application(term);
    default: return std::nullopt;
    }
  }

private:
  Problem &problem;
  Term s;

  /// The common direction of terms that are added or compared.
  Direction all(const std::vector<Term> &args) {
    int result = 0;
    for (Term a : args) {
      const Direction d = of(a);
      if (!d || (*d && result && *d != result)) return std::nullopt;
      if (*d) result = *d;
    }
    return result;
  }

  Direction product(Term term) {
    int result = 0;
    SignSet others = Positive;
    for (Term a : term->args) {
      const Direction d = of(a);
      if (!d || (*d && result)) return std::nullopt;
      if (*d)
        result = *d;
      else
        others = productSigns(others, problem.forms.signs(a));
    }
    if (!(others & Negative)) return result;
    if (!(others & Positive)) return -result;
    return std::nullopt;
  }

  Direction power(Term term) {
    const Direction inner = of(term->args[0]);
    if (!inner) return std::nullopt;
    const SignSet base = problem.forms.signs(term->args[0]);
    const Rational &p = term->value;
    const bool odd = integral(p) && !even(p);
    if (p > 0) {
      if (odd || !(base & Negative)) return inner;
      if (!(base & Positive) && even(p)) return -*inner;
      return std::nullopt;
    }
    if (base == Positive) return -*inner;
    if (base == Negative) return odd ? -*inner : *inner;
    return std::nullopt;
  }

  Direction application(Term term) {
    switch (term->op) {
    case Op::Exp:
    case Op::Log:
    case Op::Tanh:
    case Op::Floor:
    case Op::Ceil:
    case Op::Round:
    case Op::Trunc: return of(term->args[0]);
    case Op::Max:
    case Op::FMax:
    case Op::Min:
    case Op::FMin: return all(term->args);
    case Op::Select: return contains(term->args[0], s) ? std::nullopt : all({term->args[1], term->args[2]});
    case Op::Abs: {
      const Direction inner = of(term->args[0]);
      const SignSet sign = problem.forms.signs(term->args[0]);
      if (!inner || !(sign & Negative)) return inner;
      return sign & Positive ? std::nullopt : Direction(-*inner);
    }
    default: return std::nullopt;
    }
  }
};

} // namespace

std::optional<int> monotone(Problem &problem, Term term, Term s) { return Monotonicity(problem, s).of(term); }

} // namespace polymend::algebra
