// Arrays of structures of numbers -> arrays of rows: `p[j].x` is row j, column 0. Members of several types are as many
// arrays over the same memory, of which no two have a byte in common. An element is then an object whose members are
// places, wherever the source names it: p[j], a pointer or a reference to it, the variable of a range-based loop.
#include "complex.h"
#include "containers.h"
#include "optionals.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

bool hasPlainBases(const clang::CXXRecordDecl &record);

const clang::RecordDecl *recordOf(clang::QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  if (isComplex(type)) return pairOf(*record);
  if (record != nullptr && record->isInStdNamespace() && record->getName() == "pair" && record->hasDefinition())
    return record->getDefinition();
  const bool plain = record != nullptr && record->hasDefinition() && !record->isUnion() && !record->isPolymorphic() &&
                     !record->isInStdNamespace() && !record->isEmpty() && hasPlainBases(*record);
  return plain ? record->getDefinition() : nullptr;
}

/// Are the bases structures of the same kind, or empty, with members of other names than those of the class?
bool hasPlainBases(const clang::CXXRecordDecl &record) {
  if (record.getNumBases() == 0) return !record.field_empty();
  if (record.getNumVBases() != 0) return false;
  for (const clang::CXXBaseSpecifier &base : record.bases()) {
    const clang::CXXRecordDecl *inner = base.getType()->getAsCXXRecordDecl();
    if (inner == nullptr || !inner->hasDefinition() || (!inner->isEmpty() && recordOf(base.getType()) == nullptr))
      return false;
  }
  std::set<std::string> names;
  const auto all = fieldsOf(record.getASTContext().getRecordType(&record));
  return !all.empty() && std::all_of(all.begin(), all.end(), [&](const clang::FieldDecl *field) {
    return names.insert(field->getNameAsString()).second;
  });
}

/// What is read of each base that has members: its record, and how many bytes of the class lie before it.
void eachBase(const clang::RecordDecl &record, const clang::ASTContext &context,
              const std::function<void(const clang::RecordDecl &, std::int64_t, bool)> &read) {
  const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(&record);
  if (derived == nullptr || derived->isInStdNamespace()) return;
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  for (const clang::CXXBaseSpecifier &base : derived->bases())
    if (const clang::RecordDecl *inner = recordOf(base.getType()))
      read(*inner, layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl()).getQuantity(),
           base.getAccessSpecifier() == clang::AS_public);
}

/// A number that an element has as a member, or the first of an array of such.
struct Leaf {
  const clang::FieldDecl *field = nullptr;
  Type type = Type::Float32;
  std::int64_t at = 0, count = 1; // bytes before it in the element, and how many lie behind each other
  std::string path;               // to the first of them
  bool isPublic = true;           // all of the way there
};

/// The numbers of a record, those of the records in it too; absent: it has others as well.
std::optional<std::vector<Leaf>> leavesOf(const clang::RecordDecl &record, const clang::ASTContext &context,
                                          const Leaf &outer = {}) {
  std::vector<Leaf> leaves;
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  bool areAll = true;
  eachBase(record, context, [&](const clang::RecordDecl &base, std::int64_t before, bool isPublic) {
    Leaf leaf = outer;
    leaf.at += before;
    leaf.isPublic = leaf.isPublic && isPublic;
    const auto more = leavesOf(base, context, leaf);
    areAll = areAll && more;
    if (more) leaves.insert(leaves.end(), more->begin(), more->end());
  });
  if (!areAll) return std::nullopt;
  for (const clang::FieldDecl *field : record.fields()) {
    const clang::QualType type = field->getType();
    if (field->isBitField() || field->isMutable() || type.isVolatileQualified()) return std::nullopt;
    Leaf leaf = outer;
    leaf.field = field;
    leaf.at += static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex())) / 8;
    leaf.path += (outer.path.empty() ? "" : ".") + field->getNameAsString();
    leaf.isPublic = leaf.isPublic && field->getAccess() == clang::AS_public;
    if (const clang::RecordDecl *inner = recordOf(type)) {
      const auto more = leavesOf(*inner, context, leaf);
      if (!more) return std::nullopt;
      leaves.insert(leaves.end(), more->begin(), more->end());
      continue;
    }
    const auto kind = memberType(scalarIn(type, context));
    if (!kind || leaf.at % bytesOf(*kind) != 0) return std::nullopt;
    leaf.type = *kind;
    leaf.count = 1;
    for (const std::int64_t length : lengthsOf(type, context)) {
      leaf.count *= length;
      leaf.path += "[0]";
    }
    if (leaf.count == 0) return std::nullopt;
    leaves.push_back(leaf);
  }
  return leaves;
}

} // namespace

