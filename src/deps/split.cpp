// The forms of an update: a sum or difference, a product or quotient, a minimum or maximum as call or by comparison,
// nested in each other as long as the operation stays the same, and a choice between an update and leaving the value
// as it is (whose element is the neutral one). A conversion that changes the type rounds at every step: no such form.
#include "deps/split.h"

#include "polymend/element_types.h"

#include <limits>

namespace polymend {

namespace {

using Split = std::optional<SplitUpdate>;

bool isSelf(const Expr &e, const std::set<int> &self) { return e.op() == Op::Read && self.count(e->access) != 0; }

bool mentions(const Expr &e, const std::set<int> &self) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || isSelf(node, self); });
  return found;
}

std::optional<Monoid> monoidOf(const Expr &e) {
  switch (e.op()) {
  case Op::Add:
  case Op::Sub: return Monoid::Sum;
  case Op::Mul: return Monoid::Product;
  case Op::Div:
    if (isFloating(e.type())) return Monoid::Product;
    return std::nullopt;
  case Op::Max:
  case Op::FMax: return Monoid::Max;
  case Op::Min:
  case Op::FMin: return Monoid::Min;
  default: return std::nullopt;
  }
}

/// What `operand`, a part without the accumulator, contributes on the right of the operator of `e`.
Expr contribution(const Expr &e, const Expr &operand) {
  if (e.op() == Op::Sub) return Expr::make(Op::Neg, operand.type(), {operand}, operand->where);
  if (e.op() == Op::Div) return Expr::make(Op::Div, e.type(), {Expr::real(1, e.type()), operand}, e->where);
  return operand;
}

/// Joins an inner update's element with one more operand.
Expr joined(const Expr &e, const Expr &element, const Expr &operand, bool innerFirst) {
  if (!innerFirst) return Expr::make(e.op(), e.type(), {operand, element}, e->where);
  return Expr::make(e.op(), e.type(), {element, operand}, e->where);
}

Split operation(const Expr &e, const std::set<int> &self) {
  const std::optional<Monoid> monoid = monoidOf(e);
  const bool left = mentions(e.arg(0), self), right = mentions(e.arg(1), self);
  const bool commutes = e.op() != Op::Sub && e.op() != Op::Div;
  if (!monoid || left == right || (right && !commutes)) return std::nullopt;
  const Expr &inner = e.arg(left ? 0 : 1), &operand = e.arg(left ? 1 : 0);
  const bool comparison = e.op() == Op::Max || e.op() == Op::Min;
  if (inner.type() != e.type()) return std::nullopt;
  if (isSelf(inner, self)) return SplitUpdate{*monoid, comparison, contribution(e, operand)};
  Split nested = splitUpdate(inner, self);
  if (!nested || nested->monoid != *monoid) return std::nullopt;
  return SplitUpdate{*monoid, comparison || nested->comparison, joined(e, nested->element, operand, left)};
}

/// c ? a : b with c a comparison of a and b: a maximum or minimum, if one of them is the accumulator.
Split extremum(const Expr &e, const std::set<int> &self) {
  const Expr &condition = e.arg(0), &yes = e.arg(1), &no = e.arg(2);
  if (condition.op() != Op::Lt && condition.op() != Op::Le) return std::nullopt;
  if (isSelf(yes, self) == isSelf(no, self) || mentions(isSelf(yes, self) ? no : yes, self)) return std::nullopt;
  const bool picksLesser = equal(condition.arg(0), yes) && equal(condition.arg(1), no);
  const bool picksGreater = equal(condition.arg(0), no) && equal(condition.arg(1), yes);
  if (picksLesser == picksGreater) return std::nullopt;
  return SplitUpdate{picksLesser ? Monoid::Min : Monoid::Max, true, isSelf(yes, self) ? no : yes};
}

Expr chosen(const Expr &e, const Expr &condition, const Expr &yes, const Expr &no) {
  return Expr::make(Op::Select, e.type(), {condition, yes, no}, e->where);
}

