// Arrays of a number of elements that their types say, `T a[2][3]` and std::arrays of std::arrays, where they are parts
// of objects, results of functions, or assigned as a whole. Their elements are copied one by one.
#include "algorithms.h"
#include "containers.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

constexpr std::int64_t longestAssigned = 64; // of lists, each value of which is a statement

/// The values of a list of a std::array, or of an array.
const clang::InitListExpr &valuesIn(const clang::InitListExpr &list) {
  const bool holdsOne = isFixedArray(list.getType()) && list.getNumInits() == 1;
  const auto *inner = holdsOne ? llvm::dyn_cast<clang::InitListExpr>(list.getInit(0)) : nullptr;
  return inner != nullptr ? *inner : list;
}

/// The type of the elements of an array, or of a std::array.
clang::QualType elementTypeIn(clang::QualType type, const clang::ASTContext &context) {
  return type->isArrayType() ? context.getAsArrayType(type)->getElementType() : elementIn(type, context);
}

} // namespace

clang::QualType scalarIn(clang::QualType type, const clang::ASTContext &context) {
  for (;;) {
    if (type->isArrayType())
      type = context.getBaseElementType(type);
    else if (isFixedArray(type))
      type = elementIn(type, context);
    else
      return type;
  }
}

std::vector<std::int64_t> lengthsOf(clang::QualType type, const clang::ASTContext &context) {
  std::vector<std::int64_t> lengths;
  for (;;) {
    const auto *array = context.getAsConstantArrayType(type);
    if (array == nullptr && !isFixedArray(type)) return lengths;
    lengths.push_back(array != nullptr ? array->getSize().getSExtValue() : fixedCount(type));
    type = elementTypeIn(type, context);
  }
}

/// The row that a place is, which says as many subscripts as are chosen.
Reader::Row Reader::rowOf(const Place &place) const {
  Row row{place, place.subscripts.size()};
  row.place.subscripts.resize(std::max(row.chosen, arrayNamed(place.array).extents.size()), Expr::integer(0));
  return row;
}

/// The row so many elements of this type behind the beginning of another one.
Reader::Row Reader::within(const Row &row, const Expr &number, clang::QualType element) const {
  Row result = row;
  const bool isFlat = row.chosen == row.place.subscripts.size();
  Expr at = number;
  if (isFlat)
    for (const std::int64_t length : lengthsOf(element, context)) at = at * Expr::integer(length);
  Expr &chosen = isFlat ? result.place.subscripts.back() : result.place.subscripts[result.chosen++];
  chosen = simplify(chosen + at);
  return result;
}

/// The array that a temporary object or a variable is, or an object's part; absent: another expression.
std::optional<Reader::Row> Reader::arrayAt(const clang::Expr &expression) {
  const clang::Expr *e = bare(&expression);
  if (e->getType()->isArrayType()) return rowOf(lvalue(e));
  if (!isFixedArray(e->getType())) return std::nullopt;
  if (auto row = rowAt(*e)) return row;
  auto object = known(e);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e); !object && call != nullptr) object = objectOfCall(*call);
  if (object && object->scratch.empty() && isContainer(*object) && !object->local) {
    if (auto rows = rowsOf(*object, rangeOf(e))) return rows;
    return Row{elementsOf(*object, rangeOf(e)), 0};
  }
  if (!object || object->scratch.empty()) return std::nullopt;
  Row row{Place{object->scratch, {}}, 0};
  row.place.subscripts.assign(arrayNamed(object->scratch).extents.size(), Expr::integer(0));
  if (object->start) row.place.subscripts.front() = object->start;
  return row;
}

/// Copies each element of an array of this type.
void Reader::copyArray(const Row &to, const Row &from, clang::QualType type, const SourceRange &where, Body &out) {
  const auto lengths = lengthsOf(type, context);
  if (lengths.empty()) {
    const Array array = written(to.place, where);
    ExprNode element;
    element.op = Op::Read;
    element.type = arrayNamed(from.place.array).type;
    element.name = from.place.array;
    element.args = from.place.subscripts;
    element.where = where;
    put(to.place, storedIn(array, Expr(std::move(element)), where), where, out);
    return;
  }
  const clang::QualType element = elementTypeIn(type, context);
  Body *outer = std::exchange(sink, nullptr);
  const auto read = [&](const Expr &number, Body &body) {
    copyArray(within(to, number, element), within(from, number, element), element, where, body);
  };
  eachOf(Expr::integer(lengths.front()), "at", where, read, out);
  sink = outer;
}

