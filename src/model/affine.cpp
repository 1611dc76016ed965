// Integer expressions over parameters and loop variables become piecewise affine functions, conditions become sets.
// Division and remainder by a constant are exact: C's truncation is the floor where the dividend cannot be negative on
// the frame's domain, and isl's truncating division elsewhere. Conversions between integer types keep the value, since
// signed overflow is undefined. Everything else is refused with its place.
#include "affine.h"

#include "polymend/points.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <algorithm>
#include <optional>

namespace polymend {

namespace {

using Value = Result<isl::pw_aff>;
using Points = Result<isl::set>;

isl::set everywhere(const Frame &frame) { return isl::set::universe(frame.domain.space()); }

isl::pw_aff constant(std::int64_t value, const Frame &frame) {
  const isl::val number(frame.domain.ctx(), static_cast<long>(value));
  return isl::manage(isl_pw_aff_val_on_domain(everywhere(frame).release(), number.copy()));
}

isl::pw_aff variable(isl_dim_type type, unsigned position, const Frame &frame) {
  isl_local_space *space = isl_local_space_from_space(isl_set_get_space(frame.domain.get()));
  return isl::manage(isl_pw_aff_var_on_domain(space, type, position));
}

Refusal notAffine(const Expr &e) { return {"'" + show(e) + "' is not affine in loop variables and sizes", e->where}; }

Value symbol(const Expr &e, const Frame &frame) {
  const auto at = std::find(frame.iterators.begin(), frame.iterators.end(), e->name);
  if (at != frame.iterators.end())
    return variable(isl_dim_set, static_cast<unsigned>(at - frame.iterators.begin()), frame);
  const int parameter = isl_set_find_dim_by_name(frame.domain.get(), isl_dim_param, e->name.c_str());
  if (parameter < 0) return notAffine(e);
  return variable(isl_dim_param, static_cast<unsigned>(parameter), frame);
}

/// The number a function always has, if it is one number.
std::optional<long> constantOf(const isl::pw_aff &value) {
  if (isl_pw_aff_n_piece(value.get()) != 1 || isl_pw_aff_is_cst(value.get()) != isl_bool_true) return std::nullopt;
  const isl::val number =
      isl::manage(isl_pw_aff_eval(value.copy(), isl_set_sample_point(isl_pw_aff_domain(value.copy()))));
  if (!number.is_int()) return std::nullopt;
  return number.num_si();
}

isl::pw_aff floorDivide(const isl::pw_aff &value, long divisor) {
  const isl::pw_aff dividend = divisor < 0 ? value.neg() : value;
  return dividend.scale_down(isl::val(value.ctx(), std::labs(divisor))).floor();
}

isl::pw_aff truncatingDivide(const isl::pw_aff &value, long divisor, const Frame &frame) {
  const isl::pw_aff zero = constant(0, frame);
  const isl::set negative = value.lt_set(zero).intersect(frame.domain);
  const isl::pw_aff magnitude = constant(std::labs(divisor), frame);
  const isl::pw_aff quotient = negative.is_empty() ? floorDivide(value, std::labs(divisor)) : value.tdiv_q(magnitude);
  return divisor < 0 ? quotient.neg() : quotient;
}

Value divide(const Expr &e, const isl::pw_aff &a, const isl::pw_aff &b, const Frame &frame) {
  const std::optional<long> divisor = constantOf(b);
  if (!divisor || *divisor == 0) return notAffine(e);
  const bool floors = e.op() == Op::FloorDiv || e.op() == Op::FloorMod;
  const isl::pw_aff quotient = floors ? floorDivide(a, *divisor) : truncatingDivide(a, *divisor, frame);
  if (e.op() == Op::Div || e.op() == Op::FloorDiv) return quotient;
  return a.sub(quotient.scale(isl::val(a.ctx(), *divisor)));
}

Value binary(const Expr &e, const Frame &frame) {
  const Value left = affine(e.arg(0), frame);
  if (!left) return left.refusal();
  const Value right = affine(e.arg(1), frame);
  if (!right) return right.refusal();
  const isl::pw_aff &a = *left, &b = *right;
  switch (e.op()) {
  case Op::Add: return a.add(b);
  case Op::Sub: return a.sub(b);
  case Op::Min: return a.min(b);
  case Op::Max: return a.max(b);
  case Op::Mul:
    if (isl_pw_aff_is_cst(a.get()) != isl_bool_true && isl_pw_aff_is_cst(b.get()) != isl_bool_true) return notAffine(e);
    return a.mul(b);
  default: return divide(e, a, b, frame);
  }
}

/// The function that is `a` on `where` and `b` elsewhere.
isl::pw_aff choose(const isl::set &where, const isl::pw_aff &a, const isl::pw_aff &b) {
  return a.intersect_domain(where).union_add(b.intersect_domain(where.complement()));
}

Value select(const Expr &e, const Frame &frame) {
  const Points where = holds(e.arg(0), frame);
  if (!where) return where.refusal();
  const Value a = affine(e.arg(1), frame);
  if (!a) return a.refusal();
  const Value b = affine(e.arg(2), frame);
  if (!b) return b.refusal();
  return choose(*where, *a, *b);
}

Value indicator(const Expr &e, const Frame &frame) {
  const Points where = holds(e, frame);
  if (!where) return where.refusal();
  return choose(*where, constant(1, frame), constant(0, frame));
}

/// One side of a comparison is a minimum, a maximum or a choice: the comparison splits along it.
Points lessBySide(const Expr &a, const Expr &b, bool strict, bool splitLeft, const Frame &frame) {
  const Expr &whole = splitLeft ? a : b;
  const auto part = [&](std::size_t i) {
    return splitLeft ? less(whole.arg(i), b, strict, frame) : less(a, whole.arg(i), strict, frame);
  };
  const std::size_t first = whole.op() == Op::Select ? 1 : 0;
  const Points one = part(first), other = part(first + 1);
  if (!one) return one.refusal();
  if (!other) return other.refusal();
  if (whole.op() == Op::Select) {
    const Points chosen = holds(whole.arg(0), frame);
    if (!chosen) return chosen.refusal();
    return one->intersect(*chosen).unite(other->intersect(chosen->complement()));
  }
  const bool both = splitLeft == (whole.op() == Op::Max);
  return both ? one->intersect(*other) : one->unite(*other);
}

bool splits(const Expr &e) { return e.op() == Op::Min || e.op() == Op::Max || e.op() == Op::Select; }

Points equality(const Expr &e, const Frame &frame) {
  const Value a = affine(e.arg(0), frame);
  if (!a) return a.refusal();
  const Value b = affine(e.arg(1), frame);
  if (!b) return b.refusal();
  return e.op() == Op::Eq ? a->eq_set(*b) : a->ne_set(*b);
}

Points junction(const Expr &e, const Frame &frame) {
  const Points a = holds(e.arg(0), frame);
  if (!a) return a.refusal();
  const Points b = holds(e.arg(1), frame);
  if (!b) return b.refusal();
  return e.op() == Op::And ? a->intersect(*b) : a->unite(*b);
}

} // namespace

Value affine(const Expr &e, const Frame &frame) {
  switch (e.op()) {
  case Op::Integer: return constant(e->integer, frame);
  case Op::Symbol: return symbol(e, frame);
  case Op::Cast:
    if (!isInteger(e.type()) || isFloating(e.arg(0).type())) return notAffine(e);
    return affine(e.arg(0), frame);
  case Op::Neg: {
    const Value value = affine(e.arg(0), frame);
    return value ? Value(value->neg()) : value;
  }
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Mod:
  case Op::FloorDiv:
  case Op::FloorMod:
  case Op::Min:
  case Op::Max: return binary(e, frame);
  case Op::Select: return select(e, frame);
  case Op::Lt:
  case Op::Le:
  case Op::Eq:
  case Op::Ne:
  case Op::And:
  case Op::Or:
  case Op::Not: return indicator(e, frame);
  default: return notAffine(e);
  }
}

Points less(const Expr &a, const Expr &b, bool strict, const Frame &frame) {
  if (splits(b)) return lessBySide(a, b, strict, false, frame);
  if (splits(a)) return lessBySide(a, b, strict, true, frame);
  const Value left = affine(a, frame);
  if (!left) return left.refusal();
  const Value right = affine(b, frame);
  if (!right) return right.refusal();
  return strict ? left->lt_set(*right) : left->le_set(*right);
}

Points holds(const Expr &condition, const Frame &frame) {
  switch (condition.op()) {
  case Op::Lt: return less(condition.arg(0), condition.arg(1), true, frame);
  case Op::Le: return less(condition.arg(0), condition.arg(1), false, frame);
  case Op::Eq:
  case Op::Ne: return equality(condition, frame);
  case Op::And:
  case Op::Or: return junction(condition, frame);
  case Op::Not: {
    const Points inner = holds(condition.arg(0), frame);
    return inner ? Points(inner->complement()) : inner;
  }
  case Op::Cast:
    if (condition.type() == Type::Bool && !isFloating(condition.arg(0).type())) return holds(condition.arg(0), frame);
    [[fallthrough]];
  default: {
    const Value value = affine(condition, frame);
    if (!value) return value.refusal();
    return value->ne_set(constant(0, frame));
  }
  }
}

isl::set possible(const Expr &condition, bool truth, const Frame &frame) {
  if (condition.op() == Op::Not) return possible(condition.arg(0), !truth, frame);
  if (condition.op() == Op::And || condition.op() == Op::Or) {
    const isl::set a = possible(condition.arg(0), truth, frame), b = possible(condition.arg(1), truth, frame);
    return truth == (condition.op() == Op::And) ? a.intersect(b) : a.unite(b);
  }
  const Points exact = holds(condition, frame);
  if (!exact) return everywhere(frame);
  return truth ? *exact : exact->complement();
}

Points onStride(const Expr &variable, const Expr &first, std::int64_t step, const Frame &frame) {
  if (step == 1 || step == -1) return everywhere(frame);
  const Value here = affine(variable, frame);
  if (!here) return here.refusal();
  const Value start = affine(first, frame);
  if (!start) return start.refusal();
  const isl::val stride(frame.domain.ctx(), static_cast<long>(step < 0 ? -step : step));
  return here->sub(*start).mod(stride).eq_set(constant(0, frame));
}

Points pointsWhere(const Expr &condition, const isl::set &set, const std::vector<std::string> &names) {
  const isl::set plain = isl::manage(isl_set_reset_tuple_id(set.copy()));
  const Points found = holds(condition, {names, plain});
  return found ? Points(setTuple(found->intersect(plain), tuple(set))) : found;
}

} // namespace polymend
