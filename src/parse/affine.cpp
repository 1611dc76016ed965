// Signs of integer expressions. A linear expression is smallest where each loop variable with a positive factor is at
// its lower bound and each with a negative one at its upper bound, eliminated innermost first (Fourier-Motzkin with one
// pair of bounds a variable); a fact f >= 0 (a condition around, or upper - variable
// of a loop) shows e >= 0 when e - f >= 0 is shown.
#include "affine.h"

#include <algorithm>

namespace polymend {

std::optional<std::int64_t> coefficient(const Expr &e, const std::string &symbol) {
  if (e.op() == Op::Symbol) return e->name == symbol ? 1 : 0;
  if (!symbols(e).contains(symbol)) return 0;
  if (e.op() == Op::Cast && isInteger(e.type())) return coefficient(e.arg(0), symbol);
  if (e.op() == Op::Neg) {
    const auto inner = coefficient(e.arg(0), symbol);
    return inner ? std::optional(-*inner) : std::nullopt;
  }
  if (e.op() == Op::Mul) {
    const bool first = e.arg(0).op() == Op::Integer;
    if (!first && e.arg(1).op() != Op::Integer) return std::nullopt;
    const auto inner = coefficient(e.arg(first ? 1 : 0), symbol);
    std::int64_t product = 0;
    if (!inner || __builtin_mul_overflow(*inner, e.arg(first ? 0 : 1)->integer, &product)) return std::nullopt;
    return product;
  }
  if (e.op() != Op::Add && e.op() != Op::Sub) return std::nullopt;
  const auto left = coefficient(e.arg(0), symbol);
  const auto right = coefficient(e.arg(1), symbol);
  std::int64_t sum = 0;
  if (!left || !right) return std::nullopt;
  const bool overflow =
      e.op() == Op::Add ? __builtin_add_overflow(*left, *right, &sum) : __builtin_sub_overflow(*left, *right, &sum);
  return overflow ? std::nullopt : std::optional(sum);
}

bool isOverSymbols(const Expr &e) {
  bool pure = true;
  visit(e, [&](const Expr &node) {
    pure = pure && node.op() != Op::Read && node.op() != Op::Call && !isFloating(node.type());
  });
  return pure;
}

bool isBound(const Expr &e) {
  bool allowed = isOverSymbols(e);
  visit(e, [&](const Expr &node) {
    const bool arithmetic = node.op() >= Op::Neg && node.op() <= Op::Max;
    const bool isNumber = arithmetic || node.op() == Op::Integer || node.op() == Op::Symbol || node.op() == Op::Select;
    const bool isTest = node.type() == Type::Bool && node.op() >= Op::Lt && node.op() <= Op::Not;
    allowed = allowed && (isTest || (isInteger(node.type()) && isNumber));
  });
  return allowed;
}

namespace {

/// Either operand of a bound made of Min or Max is a bound itself, where the operator points the right way.
std::vector<Expr> boundsOf(const Expr &bound, Op tight) {
  if (!bound) return {};
  if (bound.op() != tight) return {bound};
  std::vector<Expr> all = boundsOf(bound.arg(0), tight);
  const std::vector<Expr> more = boundsOf(bound.arg(1), tight);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

bool isSumOfNonNegatives(const Expr &e, const std::set<std::string> &nonNegative) {
  switch (e.op()) {
  case Op::Integer: return e->integer >= 0;
  case Op::Symbol: return nonNegative.contains(e->name);
  case Op::Add:
  case Op::Mul:
  case Op::Div:
  case Op::Min: return isSumOfNonNegatives(e.arg(0), nonNegative) && isSumOfNonNegatives(e.arg(1), nonNegative);
  case Op::Mod: return isSumOfNonNegatives(e.arg(0), nonNegative);
  case Op::Max: return isSumOfNonNegatives(e.arg(0), nonNegative) || isSumOfNonNegatives(e.arg(1), nonNegative);
  default: return false;
  }
}

/// e with the loops [0, count) around it, the last of them innermost.
bool shown(const Expr &e, const Knowledge &knowledge, std::size_t count) {
  if (isSumOfNonNegatives(e, knowledge.nonNegative)) return true;
  if (count == 0) return false;
  const LoopRange &loop = knowledge.loops[count - 1];
  const auto factor = coefficient(e, loop.variable);
  if (!factor) return false;
  if (*factor == 0) return shown(e, knowledge, count - 1);
  const bool rising = *factor > 0;
  const std::vector<Expr> bounds = boundsOf(rising ? loop.lower : loop.upper, rising ? Op::Max : Op::Min);
  return std::any_of(bounds.begin(), bounds.end(), [&](const Expr &bound) {
    const Expr extreme =
        simplify(substitute(e, [&](const std::string &name) { return name == loop.variable ? bound : Expr(); }));
    return shown(extreme, knowledge, count - 1);
  });
}

/// What divisions by constants in e leave as rests, none of them below 0.
std::vector<Expr> restsIn(const Expr &e) {
  std::vector<Expr> rests;
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::FloorDiv && node.arg(1).op() == Op::Integer && node.arg(1)->integer > 0)
      rests.push_back(node.arg(0) - node.arg(1) * node);
  });
  return rests;
}