/// The members of the record that begins so many bytes behind the start of element `index`; `rows`: for each type the
/// elements as rows of it.
std::shared_ptr<const ObjectFields> Reader::fieldsAt(const clang::RecordDecl &record, std::int64_t before,
                                                     const Expr &index, const RecordRows &rows) {
  const auto fields = std::make_shared<ObjectFields>();
  const clang::ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  eachBase(record, context, [&](const clang::RecordDecl &base, std::int64_t bytes, bool) {
    const ObjectFields inner = *fieldsAt(base, before + bytes, index, rows);
    fields->members.insert(inner.members.begin(), inner.members.end());
  });
  for (const clang::FieldDecl *field : record.fields()) {
    const std::int64_t at = before + static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex())) / 8;
    if (const clang::RecordDecl *inner = recordOf(field->getType())) {
      Object nested{"", "", field->getType(), {}, false, "", {}, {}};
      nested.local = fieldsAt(*inner, at, index, rows);
      fields->members[field] = nested;
      continue;
    }
    const Type type = *memberType(scalarIn(field->getType(), context));
    fields->members[field] = Place{rows.at(type), {simplify(index), Expr::integer(at / bytesOf(type))}};
  }
  return fields;
}

/// The members of a record whose numbers of each type lie behind each other in row `index` of an array of its own.
/// `next`: how many numbers of a type there are before.
std::shared_ptr<const ObjectFields> Reader::packedFields(const clang::RecordDecl &record, const Expr &index,
                                                         const RecordRows &rows, std::map<Type, std::int64_t> &next) {
  const auto fields = std::make_shared<ObjectFields>();
  eachBase(record, context, [&](const clang::RecordDecl &base, std::int64_t, bool) {
    const ObjectFields inner = *packedFields(base, index, rows, next);
    fields->members.insert(inner.members.begin(), inner.members.end());
  });
  for (const clang::FieldDecl *field : record.fields()) {
    if (const clang::RecordDecl *inner = recordOf(field->getType())) {
      Object nested{"", "", field->getType(), {}, false, "", {}, {}};
      nested.local = packedFields(*inner, index, rows, next);
      fields->members[field] = nested;
      continue;
    }
    const Type type = *memberType(scalarIn(field->getType(), context));
    fields->members[field] = Place{rows.at(type), {simplify(index), Expr::integer(next[type])}};
    std::int64_t count = 1;
    for (const std::int64_t length : lengthsOf(field->getType(), context)) count *= length;
    next[type] += count;
  }
  return fields;
}

/// How many numbers of each type a structure has; none: it has others as well.
std::map<Type, std::int64_t> Reader::numbersIn(clang::QualType element) const {
  std::map<Type, std::int64_t> counts;
  const clang::RecordDecl *record = recordOf(element);
  const auto leaves = record != nullptr ? leavesOf(*record, context) : std::nullopt;
  if (!leaves || element.isVolatileQualified()) return {};
  for (const Leaf &leaf : *leaves) counts[leaf.type] += leaf.count;
  return counts;
}

/// Element `index` of what a pointer or a container that is an argument points to; absent: no such element.
std::optional<Object> Reader::elementOf(const Object &object, clang::QualType element, const Expr &index,
                                        const SourceRange &where) {
  const clang::RecordDecl *record = recordOf(element);
  if (object.rows && record != nullptr) {
    Object result{"", "", element, {}, false, "", {}, {}};
    std::map<Type, std::int64_t> next;
    result.local = packedFields(*record, index, *object.rows, next);
    for (const auto &[type, name] : *object.rows)
      if (ownsElements(object)) share(object, {name, {}}, where);
    return result;
  }
  const auto leaves = record != nullptr ? leavesOf(*record, context) : std::nullopt;
  if (!leaves || leaves->empty() || object.local || object.prefix.empty() || element.isVolatileQualified())
    return std::nullopt;
  const std::int64_t bytes = context.getTypeSizeInChars(element).getQuantity();
  const auto fits = [&](const Leaf &leaf) { return bytes % bytesOf(leaf.type) == 0; };
  if (!std::all_of(leaves->begin(), leaves->end(), fits)) return std::nullopt;
  const auto isOther = [&](const Leaf &leaf) { return leaf.type != leaves->front().type; };
  const bool areMixed = std::any_of(leaves->begin(), leaves->end(), isOther);
  // A const reference to an element of what may be written leads to the same array.
  const bool isConst = isContainer(object) ? elementIn(object.type, context).isConstQualified() ||
                                                 (ownsElements(object) && object.type.isConstQualified())
                                           : object.type.isConstQualified();
  const bool points = object.prefix.ends_with("->");
  const std::string own = object.prefix.substr(0, object.prefix.size() - (points ? 2 : 1));
  const std::string start = own + (points ? "" : ".data()");
  std::map<Type, std::string> rows;
  for (const Leaf &leaf : *leaves) {
    if (rows.contains(leaf.type)) continue;
    Array array;
    array.type = leaf.type;
    array.extents = {Expr(), Expr::integer(bytes / bytesOf(leaf.type))};
    array.isConst = isConst;
    const auto isNamed = [&](const Leaf &other) {
      return other.type == leaf.type && scalarIn(other.field->getType(), context)->isEnumeralType();
    };
    array.aliasesAny = mayAliasAny(scalarIn(leaf.field->getType(), context)) || std::ranges::any_of(*leaves, isNamed);
    array.records = areMixed ? start : "";
    array.where = where;
    const std::string taken = std::string("reinterpret_cast<") + (array.isConst ? "const " : "") + spell(leaf.type) +
                              " (*)[" + std::to_string(bytes / bytesOf(leaf.type)) + "]>(" + start + ")";
    const std::string name = areMixed ? leaf.field->getNameAsString() : "elements";
    const Place place = takenArray(object, name, static_cast<unsigned>(rows.size()), array, taken);
    if (ownsElements(object)) share(object, place, where);
    if (isContainer(object)) heldBy.insert({place.array, object});
    rows[leaf.type] = place.array;
  }
  Part &part = elementsPartOf(object);
  if (!areMixed) part.data = rows.begin()->second;
  if (areMixed && part.numbers.empty())
    for (const Leaf &leaf : *leaves) {
      const std::int64_t width = bytesOf(leaf.type);
      part.numbers.push_back({leaf.path, rows.at(leaf.type), leaf.at / width, leaf.count, bytes / width});
      if (!leaf.isPublic) function.isMakeable = false;
    }
  Object result{"", "", element, {}, false, "", {}, {}};
  result.local = fieldsAt(*record, 0, index, rows);
  return result;
}

