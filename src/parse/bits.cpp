// Operations on bits as operations on integers of Z. A shift by a constant is a product or a quotient rounded down.
// What a mask of few runs of bits makes of loop variables and sizes is quasi-affine: of one, a = 2^h q + 2^l m + r,
// where the mask has the bits from l to h and m is what a has there (Warren, Hacker's Delight, 2-1, 2-16). Everything
// else, above all what is done to data, stays an operation on bits. Numbers without a sign that a product of two takes
// out of 64 bits are read as those with one that are congruent to them.
#include "ranges.h"
#include "reader.h"
#include "wide_elements.h"
#include "wraps.h"

#include "polymend/element_types.h"

#include <bit>

namespace polymend {

namespace {

constexpr std::int64_t FarthestProduct = 40; // shifts by more are none of integers that anything else is done with

/// Bits [low, high) of a number; high = 64: all from low on.
struct Run {
  int low = 0, high = 0;
};

/// The runs of bits that a mask of a type with so many bits consists of, the lowest first; none: there are too many.
std::vector<Run> runsOf(std::int64_t mask, unsigned width) {
  constexpr std::size_t most = 3; // each is a quotient and a remainder for isl
  constexpr int word = 64;
  auto pattern = static_cast<std::uint64_t>(mask);
  if (width < word && pattern >> (width - 1) != 0) pattern |= ~std::uint64_t{0} << width;
  std::vector<Run> runs;
  while (pattern != 0) {
    const int low = std::countr_zero(pattern), high = low + std::countr_one(pattern >> static_cast<unsigned>(low));
    if ((high == word ? low : high) > FarthestProduct || runs.size() == most) return {};
    runs.push_back({low, high});
    pattern = high == word ? 0 : pattern >> static_cast<unsigned>(high) << static_cast<unsigned>(high);
  }
  return runs;
}

Expr power(int exponent) { return Expr::integer(std::int64_t{1} << static_cast<unsigned>(exponent)); }

/// What operations with a mask of one run leave of a number above the run, in it and below.
Expr masked(Op op, Type type, const Expr &a, const Run &run) {
  const auto make = [&](Op of, const Expr &x, const Expr &y) { return Expr::make(of, type, {x, y}); };
  const auto from = [&](int bit) { return make(Op::Mul, make(Op::FloorDiv, a, power(bit)), power(bit)); };
  const bool toTheEnd = run.high == 64;
  if (op == Op::BitAnd && toTheEnd) return from(run.low);
  const Expr below = make(Op::FloorMod, a, power(run.low));
  if (toTheEnd) { // all of the run are set, or turned: -2^l - 2^l floor(a / 2^l)
    const Expr set = make(Op::Sub, below, power(run.low));
    return op == Op::BitOr ? set : make(Op::Sub, set, from(run.low));
  }
  const Expr field = make(Op::FloorMod, make(Op::FloorDiv, a, power(run.low)), power(run.high - run.low));
  Expr inside = make(Op::Mul, field, power(run.low));
  if (op == Op::BitAnd) return inside;
  const Expr set = make(Op::Add, make(Op::Add, from(run.high), below), power(run.high) - power(run.low));
  return op == Op::BitOr ? set : make(Op::Sub, set, inside);
}

/// What operations with a mask of several runs leave: the bits outside the mask, and those within as it says.
Expr masked(Op op, Type type, const Expr &a, const std::vector<Run> &runs, const Expr &mask) {
  if (runs.size() == 1) return masked(op, type, a, runs.front());
  Expr inside;
  for (const Run &run : runs) {
    const Expr part = masked(Op::BitAnd, type, a, run);
    inside = inside ? Expr::make(Op::Add, type, {inside, part}) : part;
  }
  if (op == Op::BitAnd) return inside;
  const Expr outside = Expr::make(Op::Sub, type, {a, inside});
  const Expr within = op == Op::BitOr ? mask : Expr::make(Op::Sub, type, {mask, inside});
  return Expr::make(Op::Add, type, {outside, within});
}

/// So many last bits of e are 0.
int zerosBelow(const Expr &e) {
  constexpr int word = 62;
  const auto of = [&](std::size_t k) { return zerosBelow(e.arg(k)); };
  switch (e.op()) {
  case Op::Integer: return e->integer == 0 ? word : std::countr_zero(static_cast<std::uint64_t>(e->integer));
  case Op::Neg: return of(0);
  case Op::Cast: return isFloating(e.arg(0).type()) ? 0 : of(0);
  case Op::Mul: return std::min(of(0) + of(1), word);
  case Op::BitAnd: return std::max(of(0), of(1));
  case Op::Select: return std::min(of(1), of(2));
  case Op::Add:
  case Op::Sub:
  case Op::BitOr:
  case Op::BitXor: return std::min(of(0), of(1));
  default: return 0;
  }
}

std::optional<Op> maskOperation(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_And: return Op::BitAnd;
  case clang::BO_Or: return Op::BitOr;
  case clang::BO_Xor: return Op::BitXor;
  default: return std::nullopt;
  }
}

bool isTruth(const clang::Expr *e) { return e->IgnoreParenImpCasts()->getType()->isBooleanType(); }

} // namespace

