// The standard's algorithms that make one value of a range by a function that they are given - accumulate, reduce,
// inner_product, transform_reduce, count_if, any_of - and the place of the greatest or the least element.
#include "algorithms.h"

#include "ranges.h"
#include "types.h"

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
  if (!isFloating(*type)) writtenIntegers.insert({total.array, where});
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
  writtenIntegers.insert({total.array, where});
  Expr sought;
  if (isEqual) {
    const clang::QualType element = elementAtArgument(call, 0);
    const clang::QualType wanted = call.getArg(2)->getType().getCanonicalType().getUnqualifiedType();
    if (!context.hasSameType(element, wanted) || !valueType(wanted))
      refuse("'count' of a value of another type than the elements': say it by a cast", where);
    sought = value(call.getArg(2));
  }
  const auto read = [&, from = first](const Expr &number, Body &body) {
    const Place element = further(from, number);
    Expr holds;
    if (isEqual) {
      holds = Expr::make(Op::Eq, Type::Bool, {readAt(element, &call), sought}, where);
    } else {
      const auto [result, returned] = applied(*call.getArg(2), {Given(element)}, call);
      if (!returned->isBooleanType()) refuse("a condition that is no bool: say so by a comparison", where);
      holds = result;
    }
    const Expr marked = choose(holds, one, none), old = readAt(total, &call);
    const Op op = isAll ? Op::Min : isAny ? Op::Max : Op::Add;
    put(total, Expr::make(op, type, {old, marked}, where), where, body);
  };
  each(count, where, read, out);
  if (type == Type::Int64) return readAt(total, &call);
  return Expr::make(name == "none_of" ? Op::Eq : Op::Ne, Type::Bool, {readAt(total, &call), none}, where);
}

/// Where the first of the greatest, or of the least, elements is; absent: another call.
std::optional<Place> Reader::found(const clang::CallExpr &call) {
  const std::string name = algorithmOf(call);
  if ((name != "max_element" && name != "min_element") || call.getNumArgs() != 2 || sink == nullptr)
    return std::nullopt;
  const SourceRange where = rangeOf(&call);
  const clang::QualType element = elementAtArgument(call, 0);
  if (element.isNull() || !elementType(element) || element->isBooleanType() || isWideUnsigned(element, context))
    refuse("'" + name + "' of elements of this type is not supported: write the loop", where);
  Body &out = *sink;
  const auto [first, count] = elementsGiven(call);
  const Type type = carrierOf(arrayNamed(first.array).type);
  const Place best = variableFor("best", type, where), at = variableFor("best_at", Type::Int64, where);
  const Expr start = isFloating(type) ? Expr::real(0, type) : Expr::integer(0, type);
  put(best, choose(Expr::make(Op::Lt, Type::Bool, {Expr::integer(0), count}, where), readAt(first, &call), start),
      where, out);
  put(at, Expr::integer(0), where, out);
  writtenIntegers.insert({at.array, where});
  if (!isFloating(type)) writtenIntegers.insert({best.array, where});
  const auto read = [&, from = first](const Expr &number, Body &body) {
    const Expr next = simplify(number + Expr::integer(1));
    const Expr other = readAt(further(from, next), &call), old = readAt(best, &call);
    const bool isMax = name == "max_element";
    const Expr better = Expr::make(Op::Lt, Type::Bool, {isMax ? old : other, isMax ? other : old}, where);
    const auto takes = [&](Body &taken) {
      put(best, other, where, taken);
      put(at, next, where, taken);
    };
    choice(better, takes, [](Body &) {}, where, where, body);
  };
  each(simplify(count - Expr::integer(1)), where, read, out);
  Place place = first;
  place.subscripts.back() = simplify(place.subscripts.back() + readAt(at, &call));
  return place;
}

/// How many elements lie between two iterators.
Expr Reader::distance(const clang::Expr &first, const clang::Expr &last, const clang::Expr &call) {
  const auto from = iterator(&first), to = from ? iterator(&last) : std::nullopt;
  const bool isKnown = to && from->array == to->array && from->subscripts.size() == to->subscripts.size() &&
                       std::equal(from->subscripts.begin(), from->subscripts.end() - 1, to->subscripts.begin(), equal);
  if (!isKnown) refuse("how far these are from each other is not known", rangeOf(&call));
  return simplify(to->subscripts.back() - from->subscripts.back());
}

/// std::distance(first, last) and last - first; absent: another call.
Expr Reader::betweenIterators(const clang::CallExpr &call) {
  if (call.getNumArgs() != 2 || pointedTo(call.getArg(0)->getType()).isNull() ||
      pointedTo(call.getArg(1)->getType()).isNull())
    return {};
  if (algorithmOf(call) == "distance") return distance(*call.getArg(0), *call.getArg(1), call);
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  if (operation == nullptr || operation->getOperator() != clang::OO_Minus) return {};
  return distance(*call.getArg(1), *call.getArg(0), call);
}

} // namespace polymend
