// Signs and roles of forms and terms. A sign is known from syntax (squares, exponentials), from the declared facts of
// symbols, and from order facts: element - producer has a known sign, and so has every positive multiple of it plus a
// remainder of known sign. Every rule over-approximates the set of possible signs.
#include "forms.h"

#include <algorithm>

namespace polymend::algebra {

Roles Forms::roles(const Monomial &m) const {
  Roles result = 0;
  for (const auto &[id, p] : m.powers) result |= at(id).roles;
  return m.exponent ? result | roles(form(m.exponent)) : result;
}

Roles Forms::roles(const Form &a) const {
  Roles result = 0;
  for (const auto &[m, q] : a.terms) result |= roles(m);
  return result;
}

bool Forms::isIndicator(int atom) const {
  const Atom &a = at(atom);
  return a.kind == Kind::Apply && (a.op == Op::Lt || a.op == Op::Le || a.op == Op::Eq);
}

SignSet Forms::atomSigns(int id) {
  const Atom a = at(id);
  auto arg = [&](std::size_t i) { return signs(form(a.args[i])); };
  if (a.kind == Kind::Symbol) return terms.facts(a.symbol).signs;
  if (a.kind == Kind::Number) return Positive;
  if (a.kind == Kind::Sum) return arg(0);
  if (a.kind == Kind::Infinity) return a.name == "+" ? Positive : Negative;
  switch (a.op) {
  case Op::Abs:
  case Op::Lt:
  case Op::Le:
  case Op::Eq: return NonNegative;
  case Op::Tanh: return arg(0);
  case Op::Select: return arg(1) | arg(2);
  case Op::Max:
  case Op::FMax: return extremeSigns(arg(0), arg(1), true);
  case Op::Min:
  case Op::FMin: return extremeSigns(arg(0), arg(1), false);
  case Op::Log: {
    const Form &of = form(a.args[0]);
    if (of.terms.size() != 1 || of.terms.begin()->second != 1) return AnySign;
    const Monomial &m = of.terms.begin()->first;
    const bool prime = m.powers.size() == 1 && !m.exponent && at(m.powers.begin()->first).kind == Kind::Number;
    return prime && m.powers.begin()->second > 0 ? Positive : AnySign;
  }
  default: return AnySign;
  }
}

SignSet Forms::signs(const Monomial &m, const Rational &q) {
  SignSet result = signsOf(q);
  for (const auto &[id, p] : m.powers) result = productSigns(result, powerSigns(atomSigns(id), p));
  return result;
}

SignSet Forms::plainSigns(const Form &a) {
  SignSet result = Zero;
  for (const auto &[m, q] : a.terms) result = sumSigns(result, signs(m, q));
  return result == AnySign ? besideExtreme(a) : result;
}

/// The signs of q (max(x, y) - x), of q (min(x, y) - x) and of q (|x| - +-x).
SignSet Forms::besideExtreme(const Form &a) {
  for (const auto &[m, q] : a.terms) {
    if (m.powers.size() != 1 || m.exponent || m.powers.begin()->second != 1) continue;
    const Atom &atom = at(m.powers.begin()->first);
    const bool largest = atom.op == Op::Max || atom.op == Op::FMax, size = atom.op == Op::Abs;
    if (atom.kind != Kind::Apply || !(largest || size || atom.op == Op::Min || atom.op == Op::FMin)) continue;
    Form rest = a;
    rest.terms.erase(m);
    for (int operand : atom.args)
      for (const int sign : {1, -1})
        if ((sign > 0 || size) && rest == scale(form(operand), -q * sign))
          return productSigns(signsOf(q), largest || size ? NonNegative : NonPositive);
  }
  return AnySign;
}

SignSet Forms::signs(const Form &a) {
  constexpr int deepest = 3, mostFacts = 2000; // uses of a fact for one question; without more all signs stay possible
  if (signNesting == 0) signEffort = 0;
  ++signNesting;
  SignSet result = plainSigns(a);
  --signNesting;
  if (signDepth >= deepest) return result;
  ++signDepth;
  ++signNesting;
  for (const OrderFact &fact : orders)
    for (const auto &[m, q] : a.terms) {
      if (signEffort >= mostFacts) break;
      auto found = m.powers.find(fact.producer);
      if (found == m.powers.end() || found->second != 1) continue;
      Monomial factor = m;
      factor.powers.erase(fact.producer);
      ++signEffort;
      const Form difference = add(fact.element, atom(fact.producer), -1);
      const Form rest = add(a, multiply(ofMonomial(factor, q), difference));
      result &= sumSigns(signs(rest), productSigns(signs(factor, -q), fact.signs));
    }
  --signNesting;
  --signDepth;
  return result;
}

/// Does an infinity occur in the term (a masked score)?
static bool hasInfinity(Term term) {
  return term->kind == Kind::Infinity || std::any_of(term->args.begin(), term->args.end(), hasInfinity);
}

SignSet Forms::signs(Term term) {
  auto arg = [&](std::size_t i) { return signs(term->args[i]); };
  SignSet result = AnySign;
  switch (term->kind) {
  case Kind::Number:
  case Kind::Infinity: return signsOf(term->value);
  case Kind::Symbol: return terms.facts(term->symbol).signs;
  case Kind::Sum:
    result = Zero;
    for (Term t : term->args) result = sumSigns(result, signs(t));
    break;
  case Kind::Product:
    result = Positive;
    for (Term t : term->args) result = productSigns(result, signs(t));
    break;
  case Kind::Power: result = powerSigns(arg(0), term->value); break;
  case Kind::Apply:
    switch (term->op) {
    case Op::Exp: return hasInfinity(term) ? NonNegative : Positive;
    case Op::Abs: result = (arg(0) & Zero) | ((arg(0) & NonZero) ? Positive : 0U); break;
    case Op::Tanh: result = arg(0); break;
    case Op::Sqrt: result = NonNegative; break;
    case Op::Lt:
    case Op::Le:
    case Op::Eq:
    case Op::Ne:
    case Op::And:
    case Op::Or:
    case Op::Not: return NonNegative;
    case Op::Select: return arg(1) | arg(2);
    case Op::Max:
    case Op::FMax: result = extremeSigns(arg(0), arg(1), true); break;
    case Op::Min:
    case Op::FMin: result = extremeSigns(arg(0), arg(1), false); break;
    default: break;
    }
    break;
  }
  const SignSet byForm = signs(of(term));
  return (result & byForm) ? result & byForm : result;
}

} // namespace polymend::algebra
