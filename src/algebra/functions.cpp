// Normal forms of functions: exp, log, |.|, sin and cos, select, max and min; see forms.h.
// exp(a + b) = exp(a) exp(b); log(xy) = log x + log y for positive x; select(c, a, b) = [c] a + (1 - [c]) b, except
// that a branch of infinity is never multiplied by an indicator: such a select stays whole until exp maps -inf to 0.
#include "forms.h"

#include <algorithm>

namespace polymend::algebra {

Form Forms::absolute(const Form &a) {
  const SignSet s = signs(a);
  if (!(s & Negative)) return a;
  if (!(s & Positive)) return scale(a, -1);
  if (a.terms.size() != 1) {
    Rational k = content(a);
    if (a.terms.begin()->second < 0) k = -k;
    return scale(opaque(Op::Abs, {scale(a, 1 / k)}), abs(k));
  }
  const auto &[m, q] = *a.terms.begin();
  Form result = number(abs(q));
  for (const auto &[id, p] : m.powers) {
    const SignSet factor = powerSigns(atomSigns(id), p);
    if (!(factor & Negative))
      result = multiply(result, atom(id, p));
    else if (!(factor & Positive))
      result = scale(multiply(result, atom(id, p)), -1);
    else
      result = multiply(result, power(opaque(Op::Abs, {atom(id)}), p));
  }
  Monomial exponential;
  exponential.exponent = m.exponent;
  return multiply(result, ofMonomial(exponential));
}

/// log(q prod atom^p exp(f)) = sum of logs, for factors known to be positive.
Form Forms::logOfFactors(const Monomial &m, const Rational &q) {
  Form result = form(m.exponent);
  for (const auto &[id, p] : m.powers) {
    const Form argument = at(id).kind == Kind::Sum ? form(at(id).args[0]) : atom(id);
    result = add(result, opaque(Op::Log, {argument}), p);
  }
  auto take = [&](const Integer &n, const Rational &sign) {
    for (const Integer &f : factors(n)) {
      Atom base;
      base.kind = Kind::Number;
      base.name = f.str();
      result = add(result, opaque(Op::Log, {atom(atomId(std::move(base)))}), sign);
    }
  };
  take(numerator(q), 1);
  take(denominator(q), -1);
  return result;
}

Form Forms::logarithm(const Form &a) {
  if (a.zero()) return opaque(Op::Log, {a});
  if (a.terms.size() == 1) {
    const auto &[m, q] = *a.terms.begin();
    Monomial positive, other;
    positive.exponent = m.exponent;
    for (const auto &[id, p] : m.powers) (atomSigns(id) == Positive ? positive : other).powers[id] = p;
    Form split = logOfFactors(positive, abs(q));
    if (q > 0 && other.powers.empty()) return split;
    return add(split, opaque(Op::Log, {ofMonomial(other, q > 0 ? 1 : -1)}));
  }
  const Monomial common = commonFactor(a, Positive);
  const Rational k = content(a);
  Form rest;
  for (const auto &[m, q] : a.terms) rest = add(std::move(rest), ofMonomial(multiply(m, power(common, -1)), q / k));
  return add(logOfFactors(common, k), opaque(Op::Log, {rest}));
}

bool Forms::isInfinity(const Form &a) const {
  if (a.terms.size() != 1) return false;
  const auto &powers = a.terms.begin()->first.powers;
  return powers.size() == 1 && at(powers.begin()->first).kind == Kind::Infinity;
}

/// The atom of a masked select that occurs linearly in q m with a factor of known sign: then exp(q m + ...) splits.
std::optional<int> Forms::maskToSplit(const Monomial &m, const Rational &q) {
  for (const auto &[id, p] : m.powers) {
    if (at(id).kind != Kind::Apply || at(id).op != Op::Select || p != 1 || m.exponent) continue;
    Monomial factor = m;
    factor.powers.erase(id);
    const SignSet s = signs(factor, q);
    if (s == Positive || s == Negative) return id;
  }
  return std::nullopt;
}

/// exp(a) where a contains q m and m a masked select: [c] exp(a with the first branch) + (1 - [c]) exp(second).
Form Forms::exponentialOfMask(const Form &a, const Monomial &m, const Rational &q, int select) {
  Monomial factor = m;
  factor.powers.erase(select);
  Form rest = a;
  rest.terms.erase(m);
  auto branch = [&](const Form &value) -> Form {
    if (!isInfinity(value)) return exponential(add(rest, multiply(ofMonomial(factor, q), value)));
    const SignSet s = productSigns(signs(value), signs(factor, q));
    if (s != Negative) throw Overgrown("the exponential of +infinity");
    return {};
  };
  const Atom whole = at(select);
  const Form indicator = form(whole.args[0]);
  return add(multiply(indicator, branch(form(whole.args[1]))),
             multiply(add(number(1), indicator, -1), branch(form(whole.args[2]))));
}

Form Forms::exponential(const Form &a) {
  for (const auto &[m, q] : a.terms)
    if (auto select = maskToSplit(m, q)) return exponentialOfMask(a, m, q, *select);
  Form rest, result = number(1);
  for (const auto &[m, q] : a.terms) {
    const bool single = m.powers.size() == 1 && !m.exponent && m.powers.begin()->second == 1;
    const Atom *only = single ? &at(m.powers.begin()->first) : nullptr;
    if (only && only->kind == Kind::Apply && only->op == Op::Log)
      result = multiply(result, power(form(only->args[0]), q));
    else
      rest.terms[m] = q;
  }
  Monomial exponential;
  exponential.exponent = intern(rest);
  return multiply(result, ofMonomial(exponential));
}

std::pair<Form, Form> Forms::sineCosine(const Form &a) {
  Form sine, cosine = number(1);
  for (const auto &[m, q] : a.terms) {
    Form angle;
    angle.terms[m] = abs(q);
    const Form c = opaque(Op::Cos, {angle});
    const Form s = scale(opaque(Op::Sin, {angle}), q < 0 ? -1 : 1);
    Form nextSine = add(multiply(sine, c), multiply(cosine, s));
    cosine = add(multiply(cosine, c), multiply(sine, s), -1);
    sine = std::move(nextSine);
  }
  return {sine, cosine};
}

Form Forms::select(Term term) {
  const Form indicator = of(term->args[0]), yes = of(term->args[1]), no = of(term->args[2]);
  auto masked = [&](const Form &f) {
    return std::any_of(f.terms.begin(), f.terms.end(), [&](const auto &t) {
      return std::any_of(t.first.powers.begin(), t.first.powers.end(), [&](const auto &p) {
        return at(p.first).kind == Kind::Infinity || (at(p.first).kind == Kind::Apply && at(p.first).op == Op::Select);
      });
    });
  };
  if (masked(yes) || masked(no)) return opaque(Op::Select, {indicator, yes, no});
  return add(multiply(indicator, yes), multiply(add(number(1), indicator, -1), no));
}

Form Forms::extreme(Term term) {
  Form a = of(term->args[0]), b = of(term->args[1]);
  const bool largest = term->op == Op::Max || term->op == Op::FMax;
  const SignSet s = signs(add(a, b, -1));
  if (!(s & Negative)) return largest ? a : b;
  if (!(s & Positive)) return largest ? b : a;
  if (b < a) std::swap(a, b);
  return opaque(term->op, {a, b});
}

Form Forms::applied(Term term) {
  auto arg = [&](std::size_t i) { return of(term->args[i]); };
  switch (term->op) {
  case Op::Exp: return exponential(arg(0));
  case Op::Log: return logarithm(arg(0));
  case Op::Sin: return sineCosine(arg(0)).first;
  case Op::Cos: return sineCosine(arg(0)).second;
  case Op::Abs: {
    const SignSet s = signs(term->args[0]);
    return !(s & Negative) ? arg(0) : !(s & Positive) ? scale(arg(0), -1) : absolute(arg(0));
  }
  case Op::Select: return select(term);
  case Op::Max:
  case Op::FMax:
  case Op::Min:
  case Op::FMin: return extreme(term);
  case Op::And: return multiply(arg(0), arg(1));
  case Op::Or: return add(add(arg(0), arg(1)), multiply(arg(0), arg(1)), -1);
  case Op::Not: return add(number(1), arg(0), -1);
  case Op::Ne: return add(number(1), of(terms.apply(Op::Eq, term->args)), -1);
  case Op::Eq: {
    Form a = arg(0), b = arg(1);
    if (b < a) std::swap(a, b);
    return opaque(Op::Eq, {a, b});
  }
  default: {
    std::vector<Form> args;
    args.reserve(term->args.size());
    for (Term a : term->args) args.push_back(of(a));
    return opaque(term->op, args, term->name, term->type);
  }
  }
}

Form Forms::of(Term term) {
  if (auto at = memo.find(term->id); at != memo.end()) return at->second;
  Form result;
  switch (term->kind) {
  case Kind::Number: result = number(term->value); break;
  case Kind::Infinity: {
    Atom infinite;
    infinite.kind = Kind::Infinity;
    infinite.name = term->value > 0 ? "+" : "-";
    result = atom(atomId(std::move(infinite)));
    break;
  }
  case Kind::Symbol: result = atom(symbolAtom(term)); break;
  case Kind::Sum:
    for (Term t : term->args) result = add(std::move(result), of(t));
    break;
  case Kind::Product:
  case Kind::Power: result = productOf(term); break;
  case Kind::Apply: result = applied(term); break;
  }
  if (result.terms.size() > 2000) throw Overgrown("the expanded form is too large");
  memo[term->id] = result;
  return result;
}

} // namespace polymend::algebra
