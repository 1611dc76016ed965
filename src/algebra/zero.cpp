// When is a form zero? Quotients N/S with S | N are divided out exactly in the Laurent ring, and the last test clears
// every irreducible denominator. Also substitution of forms for atoms, which re-normalises what it touches.
#include "forms.h"

#include <algorithm>
#include <set>

namespace polymend::algebra {

/// The lexicographic order of a / b against 1, over atoms and then over terms of the exponent.
int Forms::compare(const Monomial &a, const Monomial &b) {
  const auto [of, by] = std::ranges::mismatch(a.powers, b.powers);
  const bool isPast = of == a.powers.end();
  if (!isPast || by != b.powers.end()) {
    const bool onlyOf = by == b.powers.end() || (!isPast && of->first < by->first);
    if (onlyOf) return of->second > 0 ? 1 : -1;
    if (isPast || by->first < of->first) return by->second < 0 ? 1 : -1;
    return of->second > by->second ? 1 : -1;
  }
  if (a.exponent == b.exponent) return 0;
  return add(form(a.exponent), form(b.exponent), -1).terms.begin()->second > 0 ? 1 : -1;
}

/// numerator / divisor when it is a form again.
std::optional<Form> Forms::quotient(Form numerator, const Form &divisor) {
  constexpr std::size_t mostTerms = 100; // each step compares all with one another: 1,000 took half a minute
  auto leading = [&](const Form &f) {
    auto best = f.terms.begin();
    for (auto i = f.terms.begin(); i != f.terms.end(); ++i)
      if (compare(i->first, best->first) > 0) best = i;
    return best;
  };
  Form result;
  const auto bottom = leading(divisor);
  for (int step = 0; step < 40 && !numerator.zero(); ++step) {
    if (numerator.terms.size() > mostTerms) return std::nullopt;
    const auto top = leading(numerator);
    const Form term = ofMonomial(multiply(top->first, power(bottom->first, -1)), top->second / bottom->second);
    result = add(result, term);
    numerator = add(numerator, multiply(term, divisor), -1);
  }
  if (!numerator.zero()) return std::nullopt;
  return result;
}

/// Divides groups N S^p with p < 0 wherever S divides N.
Form Forms::cancelled(const Form &a) {
  std::set<std::pair<int, Rational>> tried;
  for (const auto &[m, q] : a.terms)
    for (const auto &[id, p] : m.powers) {
      if (at(id).kind != Kind::Sum || p >= 0 || !tried.emplace(id, p).second) continue;
      Form group, rest;
      for (const auto &[n, k] : a.terms) {
        auto found = n.powers.find(id);
        if (found == n.powers.end() || found->second != p) {
          rest.terms[n] = k;
          continue;
        }
        Monomial without = n;
        without.powers.erase(id);
        group.terms[without] = k;
      }
      if (group.terms.size() < 2) continue;
      const Rational left = p + 1;
      if (auto divided = quotient(group, form(at(id).args[0])))
        return cancelled(add(rest, multiply(*divided, left == 0 ? number(1) : atom(id, left))));
    }
  return a;
}

/// The factors of term^p with their powers: a quotient by a product is one by each factor, however it is written, so
/// that no denominator is expanded before its factors are known.
void Forms::takeFactors(Term term, const Rational &p, std::map<int, Rational> &bases) {
  if (term->kind == Kind::Power && integral(p)) return takeFactors(term->args[0], p * term->value, bases);
  if (term->kind == Kind::Product && integral(p)) {
    for (Term factor : term->args) takeFactors(factor, p, bases);
    return;
  }
  bases[intern(of(term))] += p;
}

Form Forms::productOf(Term term) {
  std::map<int, Rational> bases;
  takeFactors(term, 1, bases);
  Form result = number(1);
  for (const auto &[base, p] : bases) result = multiply(result, power(Form(form(base)), p));
  return cancelled(result);
}

bool Forms::isZero(Form a) {
  for (int step = 0; step < 12 && !a.zero(); ++step) {
    int lowest = -1;
    Rational power = 0;
    for (const auto &[m, q] : a.terms)
      for (const auto &[id, p] : m.powers)
        if (at(id).kind == Kind::Sum && p < power) {
          lowest = id;
          power = p;
        }
    if (lowest < 0) return false;
    a = multiply(a, atom(lowest, -power));
  }
  return a.zero();
}

Form Forms::substituteAtom(int id, const std::map<int, Form> &map) {
  if (auto found = map.find(id); found != map.end()) return found->second;
  const Atom a = at(id);
  bool changed = false;
  std::vector<Form> args;
  for (int arg : a.args) {
    args.push_back(substitute(form(arg), map));
    changed |= !(args.back() == form(arg));
  }
  if (!changed) return atom(id);
  if (a.kind == Kind::Sum) return args[0];
  switch (a.op) {
  case Op::Log: return logarithm(args[0]);
  case Op::Sin: return sineCosine(args[0]).first;
  case Op::Cos: return sineCosine(args[0]).second;
  case Op::Abs: return absolute(args[0]);
  default: return opaque(a.op, args, a.name, a.type);
  }
}

Form Forms::substitute(const Form &a, const std::map<int, Form> &map) {
  Form result;
  for (const auto &[m, q] : a.terms) {
    Form product = number(q);
    for (const auto &[id, p] : m.powers) product = multiply(product, power(substituteAtom(id, map), p));
    if (m.exponent) product = multiply(product, exponential(substitute(Form(form(m.exponent)), map)));
    result = add(std::move(result), product);
  }
  return result;
}

} // namespace polymend::algebra