/// The element that `p[j]`, `*p` or `v[j]` is; absent: another expression, or of another kind.
std::optional<Object> Reader::elementAt(const clang::Expr &expression) {
  const clang::QualType element = expression.getType();
  const bool isRow = element->isRecordType();
  if (!isRow) return std::nullopt;
  if (auto row = rowApartAt(expression)) return row;
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
  const Expr at = subscript(index);
  return elementOf(*object, element, object->start ? object->start + at : at, rangeOf(&expression));
}

/// What `p + k` and `&p[k]` point to, where p points to elements or is a container; absent: another pointer.
std::optional<Object> Reader::elementsFrom(const clang::Expr &expression) {
  const clang::QualType type = expression.getType();
  const clang::QualType pointee = pointedTo(type);
  if (pointee.isNull() || recordOf(pointee) == nullptr) return std::nullopt;
  const clang::Expr *base = nullptr, *index = nullptr;
  bool isBack = false;
  if (const auto *moved = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expression);
      moved != nullptr && moved->getNumArgs() == 2 && moved->getArg(1)->getType()->isIntegerType() &&
      (moved->getOperator() == clang::OO_Plus || moved->getOperator() == clang::OO_Minus)) {
    base = bareIterator(moved->getArg(0));
    index = moved->getArg(1);
    isBack = moved->getOperator() == clang::OO_Minus;
  }
  if (const auto *moved = llvm::dyn_cast<clang::BinaryOperator>(&expression);
      moved != nullptr && moved->isAdditiveOp()) {
    const bool isLeft = moved->getLHS()->getType()->isPointerType();
    base = isLeft ? moved->getLHS() : moved->getRHS();
    index = isLeft ? moved->getRHS() : moved->getLHS();
    isBack = moved->getOpcode() == clang::BO_Sub;
  }
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(&expression);
      address != nullptr && address->getOpcode() == clang::UO_AddrOf) {
    const clang::Expr *e = address->getSubExpr()->IgnoreParens();
    if (const auto *subscripted = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      base = subscripted->getBase();
      index = subscripted->getIdx();
    }
    if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
        call != nullptr && call->getOperator() == clang::OO_Subscript && call->getNumArgs() == 2) {
      base = call->getArg(0);
      index = call->getArg(1);
    }
  }
  if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expression);
      call != nullptr && call->getNumArgs() == 0 && call->getMethodDecl() != nullptr &&
      call->getMethodDecl()->getParent()->isInStdNamespace() && call->getMethodDecl()->getDeclName().isIdentifier() &&
      (call->getMethodDecl()->getName() == "data" || call->getMethodDecl()->getName() == "begin" ||
       call->getMethodDecl()->getName() == "cbegin"))
    base = call->getImplicitObjectArgument();
  auto object = base != nullptr ? known(base) : std::nullopt;
  const bool isNamed = object && (object->rows || !object->prefix.empty());
  if (!isNamed || object->local || !object->scratch.empty()) return std::nullopt;
  if (base->getType()->isRecordType() && !isContainer(*object)) return std::nullopt;
  haveNoRows(*object, rangeOf(&expression));
  const bool outer = std::exchange(readsAtOnce, false); // a pointer may be followed later
  const Expr at = index != nullptr ? subscript(index) : Expr::integer(0);
  readsAtOnce = outer;
  const Expr from = object->start ? object->start : Expr::integer(0);
  object->start = simplify(isBack ? from - at : from + at);
  return object;
}

/// The element that a pointer among elements points to: what it has as members is read from there; absent: the object
/// is none.
std::optional<Object> Reader::pointedElement(const Object &object, clang::QualType element, const SourceRange &where) {
  if (!object.start || !object.scratch.empty() || object.local) return std::nullopt;
  auto result = elementOf(object, element, object.start, where);
  if (!result) refuse("elements of type '" + element.getAsString() + "' are not supported", where);
  return result;
}

} // namespace polymend
