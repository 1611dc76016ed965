// Let the source ask a condition at a point p. By induction over the condition: where `always` of it holds, it holds at
// p; where `never` does, it does not. Of a && b the source asks b only where a holds, so if b holds nowhere that it is
// asked, either a fails at p or b does. A comparison with a NaN is neither certain: no bound is taken for one then.
#include "certainty.h"

namespace polymend {
namespace {

Expr bothHold(const Expr &a, const Expr &b) { return !a ? b : !b ? a : Expr::make(Op::And, {a, b}); }
Expr eitherHolds(const Expr &a, const Expr &b) { return Expr::make(Op::Or, {a, b}); }
Expr isBelow(const Expr &a, const Expr &b) { return Expr::make(Op::Lt, {a, b}); }
Expr isAtMost(const Expr &a, const Expr &b) { return Expr::make(Op::Le, {a, b}); }

Certainty compared(Op op, const BoxRange &a, const BoxRange &b) {
  switch (op) {
  case Op::Lt: return {isBelow(a.most, b.least), isAtMost(b.most, a.least)};
  case Op::Le: return {isAtMost(a.most, b.least), isBelow(b.most, a.least)};
  default: break;
  }
  const Expr isSame = bothHold(isAtMost(a.most, b.least), isAtMost(b.most, a.least)),
             isOther = eitherHolds(isBelow(a.most, b.least), isBelow(b.most, a.least));
  return op == Op::Eq ? Certainty{isSame, isOther} : Certainty{isOther, isSame};
}

std::optional<Certainty> comparison(const Expr &condition, const RangeOf &rangeOf) {
  const auto number = [](const Expr &e) {
    if (e.type() != Type::Bool) return e;
    return Expr::make(Op::Select, Type::Int32, {e, Expr::integer(1, Type::Int32), Expr::integer(0, Type::Int32)});
  };
  const Expr left = number(condition.arg(0)), right = number(condition.arg(1));
  if (isFloating(left.type()) != isFloating(right.type())) return std::nullopt;
  const auto a = rangeOf(left), b = rangeOf(right);
  if (!a || !b) return std::nullopt;
  const Certainty certain = compared(condition.op(), *a, *b);
  const Expr areOrdered = !a->isOrdered && !b->isOrdered ? Expr() : bothHold(a->isOrdered, b->isOrdered);
  return Certainty{bothHold(areOrdered, certain.always), bothHold(areOrdered, certain.never)};
}

/// A part of 32 bits, or one that no array has a part in.
bool isSmallPart(const Expr &e) {
  if (!reads(e) || e.type() == Type::Int32 || e.type() == Type::Bool) return true;
  switch (e.op()) {
  case Op::Cast:
  case Op::Neg:
  case Op::Add:
  case Op::Sub:
  case Op::Min:
  case Op::Max:
  case Op::FloorDiv: break;
  default: return false;
  }
  for (const Expr &arg : e->args)
    if (!isSmallPart(arg)) return false;
  return true;
}

std::optional<BoxRange> ofTwo(Op op, const BoxRange &a, const BoxRange &b) {
  const auto wide = [&](const Expr &x, const Expr &y) { return simplify(Expr::make(op, Type::Int64, {x, y})); };
  if (op == Op::Sub) return BoxRange{wide(a.least, b.most), wide(a.most, b.least)};
  return BoxRange{wide(a.least, b.least), wide(a.most, b.most)};
}

/// A product with a number, or a quotient by one above zero.
std::optional<BoxRange> byNumber(Op op, const BoxRange &a, const Expr &number) {
  const auto by = [&](const Expr &x) {
    return simplify(Expr::make(op, Type::Int64, {x, Expr::integer(number->integer)}));
  };
  const bool falls = number->integer < 0;
  return BoxRange{by(falls ? a.most : a.least), by(falls ? a.least : a.most)};
}

} // namespace

std::optional<Certainty> certaintyOf(const Expr &condition, const RangeOf &rangeOf) {
  const auto part = [&](std::size_t k) { return certaintyOf(condition.arg(k), rangeOf); };
  switch (condition.op()) {
  case Op::And:
  case Op::Or: {
    const auto a = part(0), b = part(1);
    if (!a || !b) return std::nullopt;
    if (condition.op() == Op::And) return Certainty{bothHold(a->always, b->always), eitherHolds(a->never, b->never)};
    return Certainty{eitherHolds(a->always, b->always), bothHold(a->never, b->never)};
  }
  case Op::Not: {
    const auto a = part(0);
    return a ? std::optional(Certainty{a->never, a->always}) : std::nullopt;
  }
  case Op::Lt:
  case Op::Le:
  case Op::Eq:
  case Op::Ne: return comparison(condition, rangeOf);
  default:
    if (condition.type() != Type::Bool) return std::nullopt;
    return comparison(Expr::make(Op::Ne, {condition, Expr::integer(0, Type::Int32)}), rangeOf);
  }
}

std::optional<BoxRange> rangeOfParts(const Expr &value, const RangeOf &rangeOf) {
  const bool isNarrowed = value.op() == Op::Cast && value.type() != Type::Int64 && value.arg(0).type() != value.type();
  if (!isInteger(value.type()) || isNarrowed || !isSmallPart(value)) return std::nullopt;
  std::vector<BoxRange> parts;
  for (const Expr &arg : value->args) {
    if (!isInteger(arg.type()) || arg.type() == Type::Bool) return std::nullopt;
    const auto part = rangeOf(arg);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  const auto isNumber = [&](std::size_t k) { return value.arg(k).op() == Op::Integer; };
  switch (value.op()) {
  case Op::Cast: return parts[0];
  case Op::Neg: return ofTwo(Op::Sub, {Expr::integer(0), Expr::integer(0)}, parts[0]);
  case Op::Add:
  case Op::Sub:
  case Op::Min:
  case Op::Max: return ofTwo(value.op(), parts[0], parts[1]);
  case Op::Mul:
    if (reads(value) || (!isNumber(0) && !isNumber(1))) return std::nullopt;
    return isNumber(0) ? byNumber(Op::Mul, parts[1], value.arg(0)) : byNumber(Op::Mul, parts[0], value.arg(1));
  case Op::FloorDiv:
    if (!isNumber(1) || value.arg(1)->integer <= 0) return std::nullopt;
    return byNumber(Op::FloorDiv, parts[0], value.arg(1));
  default: return std::nullopt;
  }
}

} // namespace polymend
