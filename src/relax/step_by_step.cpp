// Bit by bit, a sum is neither associative nor does 0 leave -0 as it is: (s + a) - b has no element, and what a choice
// leaves out adds -0. a - b is a + -b, but a / b is not a * (1 / b). A comparison takes its second operand where one is
// NaN and its first where both are zeros, so that operands keep their places; only NaN leaves every value that fmin and
// fmax may have met as it was. Integers have none of this.
#include "step_by_step.h"

#include <cmath>

namespace polymend {
namespace {

/// An update accumulator (+) element.
struct Step {
  Op op = Op::Add;
  Expr element;
};

class Stepper {
public:
  explicit Stepper(const Expr &own) : accumulator(own) {}

  /// The step that the value is, of the accumulator's own type; absent: it is none.
  [[nodiscard]] std::optional<Step> stepOf(const Expr &value) const {
    if (value.type() != accumulator.type()) return std::nullopt;
    switch (value.op()) {
    case Op::Cast: return stepOf(value.arg(0));
    case Op::Add:
    case Op::Mul:
      if (isOwn(value.arg(1))) return step(value.op(), value.arg(0));
      [[fallthrough]];
    case Op::Max:
    case Op::Min:
    case Op::FMax:
    case Op::FMin: return isOwn(value.arg(0)) ? step(value.op(), value.arg(1)) : std::nullopt;
    case Op::Sub: return isOwn(value.arg(0)) ? step(Op::Add, negated(value.arg(1))) : std::nullopt;
    case Op::Select: return chosen(value.arg(0), value.arg(1), value.arg(2));
    default: return std::nullopt;
    }
  }

private:
  const Expr &accumulator; // its read

  [[nodiscard]] bool isOwn(const Expr &e) const { return equal(e, accumulator); }

  [[nodiscard]] bool mentions(const Expr &e) const {
    bool found = false;
    visit(e, [&](const Expr &node) { found = found || isOwn(node); });
    return found;
  }

  [[nodiscard]] std::optional<Step> step(Op op, const Expr &element) const {
    if (mentions(element) || element.type() != accumulator.type()) return std::nullopt;
    return Step{op, element};
  }

  static Expr negated(const Expr &e) { return Expr::make(Op::Neg, e.type(), {e}, e->where); }

  [[nodiscard]] std::optional<Step> chosen(const Expr &condition, const Expr &yes, const Expr &no) const {
    if (!mentions(condition)) return either(condition, yes, no);
    if (condition.op() == Op::Lt) return compared(condition, yes, no);
    if (condition.op() != Op::And || !isOwn(no)) return std::nullopt;
    const bool first = mentions(condition.arg(0));
    const Expr &outer = condition.arg(first ? 1 : 0), &inner = condition.arg(first ? 0 : 1);
    if (mentions(outer)) return std::nullopt;
    return either(outer, Expr::make(Op::Select, yes.type(), {inner, yes, no}), no);
  }

  /// a < b ? b : a and b < a ? b : a for the accumulator a.
  [[nodiscard]] std::optional<Step> compared(const Expr &condition, const Expr &yes, const Expr &no) const {
    if (!isOwn(no)) return std::nullopt;
    if (isOwn(condition.arg(0)) && equal(condition.arg(1), yes)) return step(Op::Max, yes);
    if (isOwn(condition.arg(1)) && equal(condition.arg(0), yes)) return step(Op::Min, yes);
    return std::nullopt;
  }

  /// c ? step or nothing : step or nothing.
  [[nodiscard]] std::optional<Step> either(const Expr &condition, const Expr &yes, const Expr &no) const {
    const auto a = isOwn(yes) ? std::nullopt : stepOf(yes), b = isOwn(no) ? std::nullopt : stepOf(no);
    if ((!a && !isOwn(yes)) || (!b && !isOwn(no)) || (!a && !b) || (a && b && a->op != b->op)) return std::nullopt;
    const Op op = a ? a->op : b->op;
    const Expr nothing = neutral(op, accumulator.type());
    return Step{op, Expr::make(Op::Select, accumulator.type(),
                               {condition, a ? a->element : nothing, b ? b->element : nothing}, condition->where)};
  }
};

bool isComparison(Op op) { return op == Op::Max || op == Op::Min; }

std::optional<Step> stepOf(const Scop &scop, const Reduction &reduction) {
  const Statement &statement = scop.statements[static_cast<std::size_t>(reduction.statement)];
  Expr own;
  visit(statement.value, [&](const Expr &node) {
    if (node.op() == Op::Read && node->access == reduction.selfRead) own = node;
  });
  return Stepper(own).stepOf(statement.value);
}

} // namespace

Result<Dependences> stepByStep(const Scop &scop, const Dependences &dependences) {
  Dependences result = dependences;
  for (Reduction &reduction : result.reductions) {
    const Statement &statement = scop.statements[static_cast<std::size_t>(reduction.statement)];
    if (!isFloating(scop.array(statement.write.array).type)) continue;
    const auto step = stepOf(scop, reduction);
    if (!step)
      return Refusal{"the steps of '" + statement.write.array + "' have no form in which their bits are the source's",
                     statement.where};
    reduction.element = step->element;
    reduction.comparison = isComparison(step->op);
  }
  return result;
}

bool leavesNaNOut(const Scop &scop, const Reduction &reduction) {
  const auto step = stepOf(scop, reduction);
  return step && isComparison(step->op);
}

} // namespace polymend
