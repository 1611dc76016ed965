// Containers of containers: rows that lie apart from each other, each with elements of its own, such as those of a
// std::vector<std::vector<T>>. They are an array of as many dimensions, of which the entry asks that all rows of one
// level are of one length; else the source's own text runs. So m[i][j] is one element for each i and j, whatever else
// the function changes, and m[i] a container of its own.
#include "containers.h"
#include "ranges.h"
#include "types.h"

#include <utility>

namespace polymend {

namespace {

/// What the elements are, within containers that are elements themselves, and how many levels of those there are.
struct ApartType {
  std::size_t levels = 0;
  std::vector<Expr> fixed; // the lengths of rows of a fixed length, in the innermost ones
  clang::QualType element;
};

ApartType apartTypeOf(clang::QualType container, const clang::ASTContext &context) {
  ApartType result;
  for (result.element = elementIn(container, context); containerName(result.element) == "vector"; ++result.levels)
    result.element = elementIn(result.element, context);
  for (; containerName(result.element) == "array"; result.element = elementIn(result.element, context))
    result.fixed.push_back(Expr::integer(fixedCount(result.element)));
  return result;
}

/// What makes a vector of a number of elements; null: it is made in another way.
const clang::CXXConstructExpr *madeOfCount(const clang::Expr *init) {
  const clang::Expr *e = init->IgnoreImplicit()->IgnoreParens();
  if (const auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(e)) e = cast->getSubExpr()->IgnoreImplicit();
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e);
  if (made != nullptr && made->getNumArgs() >= 1 && made->getConstructor()->isCopyOrMoveConstructor())
    return madeOfCount(made->getArg(0));
  return isMadeOfCount(made) ? made : nullptr;
}

} // namespace

std::string itselfOf(const Object &object) {
  const bool points = object.prefix.ends_with("->");
  return (points ? "*" : "") + object.prefix.substr(0, object.prefix.size() - (points ? 2 : 1));
}

bool holdsRowsApart(clang::QualType container, const clang::ASTContext &context) {
  const std::string name = containerName(container);
  return (name == "vector" || name == "array" || name == "span") &&
         containerName(elementIn(container, context)) == "vector";
}

/// How long the rows of each level are. That they are all of one length the entry asks.
std::vector<Expr> Reader::lengthsApart(const Object &object, std::size_t levels) {
  const std::string own = itselfOf(object);
  std::vector<Expr> lengths;
  std::string all = own;
  for (std::size_t level = 1; level <= levels; ++level) {
    const std::string number = std::to_string(level), taken = "polymend_rt::rowLength<" + number + ">(" + own + ")";
    const std::string name = level == 1 ? "row_size" : "row_size_" + number;
    lengths.push_back(takenLength(object, name, taken));
    all += ", " + taken;
  }
  const std::string asked = "static_cast<std::int64_t>(polymend_rt::rowsHave(" + all + "))";
  assume(Expr::make(Op::Le, {Expr::integer(1), takenNumber(object, "rows_even", 1, asked, Type::Int64,
                                                           context.getIntTypeForBitwidth(64, true))}));
  return lengths;
}

/// The first element of an argument's rows.
Place Reader::allApart(const Object &object, const SourceRange &where) {
  const ApartType type = apartTypeOf(object.type, context);
  const clang::QualType row = elementIn(object.type, context);
  const bool isConst = row.isConstQualified() || (ownsElements(object) && object.type.isConstQualified());
  const auto element = elementType(type.element);
  if (!element || type.element.isVolatileQualified())
    refuse("rows that lie apart from each other, of elements of type '" + type.element.getAsString() +
               "', are not supported: keep them in one std::vector, v[i * n + j] for v[i][j]",
           where);
  Array array = arrayFor(object, isConst ? type.element.withConst() : type.element, where);
  const bool areBits = type.element->isBooleanType() && type.fixed.empty();
  array.isConst = array.isConst || areBits;
  array.extents = {Expr()};
  for (const Expr &length : lengthsApart(object, type.levels)) array.extents.push_back(length);
  array.extents.insert(array.extents.end(), type.fixed.begin(), type.fixed.end());
  array.rows = spelled(row.getUnqualifiedType());
  const std::vector<Expr> extents = array.extents;
  Place place = takenArray(object, "rows", 0, array, startOf(object));
  if (ownsElements(object)) share(object, place, where);
  if (containerName(object.type) == "span") function.isMakeable = false; // whose rows would be nobody's
  Part &part = elementsPartOf(object);
  part.data = place.array;
  part.lengths.clear();
  for (std::size_t level = 1; level <= type.levels; ++level) part.lengths.push_back(extents[level]->name);
  heldBy.insert({place.array, object});
  place.subscripts.assign(extents.size(), Expr::integer(0));
  return place;
}

