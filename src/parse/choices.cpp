// Bounds that conditions on parameters choose, `causal ? i + 1 : n`, as bounds that hold whichever is chosen. If a <= b
// wherever the loop stands, `p ? a : b` is min(b, a + far), with a size `far` that is 0 if p holds and else more than
// any bound is: one set of turns without a case, of which the nearer end is known. A turn that begins with a `break` by
// such a condition has its end in the loop's.
#include "affine.h"
#include "ranges.h"
#include "reader.h"
#include "wraps.h"

#include <algorithm>

namespace polymend {

namespace {

/// No bound is as far from 0 as this; two are no further from each other than `far`.
constexpr Wide mostBound = Wide{1} << 48;
constexpr std::int64_t farAway = std::int64_t{1} << 50;

Expr contrary(const Expr &e) {
  switch (e.op()) {
  case Op::Not: return e.arg(0);
  case Op::Lt: return Expr::make(Op::Le, {e.arg(1), e.arg(0)});
  case Op::Le: return Expr::make(Op::Lt, {e.arg(1), e.arg(0)});
  case Op::And:
  case Op::Or: return Expr::make(e.op() == Op::And ? Op::Or : Op::And, {contrary(e.arg(0)), contrary(e.arg(1))});
  default: return Expr::make(Op::Not, {e});
  }
}

/// Does it divide by what may be zero, which the source may have asked before?
bool holdsTrap(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || mayTrap(node); });
  return found;
}

/// The statements at the beginning of a turn that do nothing but end the loop under a condition.
std::vector<const clang::IfStmt *> firstBreaks(const clang::CompoundStmt &turn) {
  std::vector<const clang::IfStmt *> all;
  for (const clang::Stmt *s : turn.body()) {
    const auto *test = llvm::dyn_cast<clang::IfStmt>(s);
    if (test == nullptr || test->getElse() != nullptr || test->getInit() != nullptr ||
        test->getConditionVariable() != nullptr || test->isConsteval())
      break;
    const clang::Stmt *then = test->getThen();
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(then); block != nullptr && block->size() == 1)
      then = block->body_front();
    if (!llvm::isa<clang::BreakStmt>(then)) break;
    all.push_back(test);
  }
  return all;
}

} // namespace

/// Is it asked of parameters alone, and may it be asked before the source does?
bool Reader::isAskedOnce(const Expr &condition) const {
  if (holdsTrap(condition) || condition.type() != Type::Bool || !isOverSymbols(condition)) return false;
  const std::set<std::string> named = symbols(condition);
  return !named.empty() && std::all_of(named.begin(), named.end(), [&](const std::string &name) {
    return knowledge.parameters.contains(name) &&
           std::ranges::none_of(function.dataSizes, [&](const DataSize &data) { return data.name == name; });
  });
}

/// A size that is more than any bound is where the condition on parameters holds, and else 0.
Expr Reader::farWhere(const Expr &condition) {
  Expr meaning = simplify(
      Expr::make(Op::Select, Type::Int64, {condition, Expr::integer(farAway), Expr::integer(0)}, condition->where));
  if (meaning.op() == Op::Integer) return meaning;
  const Expr size = sizeFor(meaning, meaning, "far");
  knowledge.nonNegative.insert(size->name);
  return size;
}

/// Is the expression no further from 0 than any bound? Of parameters that hold more this is asked at entry.
bool Reader::isNear(const Expr &e) {
  const auto fits = [&] {
    const Interval values = valuesOf(e, knowledge);
    return -2 * mostBound <= values.least && values.most <= 2 * mostBound;
  };
  if (fits()) return true;
  for (const std::string &name : symbols(e)) {
    const auto at = knowledge.parameters.find(name);
    if (at == knowledge.parameters.end()) continue;
    const Expr parameter = Expr::symbol(name, Type::Int64);
    const Expr most = Expr::integer(static_cast<std::int64_t>(mostBound));
    if (at->second.most > mostBound) assume(Expr::make(Op::Le, {parameter, most}));
    if (at->second.least < -mostBound) assume(Expr::make(Op::Le, {Expr::make(Op::Neg, {most}), parameter}));
    at->second = {std::max(at->second.least, -mostBound), std::min(at->second.most, mostBound)};
  }
  return fits();
}

/// The bound without choices of which one side is never beyond the other: as a minimum or a maximum, as `tight` says.
Expr Reader::unchosen(const Expr &bound, Op tight) {
  if (polymend::reads(bound)) return bound;
  return simplify(rewrite(bound, [&](const Expr &node) {
    if (node.op() != Op::Select || !isAskedOnce(node.arg(0)) || holdsTrap(node)) return node;
    const Expr &condition = node.arg(0), &a = node.arg(1), &b = node.arg(2);
    const bool rises = isNonNegative(b - a, knowledge);
    if ((!rises && !isNonNegative(a - b, knowledge)) || !isNear(a) || !isNear(b)) return node;
    const bool nearIsFirst = rises == (tight == Op::Min); // which side moves out of the way
    const Expr far = farWhere(nearIsFirst ? contrary(condition) : condition);
    const Expr &moved = nearIsFirst ? a : b, &kept = nearIsFirst ? b : a;
    return Expr::make(tight, Type::Int64, {kept, tight == Op::Min ? moved + far : moved - far}, node->where);
  }));
}