/// The type of an expression for numbers of an integer type: one without a sign is read as a number of Z.
Type Reader::computedIn(clang::QualType type) const {
  return type->isUnsignedIntegerType() || widthOf(type) > 32 ? Type::Int64 : Type::Int32;
}

/// The bits of a constant in a word; those of a type with a sign go on with it.
std::optional<std::int64_t> Reader::patternOf(const clang::Expr *expression) const {
  if (expression->isValueDependent() || !expression->getType()->isIntegralOrEnumerationType()) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsInt(result, context) || result.HasSideEffects) return std::nullopt;
  const llvm::APSInt &value = result.Val.getInt();
  if (value.getBitWidth() > 64) return std::nullopt;
  return static_cast<std::int64_t>(value.isSigned() ? static_cast<std::uint64_t>(value.getSExtValue())
                                                    : value.getZExtValue());
}

/// `left op right` in an integer type, before what it is is brought into the type.
Expr Reader::onBits(clang::BinaryOperatorKind kind, clang::QualType type, const Expr &left, const Expr &right,
                    const clang::Expr &where) {
  const Type computed = computedIn(type);
  const auto fitsBelow = [&](const Expr &low, const Expr &high) {
    const Interval values = valuesOf(low, knowledge);
    return values.least >= 0 && values.most < Wide{1} << zerosBelow(high);
  };
  if (const auto op = maskOperation(kind)) {
    if (op != Op::BitAnd && (fitsBelow(left, right) || fitsBelow(right, left)))
      return simplify(node(Op::Add, computed, {left, right}, &where)); // no bit stands in both
    const Expr &other = right.op() == Op::Integer ? left : right, &mask = right.op() == Op::Integer ? right : left;
    const std::vector<Run> runs = mask.op() == Op::Integer ? runsOf(mask->integer, widthOf(type)) : std::vector<Run>{};
    const bool isField = op == Op::BitAnd && runs.size() == 1 && runs.front().low == 0;
    if (isField || (!runs.empty() && !polymend::reads(other)))
      return simplify(masked(*op, computed, other, runs, mask));
    return simplify(node(*op, computed, {left, right}, &where));
  }
  const unsigned width = widthOf(type);
  if (right.op() == Op::Integer && (right->integer < 0 || right->integer >= width))
    refuse("a shift by " + std::to_string(right->integer) + " of " + std::to_string(width) + " bits", rangeOf(&where));
  const bool isBig = isWord(type) && mayBeBig(left);
  const bool isProduct = right.op() == Op::Integer && right->integer <= FarthestProduct && !isBig;
  if (kind == clang::BO_Shr && isBig) return shiftedRight(left, right, where);
  if (isProduct) {
    const Op op = kind == clang::BO_Shl ? Op::Mul : Op::FloorDiv;
    Expr result = simplify(node(op, computed, {left, power(static_cast<int>(right->integer))}, &where));
    if (result.op() == Op::Integer && type->isSignedIntegerOrEnumerationType()) // C++20: modulo 2^width
      return Expr::integer(wrapTo(computed, result->integer), computed);
    const bool mayWrap = kind == clang::BO_Shl && !type->isUnsignedIntegerType() && polymend::reads(result) &&
                         !holds(limitsOf(type), valuesOf(result, knowledge));
    if (!mayWrap) return result;
  }
  const Interval values = valuesOf(right, knowledge);
  const bool isWithin = values.least >= 0 && values.most < width;
  const Expr by = isWithin ? right : node(Op::BitAnd, right.type(), {right, Expr::integer(width - 1)}, &where);
  return simplify(node(kind == clang::BO_Shl ? Op::ShiftLeft : Op::ShiftRight, computed, {left, by}, &where));
}

