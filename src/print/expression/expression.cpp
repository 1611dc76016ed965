// Every printed piece carries its precedence and the type that C++ gives it; an operation converts its operands where
// that type would make C++ compute something else than the node says.
// All kinds of expressions stand in one file, as each calls the others.
#include "print/expression.h"

#include "polymend/source_marks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace polymend::print_room {

namespace {

enum Precedence { Conditional = 1, Disjunction, Conjunction, Bits, Equality, Relation, Sum, Product, Unary, Primary };

struct Piece {
  std::string text;
  int precedence = Primary;
  Type type = Type::Int64;
  bool isWide = false; // of 64 bits also where sizes have fewer
};

struct Infix {
  const char *token;
  Precedence precedence;
};

std::optional<Infix> infixOf(Op op) {
  switch (op) {
  case Op::Add: return Infix{" + ", Sum};
  case Op::Sub: return Infix{" - ", Sum};
  case Op::Mul: return Infix{" * ", Product};
  case Op::Div: return Infix{" / ", Product};
  case Op::Mod: return Infix{" % ", Product};
  case Op::Lt: return Infix{" < ", Relation};
  case Op::Le: return Infix{" <= ", Relation};
  case Op::Eq: return Infix{" == ", Equality};
  case Op::Ne: return Infix{" != ", Equality};
  case Op::BitAnd: return Infix{" & ", Bits};
  case Op::BitOr: return Infix{" | ", Bits};
  case Op::BitXor: return Infix{" ^ ", Bits};
  case Op::ShiftLeft: return Infix{" << ", Bits};
  case Op::ShiftRight: return Infix{" >> ", Bits};
  case Op::And: return Infix{" && ", Conjunction};
  case Op::Or: return Infix{" || ", Disjunction};
  default: return std::nullopt;
  }
}

bool hasPrimitive(Op op, Type type) {
  if (op == Op::Sqrt) return type == Type::Float32 || type == Type::Float64;
  const bool own = op == Op::Exp || op == Op::Exp2 || op == Op::Log || op == Op::Tanh;
  return own && type == Type::Float32;
}

std::string wrap(const Piece &p, int least) { return p.precedence < least ? "(" + p.text + ")" : p.text; }

std::string castText(Type type, const std::string &text, const Context &c) {
  return "static_cast<" + spellFor(type, c.table) + ">(" + text + ")";
}

Piece convert(Piece p, Type type, const Context &c) {
  const bool bothIntegers = !isFloating(p.type) && !isFloating(type) && type != Type::Bool;
  if (p.type == type || bothIntegers) return p;
  return {castText(type, p.text, c), Primary, type};
}

/// Rounds to a 16-bit type and goes on in float.
Piece narrowed(const Piece &p, Type type, const Context &c) {
  return {castText(Type::Float32, castText(type, p.text, c), c), Primary, Type::Float32};
}

template <class T> std::string digits(T value, const char *suffix) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + suffix;
}

Piece real(double value, Type type, Context &c) {
  const Type compute = computeType(type);
  const std::string limits = "std::numeric_limits<" + spell(compute) + ">::";
  const bool negative = std::signbit(value);
  const bool device = c.table.device;
  const double magnitude = std::fabs(value);
  std::string text;
  if (std::isfinite(value) && compute == Type::Float32 && std::isfinite(static_cast<float>(magnitude)))
    text = digits(static_cast<float>(magnitude), "f");
  else if (std::isfinite(value) && compute == Type::Float64)
    text = digits(magnitude, "");
  else if (device) {
    c.needs.headers.insert("cmath");
    const bool isDouble = compute == Type::Float64;
    text = std::isnan(value) ? (isDouble ? "::nan(\"\")" : "::nanf(\"\")") : "INFINITY";
    if (isDouble && !std::isnan(value)) text = castText(compute, text, c);
  } else {
    c.needs.headers.insert("limits");
    text = limits + (std::isnan(value) ? "quiet_NaN()" : "infinity()");
  }
  return negative ? Piece{"-" + text, Unary, compute} : Piece{text, Primary, compute};
}