/// `asked && a < b`, of parameters and of loops' variables, as a + far < b, and `asked || a < b` as a < b + far: one
/// half of the space, where the source's says two.
Expr Reader::inOneComparison(const Expr &condition) {
  const Op op = condition.op();
  if ((op != Op::And && op != Op::Or) || !isOverSymbols(condition) || holdsTrap(condition) || knowledge.loops.empty())
    return condition;
  const bool isFirst = isAskedOnce(condition.arg(0));
  if (isFirst == isAskedOnce(condition.arg(1))) return condition;
  const Expr &asked = condition.arg(isFirst ? 0 : 1), &other = condition.arg(isFirst ? 1 : 0);
  if (other.op() == Op::And || other.op() == Op::Or) {
    const auto part = [&](std::size_t k) {
      return inOneComparison(Expr::make(op, Type::Bool, {asked, other.arg(k)}, condition->where));
    };
    return Expr::make(other.op(), Type::Bool, {part(0), part(1)}, condition->where);
  }
  const bool isOrdered = other.op() == Op::Lt || other.op() == Op::Le;
  if (!isOrdered || !isAffine(other, knowledge) || !isNear(other.arg(0)) || !isNear(other.arg(1))) return condition;
  const Expr far = farWhere(op == Op::And ? contrary(asked) : asked);
  const Expr less = op == Op::And ? other.arg(0) + far : other.arg(0),
             more = op == Op::And ? other.arg(1) : other.arg(1) + far;
  return Expr::make(other.op(), Type::Bool, {simplify(less), simplify(more)}, condition->where);
}

/// Where the variable of a loop over the range ends that goes on until `condition` holds, which it then does for good.
Expr Reader::limitUntil(const Expr &condition, const Expr &variable, const Loop &range, const SourceRange &where) {
  const bool up = range.step > 0;
  if (condition.op() == Op::And)
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      if (!isAskedOnce(condition.arg(k))) continue;
      const Expr limit = limitUntil(condition.arg(1 - k), variable, range, where);
      if (!isNear(limit) || !isNear(range.first) || !isNear(range.limit)) refuse("a bound may be too far away", where);
      const Expr far = farWhere(contrary(condition.arg(k)));
      return up ? limit + far : limit - far;
    }
  if (condition.op() == Op::Or)
    return Expr::make(up ? Op::Min : Op::Max, {limitUntil(condition.arg(0), variable, range, where),
                                               limitUntil(condition.arg(1), variable, range, where)});
  return limitOf(contrary(condition), variable, range.step, where);
}

/// A turn of the loop without what ends the loop at its beginning, which `range` takes into its limit instead.
const clang::Stmt *Reader::withoutFirstBreaks(const clang::ForStmt &loop, Loop &range, const Expr &variable) {
  const auto *turn = llvm::dyn_cast<clang::CompoundStmt>(loop.getBody());
  if (turn == nullptr || endOf(loop) != nullptr) return loop.getBody();
  std::size_t taken = 0;
  for (const clang::IfStmt *test : firstBreaks(*turn)) {
    const SourceRange where = rangeOf(test);
    Expr limit;
    const auto asked = [&] {
      sink = nullptr;
      const bool up = range.step > 0;
      knowledge.loops.push_back({variable->name, variable.type(),
                                 up ? range.first : simplify(range.limit + Expr::integer(1)),
                                 up ? simplify(range.limit - Expr::integer(1)) : range.first});
      const Expr condition = simplify(value(test->getCond()));
      knowledge.loops.pop_back();
      if (!isOverSymbols(condition) || holdsTrap(condition)) refuse("data end the loop", where);
      limit = limitUntil(condition, variable, range, where);
      if (!isAffine(limit, knowledge)) refuse("the loop's end is not affine", where);
    };
    if (refusedBy(asked, nullptr)) break;
    range.limit = simplify(Expr::make(range.step > 0 ? Op::Min : Op::Max, {range.limit, limit}));
    ++taken;
  }
  if (taken == 0) return turn;
  const std::vector<clang::Stmt *> rest(turn->body_begin() + taken, turn->body_end());
  return clang::CompoundStmt::Create(context, rest, clang::FPOptionsOverride(), turn->getLBracLoc(),
                                     turn->getRBracLoc());
}

} // namespace polymend
