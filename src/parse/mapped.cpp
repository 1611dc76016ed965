// The standard's algorithms that write an element for each one they read: transform, for_each, iota, sums so far and
// reverse -> the loops that the standard says they are.
#include "algorithms.h"

#include "ranges.h"
#include "types.h"

#include "polymend/element_types.h"

namespace polymend {

/// The value of that type as an element of the array, where the conversion to its type is none that nobody wrote.
Expr Reader::elementOfType(const Array &array, clang::QualType element, const Expr &value, clang::QualType type,
                           const clang::CallExpr &call) {
  const SourceRange where = rangeOf(&call);
  if (element.isNull() || type.isNull()) refuse("the type of what is stored is not known: write the loop", where);
  if (element->isFloatingType()) return storedIn(array, value, where);
  const bool isWhole = type->isIntegerType() && element->isIntegerType() && !isWideUnsigned(type, context);
  const bool isBoolean = element->isBooleanType() || type->isBooleanType();
  if (context.hasSameType(element, type) || (isWhole && !isBoolean && shortType(element)))
    return storedIn(array, value, where);
  if (!isWhole || element->isBooleanType())
    refuse("'" + type.getAsString() + "' is stored as '" + element.getAsString() + "': say so by a cast", where);
  const Expr whole = type->isBooleanType() ? convert(value, carrierOf(array.type), where) : value;
  return storedIn(array, type->isBooleanType() ? whole : fitting(whole, element, &call), where);
}

/// The first element of a range of which the call gives the begin alone.
Place Reader::secondRange(const clang::CallExpr &call, unsigned place, const Expr &count) {
  const auto first = iterator(call.getArg(place));
  if (!first)
    refuse("where the other range of '" + algorithmOf(call) + "' begins is not known: write the loop", rangeOf(&call));
  staysInRow(*first, count, rangeOf(&call));
  return *first;
}

void Reader::transforms(const clang::CallExpr &call, Body &out) {
  const SourceRange where = rangeOf(&call);
  const bool isBinary = call.getNumArgs() == 5;
  const auto [first, count] = elementsGiven(call);
  const auto second = isBinary ? std::optional(secondRange(call, 2, count)) : std::nullopt;
  const unsigned target = isBinary ? 3 : 2;
  const Place to = secondRange(call, target, count);
  const Array array = written(to, where);
  const auto read = [&, from = first](const Expr &number, Body &body) {
    std::vector<Given> arguments{further(from, number)};
    if (second) arguments.emplace_back(further(*second, number));
    const auto [value, type] = applied(*call.getArg(target + 1), arguments, call);
    const Place element = further(to, number);
    wholeElement(element, &call);
    put(element, elementOfType(array, elementAtArgument(call, target), value, type, call), where, body);
  };
  each(count, where, read, out);
}

/// Sums of the elements up to each one, its own among them or not.
void Reader::scans(const clang::CallExpr &call, Body &out) {
  const SourceRange where = rangeOf(&call);
  const bool isExclusive = algorithmOf(call) == "exclusive_scan";
  const auto [first, count] = elementsGiven(call);
  const Place to = secondRange(call, 2, count);
  const Array array = written(to, where);
  const clang::QualType element = elementAtArgument(call, 0);
  const clang::QualType summed =
      isExclusive ? call.getArg(3)->getType().getCanonicalType().getUnqualifiedType() : element;
  if (!context.hasSameType(summed, element) || !addsPlainly(element, context) ||
      !context.hasSameType(elementAtArgument(call, 2), element))
    refuse("sums in a type that the elements are converted to one by one: write the loop", where);
  const Type type = *valueType(element);
  const Place total = variableFor("total", type, where);
  // Zero with its sign is what no sum sees.
  const Expr none = isFloating(type) ? Expr::real(-0.0, type) : Expr::integer(0, type);
  put(total, isExclusive ? convert(value(call.getArg(3)), type, where) : none, where, out);
  const auto read = [&, from = first](const Expr &number, Body &body) {
    const Expr sum = Expr::make(Op::Add, type, {readAt(total, &call), readAt(further(from, number), &call)}, where);
    const Place place = further(to, number);
    wholeElement(place, &call);
    if (!isExclusive) {
      put(total, sum, where, body);
      return put(place, storedIn(array, readAt(total, &call), where), where, body);
    }
    const Place next = variableFor("next", type, where); // the element may be where its sum is written
    put(next, sum, where, body);
    put(place, storedIn(array, readAt(total, &call), where), where, body);
    put(total, readAt(next, &call), where, body);
  };
  each(count, where, read, out);
}

/// std::iota: a first value, and one more for each element.
void Reader::numbers(const clang::CallExpr &call, Body &out) {
  const SourceRange where = rangeOf(&call);
  const auto [first, count] = elementsGiven(call);
  const Array array = written(first, where);
  const clang::QualType element = elementAtArgument(call, 0);
  const clang::QualType counted = call.getArg(2)->getType().getCanonicalType().getUnqualifiedType();
  const Expr start = value(call.getArg(2));
  const bool counts = counted->isSignedIntegerType() && !counted->isEnumeralType() && widthOf(counted) >= 32;
  const bool isKnown = start.op() == Op::Integer && start->integer >= 0;
  const bool wraps = counted->isUnsignedIntegerType() && !counted->isBooleanType() && !polymend::reads(start) &&
                     context.hasSameType(element, counted); // and so do the elements
  const bool isWide = isWord(counted) && isKnown && element->isIntegerType() && widthOf(element) == 64;
  const bool fits =
      wraps || isWide ||
      (counts &&
       (element->isFloatingType() || context.hasSameType(element, counted) ||
        (isKnown && element->isIntegerType() && !element->isBooleanType() && widthOf(element) >= widthOf(counted))));
  if (!fits) refuse("'iota' counts in a type that may wrap around or round: write the loop", where);
  const auto read = [&, from = first](const Expr &number, Body &body) {
    const Place place = further(from, number);
    wholeElement(place, &call);
    put(place, storedIn(array, simplify(start + number), where), where, body);
  };
  each(count, where, read, out);
}

void Reader::reverses(const clang::CallExpr &call, Body &out) {
  const SourceRange where = rangeOf(&call);
  const auto [first, count] = elementsGiven(call);
  const Expr half = simplify(Expr::make(Op::FloorDiv, Type::Int64, {count, Expr::integer(2)}));
  const auto read = [&, from = first, all = count](const Expr &number, Body &body) {
    exchange(further(from, number), further(from, simplify(all - number - Expr::integer(1))), call, body);
  };
  each(half, where, read, out);
}

/// The algorithms above; false: another function.
bool Reader::maps(const clang::CallExpr &call, Body &out) {
  const std::string name = algorithmOf(call);
  const unsigned given = call.getNumArgs();
  if (name == "transform" && (given == 4 || given == 5))
    transforms(call, out);
  else if (((name == "partial_sum" || name == "inclusive_scan") && given == 3) ||
           (name == "exclusive_scan" && given == 4))
    scans(call, out);
  else if (name == "iota" && given == 3)
    numbers(call, out);
  else if (name == "reverse" && given == 2)
    reverses(call, out);
  else if (name == "for_each" && given == 3) {
    const auto [first, count] = elementsGiven(call);
    const auto read = [&, from = first](const Expr &number, Body &body) {
      const auto run = [&](const Statements &statements) { turn(statements, Until::Return, body); };
      withGiven(*call.getArg(2), {further(from, number)}, call, true, run);
    };
    each(count, rangeOf(&call), read, out);
  } else
    return false;
  return true;
}

} // namespace polymend