/// The row of this number as a container of its own; absent: the container's elements are no rows that lie apart.
std::optional<Object> Reader::rowApart(const Object &object, const Expr &number, const SourceRange &where) {
  if (!isContainer(object) || object.local || !holdsRowsApart(object.type, context)) return std::nullopt;
  if (object.scratch.empty() && object.prefix.empty()) return std::nullopt;
  Object result{"", "", elementIn(object.type, context), object.order, object.isCopy, object.argument, {}, {}};
  if (ownsElements(object) && object.type.isConstQualified()) result.type.addConst();
  result.scratch = object.scratch.empty() ? allApart(object, where).array : object.scratch;
  if (ownsElements(object)) share(object, Place{result.scratch, {}}, where);
  result.isShared = object.isShared;
  result.row = object.row;
  result.row.push_back(simplify(object.start ? object.start + number : number));
  const std::vector<Expr> &extents = arrayNamed(result.scratch).extents;
  if (result.row.size() >= extents.size()) return std::nullopt;
  result.count = extents[result.row.size()];
  return result;
}

/// `m[i]`, `m.front()`, `m.back()` of a container of rows that lie apart; absent: another expression.
std::optional<Object> Reader::rowApartAt(const clang::Expr &expression) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(&expression);
  const auto asked = call != nullptr ? elementAsked(*call) : std::nullopt;
  const clang::Expr *given = asked ? objectIn(*call) : nullptr;
  if (given == nullptr || !call->isGLValue() || !holdsRowsApart(given->getType(), context)) return std::nullopt;
  const auto object = known(given);
  if (!object || !isContainer(*object)) return std::nullopt;
  const SourceRange where = rangeOf(call);
  const bool outer = std::exchange(readsAtOnce, false); // the row may be used later
  const Expr number = numberAsked(*asked, *object, where);
  readsAtOnce = outer;
  return rowApart(*object, number, where);
}

/// `std::vector<std::vector<T>> m(n, std::vector<T>(k))`, whose rows are all of one length: an array of two dimensions;
/// false: another declaration.
bool Reader::declareApart(const clang::VarDecl &variable, Body &out) {
  const clang::QualType type = variable.getType();
  if (containerName(type) != "vector" || !holdsRowsApart(type, context) || !variable.hasInit() ||
      variable.isStaticLocal())
    return false;
  const SourceRange where = rangeOf(variable.getSourceRange());
  const ApartType kinds = apartTypeOf(type, context);
  const auto element = elementType(kinds.element);
  const clang::CXXConstructExpr *made = madeOfCount(variable.getInit());
  if (made == nullptr || !element || !kinds.fixed.empty() || kinds.element->isBooleanType())
    refuse("a local vector of vectors is supported where it is made with its sizes: "
           "std::vector<std::vector<float>> m(n, std::vector<float>(k))",
           where);
  Array array;
  array.type = *element;
  array.where = where;
  for (std::size_t level = 0;; ++level) {
    array.extents.push_back(fixedExtent(made->getArg(0)));
    if (!isNonNegative(array.extents.back(), knowledge))
      assume(Expr::make(Op::Le, {Expr::integer(0), array.extents.back()})); // else the source's own text runs
    if (level == kinds.levels) break;
    made = isGivenTo(*made, 1) ? madeOfCount(made->getArg(1)) : nullptr;
    if (made == nullptr)
      refuse("rows of a local vector of vectors are supported where they are made with their length: "
             "std::vector<std::vector<float>> m(n, std::vector<float>(k))",
             where);
  }
  const Expr initial = valueOfEach(*made, array, where);
  array.name = unique(variable.getNameAsString());
  array.rows = spelled(elementIn(type, context));
  const Array own = addArray(array);
  if (!isFloating(own.type)) writtenIntegers.insert({own.name, where});
  fillWith(own, initial, where, out);
  bindings[&variable] = Object{"", "", type, {}, true, "", {}, {}, own.name, own.extents.front()};
  return true;
}

} // namespace polymend