/// What a list says of each element; of those that it does not name, zeros.
void Reader::listedIn(const Row &row, clang::QualType type, const clang::Expr *given,
                      std::vector<std::pair<Place, Expr>> &all) {
  const auto lengths = lengthsOf(type, context);
  const Type kind = arrayNamed(row.place.array).type;
  const bool isZero = given == nullptr || llvm::isa<clang::ImplicitValueInitExpr>(given);
  if (lengths.empty()) {
    all.emplace_back(row.place, isZero ? neutral(Monoid::Sum, kind) : simplify(value(given)));
    return;
  }
  const auto *list = isZero ? nullptr : llvm::dyn_cast<clang::InitListExpr>(given->IgnoreImplicit());
  if (!isZero && list == nullptr) refuse("this initialiser of an array is not supported", rangeOf(given));
  const clang::QualType element = elementTypeIn(type, context);
  const clang::InitListExpr *values = list != nullptr ? &valuesIn(*list) : nullptr;
  for (std::int64_t k = 0; k < lengths.front(); ++k) {
    const bool isNamed = values != nullptr && k < static_cast<std::int64_t>(values->getNumInits());
    listedIn(within(row, Expr::integer(k), element), element,
             isNamed ? values->getInit(static_cast<unsigned>(k)) : nullptr, all);
  }
}

/// `a = b` and `a = {x, y}` of std::arrays; false: another call.
bool Reader::assignArray(const clang::CallExpr &call, Body &out) {
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const bool assigns = operation != nullptr && operation->getOperator() == clang::OO_Equal &&
                       operation->getNumArgs() == 2 && isFixedArray(operation->getArg(0)->getType());
  const auto to = assigns ? arrayAt(*operation->getArg(0)) : std::nullopt;
  if (!to || !elementType(scalarIn(operation->getArg(0)->getType(), context))) return false;
  const SourceRange where = rangeOf(&call);
  const clang::QualType type = operation->getArg(0)->getType();
  const clang::Expr *given = bare(operation->getArg(1));
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(given)) {
    std::int64_t count = 1;
    for (const std::int64_t length : lengthsOf(type, context)) count *= length;
    if (count > longestAssigned) refuse("this list is too long", where);
    std::vector<std::pair<Place, Expr>> all;
    listedIn(*to, type, list, all);
    const Array array = written(to->place, where);
    for (auto &[place, value] : all) {
      value = storedIn(array, value, where);
      if (!polymend::reads(value, array.name)) continue;
      const Place kept = variableFor("held", array.type, where);
      if (!isFloating(array.type)) writtenIntegers.insert({kept.array, where});
      put(kept, value, where, out);
      value = readAt(kept, &call);
    }
    for (const auto &[place, value] : all) put(place, value, where, out);
    return true;
  }
  const auto from = arrayAt(*given);
  if (!from) return false;
  copyArray(*to, *from, type, where, out);
  return true;
}

/// An array of its own, as long as the type says.
Place Reader::arrayOf(const std::string &name, Type element, clang::QualType type, const SourceRange &where) {
  Array array;
  array.name = unique(name);
  array.type = element;
  for (const std::int64_t length : lengthsOf(type, context)) array.extents.push_back(Expr::integer(length));
  array.where = where;
  return Place{addArray(array).name, {}};
}

/// The array that a member of a new object is, made of what is given for it; null: it has no values yet.
Place Reader::arrayMember(const std::string &name, clang::QualType type, const clang::Expr *given,
                          const SourceRange &where) {
  const auto kind = elementType(scalarIn(type, context));
  if (!kind) refuse("member '" + name + "' has the unsupported type '" + type.getAsString() + "'", where);
  if (sink == nullptr) refuse("this object needs statements of its own, where none can stand", where);
  const Place result = arrayOf(name, *kind, type, where);
  const Array own = arrayNamed(result.array);
  if (!isFloating(own.type)) writtenIntegers.insert({own.name, where});
  if (given == nullptr) return result;
  const clang::Expr *e = bare(given);
  const auto *list = llvm::dyn_cast<clang::InitListExpr>(e);
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e);
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(e) ||
      (made != nullptr && made->getNumArgs() == 0 && made->requiresZeroInitialization())) {
    fill(own, where, *sink);
  } else if (made != nullptr && made->getNumArgs() == 0) {
    return result;
  } else if (list != nullptr) {
    initialise(own, &valuesIn(*list), where, *sink);
  } else {
    const auto from = arrayAt(*e);
    if (!from) refuse("member '" + name + "' is made in a way that is not supported", where);
    copyArray(rowOf(result), *from, type, where, *sink);
  }
  return result;
}

/// Has it arrays among its members, or theirs?
bool Reader::holdsArrays(const Object &object) const {
  return object.local && std::ranges::any_of(object.local->members, [&](const auto &member) {
           const Object *nested = std::get_if<Object>(&member.second);
           return nested != nullptr ? holdsArrays(*nested) : !lengthsOf(member.first->getType(), context).empty();
         });
}

/// What the subscripts of an object's places read must not change: they are read where the object is used.
void Reader::freezeParts(const Object &object, const SourceRange &where) {
  if (!object.local) return;
  for (const auto &[field, binding] : object.local->members) {
    if (const Object *nested = std::get_if<Object>(&binding)) freezeParts(*nested, where);
    if (const Place *place = std::get_if<Place>(&binding))
      for (const Expr &subscript : place->subscripts) freeze(subscript, where);
  }
}

} // namespace polymend