Piece integer(std::int64_t value, Type type, Context &c) {
  if (isFloating(type)) return real(static_cast<double>(value), type, c);
  if (type == Type::Bool) return {value != 0 ? "true" : "false", Primary, Type::Bool};
  if (value == std::numeric_limits<std::int64_t>::min()) {
    if (c.table.device) return {"(-9223372036854775807LL - 1)", Primary, Type::Int64};
    c.needs.headers.insert("limits");
    return {"std::numeric_limits<std::int64_t>::min()", Primary, Type::Int64};
  }
  const bool areSmall = c.hasIndexType(); // all integers, but for some that are of 64 bits anyhow
  const bool wide = c.table.device && !areSmall && (value > 32767 || value < -32767);
  const bool isInt =
      !wide && value <= std::numeric_limits<std::int32_t>::max() && value > std::numeric_limits<std::int32_t>::min();
  return {std::to_string(value) + (wide || (areSmall && !isInt) ? "LL" : ""), value < 0 ? Unary : Primary,
          isInt ? Type::Int32 : Type::Int64};
}

Piece print(const Expr &e, Context &c);

/// What C++ computes in where an element or a scalar argument of the type is an operand.
Type promoted(Type type) {
  return isFloating(type) || type == Type::Int64 || type == Type::UInt32 ? type : Type::Int32;
}

Piece symbol(const Expr &e, Context &c) {
  const auto scalar = c.scalars.find(e->name);
  const std::string &name = c.names.of(e->name);
  if (scalar == c.scalars.end())
    return convert({name, Primary, Type::Int64, c.wide.contains(e->name)}, computeType(e.type()), c);
  if (isNarrow(scalar->second)) return {castText(Type::Float32, name, c), Primary, Type::Float32};
  return {name, Primary, promoted(scalar->second), scalar->second == Type::Int64};
}

Piece read(const Expr &e, Context &c) {
  const std::string text = printRef(e->name, e->args, c);
  if (isNarrow(c.typeOf(e->name))) return {castText(Type::Float32, text, c), Primary, Type::Float32};
  return {text, Primary, promoted(c.typeOf(e->name)), c.typeOf(e->name) == Type::Int64};
}

/// Whether an integer expression is computed in 32 bits although it is no constant.
bool isNarrowValue(const Expr &e, const Context &c) {
  bool any = false, all = true;
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::Read) all = false;
    if (node.op() == Op::Symbol) (c.narrow.contains(node->name) ? any : all) = c.narrow.contains(node->name);
  });
  return any && all;
}

/// Is it made of sizes, variables and literals alone? Else what is made of sizes and something else is of 64 bits.
bool isOfSizes(const Expr &e, const Context &c) {
  bool all = true;
  visit(e, [&](const Expr &node) {
    const bool isOther = node.op() == Op::Read || node.op() == Op::Call || !isInteger(node.type());
    const bool isNumber = node.op() == Op::Symbol && (c.scalars.contains(node->name) || c.wide.contains(node->name));
    all = all && !isNumber && !isOther;
  });
  return all;
}

/// Is a size, or a variable that has as many bits, part of it?
bool hasSizes(const Expr &e, const Context &c) {
  bool any = false;
  visit(e, [&](const Expr &node) {
    any = any || (node.op() == Op::Symbol && isInteger(node.type()) && !c.scalars.contains(node->name) &&
                  !c.wide.contains(node->name) && !c.narrow.contains(node->name));
  });
  return any;
}

/// The type that an integer is to be computed in which is wider than C++ would compute it in.
std::string widerType(const Expr &e, Context &c) { return isOfSizes(e, c) ? c.index() : "std::int64_t"; }

Piece widened(const Expr &e, const std::string &text, Context &c) {
  const std::string type = widerType(e, c);
  return {"static_cast<" + type + ">(" + text + ")", Primary, Type::Int64, type == "std::int64_t"};
}

/// The type that C++ gives an operation on both (C++20 [expr.arith.conv]).
Type commonType(const Piece &a, const Piece &b) {
  if (isFloating(a.type) && isFloating(b.type)) return std::max(a.type, b.type);
  if (isFloating(a.type) || isFloating(b.type)) return isFloating(a.type) ? a.type : b.type;
  if (a.type == Type::Int64 || b.type == Type::Int64) return Type::Int64;
  return a.type == Type::UInt32 || b.type == Type::UInt32 ? Type::UInt32 : Type::Int32;
}

