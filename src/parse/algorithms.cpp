// The standard's algorithms over elements that lie one by one -> the loops that the standard says they are: sums and
// inner products from the left, the first of the greatest and of the least, filled and copied ranges.
#include "algorithms.h"

#include "containers.h"
#include "loops_in.h"
#include "ranges.h"
#include "types.h"

#include "polymend/element_types.h"

#include <algorithm>
#include <set>

namespace polymend {

std::string algorithmOf(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const bool named = callee != nullptr && callee->getDeclName().isIdentifier() && callee->isInStdNamespace();
  return named ? callee->getNameAsString() : std::string();
}

clang::QualType elementAtArgument(const clang::CallExpr &call, unsigned place) {
  const clang::QualType element = pointedTo(call.getArg(place)->getType());
  return element.isNull() ? element : element.getCanonicalType().getUnqualifiedType();
}

bool isWideUnsigned(clang::QualType type, const clang::ASTContext &context) {
  return type->isUnsignedIntegerType() && context.getIntWidth(type) > 32;
}

bool addsPlainly(clang::QualType type, const clang::ASTContext &context) {
  if (type.isNull() || !valueType(type)) return false;
  if (type->isFloatingType()) return bytesOf(*valueType(type)) >= 4;
  return type->isSignedIntegerType() && context.getIntWidth(type) >= 32 && !type->isEnumeralType();
}

bool seeksExtreme(const clang::CallExpr &call) {
  const std::string name = algorithmOf(call);
  return (name == "max_element" || name == "min_element") && call.getNumArgs() == 2;
}

Expr isFurtherOut(const clang::CallExpr &call, const Expr &other, const Expr &old, const SourceRange &where) {
  const bool isMax = algorithmOf(call) == "max_element";
  return Expr::make(Op::Lt, Type::Bool, {isMax ? old : other, isMax ? other : old}, where);
}

Place further(Place place, const Expr &number) {
  place.subscripts.back() = simplify(place.subscripts.back() + number);
  return place;
}

void put(const Place &place, const Expr &value, const SourceRange &where, Body &out) {
  out.emplace_back(std::make_shared<const Assign>(Assign{place.array, place.subscripts, simplify(value), where}));
}

namespace {

/// Is a sum of values of `added` from one of `sum` on, and each product before, computed without a conversion that
/// could wrap around? Signed overflow is undefined and needs none.
bool sumsAlike(clang::QualType sum, clang::QualType added, const clang::ASTContext &context) {
  if (added.isNull() || !valueType(sum) || !valueType(added)) return false;
  const bool isWhole = added->isIntegerType();
  if (isWhole && isWideUnsigned(added, context)) return false;
  if (!addsPlainly(sum, context)) return false;
  if (sum->isFloatingType()) return true;
  if (!isWhole) return false;
  const unsigned held = context.getIntWidth(sum), given = context.getIntWidth(added);
  return added->isUnsignedIntegerType() ? given < held : given <= held;
}

/// The type of a product of two elements; null: one that may wrap around, or is rounded in other ways.
clang::QualType productType(clang::QualType a, clang::QualType b, const clang::ASTContext &context) {
  if (a.isNull() || b.isNull() || !valueType(a) || !valueType(b)) return {};
  const auto isPlain = [&](clang::QualType type) {
    return type->isFloatingType() ? bytesOf(*valueType(type)) >= 4
                                  : !(type->isUnsignedIntegerType() && context.getIntWidth(type) >= 32);
  };
  if (!isPlain(a) || !isPlain(b)) return {};
  if (a->isFloatingType() || b->isFloatingType()) {
    if (!b->isFloatingType()) return a;
    return !a->isFloatingType() || bytesOf(*valueType(a)) < bytesOf(*valueType(b)) ? b : a;
  }
  const auto promoted = [&](clang::QualType type) {
    return context.getIntWidth(type) < 32 ? clang::QualType(context.IntTy) : type;
  };
  const clang::QualType left = promoted(a), right = promoted(b);
  return context.getIntWidth(left) < context.getIntWidth(right) ? right : left;
}

/// Does a call hand a lambda to a template with a loop? That instance has no name, so that the loop is read here.
bool loopsOverLambda(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const auto *given = callee != nullptr ? callee->getTemplateSpecializationArgs() : nullptr;
  const clang::FunctionDecl *body = nullptr;
  if (given == nullptr || callee->isInStdNamespace() || !callee->hasBody(body)) return false;
  const auto isLambda = [](const clang::TemplateArgument &argument) {
    if (argument.getKind() != clang::TemplateArgument::Type) return false;
    const clang::CXXRecordDecl *record = argument.getAsType()->getAsCXXRecordDecl();
    return record != nullptr && record->isLambda();
  };
  return std::any_of(given->asArray().begin(), given->asArray().end(), isLambda) && holdsLoop(body->getBody());
}

} // namespace

bool holdsLoop(const clang::Stmt *statement) {
  if (statement == nullptr) return false;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement)) return true;
  static const std::set<std::string> names{
      "accumulate", "reduce", "inner_product", "transform_reduce", "max_element", "min_element",   "fill",   "fill_n",
      "copy",       "copy_n", "transform",     "for_each",         "count",       "count_if",      "any_of", "all_of",
      "none_of",    "iota",   "partial_sum",   "inclusive_scan",   "reverse",     "exclusive_scan"};
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement);
      call && (names.contains(algorithmOf(*call)) || loopsOverLambda(*call)))
    return true;
  const auto children = statement->children();
  return std::any_of(children.begin(), children.end(), holdsLoop);
}

