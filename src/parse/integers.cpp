// Integers of C++ as integers of Z: conversions, negations and what a function rests on so that nothing wraps.
#include "ranges.h"
#include "reader.h"
#include "types.h"
#include "wraps.h"

#include "polymend/element_types.h"

#include <algorithm>

namespace polymend {

namespace {

/// The number of `width` bits that is congruent to value.
Wide wrapped(Wide value, unsigned width, bool isSigned) {
  const Wide modulus = Wide{1} << width;
  const Wide rest = ((value % modulus) + modulus) % modulus;
  return isSigned && rest >= modulus / 2 ? rest - modulus : rest;
}

void eachAssign(const Body &body, const std::function<void(const Assign &)> &f) {
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      eachAssign((*loop)->body, f);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      eachAssign((*branch)->then, f);
      eachAssign((*branch)->otherwise, f);
    } else {
      f(*std::get<std::shared_ptr<const Assign>>(node));
    }
  }
}

} // namespace

bool comesFromReal(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) {
    found = found || (node.op() == Op::Cast && isInteger(node.type()) && isFloating(node.arg(0).type()));
  });
  return found;
}

/// Is it made by operations on bits, which no bound and no subscript is?
bool isOnBits(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || (node.op() >= Op::BitAnd && node.op() <= Op::ShiftRight); });
  return found;
}

unsigned Reader::widthOf(clang::QualType type) const { return context.getIntWidth(type); }

/// Do sums of the integer type wrap around where they leave it? Those of int and wider ones with a sign are undefined.
bool Reader::mayWrap(clang::QualType type) const { return type->isUnsignedIntegerType() || widthOf(type) < 32; }

Interval Reader::limitsOf(clang::QualType type) const {
  const unsigned width = widthOf(type);
  if (type->isBooleanType()) return {0, 1};
  if (type->isSignedIntegerOrEnumerationType()) return {-(Wide{1} << (width - 1)), (Wide{1} << (width - 1)) - 1};
  return {0, (Wide{1} << width) - 1};
}

unsigned Reader::lowBits(clang::QualType type, unsigned bits) const {
  if (!type->isIntegerType()) return 0;
  if (bits != 0 && bits <= widthOf(type)) return bits;
  return type->isUnsignedIntegerType() ? widthOf(type) : 0;
}

void Reader::assume(const Expr &condition) {
  const Expr simple = simplify(condition);
  for (const DataSize &data : function.dataSizes)
    if (symbols(simple).contains(data.name))
      refuse("whether '" + show(simple) + "' holds would be known at run time alone", data.where);
  const bool known = std::any_of(function.given.begin(), function.given.end(),
                                 [&](const Expr &other) { return equal(other, simple); });
  if (!known && simple.op() != Op::Integer) function.given.push_back(simple);
  learnFrom(simple);
}

void Reader::learnFrom(const Expr &condition) {
  for (const Expr &fact : factsOf(condition))
    if (fact.op() == Op::Symbol)
      knowledge.nonNegative.insert(fact->name);
    else if (isOverParameters(fact))
      remember(fact);
}

void Reader::assumeNonNegative(const Expr &value) {
  if (!checksWraps) return;
  for (const std::string &name : symbols(value))
    if (unsignedWide.contains(name)) assume(Expr::make(Op::Le, {Expr::integer(0), Expr::symbol(name, Type::Int64)}));
}

/// Parameters that are factors, or that a quotient is divided by, are asked to be no less than 0.
void Reader::assumeFactors(const Expr &value) {
  if (!checksWraps) return;
  const auto ask = [&](const Expr &factor) {
    if (factor.op() == Op::Integer || !isOverParameters(factor)) return;
    visit(factor, [&](const Expr &part) {
      if (part.op() == Op::Symbol && !isNonNegative(part, knowledge))
        assume(Expr::make(Op::Le, {Expr::integer(0, part.type()), part}));
    });
  };
  visit(value, [&](const Expr &node) {
    if (isDivision(node.op())) ask(node.arg(1));
    if (node.op() == Op::Mul)
      for (const Expr &factor : node->args)
        if (factor.op() == Op::Symbol || isDivision(factor.op())) ask(factor);
  });
}