/// Makes an operation on both one in 64 bits, where C++ would compute it in 32. Variables that are declared as int are
/// small: their products alone are not.
void widen(const Expr &e, Piece &a, Piece &b, Context &c) {
  const auto isVariable = [&](const Expr &arg) { return isNarrowValue(arg, c); };
  const auto isLiteral = [](const Expr &arg) { return arg.op() == Op::Integer; };
  const Expr &first = e.arg(0), &second = e.arg(1);
  if (c.hasIndexType() && !isOfSizes(e, c)) {
    Piece &one = isLiteral(first) || isOfSizes(first, c) ? b : a;
    if (!a.isWide && !b.isWide) one = widened(e, one.text, c);
    return;
  }
  if ((a.type == Type::Int64 && !isVariable(first)) || (b.type == Type::Int64 && !isVariable(second))) return;
  const bool areSmall = (isVariable(first) || isLiteral(first)) && (isVariable(second) || isLiteral(second));
  if (areSmall && (e.op() != Op::Mul || isLiteral(first) || isLiteral(second))) return;
  Piece &one = isLiteral(first) ? b : a;
  one = widened(e, one.text, c);
}

/// Makes both what they are as integers of Z, where C++ would take one of them modulo 2^32.
void signedBoth(const Expr &first, Piece &a, const Expr &second, Piece &b, Context &c) {
  const auto isSmall = [](const Expr &e) { return e.op() == Op::Integer && e->integer >= 0; };
  if (isFloating(a.type) || isFloating(b.type) || commonType(a, b) != Type::UInt32) return;
  if (a.type == b.type || isSmall(first) || isSmall(second)) return;
  for (Piece *one : {&a, &b})
    if (one->type == Type::UInt32) *one = {castText(Type::Int64, one->text, c), Primary, Type::Int64};
}

/// What is asked to be finite: |x| <= the largest number of its type; absent: something else is asked.
Expr askedToBeFinite(const Expr &e) {
  if (e.op() != Op::Le || e.arg(0).op() != Op::Abs || e.arg(1).op() != Op::Real) return {};
  const Type type = e.arg(0).arg(0).type();
  if (e.arg(1).type() != type) return {};
  const bool isLargest = type == Type::Float32   ? e.arg(1)->real == double{std::numeric_limits<float>::max()}
                         : type == Type::Float64 ? e.arg(1)->real == std::numeric_limits<double>::max()
                                                 : false;
  return isLargest ? e.arg(0).arg(0) : Expr();
}

/// The numerator x - k + 1 of a quotient by a constant that is rounded up, floor((x - k) / c) + 1, k > 0; absent: it is
/// none.
Expr roundedUp(const Expr &e) {
  if (e.op() != Op::Add || e.arg(1).op() != Op::Integer || e.arg(1)->integer != 1 || e.arg(0).op() != Op::FloorDiv)
    return {};
  const Expr &over = e.arg(0).arg(0), &by = e.arg(0).arg(1);
  if (by.op() != Op::Integer || by->integer <= 0 || over.op() != Op::Sub || over.arg(1).op() != Op::Integer) return {};
  const std::int64_t k = over.arg(1)->integer;
  if (k < 1) return {};
  return k == 1 ? over.arg(0) : over.arg(0) - Expr::integer(k - 1);
}

/// An operation on bits; its operands stand in parentheses, as C++'s precedence of it surprises readers.
Piece onBits(const Expr &e, const Infix &op, Context &c) {
  Piece a = print(e.arg(0), c), b = print(e.arg(1), c);
  const bool shifts = e.op() == Op::ShiftLeft || e.op() == Op::ShiftRight;
  if (!shifts) signedBoth(e.arg(0), a, e.arg(1), b, c);
  if (shifts && (e.op() == Op::ShiftLeft ? a.type != Type::Int64 && e.type() == Type::Int64 : a.type == Type::UInt32))
    a = {castText(Type::Int64, a.text, c), Primary, Type::Int64};
  return {wrap(a, Unary) + op.token + wrap(b, Unary), Bits, shifts ? a.type : commonType(a, b)};
}