/// A local variable of the type.
Place Reader::variableFor(const std::string &name, Type type, const SourceRange &where) {
  Array array;
  array.name = unique(name);
  array.type = type;
  array.where = where;
  const Place place{addArray(array).name, {}};
  if (!isFloating(type)) writtenIntegers.insert({place.array, where});
  return place;
}

std::pair<Place, Expr> Reader::elementsGiven(const clang::CallExpr &call) {
  const auto elements = elementsBetween(call.getArg(0), call.getArg(1));
  if (!elements)
    refuse("the elements that '" + algorithmOf(call) + "' runs over are not known: write the loop", rangeOf(&call));
  checkBound(elements->second, rangeOf(&call));
  return *elements;
}

/// std::reduce and transform_reduce say nothing of the order of floats that they combine.
void Reader::leavesOrderToLibrary(const clang::CallExpr &call) {
  const std::string name = algorithmOf(call);
  if ((name == "reduce" || name == "transform_reduce") && call.getType()->isFloatingType())
    function.anyOrder = rangeOf(&call);
}

/// std::accumulate, reduce, inner_product and transform_reduce with + and *; absent: another function.
Expr Reader::summed(const clang::CallExpr &call) {
  if (const Expr result = folded(call)) return result;
  const std::string name = algorithmOf(call);
  const bool isProduct = name == "inner_product" || name == "transform_reduce";
  if (!isProduct && name != "accumulate" && name != "reduce") return {};
  const SourceRange where = rangeOf(&call);
  leavesOrderToLibrary(call);
  const bool unstarted = name == "reduce" && call.getNumArgs() == 2;
  if (!unstarted && call.getNumArgs() != (isProduct ? 4U : 3U))
    refuse("'" + name + "' with so many arguments is not supported: write the loop", where);
  if (sink == nullptr) refuse("this call needs statements of its own, where none can stand", where);
  Body &out = *sink;
  const Type type = typeOf(&call);
  const auto [first, count] = elementsGiven(call);
  const auto second = isProduct ? iterator(call.getArg(2)) : std::nullopt;
  if (isProduct && !second) refuse("the second range of '" + name + "' is not known: write the loop", where);
  if (second) staysInRow(*second, count, where);
  const clang::QualType element = elementAtArgument(call, 0);
  const clang::QualType added = isProduct ? productType(element, elementAtArgument(call, 2), context) : element;
  if (!sumsAlike(call.getType().getCanonicalType(), added, context))
    refuse("'" + name + "' sums in '" + call.getType().getUnqualifiedType().getAsString() +
               "', which its elements are converted to one by one: write the loop",
           where);
  const Type termType = *valueType(added);
  const Place total = variableFor("total", type, where);
  const Expr start = unstarted ? neutral(Monoid::Sum, type) : value(call.getArg(isProduct ? 3 : 2));
  put(total, convert(start, type, where), where, out);
  const auto read = [&](const Expr &number, Body &body) {
    Expr term = readAt(further(first, number), &call);
    if (isProduct) {
      const Expr other = readAt(further(*second, number), &call);
      term = Expr::make(Op::Mul, termType, {convert(term, termType, where), convert(other, termType, where)}, where);
    }
    const Expr old = readAt(total, &call);
    const bool widens = isFloating(term.type()) && bytesOf(type) < bytesOf(term.type());
    const Type computed = widens ? term.type() : type;
    const Expr sum =
        Expr::make(Op::Add, computed, {convert(old, computed, where), convert(term, computed, where)}, where);
    put(total, convert(sum, type, where), where, body);
  };
  each(count, where, read, out);
  return readAt(total, &call);
}