/// A sum of variables of 64 bits without a sign and of numbers that it would take ages to fill one with.
bool Reader::countsUp(const Expr &sum) const {
  const auto isCounter = [&](const Expr &e) { return e.op() == Op::Read && counters.contains(e->name); };
  const auto counts = [&](const Expr &e) {
    if (isCounter(e) || countsUp(e)) return true;
    const Interval values = valuesOf(e, knowledge);
    return values.least >= 0 && values.most <= Wide{1} << 32;
  };
  if (sum.op() != Op::Add || !counts(sum.arg(0)) || !counts(sum.arg(1))) return false;
  return std::any_of(sum->args.begin(), sum->args.end(),
                     [&](const Expr &arg) { return isCounter(arg) || countsUp(arg); });
}

Expr Reader::fitting(const Expr &value, clang::QualType type, const clang::Stmt *place) {
  if (!checksWraps || (widthOf(type) == 64 && countsUp(value))) return value;
  Interval limits = limitsOf(type);
  limits.most = std::min(limits.most, Wide{INT64_MAX});
  auto conditions = conditionsOf(value, limits, knowledge);
  if (!conditions && limits.least == 0 && !polymend::reads(value)) {
    assumeNonNegative(value);
    assumeFactors(value);
    conditions = conditionsOf(value, limits, knowledge);
  }
  if (!conditions && (polymend::reads(value) || comesFromReal(value) || isOnBits(value)) && widthOf(type) <= 32 &&
      staysInWords(value, knowledge))
    return converted(value, type);
  if (!conditions) {
    const bool negative = limits.least == 0 && !isNonNegative(value, knowledge);
    refuse("'" + show(simplify(value)) +
               (negative ? "' may be negative and wrap around in an unsigned type"
                         : "' may not fit '" + type.getAsString() + "', in which it would wrap around"),
           rangeOf(place));
  }
  for (const Expr &condition : *conditions) assume(condition);
  assumeNonNegative(value);
  if (!conditions->empty() && limits.least == 0) remember(simplify(value));
  return value;
}

/// What entries ask to be no less than 0, which is so wherever it is met again.
void Reader::remember(const Expr &value) {
  if (value.op() == Op::Symbol || !isOverParameters(value)) return;
  const auto isSame = [&](const Expr &other) { return equal(other, value); };
  if (std::any_of(askedNonNegative.begin(), askedNonNegative.end(), isSame)) return;
  askedNonNegative.push_back(value);
  knowledge.given.push_back(value);
}

/// What a conversion to an integer type of at most 32 bits makes of a value.
Expr Reader::converted(const Expr &value, clang::QualType type) const {
  const Type held = shortType(type).value_or(Type::Int32);
  return isShort(held) ? Expr::cast(carrierOf(held), Expr::cast(held, value)) : Expr::cast(held, value);
}

/// A value of the array's type: of a short one the element that is copied, or the conversion to it.
Expr Reader::storedIn(const Array &array, const Expr &value, const SourceRange &where) const {
  if (!isShort(array.type)) return convert(value, array.type, where);
  const Expr whole = isFloating(value.type()) ? convert(value, carrierOf(array.type), where) : value;
  if (whole.op() == Op::Cast && whole.arg(0).type() == array.type) return whole.arg(0);
  if (whole.op() == Op::Integer) return Expr::integer(wrapTo(array.type, whole->integer), array.type);
  return Expr::make(Op::Cast, array.type, {whole}, where);
}

Expr Reader::integralCast(const clang::CastExpr &cast, unsigned bits) {
  const clang::Expr *inner = cast.getSubExpr();
  const clang::QualType from = inner->getType(), to = cast.getType();
  const Type type = typeOf(&cast);
  if (widthOf(from) > 64) refuse("type '" + from.getAsString() + "' is not supported", rangeOf(inner));
  if (from->isBooleanType()) return convert(value(inner), type, rangeOf(&cast));
  const unsigned width = widthOf(to);
  const bool widens = holds(limitsOf(to), limitsOf(from));
  const bool lowOnly = bits != 0 && bits <= width;
  const Expr operand = value(inner, lowOnly ? std::min(bits, width) : widens ? 0 : width);
  if (operand.op() == Op::Integer) {
    const Wide number = wrapped(operand->integer, width, to->isSignedIntegerOrEnumerationType());
    return Expr::integer(static_cast<std::int64_t>(number), type); // of a word the number that has its bits
  }
  return widens || lowOnly ? operand : wrapping(operand, to, &cast);
}