/// `a & b`, `a | b`, `a ^ b`, `a << b`, `a >> b`; absent: another operation.
Expr Reader::bitwise(const clang::BinaryOperator &operation, unsigned bits) {
  const clang::BinaryOperatorKind kind = operation.getOpcode();
  const bool shifts = kind == clang::BO_Shl || kind == clang::BO_Shr;
  const clang::QualType type = operation.getType();
  const auto op = maskOperation(kind);
  if ((!op && !shifts) || !type->isIntegralOrEnumerationType()) return {};
  const clang::Expr *first = operation.getLHS(), *second = operation.getRHS();
  if (op && isTruth(first) && isTruth(second)) {
    const Op truth = op == Op::BitAnd ? Op::And : op == Op::BitOr ? Op::Or : Op::Ne;
    const Expr a = value(first->IgnoreParenImpCasts()), b = value(second->IgnoreParenImpCasts());
    return convert(node(truth, Type::Bool, {a, b}, &operation), typeOf(&operation), rangeOf(&operation));
  }
  const auto mask = patternOf(second);
  const auto other = op && !mask ? patternOf(first) : std::nullopt;
  unsigned below = kind == clang::BO_Shr ? 0 : lowBits(type, bits);
  const std::int64_t field = op == Op::BitAnd ? mask.value_or(other.value_or(0)) : 0;
  const std::vector<Run> runs = runsOf(field, widthOf(type));
  if (!runs.empty() && runs.back().high <= FarthestProduct) below = static_cast<unsigned>(runs.back().high);
  const Expr right = mask ? Expr::integer(*mask, typeOf(second)) : value(second, shifts ? 0 : below);
  const Expr left = other ? Expr::integer(*other, typeOf(first)) : value(first, below);
  const Expr result = onBits(kind, type, left, right, operation);
  const bool mayWrap = kind != clang::BO_Shr && type->isUnsignedIntegerType();
  return mayWrap && (bits == 0 || bits > widthOf(type)) ? wrapping(result, type, &operation) : result;
}

/// `~a`: -1 - a, and of a type without a sign 2^n - 1 - a.
Expr Reader::complement(const clang::UnaryOperator &operation, unsigned bits) {
  const clang::QualType type = operation.getType();
  const unsigned width = widthOf(type), below = bits != 0 && bits <= width ? bits : 0;
  const bool isWhole = below == 0 && type->isUnsignedIntegerType() && width < 64;
  const std::int64_t all = isWhole ? static_cast<std::int64_t>((std::uint64_t{1} << width) - 1) : -1;
  const Expr operand = value(operation.getSubExpr(), below);
  if (isWord(type) && mayBeBig(operand))
    return simplify(node(Op::BitXor, Type::Int64, {operand, Expr::integer(-1)}, &operation));
  const Expr result =
      simplify(node(Op::Sub, typeOf(&operation), {Expr::integer(all, typeOf(&operation)), operand}, &operation));
  return below == 0 && type->isUnsignedIntegerType() ? wrapping(result, type, &operation) : result;
}

/// A sum, difference or product, which may differ from C++'s by multiples of 2^n in a type of n bits without a sign.
/// Where it might leave 64 bits, what it is made of is read with a sign.
Expr Reader::modulo(Op op, clang::QualType type, const Expr &left, const Expr &right, const clang::Expr &where) {
  const auto withSign = [&](const Expr &e) {
    if (e.op() == Op::Integer) return Expr::integer(wrapTo(Type::Int32, e->integer), e.type());
    return Expr::cast(Type::Int64, converted(e, context.IntTy));
  };
  const bool isUnsigned = type->isUnsignedIntegerType() && widthOf(type) <= 32;
  Expr result = node(op, computedIn(type), {left, right}, &where);
  if (!isUnsigned || !polymend::reads(result) || staysInWords(result, knowledge)) return result;
  return node(op, computedIn(type), {withSign(left), withSign(right)}, &where);
}

} // namespace polymend