void Reader::canBeCompared(const clang::CallExpr &call, const SourceRange &where) const {
  const clang::QualType element = elementAtArgument(call, 0);
  if (element.isNull() || !elementType(element) || element->isBooleanType() || isWideUnsigned(element, context))
    refuse("'" + algorithmOf(call) + "' of elements of this type is not supported: write the loop", where);
}

/// The element that `*std::max_element(first, last)` and min_element find; absent: another expression.
Expr Reader::extreme(const clang::Expr *found) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(bareIterator(found));
  if (call == nullptr || !seeksExtreme(*call)) return {};
  const SourceRange where = rangeOf(found);
  if (sink == nullptr) refuse("this call needs statements of its own, where none can stand", where);
  canBeCompared(*call, where);
  Body &out = *sink;
  const auto [first, count] = elementsGiven(*call);
  const Type type = carrierOf(arrayNamed(first.array).type);
  const Place best = variableFor("best", type, where);
  put(best, readAt(first, found), where, out);
  const auto read = [&](const Expr &number, Body &body) {
    const Expr next = simplify(number + Expr::integer(1));
    const Expr other = readAt(further(first, next), found), old = readAt(best, found);
    put(best, choose(isFurtherOut(*call, other, old, where), other, old), where, body);
  };
  each(simplify(count - Expr::integer(1)), where, read, out);
  return readAt(best, found);
}

/// Do elements of the type at that argument hold what is written to them as it is, or as a float rounds it?
bool Reader::storesAlike(const clang::CallExpr &call, const Expr &constant, unsigned place) const {
  const clang::QualType to = elementAtArgument(call, place);
  const clang::QualType from =
      constant ? call.getArg(2)->getType().getCanonicalType().getUnqualifiedType() : elementAtArgument(call, 0);
  if (to.isNull() || from.isNull() || !valueType(from)) return false;
  if (to->isFloatingType()) return constant || !isWideUnsigned(from, context);
  if (!to->isIntegerType()) return false;
  if (!constant || constant.op() != Op::Integer) return context.hasSameType(to, from);
  return holds(limitsOf(to), {constant->integer, constant->integer});
}

/// The array that is written at a place.
Array Reader::written(const Place &place, const SourceRange &where) {
  const Array array = arrayNamed(place.array);
  if (array.isConst) refuse("'" + array.name + "' is const and is written", where);
  if (!isFloating(array.type)) writtenIntegers.insert({array.name, where});
  return array;
}

/// Each of two elements is what the other was.
void Reader::exchange(const Place &a, const Place &b, const clang::CallExpr &call, Body &out) {
  const SourceRange where = rangeOf(&call);
  const Type type = written(a, where).type;
  written(b, where);
  wholeElement(a, &call);
  wholeElement(b, &call);
  const Place held = variableFor("held", type, where);
  put(held, elementAt(a, &call), where, out);
  put(a, elementAt(b, &call), where, out);
  put(b, elementAt(held, &call), where, out);
}

/// A loop over so many elements; what `read` reads may put statements into its body.
void Reader::each(const Expr &count, const SourceRange &where, const std::function<void(const Expr &, Body &)> &read,
                  Body &out) {
  Body *outer = sink;
  const auto within = [&](const Expr &number, Body &body) {
    sink = &body;
    read(number, body);
    sink = nullptr;
  };
  sink = nullptr;
  eachOf(count, "at", where, within, out);
  sink = outer;
}