Piece infix(const Expr &e, const Infix &op, Context &c) {
  if (op.precedence == Bits) return onBits(e, op, c);
  if (const Expr asked = c.table.device ? Expr() : askedToBeFinite(e)) {
    const Piece value = print(asked, c);
    return {c.primitive("isFinite") + "(" + convert(value, asked.type(), c).text + ")", Primary, Type::Bool};
  }
  if (const Expr whole = c.table.device ? Expr() : roundedUp(e))
    return {c.primitive("ceilDiv") + "(" + print(whole, c).text + ", " + print(e.arg(0).arg(1), c).text + ")", Primary,
            Type::Int64};
  Piece a = print(e.arg(0), c), b = print(e.arg(1), c);
  const Type own = computeType(e.type());
  const bool logical = e.type() == Type::Bool;
  if (!logical && isFloating(own) && (commonType(a, b) < own || !isFloating(commonType(a, b)))) {
    a = convert(a, own, c);
    b = convert(b, own, c);
  }
  if (logical) signedBoth(e.arg(0), a, e.arg(1), b, c);
  const bool mixes = c.hasIndexType() && hasSizes(e, c) && !isOfSizes(e, c);
  if (!logical && !isFloating(own) && (own == Type::Int64 || mixes || isNarrowValue(e, c))) widen(e, a, b, c);
  const bool chains = op.precedence == Disjunction || op.precedence == Conjunction;
  const auto least = [&](const Expr &operand, int natural) {
    if (chains) return static_cast<int>(operand.op() == e.op() ? op.precedence : Equality);
    return logical ? static_cast<int>(Sum) : natural;
  };
  const std::string text =
      wrap(a, least(e.arg(0), op.precedence)) + op.token + wrap(b, least(e.arg(1), op.precedence + 1));
  if (logical) return {text, op.precedence, Type::Bool};
  if (e.op() == Op::Mul && isFloating(own) && c.table.roundedProduct && c.inKernel)
    return {(commonType(a, b) == Type::Float64 ? "__dmul_rn(" : "__fmul_rn(") + a.text + ", " + b.text + ")", Primary,
            commonType(a, b)};
  const Piece result{text, op.precedence, commonType(a, b), a.isWide || b.isWide};
  return isFloating(own) ? convert(result, own, c) : result;
}

/// A function of the device's own library, by the name that C gives it for the type.
std::string deviceName(const Expr &e, Type own, Context &c) {
  const Op op = e.op();
  const bool integral = !isFloating(own);
  if (op == Op::Min || op == Op::Max)
    return c.primitive(op == Op::Min ? "least" : "most") + "<" + (integral ? widerType(e, c) : spell(own)) + ">";
  if (op == Op::Abs && integral) return c.primitive("magnitude");
  c.needs.headers.insert("cmath");
  const std::string base = op == Op::Abs ? "fabs" : std::string(functionName(op));
  return "::" + base + (own == Type::Float32 ? "f" : "");
}

Piece function(const Expr &e, Context &c) {
  const Type own = computeType(e.type());
  std::string list;
  bool isNarrow = own == Type::Int32;
  for (const Expr &arg : e->args) {
    const Piece piece = convert(print(arg, c), own, c);
    isNarrow = isNarrow && (piece.type == Type::Int32 || arg.op() == Op::Integer);
    list += (list.empty() ? "" : ", ") + piece.text;
  }
  if (c.table.device)
    return {deviceName(e, own, c) + "(" + list + ")", Primary, isFloating(own) ? own : Type::Int64,
            !isFloating(own) && !isOfSizes(e, c)};
  std::string name = std::string("std::").append(functionName(e.op()));
  if (e.op() == Op::Min || e.op() == Op::Max) {
    const bool isOfMemory =
        std::ranges::all_of(e->args, [](const Expr &arg) { return arg.op() == Op::Read && !arg->args.empty(); });
    if (isOfMemory && (isFloating(own) || isNarrow))
      return {c.primitive(e.op() == Op::Min ? "least" : "most") + "<" + spell(own) + ">(" + list + ")", Primary, own};
    c.needs.headers.insert("algorithm");
    if (isNarrow) return {name + "<int>(" + list + ")", Primary, Type::Int32};
    if (!isFloating(own)) name += "<std::int64_t>";
  } else if (!c.strict() && hasPrimitive(e.op(), own)) {
    name = c.primitive(std::string(functionName(e.op())));
  } else {
    c.needs.headers.insert("cmath");
  }
  if (e.op() == Op::Abs && !isFloating(own)) {
    c.needs.headers.insert("cstdlib");
    list = castText(Type::Int64, list, c);
  }
  return {name + "(" + list + ")", Primary, isFloating(own) ? own : Type::Int64};
}

