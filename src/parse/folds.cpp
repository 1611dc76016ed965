// The standard's algorithms that make one value of a range by a function that they are given - accumulate, reduce,
// inner_product, transform_reduce, count_if, any_of - and the place of the greatest or the least element.
#include "algorithms.h"

#include "ranges.h"
#include "types.h"
#include "words.h"

#include "polymend/element_types.h"

namespace polymend {

/// accumulate, reduce, inner_product and transform_reduce with functions of their own; absent: another call.
Expr Reader::folded(const clang::CallExpr &call) {
  const std::string name = algorithmOf(call);
  const unsigned given = call.getNumArgs();
  const bool isPlain = (name == "accumulate" || name == "reduce") && given == 4;
  const bool isProduct = (name == "inner_product" || name == "transform_reduce") && given == 6;
  const bool isMapped = name == "transform_reduce" && given == 5;
  if (!isPlain && !isProduct && !isMapped) return {};
  const SourceRange where = rangeOf(&call);
  leavesOrderToLibrary(call);
  if (sink == nullptr) refuse("this call needs statements of its own, where none can stand", where);
  const clang::QualType held = call.getType().getCanonicalType().getUnqualifiedType();
  const auto type = valueType(held);
  if (!type || held->isBooleanType() || isWideUnsigned(held, context))
    refuse("'" + name + "' in '" + held.getAsString() + "' is not supported: write the loop", where);
  Body &out = *sink;
  const auto [first, count] = elementsGiven(call);
  const auto second = isProduct ? std::optional(secondRange(call, 2, count)) : std::nullopt;
  const unsigned start = isProduct ? 3 : 2;
  const Place total = variableFor("total", *type, where);
  put(total, convert(value(call.getArg(start)), *type, where), where, out);
  const auto read = [&, from = first](const Expr &number, Body &body) {
    Given next = further(from, number);
    if (!isPlain) {
      std::vector<Given> factors{next};
      if (second) factors.emplace_back(further(*second, number));
      next = applied(*call.getArg(start + 2), factors, call).first;
    }
    const auto [sum, computed] = applied(*call.getArg(start + 1), {Given(readAt(total, &call)), next}, call);
    put(total, elementOfType(arrayNamed(total.array), held, sum, computed, call), where, body);
  };
  each(count, where, read, out);
  return readAt(total, &call);
}

/// count, count_if, any_of, all_of and none_of; absent: another call.
Expr Reader::counts(const clang::CallExpr &call) {
  const std::string name = algorithmOf(call);
  const bool isAny = name == "any_of" || name == "none_of", isAll = name == "all_of";
  const bool isCount = name == "count_if", isEqual = name == "count";
  if ((!isAny && !isAll && !isCount && !isEqual) || call.getNumArgs() != 3) return {};
  const SourceRange where = rangeOf(&call);
  if (sink == nullptr) refuse("this call needs statements of its own, where none can stand", where);
  Body &out = *sink;
  const auto [first, count] = elementsGiven(call);
  const Type type = isAny || isAll ? Type::Int32 : Type::Int64;
  const Expr one = Expr::integer(1, type), none = Expr::integer(0, type);
  const Place total = variableFor(isCount || isEqual ? "count" : "holds", type, where);
  put(total, isAll ? one : none, where, out);
  const auto holds = conditionGiven(call, isEqual);
  const auto read = [&, from = first](const Expr &number, Body &body) {
    const Expr marked = choose(holds(further(from, number)), one, none), old = readAt(total, &call);
    const Op op = isAll ? Op::Min : isAny ? Op::Max : Op::Add;
    put(total, Expr::make(op, type, {old, marked}, where), where, body);
  };
  each(count, where, read, out);
  if (type == Type::Int64) return readAt(total, &call);
  return Expr::make(name == "none_of" ? Op::Eq : Op::Ne, Type::Bool, {readAt(total, &call), none}, where);
}

/// The condition of count and count_if, find, find_if and find_if_not, any_of, all_of and none_of at an element.
std::function<Expr(const Place &)> Reader::conditionGiven(const clang::CallExpr &call, bool isEqual) {
  const SourceRange where = rangeOf(&call);
  if (!isEqual)
    return [this, &call, where](const Place &element) {
      const auto [result, returned] = applied(*call.getArg(2), {Given(element)}, call);
      if (!returned->isBooleanType()) refuse("a condition that is no bool: say so by a comparison", where);
      return result;
    };
  const clang::QualType element = elementAtArgument(call, 0);
  const clang::QualType wanted = call.getArg(2)->getType().getCanonicalType().getUnqualifiedType();
  if (!context.hasSameType(element, wanted) || !valueType(wanted))
    refuse("'" + algorithmOf(call) + "' of a value of another type than the elements': say it by a cast", where);
  Expr sought = value(call.getArg(2));
  if (polymend::reads(sought)) {
    const Place kept = variableFor("sought", sought.type(), where);
    if (isInteger(sought.type())) writtenIntegers.insert({kept.array, where});
    put(kept, sought, where, *sink);
    sought = readAt(kept, &call);
  }
  return [this, &call, where, sought](const Place &place) {
    return Expr::make(Op::Eq, Type::Bool, {readAt(place, &call), sought}, where);
  };
}

/// Where the first element is of which a condition holds, or the end: by a loop that ends there; absent: another call.
std::optional<Place> Reader::firstThat(const clang::CallExpr &call) {
  const std::string name = algorithmOf(call);
  const bool isEqual = name == "find", isNot = name == "find_if_not";
  if ((!isEqual && !isNot && name != "find_if") || call.getNumArgs() != 3 || sink == nullptr) return std::nullopt;
  const SourceRange where = rangeOf(&call);
  Body &out = *sink;
  const auto [first, count] = elementsGiven(call);
  const auto holds = conditionGiven(call, isEqual);
  const auto number = [&](const std::string &called, Type type, std::int64_t start) {
    const Place place = variableFor(called, type, where);
    writtenIntegers.insert({place.array, where});
    put(place, Expr::integer(start, type), where, out);
    return place;
  };
  const Place at = number("found_at", Type::Int64, 0), goesOn = number("goes_on", Type::Int32, 1);
  function.arrays.back().told = "what ends the search";
  function.ends.push_back({goesOn.array, where, false});
  const auto turn = [&, from = first](const Expr &number, Body &body) {
    const std::size_t firstLocal = function.arrays.size();
    const Expr none = Expr::integer(0, Type::Int32);
    const Expr isOn = Expr::make(Op::Ne, Type::Bool, {readAt(goesOn, &call), none}, where);
    const Body then = under(isOn, [&](Body &into) {
      const Expr isThere = holds(further(from, number));
      choice(
          isNot ? Expr::make(Op::Not, Type::Bool, {isThere}) : isThere,
          [&](Body &ends) { put(goesOn, none, where, ends); },
          [&](Body &on) { put(at, simplify(number + Expr::integer(1)), where, on); }, where, where, into);
    });
    guard(isOn, then, {}, firstLocal, where, body);
  };
  each(count, where, turn, out);
  Place place = first;
  place.subscripts.back() = simplify(place.subscripts.back() + readAt(at, &call));
  return place;
}

/// Where the first of the greatest, or of the least, elements is; absent: another call.
std::optional<Place> Reader::found(const clang::CallExpr &call) {
  if (auto place = bisected(call)) return place;
  if (auto place = firstThat(call)) return place;
  if (!seeksExtreme(call) || sink == nullptr) return std::nullopt;
  const SourceRange where = rangeOf(&call);
  canBeCompared(call, where);
  Body &out = *sink;
  const auto [first, count] = elementsGiven(call);
  const Type type = carrierOf(arrayNamed(first.array).type);
  const Place best = variableFor("best", type, where), at = variableFor("best_at", Type::Int64, where);
  const Expr start = isFloating(type) ? Expr::real(0, type) : Expr::integer(0, type);
  put(best, choose(Expr::make(Op::Lt, Type::Bool, {Expr::integer(0), count}, where), readAt(first, &call), start),
      where, out);
  put(at, Expr::integer(0), where, out);
  const auto read = [&, from = first](const Expr &number, Body &body) {
    const Expr next = simplify(number + Expr::integer(1));
    const Expr other = readAt(further(from, next), &call), old = readAt(best, &call);
    const auto takes = [&](Body &taken) {
      put(best, other, where, taken);
      put(at, next, where, taken);
    };
    choice(isFurtherOut(call, other, old, where), takes, [](Body &) {}, where, where, body);
  };
  each(simplify(count - Expr::integer(1)), where, read, out);
  Place place = first;
  place.subscripts.back() = simplify(place.subscripts.back() + readAt(at, &call));
  return place;
}

/// The first element of a sorted range that is no less than a value, or greater than it: by bisection, as the standard
/// has it; absent: another call.
std::optional<Place> Reader::bisected(const clang::CallExpr &call) {
  const std::string name = algorithmOf(call);
  const bool isLower = name == "lower_bound";
  if ((!isLower && name != "upper_bound") || call.getNumArgs() != 3 || sink == nullptr) return std::nullopt;
  constexpr std::int64_t mostTurns = 64; // each halves what is left
  const SourceRange where = rangeOf(&call);
  const clang::QualType sought = call.getArg(2)->getType().getCanonicalType().getUnqualifiedType();
  const clang::QualType element = elementAtArgument(call, 0);
  if (element.isNull() || !valueType(element) || !context.hasSameType(element, sought))
    refuse("'" + name + "' compares values of two types: convert the value before", where);
  Body &out = *sink;
  const auto [first, count] = elementsGiven(call);
  Expr wanted = value(call.getArg(2));
  const auto number = [&](const std::string &called, Type type, const Expr &start) {
    const Place place = variableFor(called, type, where);
    writtenIntegers.insert({place.array, where});
    put(place, start, where, out);
    return place;
  };
  if (polymend::reads(wanted) && isFloating(wanted.type())) {
    const Place kept = variableFor("sought", wanted.type(), where);
    put(kept, wanted, where, out);
    wanted = readAt(kept, &call);
  }
  const Place low = number("low", Type::Int64, Expr::integer(0)), high = number("high", Type::Int64, count);
  const Place goesOn = number("goes_on", Type::Int32, Expr::integer(1, Type::Int32));
  function.arrays.back().told = "what ends the search";
  function.ends.push_back({goesOn.array, where, true});
  const auto at = [&](const Place &place) { return readAt(place, &call); };
  const auto set = [&](const Place &place, const Expr &to, Body &body) { put(place, to, where, body); };
  const auto ordered = [&](const Expr &e) { return isWord(element) ? inOrder(e) : e; };
  const auto turn = [&, from = first](const Expr &, Body &body) {
    const std::size_t firstLocal = function.arrays.size();
    const Expr isOn = Expr::make(Op::Ne, Type::Bool, {at(goesOn), Expr::integer(0, Type::Int32)}, where);
    const auto halve = [&](Body &into) {
      const Place middle = variableFor("middle", Type::Int64, where);
      writtenIntegers.insert({middle.array, where});
      const Expr half = Expr::make(Op::FloorDiv, Type::Int64, {at(high) - at(low), Expr::integer(2)});
      set(middle, at(low) + half, into);
      const Expr here = ordered(at(further(from, at(middle)))), there = ordered(wanted);
      const Expr isBelow = isLower ? Expr::make(Op::Lt, Type::Bool, {here, there}, where)
                                   : Expr::make(Op::Not, {Expr::make(Op::Lt, Type::Bool, {there, here}, where)});
      choice(
          isBelow, [&](Body &then) { set(low, at(middle) + Expr::integer(1), then); },
          [&](Body &otherwise) { set(high, at(middle), otherwise); }, where, where, into);
    };
    const Body then = under(isOn, [&](Body &into) {
      choice(
          Expr::make(Op::Lt, Type::Bool, {at(low), at(high)}, where), halve,
          [&](Body &ends) { set(goesOn, Expr::integer(0, Type::Int32), ends); }, where, where, into);
    });
    guard(isOn, then, {}, firstLocal, where, body);
  };
  each(Expr::integer(mostTurns), where, turn, out);
  Place place = first;
  place.subscripts.back() = simplify(place.subscripts.back() + at(low));
  return place;
}

} // namespace polymend