/// What `value` reads must not change: it is read where it is used, not where the source reads it.
void Reader::freeze(const Expr &value, const SourceRange &where) {
  visit(value, [&](const Expr &node) {
    if (node.op() == Op::Read) frozen.insert({node->name, where});
  });
}

/// What a subscript of a value reads where it stands may change, as long as the index is as good as the source's own.
void Reader::chooses(const Expr &value, const SourceRange &where) {
  visit(value, [&](const Expr &node) {
    if (node.op() == Op::Read) choosing.insert({node->name, where});
  });
}

/// The call asks whether numbers that were taken once lie apart from the elements of a container; else the source's own
/// text runs. False: how far the array's elements reach is not known there.
bool Reader::liesApart(const std::map<std::string, Type> &numbers, const std::string &array) {
  constexpr std::string_view begin = ".data()";
  std::size_t place = 0;
  while (place < function.parameters.size() && function.parameters[place].name != array) ++place;
  if (place == function.parameters.size() || !function.parameters[place].taken.ends_with(begin)) return false;
  const std::string first = function.parameters[place].taken;
  const std::string last = first + " + " + first.substr(0, first.size() - begin.size()) + ".size()";
  const auto address = [](const std::string &e) { return "reinterpret_cast<std::uintptr_t>(" + e + ")"; };
  std::string all;
  for (const auto &[number, type] : numbers) {
    const std::string own = address("&(" + number + ")");
    all += (all.empty() ? "(" : " && (") + own + " + sizeof(" + number + ") <= " + address(first) + " || " +
           address(last) + " <= " + own + ")";
  }
  const Object none{"", "", context.IntTy, orders[place], true, "", {}, {}};
  const std::string taken = "static_cast<int>(" + all + ")";
  const Expr apart = takenNumber(none, array + "_apart", 0, taken, Type::Int32, context.IntTy);
  assume(Expr::make(Op::Le, {Expr::integer(1), apart}));
  return true;
}

void Reader::checkIntegers() {
  for (const auto &[name, where] : writtenIntegers)
    if (const auto use = frozen.find(name); use != frozen.end()) {
      if (const auto why = unread.find(name); why != unread.end()) throw Refusal(why->second);
      if (needs != nullptr) needs->arrays.insert(name);
      refuse("'" + name +
                 "' changes, and is a subscript, a bound or kept in a variable: keep what it leads to in a variable of "
                 "its own",
             use->second);
    }
  struct Met {
    std::map<std::string, Type> numbers;
    SourceRange where;
  };
  std::map<std::string, Met> met;
  eachAssign(function.body, [&](const Assign &assign) {
    const Array &array = arrayNamed(assign.target);
    if (array.storage != Array::Storage::Parameter && array.storage != Array::Storage::Static) return;
    for (const auto &[type, number] : references)
      if (!(array.restricted && !array.derived && owned.contains(number)) &&
          (mayBeOne(type, array.type) || array.aliasesAny)) {
        met[array.name].numbers.insert({number, type});
        met[array.name].where = assign.where;
      }
  });
  for (const auto &[array, one] : met) {
    if (liesApart(one.numbers, array)) continue;
    if (arrayNamed(array).storage != Array::Storage::Parameter)
      refuse("'" + one.numbers.begin()->first + "' may lie among the elements of '" + array +
                 "' that are written: copy it to a local variable, or take it by value",
             one.where);
    for (const auto &[number, type] : one.numbers) function.beside.push_back({array, number, type});
  }
}

Expr Reader::negated(const clang::UnaryOperator &operation, unsigned bits) {
  const clang::QualType type = operation.getType();
  const Expr operand = value(operation.getSubExpr(), lowBits(type, bits));
  if (operand.op() == Op::Real) return Expr::real(-operand->real, operand.type());
  const Expr result = simplify(node(Op::Neg, typeOf(&operation), {operand}, &operation));
  const bool wraps = type->isUnsignedIntegerType() && (bits == 0 || bits > widthOf(type));
  return wraps ? wrapping(result, type, &operation) : result;
}

} // namespace polymend
