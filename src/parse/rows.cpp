// Rows that lie behind each other: of arrays of several dimensions, and of containers whose elements are std::arrays. A
// row is a place with fewer subscripts than its array has dimensions, wherever the source names it: g[i], a reference
// to it, the variable of a range-based loop.
#include "containers.h"
#include "ranges.h"
#include "types.h"

#include <algorithm>

namespace polymend {

namespace {

/// The lengths of a container's rows, rows of rows included, and the type of the numbers in them.
std::pair<std::vector<Expr>, clang::QualType> lengthsIn(clang::QualType element, const clang::ASTContext &context) {
  std::vector<Expr> lengths;
  for (; containerName(element) == "array"; element = elementIn(element, context))
    lengths.push_back(Expr::integer(fixedCount(element)));
  return {lengths, element};
}

} // namespace

/// The rows of a container whose elements are std::arrays; absent: it is none, or has elements of another kind.
std::optional<Reader::Row> Reader::rowsOf(const Object &object, const SourceRange &where) {
  if (!isContainer(object) || object.local) return std::nullopt;
  const auto [lengths, element] = lengthsIn(elementIn(object.type, context), context);
  const auto type = elementType(element);
  if (lengths.empty() || !type || element.isVolatileQualified()) return std::nullopt;
  if (!object.scratch.empty()) {
    Place own{object.scratch, object.row};
    own.subscripts.resize(arrayNamed(own.array).extents.size(), Expr::integer(0));
    if (ownsElements(object)) share(object, own, where);
    const std::size_t chosen = object.row.size();
    return own.subscripts.size() == chosen + lengths.size() + 1 ? std::optional(Row{own, chosen}) : std::nullopt;
  }
  if (object.prefix.empty()) return std::nullopt;
  Array array = arrayFor(object, element, where);
  array.extents = {Expr()};
  std::string dimensions;
  for (const Expr &length : lengths) {
    array.extents.push_back(length);
    dimensions += "[" + std::to_string(length->integer) + "]";
  }
  const std::string spelled = array.spelling.empty() ? spell(*type) : array.spelling;
  const std::string taken = std::string("reinterpret_cast<") + (array.isConst ? "const " : "") + spelled + " (*)" +
                            dimensions + ">(" + startOf(object) + ")";
  Place place = takenArray(object, "rows", 0, array, taken);
  if (ownsElements(object)) share(object, place, where);
  elementsPartOf(object).data = place.array;
  heldBy.insert({place.array, object});
  place.subscripts.assign(array.extents.size(), Expr::integer(0));
  if (object.start) place.subscripts.front() = object.start;
  return Row{place, 0};
}

/// A row of a container whose elements are std::arrays: `v[i]`, `v[i][j]`, a reference to one; absent: another
/// expression.
std::optional<Reader::Row> Reader::rowAt(const clang::Expr &expression) {
  const clang::Expr *e = expression.IgnoreParenImpCasts();
  if (!isFixedArray(e->getType())) return std::nullopt;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto found = bindings.find(reference->getDecl());
    const Place *place = found != bindings.end() ? std::get_if<Place>(&found->second) : nullptr;
    return place != nullptr ? std::optional(rowOf(*place)) : std::nullopt;
  }
  if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(e)) {
    if (!llvm::isa<clang::FieldDecl>(access->getMemberDecl()) || !known(access->getBase())) return std::nullopt;
    const Binding found = memberOf(*access);
    const Place *place = std::get_if<Place>(&found);
    return place != nullptr ? std::optional(rowOf(*place)) : std::nullopt;
  }
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
  if (call == nullptr || call->getOperator() != clang::OO_Subscript || call->getNumArgs() != 2) return std::nullopt;
  auto row = rowAt(*call->getArg(0));
  if (!row)
    if (const auto object = known(call->getArg(0))) row = rowsOf(*object, rangeOf(call));
  return row ? std::optional(within(*row, subscript(call->getArg(1)), call->getType())) : std::nullopt;
}

/// The element of a row that a member function named so refers to; absent: it is no row, or another function.
std::optional<Place> Reader::inRow(const clang::Expr &given, const std::string &name, const clang::CallExpr &call) {
  const bool isKnown = name == "operator[]" || name == "front" || name == "back" || name == "data" || name == "begin" ||
                       name == "cbegin" || name == "end" || name == "cend";
  const auto row = isKnown && isFixedArray(given.getType()) ? rowAt(given) : std::nullopt;
  if (!row) return std::nullopt;
  const bool isFlat = row->chosen == row->place.subscripts.size();
  const bool holdsNumbers = lengthsOf(elementIn(given.getType(), context), context).empty();
  if (!(isFlat ? holdsNumbers : row->chosen + 1 == row->place.subscripts.size())) return std::nullopt;
  Place place = row->place;
  const std::int64_t count = fixedCount(given.getType());
  Expr at = Expr::integer(name == "back" ? count - 1 : name == "end" || name == "cend" ? count : 0);
  if (name == "operator[]") at = subscript(call.getArg(1));
  place.subscripts.back() = simplify(place.subscripts.back() + at);
  return place;
}

/// What a range-based loop goes over where it is an array or has rows; absent: another range.
std::optional<Reader::Rows> Reader::rowsIn(const clang::Expr &range, const SourceRange &where) {
  const clang::QualType type = range.getType();
  if (type->isArrayType()) {
    Place place = lvalue(range.IgnoreImplicit());
    const std::vector<Expr> extents = arrayNamed(place.array).extents;
    const std::size_t chosen = place.subscripts.size();
    if (chosen >= extents.size() || !extents[chosen])
      refuse("a range-based for loop over this array is not supported", where);
    place.subscripts.push_back(Expr::integer(0));
    return Rows{place, extents[chosen], chosen + 1 < extents.size()};
  }
  if (containerName(type).empty()) return std::nullopt;
  auto row = rowAt(range);
  Expr count = row ? Expr::integer(fixedCount(type)) : Expr();
  if (!row && isFixedArray(elementIn(type, context)))
    if (const auto object = known(&range)) {
      row = rowsOf(*object, where);
      count = row ? countOf(*object, where) : Expr();
    }
  if (!row) return std::nullopt;
  if (row->chosen == row->place.subscripts.size()) { // among the numbers of a structure
    if (isFixedArray(elementIn(type, context))) return std::nullopt;
    return Rows{row->place, count, false};
  }
  row->place.subscripts.resize(row->chosen + 1);
  const bool areRows = row->chosen + 1 < arrayNamed(row->place.array).extents.size();
  return Rows{row->place, count, areRows};
}

} // namespace polymend