/// std::fill, fill_n, copy, copy_n and swap of two numbers; false: another function.
bool Reader::runs(const clang::CallExpr &call, Body &out) {
  if (maps(call, out) || clears(call, out)) return true;
  const std::string name = algorithmOf(call);
  const SourceRange where = rangeOf(&call);
  if (name == "swap" && call.getNumArgs() == 2 && elementType(call.getArg(0)->getType())) {
    const Place a = lvalue(call.getArg(0)), b = lvalue(call.getArg(1));
    exchange(a, b, call, out);
    return true;
  }
  if (name == "swap" && call.getNumArgs() == 2 && call.getArg(0)->getType()->isRecordType()) {
    const auto a = known(call.getArg(0)), b = a && a->local ? known(call.getArg(1)) : std::nullopt;
    if (b && b->local) {
      const Object held = ownCopy(*a, "held", where, out);
      assignMembers(*a, *b, call, out);
      assignMembers(*b, held, call, out);
      return true;
    }
  }
  const bool fills = name == "fill", fillsSome = name == "fill_n", copies = name == "copy",
             copiesSome = name == "copy_n";
  if ((!fills && !fillsSome && !copies && !copiesSome) || call.getNumArgs() != 3) return false;
  Place first;
  Expr count;
  if (fills || copies) {
    std::tie(first, count) = elementsGiven(call);
  } else {
    const auto start = iterator(call.getArg(0));
    if (!start) refuse("the elements that '" + name + "' runs over are not known: write the loop", where);
    first = *start;
    count = bound(call.getArg(1));
  }
  const auto target = fills || fillsSome ? first : iterator(call.getArg(2));
  if (!target) refuse("where '" + name + "' writes is not known: write the loop", where);
  const Array array = written(*target, where);
  const bool isFill = fills || fillsSome;
  if (fillsSome || copiesSome) staysInRow(first, count, where);
  if (!isFill) staysInRow(*target, count, where);
  Expr constant = isFill ? value(call.getArg(2)) : Expr();
  if (!storesAlike(call, constant, isFill ? 0 : 2))
    refuse("'" + name + "' converts to '" + spell(array.type) + "', where values may wrap around: write the loop",
           where);
  if (isFill && polymend::reads(constant)) { // what it reads may be among what is filled
    const Place held = variableFor("filled", constant.type(), where);
    put(held, constant, where, out);
    constant = readAt(held, &call);
  }
  const auto read = [&](const Expr &number, Body &body) {
    const Place to = further(*target, number);
    wholeElement(to, &call);
    const Expr given = isFill ? constant : readAt(further(first, number), &call);
    put(to, storedIn(array, given, where), where, body);
  };
  each(count, where, read, out);
  return true;
}

/// `v.assign(v.size(), value)`, or with another number that is the vector's own; false: another call.
bool Reader::assignsToAll(const clang::CallExpr &call, Body &out) {
  const clang::Expr *given = objectIn(call);
  const auto *callee = call.getDirectCallee();
  if (given == nullptr || callee == nullptr) return false;
  const bool assigns = callee->getDeclName().isIdentifier() && callee->getName() == "assign" && call.getNumArgs() == 2;
  if (!assigns || !call.getArg(0)->getType()->isIntegerType() || !valueType(call.getArg(1)->getType())) return false;
  const auto target = known(given);
  if (!target || containerName(target->type) != "vector" || target->rows) return false;
  const SourceRange where = rangeOf(&call);
  const Expr count = simplify(value(call.getArg(0)));
  if (!equal(count, countOf(*target, where))) return false;
  const Place to = elementsOf(*target, where);
  const Array array = written(to, where);
  Expr each = storedIn(array, value(call.getArg(1)), where);
  if (polymend::reads(each)) {
    const Place kept = variableFor("each", array.type, where);
    if (!isFloating(array.type)) writtenIntegers.insert({kept.array, where});
    put(kept, each, where, out);
    each = readAt(kept, &call);
  }
  const auto fill = [&](const Expr &number, Body &body) { put(further(to, number), each, where, body); };
  this->each(count, where, fill, out);
  return true;
}

/// `a = b` and `a.fill(v)` of std::arrays, element by element; false: another call.
bool Reader::setsAll(const clang::CallExpr &call, Body &out) {
  const clang::Expr *given = objectIn(call);
  const auto *callee = call.getDirectCallee();
  if (given == nullptr || callee == nullptr || !isFixedArray(given->getType())) return false;
  const bool isCopy = callee->getOverloadedOperator() == clang::OO_Equal && call.getNumArgs() == 2;
  const bool fills = callee->getDeclName().isIdentifier() && callee->getName() == "fill" && call.getNumArgs() == 1;
  if (!isCopy && !fills) return false;
  const SourceRange where = rangeOf(&call);
  const auto target = known(given), source = isCopy ? known(call.getArg(1)) : std::nullopt;
  if (!target || !isContainer(*target) || (isCopy && (!source || !isContainer(*source)))) return false;
  const Place to = elementsOf(*target, where), from = isCopy ? elementsOf(*source, where) : Place();
  const Expr constant = fills ? value(call.getArg(0)) : Expr();
  if (fills && reads(constant)) refuse("an array is filled with data: write the loop", where);
  const Array array = written(to, where);
  const auto read = [&](const Expr &number, Body &body) {
    const Expr given = fills ? constant : readAt(further(from, number), &call);
    put(further(to, number), storedIn(array, given, where), where, body);
  };
  each(countOf(*target, where), where, read, out);
  return true;
}

} // namespace polymend
