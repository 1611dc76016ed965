// The functions of <bit>, and the compiler's own by other names: counts of bits as calls of primitives on words of 64
// bits, of which a narrower number is one with zeros above it; rotations by shifts.
#include "algorithms.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"
#include "words.h"
#include "wraps.h"

#include "polymend/word_functions.h"

namespace polymend {

namespace {

constexpr std::int64_t wordWidth = 64;

/// The name in <bit> of a function; empty: it is none of its.
std::string nameInBit(std::string name) {
  while (name.ends_with("l")) name.pop_back(); // __builtin_popcountll
  if (name == "popcount" || name == "parity") return name;
  if (name == "clz") return "countl_zero";
  if (name == "ctz") return "countr_zero";
  for (const char *known : {"countl_zero", "countr_zero", "countl_one", "countr_one", "rotl", "rotr", "bit_width",
                            "has_single_bit", "bit_floor", "bit_ceil"})
    if (name == known || name + "l" == known) return known;
  return "";
}

Expr simplified(Op op, Type type, const Expr &a, const Expr &b) { return simplify(Expr::make(op, type, {a, b})); }

Expr whole(std::int64_t value, Type type = Type::Int64) { return Expr::integer(value, type); }

Expr bitsCounted(std::string_view name, const Expr &word) {
  return Expr::call(std::string(name), {word}, Type::Int32, word->where);
}

/// Zeros above the highest bit of a number of so many bits, and below its lowest one.
Expr zerosOver(const Expr &word, std::int64_t width) {
  const Expr all = bitsCounted(words::zerosAbove, word);
  return width == wordWidth ? all : simplified(Op::Sub, Type::Int32, all, whole(wordWidth - width, Type::Int32));
}

Expr zerosUnder(const Expr &word, std::int64_t width) {
  const Expr all = bitsCounted(words::zerosBelow, word);
  return width == wordWidth ? all : simplified(Op::Min, Type::Int32, all, whole(width, Type::Int32));
}

/// The number with each of its bits turned.
Expr bitsTurned(const Expr &word, std::int64_t width) {
  const std::int64_t all = width == wordWidth ? -1 : (std::int64_t{1} << width) - 1;
  return simplified(Op::Sub, Type::Int64, whole(all), word);
}

/// 2^(63 - zeros above the word), or 2^(64 - those): the greatest power of two that it holds, or the next one.
Expr powerAbove(const Expr &word, std::int64_t bits) {
  return Expr::make(
      Op::ShiftLeft, Type::Int64,
      {whole(1), simplified(Op::Sub, Type::Int32, whole(bits, Type::Int32), bitsCounted(words::zerosAbove, word))});
}

} // namespace

bool isOfBits(const std::string &name) { return !nameInBit(name).empty(); }

/// A rotation to the left.
Expr Reader::rotated(const Expr &word, const Expr &by, std::int64_t width, const clang::CallExpr &call) const {
  const auto within = [&](const Expr &shift) {
    return simplify(Expr::make(Op::BitAnd, Type::Int64, {shift, whole(width - 1)}));
  };
  const bool isKnown = by.op() == Op::Integer;
  const Expr left = isKnown ? whole(by->integer & (width - 1)) : within(by);
  const Expr right = isKnown ? whole((width - left->integer) & (width - 1))
                             : within(Expr::make(Op::Sub, Type::Int64, {whole(width), by}));
  if (isKnown && left->integer == 0) return word;
  const Expr high = Expr::make(Op::ShiftLeft, Type::Int64, {word, left}, rangeOf(&call));
  const Expr low = width == wordWidth ? shiftedRight(word, right, call)
                                      : Expr::make(Op::ShiftRight, Type::Int64, {word, right}, rangeOf(&call));
  const Expr all = Expr::make(Op::BitOr, Type::Int64, {high, low}, rangeOf(&call));
  return width == wordWidth ? all : Expr::make(Op::BitAnd, Type::Int64, {all, whole((std::int64_t{1} << width) - 1)});
}

/// What a function of the bits of a number gives; absent: another function.
Expr Reader::bitCall(const std::string &name, const clang::CallExpr &call) {
  const std::string plain = nameInBit(name);
  const bool rotates = plain == "rotl" || plain == "rotr";
  if (plain.empty() || call.getNumArgs() != (rotates ? 2U : 1U)) return {};
  const clang::Expr *given = call.getArg(0);
  if (!given->getType()->isUnsignedIntegerType())
    refuse("'" + name + "' of this type is not supported", rangeOf(&call));
  const std::int64_t width = widthOf(given->getType());
  const Expr word = simplify(value(given));
  if (plain == "popcount") return bitsCounted(words::onesIn, word);
  if (plain == "parity")
    return simplified(Op::FloorMod, Type::Int32, bitsCounted(words::onesIn, word), whole(2, Type::Int32));
  if (plain == "countl_zero") return zerosOver(word, width);
  if (plain == "countr_zero") return zerosUnder(word, width);
  if (plain == "countl_one") return zerosOver(bitsTurned(word, width), width);
  if (plain == "countr_one") return zerosUnder(bitsTurned(word, width), width);
  if (plain == "bit_width")
    return simplified(Op::Sub, Type::Int32, whole(wordWidth, Type::Int32), bitsCounted(words::zerosAbove, word));
  if (plain == "has_single_bit")
    return node(Op::Eq, Type::Bool, {bitsCounted(words::onesIn, word), whole(1, Type::Int32)}, &call);
  const auto typed = [&](const Expr &e) { return e.type() == typeOf(&call) ? e : Expr::cast(typeOf(&call), e); };
  const auto unless = [&](const Expr &none, std::int64_t otherwise, const Expr &power) {
    return typed(node(Op::Select, Type::Int64, {none, whole(otherwise), power}, &call));
  };
  if (plain == "bit_floor")
    return unless(node(Op::Eq, Type::Bool, {word, whole(0)}, &call), 0, powerAbove(word, wordWidth - 1));
  if (plain == "bit_ceil")
    return unless(node(Op::Le, Type::Bool, {word, whole(1)}, &call), 1,
                  powerAbove(simplified(Op::Sub, Type::Int64, word, whole(1)), wordWidth));
  const Expr by = simplify(value(call.getArg(1)));
  return typed(rotated(word, plain == "rotl" ? by : simplified(Op::Sub, Type::Int64, whole(0), by), width, call));
}

/// `std::exchange(v, x)` of a variable or an element: what it was, which statements before keep.
Expr Reader::exchanged(const clang::CallExpr &call) {
  const SourceRange where = rangeOf(&call);
  const clang::Expr *target = call.getArg(0)->IgnoreParens();
  if (call.getNumArgs() != 2 || !elementType(target->getType()) || target->getType()->isBooleanType())
    refuse("'exchange' of this type is not supported", where);
  if (sink == nullptr || !callEffects.changed.empty())
    refuse("'exchange' is supported as a statement, or as what a variable becomes: v = std::exchange(w, x)", where);
  Body &out = *sink;
  if (const clang::VarDecl *variable = followedIn(target)) {
    const Expr old = numberOf(*variable);
    follow(*variable, value(call.getArg(1)), where);
    return old;
  }
  const Expr next = value(call.getArg(1));
  const Place place = lvalue(target);
  const Array array = written(place, where);
  wholeElement(place, target);
  const Place held = variableFor("held", localType(target->getType()), where);
  put(held, storedIn(arrayNamed(held.array), readAt(place, target), where), where, out);
  put(place, storedIn(array, next, where), where, out);
  if (isWord(target->getType())) unsignedWide.insert(held.array);
  callEffects = {{array.name}, out.size()};
  return readAt(held, &call);
}

} // namespace polymend
