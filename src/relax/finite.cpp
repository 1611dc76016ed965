// Interval arithmetic: each operation's extreme values lie at the ends of its arguments' intervals. A value that may be
// larger than its type holds is unknown, and what is below the smallest normal number may be zero.
#include "finite.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polymend {
namespace {

constexpr double largestInteger = 0x1p63;

/// The smallest normal and the largest number of a floating type.
FiniteBounds sizesOf(Type type) {
  switch (type) {
  case Type::Float16: return {0x1p-14, 65504};
  case Type::BFloat16: return {0x1p-126, 0x1.fep127};
  case Type::Float32: return {0x1p-126, 0x1.fffffep127};
  default: return {0x1p-1022, std::numeric_limits<double>::max()};
  }
}

/// The interval as values of a type, with zero where it comes near; absent: it overflows.
std::optional<FiniteBounds> held(FiniteBounds bounds, Type type) {
  if (!isFloating(type)) return bounds;
  const FiniteBounds sizes = sizesOf(type);
  if (!(bounds.low >= -sizes.high && bounds.high <= sizes.high)) return std::nullopt;
  if (bounds.low > 0 && bounds.low < sizes.low) bounds.low = 0;
  if (bounds.high < 0 && bounds.high > -sizes.low) bounds.high = 0;
  return bounds;
}

FiniteBounds anything(Type type) {
  const double most = isFloating(type) ? sizesOf(type).high : largestInteger;
  return {-most, most};
}

FiniteBounds around(std::initializer_list<double> values) { return {std::min(values), std::max(values)}; }

std::optional<FiniteBounds> unary(const Expr &e, const FiniteBounds &x) {
  switch (e.op()) {
  case Op::Neg: return FiniteBounds{-x.high, -x.low};
  case Op::Cast: return x;
  case Op::Abs: return FiniteBounds{std::max({0.0, x.low, -x.high}), std::max(-x.low, x.high)};
  case Op::Sqrt: return FiniteBounds{std::sqrt(std::max(x.low, 0.0)), std::sqrt(std::max(x.high, 0.0))};
  case Op::Exp: return FiniteBounds{std::exp(x.low), std::exp(x.high)};
  case Op::Exp2: return FiniteBounds{std::exp2(x.low), std::exp2(x.high)};
  case Op::Tanh:
  case Op::Sin:
  case Op::Cos: return FiniteBounds{-1, 1};
  default: return std::nullopt;
  }
}

std::optional<FiniteBounds> binary(const Expr &e, const FiniteBounds &x, const FiniteBounds &y) {
  switch (e.op()) {
  case Op::Add: return FiniteBounds{x.low + y.low, x.high + y.high};
  case Op::Sub: return FiniteBounds{x.low - y.high, x.high - y.low};
  case Op::Mul: return around({x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
  case Op::Div:
    if (y.low <= 0 && y.high >= 0) return std::nullopt;
    return around({x.low / y.low, x.low / y.high, x.high / y.low, x.high / y.high});
  case Op::Min:
  case Op::Max:
  case Op::FMin:
  case Op::FMax: return FiniteBounds{std::min(x.low, y.low), std::max(x.high, y.high)};
  default: return std::nullopt;
  }
}

std::optional<FiniteBounds> ofParts(const Expr &e, const std::set<std::string> &natural) {
  const std::size_t first = e.op() == Op::Select ? 1 : 0;
  std::vector<FiniteBounds> parts;
  for (std::size_t k = first; k < e->args.size(); ++k) {
    const auto part = finiteBounds(e.arg(k), natural);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  if (e.op() == Op::Select) return around({parts[0].low, parts[0].high, parts[1].low, parts[1].high});
  if (parts.size() == 1) return unary(e, parts[0]);
  return parts.size() == 2 ? binary(e, parts[0], parts[1]) : std::nullopt;
}

} // namespace

std::optional<FiniteBounds> finiteBounds(const Expr &value, const std::set<std::string> &natural) {
  switch (value.op()) {
  case Op::Integer: return FiniteBounds{static_cast<double>(value->integer), static_cast<double>(value->integer)};
  case Op::Real: return std::isfinite(value->real) ? held({value->real, value->real}, value.type()) : std::nullopt;
  case Op::Read: return anything(value.type());
  case Op::Symbol:
    return !isFloating(value.type()) && natural.contains(value->name) ? FiniteBounds{1, largestInteger}
                                                                      : anything(value.type());
  default: break;
  }
  const bool whole = !isFloating(value.type());
  if (whole && value.op() != Op::Cast) return anything(value.type());
  const auto bounds = ofParts(value, natural);
  return bounds ? held(*bounds, value.type()) : std::nullopt;
}

} // namespace polymend
