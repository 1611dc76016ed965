// Pointers that a loop moves along structures: `for (; p != end; ++p) p->x = 0`. Such a pointer is the object that it
// pointed to first with the number of the element that it points to now, which is followed as that of a pointer to
// numbers is (followed.cpp).
#include "ranges.h"
#include "reader.h"

namespace polymend {

bool pointsToRecords(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->isPointerType() ? type->getPointeeType()->getAsCXXRecordDecl() : nullptr;
  return record != nullptr && record->hasDefinition() && !record->isUnion() && !record->isInStdNamespace() &&
         !record->isLambda() && !record->isPolymorphic();
}

bool areAmongTheSame(const Object &a, const Object &b) {
  return a.prefix == b.prefix && a.scratch == b.scratch && a.rows == b.rows && !a.local && !b.local;
}

/// What a pointer's value is: an element of an array, or a structure among others.
Reader::Binding Reader::leadsTo(const clang::Expr &pointer) {
  if (!pointsToRecords(pointer.getType())) return this->pointer(&pointer);
  auto object = known(&pointer);
  const bool isNamed = object && (object->rows || !object->prefix.empty());
  if (!isNamed || object->local || !object->scratch.empty())
    refuse("it is not known what this pointer points to", rangeOf(&pointer));
  if (!object->start) object->start = Expr::integer(0);
  return *object;
}

/// How many structures lie between two pointers; absent: they point to something else.
Expr Reader::betweenRecords(const clang::Expr &first, const clang::Expr &last) {
  if (!pointsToRecords(first.getType()) || !pointsToRecords(last.getType())) return {};
  const auto from = known(&first), to = from ? known(&last) : std::nullopt;
  if (!to || !areAmongTheSame(*from, *to) || (from->prefix.empty() && !from->rows) || !from->scratch.empty()) return {};
  const auto startOf = [](const Object &object) { return object.start ? object.start : Expr::integer(0); };
  return simplify(startOf(*to) - startOf(*from));
}

} // namespace polymend