/// What leaves every value of the accumulator as it is: fmax and fmin keep a NaN only beside another, a sum -0 only
/// beside -0.
Expr nothingFor(const SplitUpdate &update, Type type) {
  if (!isFloating(type) || update.monoid == Monoid::Product) return neutral(update.monoid, type);
  if (update.monoid == Monoid::Sum) return Expr::real(-0.0, type);
  return update.comparison ? neutral(update.monoid, type) : Expr::real(std::numeric_limits<double>::quiet_NaN(), type);
}

/// c ? update : update, where either side may leave the accumulator as it is.
Split choice(const Expr &e, const std::set<int> &self) {
  const Expr &condition = e.arg(0), &yes = e.arg(1), &no = e.arg(2);
  const bool keepsYes = isSelf(yes, self), keepsNo = isSelf(no, self);
  const Split a = keepsYes ? std::nullopt : splitUpdate(yes, self), b = keepsNo ? std::nullopt : splitUpdate(no, self);
  if ((!a && !keepsYes) || (!b && !keepsNo) || (!a && !b)) return std::nullopt;
  const SplitUpdate &shape = a ? *a : *b;
  if (a && b && a->monoid != b->monoid) return std::nullopt;
  const bool comparison = (a && a->comparison) || (b && b->comparison);
  const Expr nothing = nothingFor({shape.monoid, comparison, {}}, e.type());
  return SplitUpdate{shape.monoid, comparison,
                     chosen(e, condition, a ? a->element : nothing, b ? b->element : nothing)};
}

/// (p && q) ? a : b is p ? (q ? a : b) : b, with the part that does not mention the accumulator outside.
Split conjunction(const Expr &e, const std::set<int> &self) {
  const Expr &p = e.arg(0).arg(0), &q = e.arg(0).arg(1);
  if (mentions(p, self) == mentions(q, self)) return std::nullopt;
  const Expr &outer = mentions(p, self) ? q : p, &inner = mentions(p, self) ? p : q;
  return choice(chosen(e, outer, chosen(e, inner, e.arg(1), e.arg(2)), e.arg(2)), self);
}

Split select(const Expr &e, const std::set<int> &self) {
  if (!mentions(e.arg(0), self)) return choice(e, self);
  if (e.arg(0).op() == Op::And) return conjunction(e, self);
  return extremum(e, self);
}

/// A number of a 16-bit type that float carries, in that type; absent: the type does not hold it.
Expr inType(const Expr &e, Type type) {
  if (e.op() == Op::Neg) {
    const Expr inner = inType(e.arg(0), type);
    return inner ? Expr::make(Op::Neg, type, {inner}, e->where) : Expr();
  }
  if (e.op() == Op::Real) return roundTo(type, e->real) == e->real ? Expr::real(e->real, type) : Expr();
  return e.op() == Op::Cast && e.arg(0).type() == type ? e.arg(0) : Expr();
}

/// An update in a 16-bit type that is carried in float until it is stored. Its element must be of that type: what float
/// alone holds would be rounded before it is taken in.
Split carried(const Expr &value, const std::set<int> &self) {
  const Expr &update = value.arg(0);
  if (update.op() != Op::Add && update.op() != Op::Sub && update.op() != Op::Mul) return std::nullopt;
  const Expr left = inType(update.arg(0), value.type()), right = inType(update.arg(1), value.type());
  if (!left || !right) return std::nullopt;
  return splitUpdate(Expr::make(update.op(), value.type(), {left, right}, update->where), self);
}

} // namespace

Split splitUpdate(const Expr &value, const std::set<int> &self) {
  if (value.op() == Op::Cast && value.type() == value.arg(0).type()) return splitUpdate(value.arg(0), self);
  if (value.op() == Op::Cast && isNarrow(value.type()) && value.arg(0).type() == Type::Float32)
    return carried(value, self);
  if (value.op() == Op::Select) return select(value, self);
  return monoidOf(value) ? operation(value, self) : std::nullopt;
}

} // namespace polymend
