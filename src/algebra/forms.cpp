// Arithmetic of forms: sums, products, rational powers; see forms.h.
// Powers: integer powers of sums are expanded, other powers take out the common monomial and the content and leave an
// irreducible sum as an atom. Fractional powers are split only over factors that cannot be negative.
#include "forms.h"

#include <algorithm>

namespace polymend::algebra {

bool Monomial::operator<(const Monomial &other) const {
  if (powers != other.powers) return powers < other.powers;
  return exponent < other.exponent;
}

bool Atom::operator<(const Atom &other) const {
  return std::tie(kind, op, type, name, symbol, args) <
         std::tie(other.kind, other.op, other.type, other.name, other.symbol, other.args);
}

void accumulate(Form &a, const Monomial &m, const Rational &q) {
  if (q == 0) return;
  auto [at, isNew] = a.terms.try_emplace(m, q);
  if (isNew) return;
  at->second += q;
  if (at->second == 0) a.terms.erase(at);
}

std::vector<Integer> factors(Integer n) {
  std::vector<Integer> result;
  for (unsigned p = 2; p < 1000 && n > 1; ++p)
    while (n % p == 0) {
      result.emplace_back(p);
      n /= p;
    }
  if (n > 1) result.push_back(n);
  return result;
}

int Forms::intern(const Form &form) {
  auto [at, isNew] = known.try_emplace(form, static_cast<int>(interned.size()));
  if (isNew) interned.push_back(form);
  return at->second;
}

int Forms::atomId(Atom atom) {
  if (auto at = atomIds.find(atom); at != atomIds.end()) return at->second;
  for (int arg : atom.args) atom.roles |= roles(form(arg));
  const int id = static_cast<int>(atoms.size());
  atomIds[atom] = id;
  atoms.push_back(std::move(atom));
  return id;
}

int Forms::symbolAtom(Term symbol) {
  Atom atom;
  atom.symbol = symbol->symbol;
  atom.name = symbol->name;
  atom.roles = symbol->roles;
  return atomId(std::move(atom));
}

Form Forms::number(const Rational &q) const {
  Form result;
  accumulate(result, {}, q);
  return result;
}

Form Forms::atom(int id, const Rational &power) const {
  Form result;
  result.terms[Monomial{{{id, power}}, 0}] = 1;
  return result;
}

Form Forms::opaque(Op op, const std::vector<Form> &args, const std::string &name, Type type) {
  Atom result;
  result.kind = Kind::Apply;
  result.op = op;
  result.name = name;
  result.type = type;
  for (const Form &a : args) result.args.push_back(intern(a));
  return atom(atomId(std::move(result)));
}

Form Forms::add(Form a, const Form &b, const Rational &factor) const {
  for (const auto &[m, q] : b.terms) accumulate(a, m, q * factor);
  return a;
}

Form Forms::scale(Form a, const Rational &factor) const {
  if (factor == 0) return {};
  for (auto &[m, q] : a.terms) q *= factor;
  return a;
}

Monomial Forms::multiply(const Monomial &a, const Monomial &b) {
  Monomial result = a;
  for (const auto &[id, p] : b.powers) {
    Rational &power = result.powers[id];
    power += p;
    if (power == 0) result.powers.erase(id);
  }
  if (b.exponent) result.exponent = a.exponent ? intern(add(form(a.exponent), form(b.exponent))) : b.exponent;
  return result;
}

Monomial Forms::power(const Monomial &m, const Rational &p) {
  Monomial result;
  if (p == 0) return result;
  for (const auto &[id, q] : m.powers) result.powers[id] = q * p;
  if (m.exponent) result.exponent = intern(scale(form(m.exponent), p));
  return result;
}

Form Forms::multiply(const Form &a, const Form &b) {
  constexpr std::size_t mostPairs = 4000, mostPairsOfAll = 200000; // seconds; a mend that is found takes some thousand
  const std::size_t pairs = a.terms.size() * b.terms.size();
  multiplied += pairs;
  if (pairs > mostPairs) throw Overgrown("a product of sums is too large");
  if (multiplied > mostPairsOfAll) throw Overgrown("the products of sums are too large together");
  Form result;
  for (const auto &[m, q] : a.terms)
    for (const auto &[n, k] : b.terms)
      for (const auto &[t, c] : normalised(multiply(m, n), q * k).terms) accumulate(result, t, c);
  return result;
}

/// One rewrite of the power of atom `id` in m; `changed` tells whether there was one.
Form Forms::rewrittenPower(const Monomial &m, const Rational &q, int id, bool &changed) {
  const Atom a = at(id);
  const Rational p = m.powers.at(id);
  auto split = [&](const Form &factor, const Rational &left) {
    changed = true;
    Monomial rest = m;
    rest.powers.erase(id);
    if (left != 0) rest.powers[id] = left;
    return multiply(factor, normalised(rest, q));
  };
  const Integer whole = floorOf(p);
  if (a.kind == Kind::Number && whole != 0) {
    if (abs(whole) > 64) throw Overgrown("a power is too large");
    return split(number(powerOf(Rational(Integer(a.name)), whole)), p - Rational(whole));
  }
  if (a.kind == Kind::Sum && p >= 1) return split(power(form(a.args[0]), Rational(whole)), p - Rational(whole));
  if (a.kind != Kind::Apply || !integral(p)) return {};
  if (a.op == Op::Sin && p >= 2) {
    Atom cosine = a;
    cosine.op = Op::Cos;
    return split(add(number(1), atom(atomId(cosine), 2), -1), p - 2);
  }
  if (a.op == Op::Abs && (p >= 2 || p <= -2)) {
    const Rational evenPart = p > 0 ? Rational(floorOf(p / 2) * 2) : Rational(-floorOf(-p / 2) * 2);
    return split(power(form(a.args[0]), evenPart), p - evenPart);
  }
  if (isIndicator(id) && p > 1) return split(number(1), 1);
  return {};
}

Form Forms::normalised(const Monomial &m, const Rational &q) {
  for (const auto &entry : m.powers) {
    bool changed = false;
    Form result = rewrittenPower(m, q, entry.first, changed);
    if (changed) return result;
  }
  Form result;
  accumulate(result, m, q);
  return result;
}

Form Forms::rootsOf(const Rational &q, const Rational &p) {
  Form result = number(1);
  auto take = [&](const Integer &n, const Rational &power) {
    for (const Integer &f : factors(n)) {
      Atom base;
      base.kind = Kind::Number;
      base.name = f.str();
      result = multiply(result, atom(atomId(std::move(base)), power));
    }
  };
  take(numerator(q), p);
  take(denominator(q), -p);
  return result;
}

Rational Forms::content(const Form &a) const {
  Integer g = 0, l = 1;
  for (const auto &[m, q] : a.terms) {
    g = gcd(g, numerator(q));
    l = lcm(l, denominator(q));
  }
  return Rational(abs(g)) / Rational(l);
}

/// The largest monomial that divides every term, over atoms whose signs lie within `allowed`.
Monomial Forms::commonFactor(const Form &a, SignSet allowed) {
  Monomial common = a.terms.begin()->first;
  Form exponent = form(common.exponent);
  for (const auto &[m, q] : a.terms) {
    for (const auto &[id, p] : m.powers)
      if (p < 0) common.powers.try_emplace(id, 0);
    for (auto &[id, p] : common.powers) {
      auto found = m.powers.find(id);
      p = std::min(p, found == m.powers.end() ? Rational(0) : found->second);
    }
    Form shared;
    for (const auto &[t, k] : form(m.exponent).terms)
      if (auto found = exponent.terms.find(t); found != exponent.terms.end() && found->second == k) shared.terms[t] = k;
    exponent = shared;
  }
  std::erase_if(common.powers, [&](const auto &e) { return e.second == 0 || (atomSigns(e.first) & ~allowed) != 0; });
  common.exponent = intern(exponent);
  return common;
}

Form Forms::powerOfMonomial(const Monomial &m, const Rational &q, const Rational &p) {
  const bool whole = integral(p);
  Monomial split, kept;
  Form result = whole ? number(powerOf(q, numerator(p))) : rootsOf(abs(q), p);
  for (const auto &[id, e] : m.powers) {
    if (whole || !(atomSigns(id) & Negative))
      split.powers[id] = e * p;
    else if (even(e))
      result = multiply(result, power(absolute(atom(id)), e * p));
    else
      kept.powers[id] = e;
  }
  if (m.exponent) split.exponent = intern(scale(form(m.exponent), p));
  if (!whole && (!kept.powers.empty() || q < 0)) {
    Form base;
    base.terms[kept] = q < 0 ? -1 : 1;
    Atom irreducible;
    irreducible.kind = Kind::Sum;
    irreducible.args = {intern(base)};
    result = multiply(result, atom(atomId(std::move(irreducible)), p));
  }
  return multiply(result, ofMonomial(split));
}

Form Forms::power(const Form &a, const Rational &p) {
  if (p == 0) return number(1);
  if (p == 1) return a;
  if (a.zero()) {
    if (p > 0) return {};
    throw Overgrown("zero to a negative power");
  }
  if (a.terms.size() == 1) {
    if (abs(p) > 64) throw Overgrown("a power is too large");
    return powerOfMonomial(a.terms.begin()->first, a.terms.begin()->second, p);
  }
  if (integral(p) && p > 0) {
    if (p > 16) throw Overgrown("a power is too large");
    Form result = a;
    for (Integer i = 1; i < numerator(p); ++i) result = multiply(result, a);
    return result;
  }
  const Monomial common = commonFactor(a, integral(p) ? AnySign : NonNegative);
  Rational k = content(a);
  if (integral(p) && a.terms.begin()->second < 0) k = -k;
  Form rest;
  for (const auto &[m, q] : a.terms) rest = add(std::move(rest), normalised(multiply(m, power(common, -1)), q / k));
  Atom irreducible;
  irreducible.kind = Kind::Sum;
  irreducible.args = {intern(rest)};
  const Integer whole = p > 0 ? floorOf(p) : Integer(0);
  Form result = multiply(power(ofMonomial(common, k), p), atom(atomId(std::move(irreducible)), p - Rational(whole)));
  return whole > 0 ? multiply(result, power(rest, Rational(whole))) : result;
}

} // namespace polymend::algebra
