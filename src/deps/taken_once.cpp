// The only loop along which the accumulator stays the same is told by an equation whose other side it leaves as it is:
// elements of arrays that nobody writes, sizes and other loops.
#include "taken_once.h"

#include <algorithm>

namespace polymend {
namespace {

bool isWritten(const Scop &scop, const std::string &array) {
  return std::any_of(scop.statements.begin(), scop.statements.end(),
                     [&](const Statement &statement) { return statement.write.array == array; });
}

/// Is an integer the same in every turn of the loop?
bool isInvariant(const Scop &scop, const Expr &e, const std::string &loop) {
  bool same = isInteger(e.type());
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::Symbol && node->name == loop) same = false;
    if (node.op() == Op::Read && isWritten(scop, node->name)) same = false;
    if (node.op() == Op::Call) same = false;
  });
  return same;
}

/// Has an integer another value in every turn of the loop? The loop's variable, with what does not move added.
bool tellsTurns(const Scop &scop, const Expr &e, const std::string &loop) {
  switch (e.op()) {
  case Op::Symbol: return e->name == loop;
  case Op::Cast: return (e.type() == Type::Int32 || e.type() == Type::Int64) && tellsTurns(scop, e.arg(0), loop);
  case Op::Add:
  case Op::Sub:
    return (tellsTurns(scop, e.arg(0), loop) && isInvariant(scop, e.arg(1), loop)) ||
           (isInvariant(scop, e.arg(0), loop) && tellsTurns(scop, e.arg(1), loop));
  default: return false;
  }
}

/// Does the condition hold in one turn of the loop at most?
bool holdsOnce(const Scop &scop, const Expr &condition, const std::string &loop) {
  if (condition.op() == Op::And)
    return holdsOnce(scop, condition.arg(0), loop) || holdsOnce(scop, condition.arg(1), loop);
  if (condition.op() != Op::Eq) return false;
  const Expr &a = condition.arg(0), &b = condition.arg(1);
  return (tellsTurns(scop, a, loop) && isInvariant(scop, b, loop)) ||
         (tellsTurns(scop, b, loop) && isInvariant(scop, a, loop));
}

} // namespace

std::optional<SplitUpdate> takenOnce(const Scop &scop, const Statement &statement, const std::set<int> &self,
                                     const std::vector<std::string> &moving) {
  const Expr &choice = statement.value;
  if (choice.op() != Op::Select || moving.size() != 1) return std::nullopt;
  const auto isSelf = [&](const Expr &e) { return e.op() == Op::Read && self.contains(e->access); };
  const auto mentionsSelf = [&](const Expr &e) {
    bool found = false;
    visit(e, [&](const Expr &node) { found = found || isSelf(node); });
    return found;
  };
  const Expr &condition = choice.arg(0), &value = choice.arg(1);
  if (!isSelf(choice.arg(2)) || mentionsSelf(condition) || mentionsSelf(value)) return std::nullopt;
  if (!holdsOnce(scop, condition, moving.front())) return std::nullopt;
  const Expr nothing = isFloating(choice.type()) ? Expr::real(-0.0, choice.type()) : Expr::integer(0, choice.type());
  return SplitUpdate{Monoid::Sum, false,
                     Expr::make(Op::Select, choice.type(), {condition, value, nothing}, choice->where)};
}

} // namespace polymend
