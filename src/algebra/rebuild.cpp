// Back from forms to terms. Factors of equal |power| are grouped, so that (c/r)^2 is not written c^2 r^-2, exponents
// are one sum under one exp, and an indicator becomes a select: the text must be as safe in floating point as the
// source.
#include "forms.h"

#include <algorithm>

namespace polymend::algebra {

Term Forms::atomTerm(int id) {
  const Atom a = at(id);
  switch (a.kind) {
  case Kind::Symbol: return terms.find(a.name);
  case Kind::Number: return terms.number(Rational(Integer(a.name)));
  case Kind::Infinity: return terms.infinity(a.name == "+" ? 1 : -1);
  case Kind::Sum: return toTerm(Form(form(a.args[0])));
  default: break;
  }
  std::vector<Term> args;
  for (std::size_t i = 0; i < a.args.size(); ++i) {
    const Form argument = form(a.args[i]);
    args.push_back(a.op == Op::Select && i == 0 ? condition(argument) : toTerm(argument));
  }
  return terms.apply(a.op, args, a.name, a.type);
}

/// A form over indicators with the values 0 and 1, as a condition.
Term Forms::condition(const Form &a) {
  int first = -1;
  for (const auto &[m, q] : a.terms)
    for (const auto &[id, p] : m.powers)
      if (isIndicator(id)) first = id;
  const Term never = terms.apply(Op::Lt, {terms.number(1), terms.number(0)});
  if (first < 0) return a.zero() ? never : terms.apply(Op::Not, {never});
  Form yes, no;
  for (const auto &[m, q] : a.terms) {
    Monomial rest = m;
    const bool has = rest.powers.erase(first) > 0;
    accumulate(yes, rest, q);
    if (!has) accumulate(no, rest, q);
  }
  const Term here = atomTerm(first);
  if (no.zero()) return yes == number(1) ? here : terms.apply(Op::And, {here, condition(yes)});
  const Term absent = terms.apply(Op::Not, {here});
  if (yes.zero()) return no == number(1) ? absent : terms.apply(Op::And, {absent, condition(no)});
  return terms.apply(Op::Or, {yes == number(1) ? here : terms.apply(Op::And, {here, condition(yes)}),
                              no == number(1) ? absent : terms.apply(Op::And, {absent, condition(no)})});
}

namespace {

/// A sum in a form has whole coefficients without a common divisor: x + 0.5 is 2x + 1 there, and x + 1e-6 has 2^43 x,
/// which leaves the range of a type long before x does. The power of two that its first coefficient is divided by.
Rational rangeOf(const Form &sum) {
  constexpr int far = 8;
  const auto first =
      std::find_if(sum.terms.begin(), sum.terms.end(), [](const auto &term) { return !(term.first == Monomial{}); });
  if (first == sum.terms.end()) return 1;
  const Integer lead = abs(numerator(first->second));
  const auto bits = static_cast<int>(msb(lead));
  const Integer whole = Integer(1) << bits;
  return denominator(first->second) == 1 && (lead == whole || bits >= far) ? Rational(whole) : Rational(1);
}

} // namespace

Term Forms::toTerm(const Monomial &m, const Rational &q) {
  std::map<Rational, std::pair<std::vector<Term>, std::vector<Term>>> byPower;
  for (const auto &[id, p] : m.powers) {
    std::vector<Term> &side = p > 0 ? byPower[p].first : byPower[-p].second;
    const Form sum = at(id).kind == Kind::Sum ? form(at(id).args[0]) : Form();
    const Rational range = rangeOf(sum);
    side.push_back(range == 1 ? atomTerm(id) : toTerm(scale(sum, 1 / range)));
    if (range != 1) side.push_back(terms.number(range));
  }
  std::vector<Term> product{terms.number(q)};
  for (const auto &[p, group] : byPower) {
    const auto &[over, under] = group;
    if (p == 1) {
      product.insert(product.end(), over.begin(), over.end());
      for (Term t : under) product.push_back(terms.power(t, -1));
    } else if (over.empty()) {
      product.push_back(terms.power(terms.product(under), -p));
    } else {
      std::vector<Term> quotient = over;
      for (Term t : under) quotient.push_back(terms.power(t, -1));
      product.push_back(terms.power(terms.product(quotient), p));
    }
  }
  if (m.exponent) product.push_back(terms.apply(Op::Exp, {toTerm(Form(form(m.exponent)))}));
  return terms.product(product);
}

Term Forms::toTerm(const Form &a) {
  for (const auto &[m, q] : a.terms)
    for (const auto &[id, p] : m.powers) {
      if (!isIndicator(id)) continue;
      Form yes, no;
      for (const auto &[n, k] : a.terms) {
        Monomial rest = n;
        const bool has = rest.powers.erase(id) > 0;
        yes = add(std::move(yes), ofMonomial(rest, k));
        if (!has) accumulate(no, rest, k);
      }
      return terms.apply(Op::Select, {atomTerm(id), toTerm(yes), toTerm(no)});
    }
  std::vector<Term> sum;
  sum.reserve(a.terms.size());
  for (const auto &[m, q] : a.terms) sum.push_back(toTerm(m, q));
  return terms.sum(sum);
}

} // namespace polymend::algebra
