// std::vector<bool>, whose truth values lie in bits. Where none is written they are read by the container itself, as
// the only row of a container of such. Else neighbours share a word that threads would write at once: the entry makes a
// byte of each bit, and in the end bits of the bytes. No reference leads to a bit, so that two of these containers have
// bits in common only where they are one.
#include "algorithms.h"
#include "containers.h"
#include "ranges.h"
#include "types.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

/// Does the expression refer to a bit?
bool refersToBit(const clang::Expr *e) {
  const clang::CXXRecordDecl *record = e->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->isInStdNamespace()) return false;
  return record->getName() == "_Bit_reference" || record->getName() == "__bit_reference";
}

const clang::CXXOperatorCallExpr *assignmentOfBit(const clang::Stmt *s) {
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(s);
  const bool assigns = operation != nullptr && operation->getOperator() == clang::OO_Equal &&
                       operation->getNumArgs() == 2 && refersToBit(operation->getArg(0));
  return assigns ? operation : nullptr;
}

bool writesBits(const clang::Stmt *s) {
  if (s == nullptr) return false;
  return assignmentOfBit(s) != nullptr || std::any_of(s->child_begin(), s->child_end(), writesBits);
}

} // namespace

bool isBitVector(clang::QualType type, const clang::ASTContext &context) {
  return containerName(type) == "vector" && elementIn(type, context)->isBooleanType();
}

/// A byte for each bit, which go back in the end.
Place Reader::bitsAsBytes(const Object &object, const SourceRange &where) {
  Array array;
  array.type = Type::Bool;
  array.flat = true;
  array.where = where;
  array.extents = {Expr()};
  array.rows = spelled(object.type.getUnqualifiedType());
  const std::string own = itselfOf(object);
  const Place place = takenArray(object, "bits", 0, array, "polymend_rt::BitBytes(" + own + ")");
  share(object, place, where);
  elementsPartOf(object).data = place.array;
  return place;
}

Place Reader::bitsOf(const Object &object, const SourceRange &where) {
  if (!object.type.isConstQualified() && writesBits(definition.getBody())) return bitsAsBytes(object, where);
  Array array;
  array.type = Type::Bool;
  array.isConst = true;
  array.where = where;
  array.extents = {Expr(), countOf(object, where)};
  array.rows = spelled(object.type.getUnqualifiedType());
  const std::string own = itselfOf(object);
  Place place = takenArray(object, "bits", 0, array, own.starts_with("*") ? own.substr(1) : "&" + own);
  share(object, place, where);
  elementsPartOf(object).data = place.array;
  place.subscripts = {Expr::integer(0), object.start ? object.start : Expr::integer(0)};
  return place;
}

/// Where the truth value lies that `v[i]`, `v.front()` or `v.back()` is; absent: another expression.
std::optional<Place> Reader::placeOfBit(const clang::Expr *expression) {
  const clang::Expr *e = bare(expression);
  if (const auto *converted = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
      converted != nullptr && llvm::isa<clang::CXXConversionDecl>(converted->getMethodDecl()))
    e = bare(converted->getImplicitObjectArgument());
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  const auto asked = call != nullptr ? elementAsked(*call) : std::nullopt;
  const clang::Expr *given = asked ? objectIn(*call) : nullptr;
  if (given == nullptr || !isBitVector(given->getType(), context)) return std::nullopt;
  const auto object = known(given);
  if (!object || !isContainer(*object)) return std::nullopt;
  const SourceRange where = rangeOf(call);
  Place place = elementsOf(*object, where);
  Expr &last = place.subscripts.back();
  last = simplify(last + numberAsked(*asked, *object, where));
  return place;
}

/// A truth value that is an element; null: another expression.
Expr Reader::bitAt(const clang::Expr *expression) {
  const bool outer = std::exchange(readsAtOnce, true);
  const auto place = placeOfBit(expression);
  readsAtOnce = outer;
  return place ? readAt(*place, expression) : Expr();
}

/// `v[i] = value` of a std::vector<bool>; false: another call.
bool Reader::assignsBit(const clang::CallExpr &call, Body &out) {
  const clang::CXXOperatorCallExpr *operation = assignmentOfBit(&call);
  const auto place = operation != nullptr ? placeOfBit(operation->getArg(0)) : std::nullopt;
  if (!place) return false;
  const SourceRange where = rangeOf(&call);
  const Array array = written(*place, where);
  wholeElement(*place, &call);
  const clang::Expr *given = operation->getArg(1);
  const Expr read = refersToBit(given) ? bitAt(given) : value(given);
  if (!read) refuse("this value of a bit is not supported", rangeOf(given));
  put(*place, storedIn(array, read, where), where, out);
  return true;
}

} // namespace polymend
