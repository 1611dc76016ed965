// Lifting of terms to polynomial arithmetic; see lift.h.
#include "lift.h"

#include <algorithm>

namespace polymend::algebra {
namespace {

/// A select inside the term, reached through sums and products only, or null.
Term selectWithin(Term term) {
  if (term->kind == Kind::Apply) return term->op == Op::Select ? term : nullptr;
  if (term->kind != Kind::Sum && term->kind != Kind::Product) return nullptr;
  for (Term a : term->args)
    if (Term found = selectWithin(a)) return found;
  return nullptr;
}

/// An infinite summand or factor, reached through sums and products only.
bool infinite(Term term) {
  if (term->kind == Kind::Infinity) return true;
  return (term->kind == Kind::Sum || term->kind == Kind::Product) &&
         std::any_of(term->args.begin(), term->args.end(), infinite);
}

Rational common(const Rational &a, const Rational &b) {
  const Integer n = gcd(numerator(a) * denominator(b), numerator(b) * denominator(a));
  return Rational(n) / Rational(denominator(a) * denominator(b));
}

} // namespace

z3::expr Lifter::fresh(const char *prefix) { return c.real_const((prefix + std::to_string(count++)).c_str()); }

z3::expr Lifter::raised(const z3::expr &base, const Integer &n) {
  z3::expr result = c.real_val(1);
  for (Integer i = 0; i < n; ++i) result = i == 0 ? base : result * base;
  return result;
}

void Lifter::scanForm(const Form &form) {
  for (const auto &[m, q] : form.terms) {
    auto [at, isNew] = units.try_emplace(m, abs(q));
    if (!isNew) at->second = common(at->second, q);
  }
}

void Lifter::scan(Term term) {
  const bool function =
      term->kind == Kind::Apply && (term->op == Op::Exp || term->op == Op::Sin || term->op == Op::Cos);
  for (Term a : term->args) scan(a);
  if (!function) return;
  const Term argument = term->args[0];
  if (Term select = selectWithin(argument)) {
    for (std::size_t branch : {1U, 2U}) {
      const Term taken = problem.terms.replace(argument, {{select, select->args[branch]}});
      scan(problem.terms.apply(term->op, {taken}));
    }
  } else if (!infinite(argument)) {
    scanForm(problem.forms.of(argument));
  }
}

/// q as a multiple of the unit of m.
Integer Lifter::multiple(const Monomial &m, const Rational &q) {
  auto at = units.find(m);
  const Rational n = q / (at == units.end() ? abs(q) : at->second);
  if (!integral(n) || abs(n) > 24) throw Overgrown("coefficients without a small common unit");
  if (at == units.end()) units[m] = abs(q);
  return numerator(n);
}

z3::expr Lifter::lift(Term term) {
  if (auto at = done.find(term); at != done.end()) return at->second;
  const z3::expr result = build(term);
  done.emplace(term, result);
  return result;
}

z3::expr Lifter::symbol(Term term) {
  const z3::expr x = c.real_const(("v" + std::to_string(term->symbol)).c_str());
  switch (problem.terms.facts(term->symbol).signs) {
  case Positive: axioms.push_back(x > 0); break;
  case NonNegative: axioms.push_back(x >= 0); break;
  case Negative: axioms.push_back(x < 0); break;
  case NonPositive: axioms.push_back(x <= 0); break;
  default: break;
  }
  return x;
}

z3::expr Lifter::build(Term term) {
  switch (term->kind) {
  case Kind::Number: return number(term->value);
  case Kind::Infinity: weak = true; return c.real_const("infinity");
  case Kind::Symbol: return symbol(term);
  case Kind::Power: return power(term->args[0], term->value);
  case Kind::Apply: return apply(term);
  default: break;
  }
  z3::expr result = lift(term->args[0]);
  for (std::size_t i = 1; i < term->args.size(); ++i)
    result = term->kind == Kind::Sum ? result + lift(term->args[i]) : result * lift(term->args[i]);
  return result;
}

z3::expr Lifter::power(Term base, const Rational &p) {
  if (abs(p) > 24 || denominator(p) > 8) throw Overgrown("a power is too large");
  z3::expr b = lift(base);
  if (!integral(p)) {
    auto at = roots.find({base, denominator(p).str()});
    if (at == roots.end()) {
      const z3::expr root = fresh("root");
      axioms.push_back(root >= 0);
      axioms.push_back(raised(root, denominator(p)) == b);
      at = roots.emplace(std::pair(base, denominator(p).str()), root).first;
    }
    b = at->second;
  }
  if (p < 0) {
    const z3::expr inverse = fresh("inverse");
    axioms.push_back(inverse * b == 1);
    b = inverse;
  }
  return raised(b, abs(numerator(p)));
}

z3::expr Lifter::exponential(Term argument) {
  if (Term select = selectWithin(argument)) {
    const Term yes = problem.terms.replace(argument, {{select, select->args[1]}});
    const Term no = problem.terms.replace(argument, {{select, select->args[2]}});
    return z3::ite(condition(select->args[0]), exponential(yes), exponential(no));
  }
  if (infinite(argument)) {
    const std::vector<Term> parts = argument->kind == Kind::Sum ? argument->args : std::vector<Term>{argument};
    for (Term part : parts)
      if (infinite(part) && problem.forms.signs(part) != Negative) throw Overgrown("an infinite exponent");
    return c.real_val(0);
  }
  z3::expr result = c.real_val(1);
  for (const auto &[m, q] : problem.forms.of(argument).terms) {
    const bool single = m.powers.size() == 1 && !m.exponent && m.powers.begin()->second == 1;
    if (single && problem.forms.at(m.powers.begin()->first).op == Op::Log) {
      const Term logarithm = problem.forms.atomTerm(m.powers.begin()->first);
      result = result * power(logarithm->args[0], q);
      continue;
    }
    auto at = exponentials.find(m);
    if (at == exponentials.end()) {
      const z3::expr x = fresh("exp"), y = fresh("exp");
      axioms.push_back(x > 0);
      axioms.push_back(x * y == 1);
      at = exponentials.emplace(m, std::pair(x, y)).first;
    }
    const Integer n = multiple(m, q);
    result = result * raised(n > 0 ? at->second.first : at->second.second, abs(n));
  }
  return result;
}

/// (cos, sin) of a sum of angles by addition.
std::pair<z3::expr, z3::expr> Lifter::angle(const Form &argument) {
  z3::expr cosine = c.real_val(1), sine = c.real_val(0);
  for (const auto &[m, q] : argument.terms) {
    auto at = angles.find(m);
    if (at == angles.end()) {
      const z3::expr x = fresh("cos"), y = fresh("sin");
      axioms.push_back(x * x + y * y == 1);
      at = angles.emplace(m, std::pair(x, y)).first;
    }
    const Integer n = multiple(m, q);
    const z3::expr x = at->second.first, y = n < 0 ? -at->second.second : at->second.second;
    for (Integer i = 0; i < abs(n); ++i) {
      const z3::expr next = sine * x + cosine * y;
      cosine = cosine * x - sine * y;
      sine = next;
    }
  }
  return {cosine, sine};
}

z3::expr Lifter::condition(Term term) {
  auto arg = [&](std::size_t i) { return lift(term->args[i]); };
  if (term->kind == Kind::Apply) switch (term->op) {
    case Op::Lt: return arg(0) < arg(1);
    case Op::Le: return arg(0) <= arg(1);
    case Op::Eq: return arg(0) == arg(1);
    case Op::Ne: return arg(0) != arg(1);
    case Op::And: return condition(term->args[0]) && condition(term->args[1]);
    case Op::Or: return condition(term->args[0]) || condition(term->args[1]);
    case Op::Not: return !condition(term->args[0]);
    default: break;
    }
  return lift(term) != 0;
}

z3::expr Lifter::apply(Term term) {
  auto arg = [&](std::size_t i) { return lift(term->args[i]); };
  switch (term->op) {
  case Op::Exp: return exponential(term->args[0]);
  case Op::Sin: return angle(problem.forms.of(term->args[0])).second;
  case Op::Cos: return angle(problem.forms.of(term->args[0])).first;
  case Op::Abs: return z3::ite(arg(0) >= 0, arg(0), -arg(0));
  case Op::Max:
  case Op::FMax: return z3::ite(arg(0) >= arg(1), arg(0), arg(1));
  case Op::Min:
  case Op::FMin: return z3::ite(arg(0) <= arg(1), arg(0), arg(1));
  case Op::Lt:
  case Op::Le:
  case Op::Eq:
  case Op::Ne:
  case Op::And:
  case Op::Or:
  case Op::Not: return z3::ite(condition(term), c.real_val(1), c.real_val(0));
  case Op::Select: return z3::ite(condition(term->args[0]), arg(1), arg(2));
  default: return other(term);
  }
}

/// A logarithm is split by the normal form first; what is left is one variable per atom.
z3::expr Lifter::other(Term term) {
  const Form form = problem.forms.of(term);
  const bool single = form.terms.size() == 1 && form.terms.begin()->second == 1 &&
                      form.terms.begin()->first.powers.size() == 1 && !form.terms.begin()->first.exponent &&
                      form.terms.begin()->first.powers.begin()->second == 1;
  if (!single) return lift(problem.forms.toTerm(form));
  const int atom = form.terms.begin()->first.powers.begin()->first;
  if (problem.forms.at(atom).kind != Kind::Apply) return lift(problem.forms.toTerm(form));
  auto at = opaque.find(atom);
  if (at == opaque.end()) {
    at = opaque.emplace(atom, fresh("value")).first;
    const SignSet signs = problem.forms.atomSigns(atom);
    if (signs == Positive) axioms.push_back(at->second > 0);
  }
  return at->second;
}

void Lifter::assumeOrders() {
  if (!problem.ordered) return;
  for (std::size_t i = 0; i < problem.producers.size(); ++i) {
    const Monoid monoid = problem.reduction[i];
    if (!problem.reduced[i] || (monoid != Monoid::Max && monoid != Monoid::Min)) continue;
    for (Term r : {problem.producers[i], problem.moved[i]}) {
      const z3::expr element = lift(problem.reduced[i]), extreme = lift(r);
      axioms.push_back(monoid == Monoid::Max ? element <= extreme : element >= extreme);
    }
  }
}

} // namespace polymend::algebra
