// The second opinion: both sides of every obligation with 60 digits at twenty random points that satisfy the facts of
// the symbols. It shares only the terms with the normal form. A point where the source is not finite, or r not
// regular, says nothing.
#include "obligations.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <random>

namespace polymend::algebra {
namespace {

namespace mp = boost::multiprecision;
using Real = mp::number<mp::cpp_bin_float<60>, mp::et_off>;

class Evaluator {
public:
  explicit Evaluator(TermMap<Real> symbols) : values(std::move(symbols)) {}

  Real of(Term term) {
    if (auto at = values.find(term); at != values.end()) return at->second;
    return values[term] = compute(term);
  }

private:
  TermMap<Real> values;

  Real compute(Term term) {
    auto arg = [&](std::size_t i) { return of(term->args[i]); };
    switch (term->kind) {
    case Kind::Number: return static_cast<Real>(term->value);
    case Kind::Infinity: return term->value > 0 ? infinite() : Real(-infinite());
    case Kind::Symbol: throw Overgrown("a symbol without a value");
    case Kind::Sum: {
      Real sum = 0;
      for (Term t : term->args) sum += of(t);
      return sum;
    }
    case Kind::Product: {
      Real product = 1;
      for (Term t : term->args) product *= of(t);
      return product;
    }
    case Kind::Power: return power(arg(0), term->value);
    case Kind::Apply: return apply(term);
    }
    return 0;
  }

  static Real infinite() { return std::numeric_limits<Real>::infinity(); }

  static Real power(const Real &base, const Rational &p) {
    const Real root = integral(p)           ? base
                      : denominator(p) == 2 ? Real(sqrt(base))
                                            : Real(pow(base, Real(1) / Real(denominator(p))));
    const Integer n = abs(numerator(p));
    Real result = 1;
    for (Integer i = 0; i < n; ++i) result *= root;
    return p < 0 ? Real(1 / result) : result;
  }

  Real apply(Term term) {
    auto arg = [&](std::size_t i) { return of(term->args[i]); };
    auto truth = [](bool b) { return Real(b ? 1 : 0); };
    switch (term->op) {
    case Op::Exp: return arg(0) == -infinite() ? Real(0) : Real(exp(arg(0)));
    case Op::Log: return log(arg(0));
    case Op::Tanh: return tanh(arg(0));
    case Op::Sin: return sin(arg(0));
    case Op::Cos: return cos(arg(0));
    case Op::Abs: return abs(arg(0));
    case Op::Max:
    case Op::FMax: return arg(0) < arg(1) ? arg(1) : arg(0);
    case Op::Min:
    case Op::FMin: return arg(1) < arg(0) ? arg(1) : arg(0);
    case Op::Lt: return truth(arg(0) < arg(1));
    case Op::Le: return truth(arg(0) <= arg(1));
    case Op::Eq: return truth(arg(0) == arg(1));
    case Op::Ne: return truth(arg(0) != arg(1));
    case Op::And: return truth(arg(0) != 0 && arg(1) != 0);
    case Op::Or: return truth(arg(0) != 0 || arg(1) != 0);
    case Op::Not: return truth(arg(0) == 0);
    case Op::Select: return arg(0) != 0 ? arg(1) : arg(2);
    case Op::Floor: return floor(arg(0));
    case Op::Ceil: return ceil(arg(0));
    case Op::Trunc: return trunc(arg(0));
    case Op::Round: return trunc(Real(arg(0) + (arg(0) < 0 ? Real(-0.5) : Real(0.5))));
    default: return scattered(term);
    }
  }

  /// An opaque function: any fixed function of its arguments will do, this one is smooth and positive.
  Real scattered(Term term) {
    Real sum = static_cast<int>(term->op) + 7 * static_cast<int>(term->type);
    for (char c : term->name) sum = sum * 31 / 7 + c;
    for (std::size_t i = 0; i < term->args.size(); ++i) sum += Real(3 + 2 * i) * of(term->args[i]) / 5;
    return Real(1.5) + sin(sum);
  }
};

/// Random points that satisfy signs, integrality and order facts.
class Sampler {
public:
  explicit Sampler(Problem &posed) : problem(posed) {}

  TermMap<Real> point(const TermSet &symbols) {
    TermMap<Real> values;
    for (Term s : symbols)
      if (!(s->roles & ProducerRole)) values[s] = any(s);
    for (Term s : symbols)
      if (s->roles & ProducerRole) values[s] = any(s);
    if (problem.ordered)
      for (std::size_t i = 0; i < problem.producers.size(); ++i)
        for (Term r : {problem.producers[i], problem.moved[i]}) order(values, i, r);
    return values;
  }

private:
  Problem &problem;
  std::mt19937_64 random{20240229};

