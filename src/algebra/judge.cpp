// What speaks against a draft of a sum, beyond its size:
// unsafe    - an exponential, logarithm or power of a quotient still mixes producers and elements, so that the state
//             holds exp(c) where the source held exp(c - m); tolerated when its argument is bounded;
// uncentred - a difference c - r is expanded into raw moments, which cancel;
// unordered - a pivot under exp whose producers are all sums where an extreme would bound the exponent.
#include "draft.h"

#include <algorithm>
#include <cmath>

namespace polymend::algebra {
namespace {

constexpr double largestExponent = 60; // of a float's 87
constexpr double slightExponent = 1;   // of a factor that moves digits near underflow no more than roundings do

bool chooses(Op op) { return op == Op::Max || op == Op::Min || op == Op::FMax || op == Op::FMin; }

std::optional<double> bound(const Problem &problem, Term term);

/// A bound of a running extreme: that of what it is one of.
std::optional<double> boundOfExtreme(const Problem &problem, Term symbol) {
  for (std::size_t i = 0; i < problem.producers.size(); ++i) {
    const bool isExtreme = problem.reduction[i] == Monoid::Max || problem.reduction[i] == Monoid::Min;
    if (problem.producers[i] == symbol && isExtreme && problem.reduced[i]) return bound(problem, problem.reduced[i]);
  }
  return std::nullopt;
}

/// A multiple of the logarithm of what holds no element.
bool isLogarithm(Term term) {
  if (term->kind == Kind::Product && term->args.size() == 2 && term->args[0]->kind == Kind::Number)
    term = term->args[1];
  return term->kind == Kind::Apply && term->op == Op::Log && !(term->roles & ElementRole);
}

/// A bound of |term| that holds whatever its symbols are, if one follows from tanh, sin and cos.
std::optional<double> bound(const Problem &problem, Term term) {
  std::vector<double> args;
  for (Term a : term->args) {
    if (term->kind == Kind::Apply && !chooses(term->op)) break;
    const auto b = bound(problem, a);
    if (!b) return std::nullopt;
    args.push_back(*b);
  }
  switch (term->kind) {
  case Kind::Symbol: return boundOfExtreme(problem, term);
  case Kind::Number: return std::abs(term->value.convert_to<double>());
  case Kind::Sum: {
    double sum = 0;
    for (double b : args) sum += b;
    return sum;
  }
  case Kind::Product: {
    double product = 1;
    for (double b : args) product *= b;
    return product;
  }
  case Kind::Power:
    return term->value > 0 ? std::optional(std::pow(args[0], term->value.convert_to<double>())) : std::nullopt;
  case Kind::Apply:
    if (term->op == Op::Tanh || term->op == Op::Sin || term->op == Op::Cos) return 1;
    if (term->op == Op::Log && term->args[0]->kind == Kind::Number) return std::abs(std::log(2.0));
    if (chooses(term->op)) return *std::max_element(args.begin(), args.end());
    return std::nullopt;
  default: return std::nullopt;
  }
}

} // namespace

bool boundedExponent(const Problem &problem, Term argument) {
  const std::vector<Term> parts = argument->kind == Kind::Sum ? argument->args : std::vector<Term>{argument};
  double elements = 0, producers = 0;
  for (Term part : parts) {
    if (isLogarithm(part)) continue; // a factor, or a divisor, that is asked for its size
    if (!(part->roles & (ElementRole | ProducerRole))) continue;
    double &sum = part->roles & ElementRole ? elements : producers;
    const auto b = bound(problem, part);
    if (!b && (part->roles & ElementRole)) return false;
    sum += b.value_or(largestExponent + 1);
  }
  return elements <= slightExponent || (elements <= largestExponent && producers <= largestExponent);
}

namespace {

class Judge {
public:
  Judge(Problem &posed, Draft &judged) : problem(posed), draft(judged) {}

  void look(Term term, bool polynomial) {
    const bool function = term->kind == Kind::Apply && term->op != Op::Select;
    const bool power = term->kind == Kind::Power;
    for (Term a : term->args) look(a, polynomial && !function && !(power && !integral(term->value)));
    if (term->kind == Kind::Apply && (term->op == Op::Exp || term->op == Op::Log) && mixed(term->args[0]))
      draft.unsafe = std::max(draft.unsafe, term->op == Op::Exp && boundedExponent(problem, term->args[0]) ? 1 : 2);
    if (power && mixed(term->args[0]) && quotient(term->args[0])) draft.unsafe = std::max(draft.unsafe, 2);
    if (polynomial && term->kind == Kind::Sum && mixed(term) && centres(term)) ++draft.uncentred;
  }

  void order(Term g, const std::vector<Pivot> &pivots) {
    for (const Pivot &p : pivots)
      if (!p.ratio && underExp(g, p.node) && !hasExtreme(p.part)) ++draft.unordered;
  }

  static bool mixed(Term term) { return (term->roles & ProducerRole) && (term->roles & ElementRole); }

  static bool quotient(Term term) {
    if (term->kind == Kind::Apply && term->op == Op::Abs) return quotient(term->args.front());
    return term->kind == Kind::Product && std::any_of(term->args.begin(), term->args.end(),
                                                      [](Term t) { return t->kind == Kind::Power && t->value < 0; });
  }

private:
  Problem &problem;
  Draft &draft;

  /// c - r: no term mixes both sides.
  static bool centres(Term sum) {
    return std::none_of(sum->args.begin(), sum->args.end(), [](Term t) { return mixed(t); });
  }

  bool hasExtreme(Term term) {
    for (std::size_t i = 0; i < problem.producers.size(); ++i)
      if ((problem.reduction[i] == Monoid::Max || problem.reduction[i] == Monoid::Min) &&
          contains(term, problem.producers[i]))
        return true;
    return false;
  }

  static bool underExp(Term term, Term node) {
    if (term->kind == Kind::Apply && term->op == Op::Exp && contains(term, node)) return true;
    return std::any_of(term->args.begin(), term->args.end(), [node](Term a) { return underExp(a, node); });
  }
};

} // namespace

Term unsafePart(const Problem &problem, Term term) {
  for (Term a : term->args)
    if (Term found = unsafePart(problem, a)) return found;
  const bool grows = term->kind == Kind::Apply && (term->op == Op::Exp || term->op == Op::Log);
  const bool scales = term->kind == Kind::Power && Judge::quotient(term->args.front());
  if (!(grows || scales) || !Judge::mixed(term->args.front())) return nullptr;
  return term->op == Op::Exp && grows && boundedExponent(problem, term->args.front()) ? nullptr : term;
}

void judge(Problem &problem, Draft &draft, Term g, const std::vector<Pivot> &pivots) {
  std::vector<Term> values;
  values.reserve(pivots.size());
  for (const Pivot &p : pivots) values.push_back(problem.terms.fresh(PivotRole, problem.forms.signs(p.part)));
  Judge judge(problem, draft);
  const Term whole = withPivots(problem, g, pivots, values);
  judge.look(whole, true);
  draft.offending = unsafePart(problem, whole);
  if (draft.offending) {
    Terms::Map parts;
    for (std::size_t i = 0; i < pivots.size(); ++i) parts[values[i]] = pivots[i].part;
    draft.offending = problem.terms.replace(draft.offending, parts);
  }
  judge.order(g, pivots);
}

} // namespace polymend::algebra