/// A call by the name it had in the source, as the overload of <cmath> for its type.
Piece call(const Expr &e, Context &c) {
  if (e->name.starts_with(".")) return {print(e.arg(0), c).text + e->name, Primary, computeType(e.type())};
  static const std::set<std::string> floats{
      "sinhf",  "coshf",   "tanf",    "asinf",      "acosf", "atanf",      "asinhf", "acoshf", "atanhf", "expm1f",
      "log1pf", "log10f",  "cbrtf",   "rintf",      "erff",  "erfcf",      "atan2f", "hypotf", "fmodf",  "copysignf",
      "fmaf",   "lgammaf", "tgammaf", "nearbyintf", "fdimf", "remainderf", "ldexpf", "scalbnf"};
  const std::string name = floats.contains(e->name) ? e->name.substr(0, e->name.size() - 1) : e->name;
  const Type own = computeType(e.type());
  std::string list;
  for (const Expr &arg : e->args)
    list += (list.empty() ? "" : ", ") +
            convert(print(arg, c), isOwnCall(e) || isInteger(arg.type()) ? arg.type() : own, c).text;
  if (isOwnCall(e)) return {name + "(" + list + ")", Primary, own};
  c.needs.headers.insert("cmath");
  constexpr std::string_view ours = "polymend_rt::";
  if (name.starts_with(ours)) c.needs.primitives.insert(name.substr(ours.size()));
  if (c.table.device && name == "lerp") return {c.primitive(name) + "(" + list + ")", Primary, own};
  if (c.table.device && name.find("::") == std::string::npos)
    return {"::" + name + (own == Type::Float32 ? "f" : "") + "(" + list + ")", Primary, own};
  return {(name.find("::") == std::string::npos ? "std::" : "") + name + "(" + list + ")", Primary, own};
}

Piece floorOperation(const Expr &e, Context &c) {
  const bool positive = e.arg(1).op() == Op::Integer && e.arg(1)->integer > 0;
  const Piece a = print(e.arg(0), c), b = print(e.arg(1), c);
  const bool division = e.op() == Op::FloorDiv;
  if (positive && c.signs.isNonNegative(e.arg(0)))
    return {wrap(a, Product) + (division ? " / " : " % ") + wrap(b, Unary), Product, commonType(a, b)};
  const std::string type = widerType(e, c), of = type == "std::int64_t" ? "" : "<" + type + ">";
  return {c.primitive(division ? "floorDiv" : "floorMod") + of + "(" + a.text + ", " + b.text + ")", Primary,
          Type::Int64};
}

Piece select(const Expr &e, Context &c) {
  const Type own = computeType(e.type());
  Piece a = convert(print(e.arg(1), c), own, c), b = convert(print(e.arg(2), c), own, c);
  signedBoth(e.arg(1), a, e.arg(2), b, c);
  if (c.eager && isFloating(own))
    return {c.primitive("choose") + "<" + spellFor(own, c.table) + ">(" + print(e.arg(0), c).text + ", " + a.text +
                ", " + b.text + ")",
            Primary, own};
  return {wrap(print(e.arg(0), c), Disjunction) + " ? " + wrap(a, Disjunction) + " : " + wrap(b, Conditional),
          Conditional, isFloating(own) ? own : commonType(a, b)};
}

Piece cast(const Expr &e, Context &c) {
  Piece p = print(e.arg(0), c);
  if (isNarrow(e.type())) return p;
  if (e.type() == Type::UInt32 && p.type == Type::UInt32) return p;
  if (isShort(e.type()) && e.arg(0).type() != e.type())
    return {castText(e.type(), p.text, c), Primary, promoted(e.type())};
  if (e.type() == Type::Int32 && e.arg(0).type() != Type::Int32 && e.arg(0).type() != Type::Bool)
    return {"static_cast<std::int32_t>(" + p.text + ")", Primary, Type::Int32};
  if (e.type() == Type::Int64 && p.type == Type::Bool) return {castText(Type::Int64, p.text, c), Primary, Type::Int64};
  return convert(p, e.type(), c);
}

