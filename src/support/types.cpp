// The element types and the monoids: their names, classes and neutral elements.
#include "polymend/element_types.h"

#include <limits>

namespace polymend {

bool isInteger(Type type) { return type == Type::Int32 || type == Type::Int64; }

bool isShort(Type type) { return type >= Type::Char && type <= Type::UInt32; }

std::int64_t wrapTo(Type type, std::int64_t value) {
  switch (type) {
  case Type::Bool: return value != 0 ? 1 : 0;
  case Type::Char: return static_cast<char>(value);
  case Type::Int8: return static_cast<std::int8_t>(value);
  case Type::UInt8: return static_cast<std::uint8_t>(value);
  case Type::Int16: return static_cast<std::int16_t>(value);
  case Type::UInt16: return static_cast<std::uint16_t>(value);
  case Type::UInt32: return static_cast<std::uint32_t>(value);
  case Type::Int32: return static_cast<std::int32_t>(value);
  default: return value;
  }
}

Interval limitsOf(Type type) {
  switch (type) {
  case Type::Bool: return {0, 1};
  case Type::UInt8: return {0, UINT8_MAX};
  case Type::UInt16: return {0, UINT16_MAX};
  case Type::UInt32: return {0, UINT32_MAX};
  case Type::Char:
  case Type::Int8: return {INT8_MIN, INT8_MAX};
  case Type::Int16: return {INT16_MIN, INT16_MAX};
  case Type::Int32: return {INT32_MIN, INT32_MAX};
  default: return {INT64_MIN, INT64_MAX};
  }
}

bool holds(const Interval &outer, const Interval &inner) {
  return outer.least <= inner.least && inner.most <= outer.most;
}

bool isCharacter(Type type) { return type == Type::Char || type == Type::Int8 || type == Type::UInt8; }

bool mayBeOne(Type a, Type b) {
  const auto signedOf = [](Type type) {
    return type == Type::UInt16 ? Type::Int16 : type == Type::UInt32 ? Type::Int32 : type;
  };
  return signedOf(a) == signedOf(b) || isCharacter(a) || isCharacter(b);
}

bool isNarrow(Type type) { return type == Type::Float16 || type == Type::BFloat16; }

bool isFloating(Type type) { return isNarrow(type) || type == Type::Float32 || type == Type::Float64; }

std::int64_t bytesOf(Type type) {
  switch (type) {
  case Type::Bool:
  case Type::Char:
  case Type::Int8:
  case Type::UInt8: return 1;
  case Type::Int16:
  case Type::UInt16:
  case Type::Float16:
  case Type::BFloat16: return 2;
  case Type::Int64:
  case Type::Float64: return 8;
  default: return 4;
  }
}

std::string spell(Type type) {
  switch (type) {
  case Type::Void: return "void";
  case Type::Bool: return "bool";
  case Type::Char: return "char";
  case Type::Int8: return "std::int8_t";
  case Type::UInt8: return "std::uint8_t";
  case Type::Int16: return "std::int16_t";
  case Type::UInt16: return "std::uint16_t";
  case Type::UInt32: return "std::uint32_t";
  case Type::Int32: return "int";
  case Type::Int64: return "std::int64_t";
  case Type::Float16: return "_Float16";
  case Type::BFloat16: return "__bf16";
  case Type::Float32: return "float";
  case Type::Float64: return "double";
  }
  return "void";
}

std::string spell(Monoid monoid) {
  switch (monoid) {
  case Monoid::Sum: return "+";
  case Monoid::Product: return "*";
  case Monoid::Max: return "max";
  case Monoid::Min: return "min";
  }
  return "?";
}

namespace {

Expr constant(Type type, std::int64_t integer, double real) {
  return isFloating(type) ? Expr::real(real, type) : Expr::integer(integer, type);
}

} // namespace

Expr neutral(Monoid monoid, Type type) {
  using Int32 = std::numeric_limits<std::int32_t>;
  using Int64 = std::numeric_limits<std::int64_t>;
  const double infinity = std::numeric_limits<double>::infinity();
  const bool narrow = type == Type::Int32;
  switch (monoid) {
  case Monoid::Sum: return constant(type, 0, 0.0);
  case Monoid::Product: return constant(type, 1, 1.0);
  case Monoid::Max: return constant(type, type == Type::Bool ? 0 : narrow ? Int32::min() : Int64::min(), -infinity);
  case Monoid::Min: return constant(type, type == Type::Bool ? 1 : narrow ? Int32::max() : Int64::max(), infinity);
  }
  return constant(type, 0, 0.0);
}

Expr neutral(Op op, Type type) {
  switch (op) {
  case Op::Mul: return neutral(Monoid::Product, type);
  case Op::Max: return neutral(Monoid::Max, type);
  case Op::Min: return neutral(Monoid::Min, type);
  case Op::FMax:
  case Op::FMin: return Expr::real(std::numeric_limits<double>::quiet_NaN(), type);
  default: return constant(type, 0, -0.0);
  }
}

} // namespace polymend