/// Is it >= 0 by a bound of a loop around, a fact, or what entries ask?
bool followsAtOnce(const Expr &simple, const Knowledge &knowledge) {
  if (shown(simple, knowledge, knowledge.loops.size())) return true;
  const auto follows = [&](const Expr &fact) {
    return shown(simplify(Expr::make(Op::Sub, Type::Int64, {simple, fact})), knowledge, knowledge.loops.size());
  };
  const std::vector<Expr> rests = restsIn(simple);
  if (std::any_of(rests.begin(), rests.end(), follows)) return true;
  for (const LoopRange &loop : knowledge.loops)
    for (const Expr &upper : boundsOf(loop.upper, Op::Min))
      if (follows(upper - Expr::symbol(loop.variable, loop.type))) return true;
  return std::any_of(knowledge.facts.begin(), knowledge.facts.end(), follows) ||
         std::any_of(knowledge.given.begin(), knowledge.given.end(), follows);
}

/// Do the signs of its operands say so?
bool followsFromOperands(const Expr &e, const Knowledge &knowledge) {
  if (e->args.empty() || !isInteger(e.type())) return false;
  const auto of = [&](std::size_t k) { return isNonNegative(e.arg(k), knowledge); };
  switch (e.op()) {
  case Op::Mul: return equal(e.arg(0), e.arg(1)) || (of(0) && of(1));
  case Op::Add:
  case Op::Div:
  case Op::FloorDiv:
  case Op::Min: return of(0) && of(1);
  case Op::Max: return of(0) || of(1);
  case Op::Mod: return of(0);
  case Op::FloorMod: return of(1);
  case Op::Select: {
    const auto where = [&](const Expr &condition, const Expr &value) {
      Knowledge within = knowledge;
      for (const Expr &fact : factsOf(condition, knowledge)) within.facts.push_back(fact);
      return isNonNegative(value, within);
    };
    return where(e.arg(0), e.arg(1)) && where(Expr::make(Op::Not, {e.arg(0)}), e.arg(2));
  }
  case Op::Cast: return e.type() == Type::Int64 && isInteger(e.arg(0).type()) && of(0);
  default: return false;
  }
}

} // namespace

bool isNonNegative(const Expr &e, const Knowledge &knowledge) {
  const Expr simple = simplify(e);
  return followsAtOnce(simple, knowledge) || followsFromOperands(simple, knowledge);
}

Expr withoutTraps(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    if (!isDivision(node.op()) || node.arg(1).op() == Op::Integer) return node;
    const Expr none = Expr::make(Op::Eq, {node.arg(1), Expr::integer(0)});
    return Expr::make(Op::Select, Type::Int64, {none, Expr::integer(0), node});
  });
}

std::vector<Expr> factsOf(const Expr &condition) {
  if (condition.op() == Op::And) {
    std::vector<Expr> all = factsOf(condition.arg(0));
    const std::vector<Expr> more = factsOf(condition.arg(1));
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  const bool negated = condition.op() == Op::Not;
  const Expr &comparison = negated ? condition.arg(0) : condition;
  if ((comparison.op() != Op::Lt && comparison.op() != Op::Le) || !isOverSymbols(comparison)) return {};
  const Expr difference = comparison.arg(1) - comparison.arg(0);
  const bool strict = (comparison.op() == Op::Lt) != negated;
  const Expr distance = negated ? Expr::make(Op::Neg, {difference}) : difference;
  return {strict ? distance - Expr::integer(1) : distance};
}

std::vector<Expr> factsOf(const Expr &condition, const Knowledge &knowledge) {
  if (condition.op() == Op::And) {
    std::vector<Expr> all = factsOf(condition.arg(0), knowledge);
    for (const Expr &more : factsOf(condition.arg(1), knowledge)) all.push_back(more);
    return all;
  }
  const bool negated = condition.op() == Op::Not;
  const Expr &test = negated ? condition.arg(0) : condition;
  const bool differs = test.op() == (negated ? Op::Eq : Op::Ne) && isOverSymbols(test);
  if (!differs || test.arg(1).op() != Op::Integer || test.arg(1)->integer != 0) return factsOf(condition);
  if (!isNonNegative(test.arg(0), knowledge)) return {};
  return {test.arg(0) - Expr::integer(1)};
}

bool mayTrap(const Expr &division) {
  return isDivision(division.op()) && !isFloating(division.type()) && division.arg(1).op() != Op::Integer;
}

bool isDivision(Op op) { return op == Op::Div || op == Op::Mod || op == Op::FloorDiv || op == Op::FloorMod; }

bool isAffine(const Expr &e, const Knowledge &knowledge) {
  const auto loopOf = [&](const Expr &part) {
    const auto used = symbols(part);
    return std::find_if(knowledge.loops.begin(), knowledge.loops.end(),
                        [&](const LoopRange &loop) { return used.contains(loop.variable); });
  };
  const auto loop = loopOf(e);
  if (loop == knowledge.loops.end()) return true;
  if (isDivision(e.op()) && e.arg(1).op() != Op::Integer) {
    const auto divisors = symbols(e.arg(1)), counted = loop->upper ? symbols(loop->upper) : std::set<std::string>();
    return e.arg(0).op() == Op::Symbol && loopOf(e.arg(1)) == knowledge.loops.end() &&
           std::includes(counted.begin(), counted.end(), divisors.begin(), divisors.end());
  }
  if (e.op() == Op::Mul && !symbols(e.arg(0)).empty() && !symbols(e.arg(1)).empty()) return false;
  return std::all_of(e->args.begin(), e->args.end(), [&](const Expr &arg) { return isAffine(arg, knowledge); });
}

} // namespace polymend