Piece printOperation(const Expr &e, Context &c) {
  if (const std::optional<Infix> op = infixOf(e.op())) return infix(e, *op, c);
  switch (e.op()) {
  case Op::Integer: return integer(e->integer, e.type(), c);
  case Op::Real: return real(e->real, e.type(), c);
  case Op::Symbol: return symbol(e, c);
  case Op::Read: return read(e, c);
  case Op::Neg: {
    const Piece p = print(e.arg(0), c);
    if (e.type() == Type::Int64 && p.type != Type::Int64 && e.arg(0).op() != Op::Integer)
      return {"-" + castText(Type::Int64, p.text, c), Unary, Type::Int64};
    return {"-" + wrap(p, Primary), Unary, p.type};
  }
  case Op::Not: return {"!" + wrap(print(e.arg(0), c), Unary), Unary, Type::Bool};
  case Op::FloorDiv:
  case Op::FloorMod: return floorOperation(e, c);
  case Op::Select: return select(e, c);
  case Op::Cast: return cast(e, c);
  case Op::Call: return call(e, c);
  default: return function(e, c);
  }
}

/// The name of what the host computes in the kernel's place.
Piece hostValue(const Expr &e, Context &c) {
  const Type held = e.op() == Op::Cast && e.type() == Type::Int32 ? Type::Int32 : Type::Int64;
  if (const HostValue *known = c.host->find(e)) return {known->name, Primary, held};
  HostValues *const host = std::exchange(c.host, nullptr);
  const bool inKernel = std::exchange(c.inKernel, false);
  const HostValue value{e, held == Type::Int32 ? "int" : "std::int64_t", c.names.fresh("by_sizes"),
                        print(forAllSizes(e), c).text};
  c.host = host;
  c.inKernel = inKernel;
  return {host->add(value).name, Primary, held};
}

Piece print(const Expr &e, Context &c) {
  if (!e) return {"0", Primary, Type::Int64};
  if (c.host && c.host->covers(e)) return hostValue(e, c);
  Piece p = printOperation(e, c);
  if (c.options.hasMarks && e->where.valid()) p.text = markOf(e->where) + p.text;
  const bool leaf = e.op() == Op::Read || e.op() == Op::Symbol;
  return isNarrow(e.type()) && !leaf ? narrowed(p, e.type(), c) : p;
}

} // namespace

Type Context::typeOf(const std::string &array) const {
  const auto at = places.find(array);
  return at == places.end() ? Type::Float32 : at->second.array->type;
}

std::string Context::primitive(const std::string &name) {
  needs.primitives.insert(name);
  return "polymend_rt::" + name;
}

std::string printExpr(const Expr &e, Context &context) { return print(e, context).text; }

std::string printConjunct(const Expr &e, Context &context) { return wrap(print(e, context), Conjunction); }

std::string printFactor(const Expr &e, Context &context) { return wrap(print(e, context), Product); }

std::string plain(const Expr &e, Context &context) { return wrap(print(simplify(e), context), Disjunction); }

std::string printAs(const Expr &e, Type type, Context &context) {
  if (isNarrow(type) && e.op() == Op::Cast && e.type() == type)
    return castText(type, print(e.arg(0), context).text, context);
  return convert(print(e, context), type, context).text;
}

namespace {

/// A name bound to the text of `e` in as many bits as sizes have.
std::string asSize(const Expr &e, Context &context) {
  const std::string text = widened(e, printExpr(e, context), context).text;
  context.names.alias(text);
  return text;
}

} // namespace

std::string printRef(const std::string &array, const std::vector<Expr> &subscripts, Context &context) {
  const std::string &name = context.names.of(array);
  const auto at = context.places.find(array);
  const bool linear = at != context.places.end() && at->second.shape == Shape::Linear;
  if (at != context.places.end() && at->second.shape == Shape::Cell) return name + "[0]";
  if (subscripts.empty()) return name;
  if (linear && subscripts.size() == at->second.array->extents.size()) {
    const std::vector<Expr> &extents = at->second.array->extents;
    Expr offset = simplify(subscripts.front());
    const bool narrowStart = subscripts.size() > 1 && isNarrowValue(offset, context);
    if (narrowStart) offset = Expr::symbol(asSize(offset, context), Type::Int64);
    for (std::size_t i = 1; i < subscripts.size(); ++i) {
      const Expr inner = simplify(subscripts[i]);
      const auto isZero = [](const Expr &e) { return e.op() == Op::Integer && e->integer == 0; };
      offset = isZero(offset) ? inner : isZero(inner) ? offset * extents[i] : offset * extents[i] + inner;
    }
    return name + "[" + printExpr(offset, context) + "]";
  }
  std::string text = name;
  for (const Expr &s : subscripts) text += "[" + printExpr(simplify(s), context) + "]";
  return text;
}

} // namespace polymend::print_room
