// Arrays of structures whose members all are numbers of one type -> arrays of rows: `p[j].x` is row j, column 0. An
// element is then an object whose members are places, wherever the source names it: p[j], a reference to it, the
// variable of a range-based loop.
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>

#include <algorithm>

namespace polymend {

namespace {

const clang::RecordDecl *recordOf(clang::QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  const bool plain = record != nullptr && record->hasDefinition() && !record->isUnion() && record->getNumBases() == 0 &&
                     !record->isPolymorphic() && !record->isInStdNamespace() && !record->field_empty();
  return plain ? record->getDefinition() : nullptr;
}

/// The one type that all members have; absent: they are of several, or no numbers.
std::optional<Type> commonTypeOf(const clang::RecordDecl &record) {
  std::optional<Type> common;
  for (const clang::FieldDecl *field : record.fields()) {
    const auto type = elementType(field->getType());
    const bool plain = type && !field->isBitField() && !field->isMutable() && !field->getType().isVolatileQualified();
    if (!plain || (common && *common != *type)) return std::nullopt;
    common = type;
  }
  return common;
}

} // namespace

/// Element `index` of what a pointer or a container that is an argument points to; absent: no such element.
std::optional<Object> Reader::elementOf(const Object &object, clang::QualType element, const Expr &index,
                                        const SourceRange &where) {
  const clang::RecordDecl *record = recordOf(element);
  const auto type = record != nullptr ? commonTypeOf(*record) : std::nullopt;
  if (!type || object.local || object.prefix.empty() || element.isVolatileQualified()) return std::nullopt;
  const std::int64_t bytes = context.getTypeSizeInChars(element).getQuantity(), each = bytesOf(*type);
  if (bytes % each != 0) return std::nullopt;
  const bool points = object.prefix.ends_with("->");
  const std::string own = object.prefix.substr(0, object.prefix.size() - (points ? 2 : 1));
  Array array;
  array.type = *type;
  array.extents = {Expr(), Expr::integer(bytes / each)};
  array.isConst = element.isConstQualified();
  array.aliasesAny = mayAliasAny(record->field_begin()->getType());
  array.where = where;
  const std::string taken = std::string("reinterpret_cast<") + (array.isConst ? "const " : "") + spell(*type) +
                            " (*)[" + std::to_string(bytes / each) + "]>(" + own + (points ? "" : ".data()") + ")";
  const Place rows = takenArray(object, "elements", 0, array, taken);
  if (ownsElements(object)) share(object, rows, where);
  function.isMakeable = false;
  Object result{"", "", element, {}, false, "", {}, {}};
  const auto fields = std::make_shared<ObjectFields>();
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(record);
  for (const clang::FieldDecl *field : record->fields()) {
    const auto offset = static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex())) / 8;
    fields->members[field] = Place{rows.array, {simplify(index), Expr::integer(offset / each)}};
  }
  result.local = fields;
  return result;
}

/// The element that `p[j]`, `*p` or `v[j]` is; absent: another expression, or of another kind.
std::optional<Object> Reader::elementAt(const clang::Expr &expression) {
  const clang::QualType element = expression.getType();
  const bool isRow = element->isRecordType();
  if (!isRow) return std::nullopt;
  const clang::Expr *base = nullptr, *index = nullptr;
  if (const auto *subscripted = llvm::dyn_cast<clang::ArraySubscriptExpr>(&expression)) {
    base = subscripted->getBase();
    index = subscripted->getIdx();
  }
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expression);
      call != nullptr && call->getOperator() == clang::OO_Subscript && call->getNumArgs() == 2) {
    base = call->getArg(0);
    index = call->getArg(1);
  }
  const auto object = base != nullptr ? known(base) : std::nullopt;
  if (!object || (base->getType()->isRecordType() && !isContainer(*object))) return std::nullopt;
  haveNoRows(*object, rangeOf(&expression));
  if (recordOf(element) == nullptr) return std::nullopt;
  return elementOf(*object, element, subscript(index), rangeOf(&expression));
}

} // namespace polymend