  Real any(Term symbol) {
    const SymbolFacts &facts = problem.terms.facts(symbol->symbol);
    const bool whole = !isFloating(facts.type);
    double x = whole ? static_cast<double>(1 + random() % 4) : std::uniform_real_distribution<>(0.2, 2.5)(random);
    if ((facts.signs & Negative) && (!(facts.signs & Positive) || random() % 2)) x = -x;
    if (facts.signs == Zero) x = 0;
    return x;
  }

  /// Moves r beyond its element, as a running extreme over a set that holds it.
  void order(TermMap<Real> &values, std::size_t i, Term r) {
    const bool extreme = problem.reduction[i] == Monoid::Max || problem.reduction[i] == Monoid::Min;
    if (!problem.reduced[i] || !extreme) return;
    const Real element = Evaluator(values).of(problem.reduced[i]);
    const Real step = std::uniform_real_distribution<>(0.0, 2.0)(random);
    const SignSet signs = problem.terms.facts(r->symbol).signs;
    Real moved = problem.reduction[i] == Monoid::Max ? Real(element + step) : Real(element - step);
    if ((moved > 0 && !(signs & Positive)) || (moved < 0 && !(signs & Negative))) moved = element;
    values[r] = moved;
  }
};

void symbolsIn(Term term, TermSet &symbols) {
  if (term->kind == Kind::Symbol) symbols.insert(term);
  for (Term a : term->args) symbolsIn(a, symbols);
}

bool finite(const Real &x) { return mp::isfinite(x); }

/// Do both sides agree to forty digits?
bool close(const Real &a, const Real &b) {
  static_assert(std::numeric_limits<Real>::digits10 >= 59);
  return abs(a - b) <= Real("1e-40") * (1 + abs(a));
}

/// Tries points until twenty said something; five are enough when most are outside the domain.
template <class Test> Opinion atPoints(Sampler &sampler, const TermSet &symbols, Test test) {
  int spoke = 0;
  for (int i = 0; i < 80 && spoke < 20; ++i) {
    const std::optional<bool> holds = test(sampler.point(symbols));
    if (!holds) continue;
    if (!*holds) return Opinion::Refuted;
    ++spoke;
  }
  return spoke >= 5 ? Opinion::Agrees : Opinion::Unknown;
}

/// The symbols of the terms, and of what order facts speak of.
TermSet symbolsOf(const Problem &problem, const std::vector<Term> &terms) {
  TermSet symbols;
  for (Term t : terms) symbolsIn(t, symbols);
  for (Term reduced : problem.reduced)
    if (reduced && problem.ordered) symbolsIn(reduced, symbols);
  return symbols;
}

Opinion equation(Problem &problem, const Obligation &o) {
  const TermSet symbols = symbolsOf(problem, {o.left, o.right});
  Sampler sampler(problem);
  return atPoints(sampler, symbols, [&](TermMap<Real> values) -> std::optional<bool> {
    Evaluator evaluator(std::move(values));
    const Real left = evaluator.of(o.left), right = evaluator.of(o.right);
    if (!finite(left) || (o.guarded && !finite(right))) return std::nullopt;
    return finite(right) && close(left, right);
  });
}

Opinion growth(Problem &problem, const Obligations &all) {
  const TermSet symbols = symbolsOf(problem, {all.score, all.growing});
  Sampler sampler(problem);
  return atPoints(sampler, symbols, [&](TermMap<Real> values) -> std::optional<bool> {
    const Real low = Evaluator(values).of(all.growing);
    values[all.score] += Real(0.75);
    const Real high = Evaluator(values).of(all.growing);
    if (!finite(low) || !finite(high)) return std::nullopt;
    return all.increasing ? low <= high : high <= low;
  });
}

} // namespace

Opinion byEvaluation(Problem &problem, const Obligations &all) {
  try {
    Opinion worst = all.growing ? growth(problem, all) : Opinion::Agrees;
    for (const Obligation &o : all.equations) {
      if (worst == Opinion::Refuted) break;
      if (o.left == o.right) continue;
      const Opinion here = equation(problem, o);
      if (here != Opinion::Agrees) worst = here;
    }
    return worst;
  } catch (const std::exception &) {
    return Opinion::Unknown;
  }
}

} // namespace polymend::algebra
