// Arrays of structures that a function has for itself: `std::vector<S> v(n)`, std::array<S, N>, `S a[N]`. For each type
// of number in a structure there is one array, with a row of such numbers for each element.
#include "algorithms.h"
#include "containers.h"
#include "optionals.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

namespace polymend {

namespace {

/// The structure that the elements of an array are, of a std::vector or a std::array; null: they are none.
clang::QualType recordElement(clang::QualType type, const clang::ASTContext &context) {
  if (const auto *array = context.getAsConstantArrayType(type))
    return array->getElementType()->isRecordType() ? array->getElementType() : clang::QualType();
  const std::string name = containerName(type);
  if (name != "vector" && name != "array") return {};
  const clang::QualType element = elementIn(type, context);
  return element->isRecordType() && containerName(element).empty() ? element : clang::QualType();
}

/// The list of values that an array, or a std::array, is made of; null: another initialiser.
const clang::InitListExpr *listIn(const clang::Expr *init) {
  const auto *list = llvm::dyn_cast_or_null<clang::InitListExpr>(init);
  if (list == nullptr || list->getType()->isArrayType() || list->getNumInits() == 0) return list;
  return llvm::dyn_cast<clang::InitListExpr>(list->getInit(0));
}

} // namespace

/// A container of structures that nobody else has, without values yet; absent: structures of another kind.
std::optional<Object> Reader::ownRecords(const std::string &name, clang::QualType type, clang::QualType element,
                                         const Expr &count, const SourceRange &where) {
  const auto widths = numbersIn(element);
  if (widths.empty()) return std::nullopt;
  if (!isNonNegative(count, knowledge)) assume(Expr::make(Op::Le, {Expr::integer(0), count}));
  const auto rows = std::make_shared<RecordRows>();
  for (const auto &[kind, width] : widths) {
    Array array;
    array.name = unique(name);
    array.type = kind;
    array.extents = {count, Expr::integer(width)};
    array.where = where;
    (*rows)[kind] = addArray(array).name;
    if (!isFloating(kind)) writtenIntegers.insert({rows->at(kind), where});
  }
  Object object{"", "", type, {}, true, "", {}, {}};
  object.count = count;
  object.rows = rows;
  return object;
}

/// What the members say that they are without other values, beside zeros.
void Reader::defaultsOf(const clang::CXXRecordDecl &record, const Object &target, const clang::Expr &made, Body &out) {
  const SourceRange where = rangeOf(&made);
  if (record.hasUserProvidedDefaultConstructor())
    refuse("elements that a constructor makes are not supported: give them values in a loop", where);
  for (const clang::CXXBaseSpecifier &base : record.bases())
    if (const clang::CXXRecordDecl *inner = base.getType()->getAsCXXRecordDecl(); inner != nullptr)
      if (!inner->isInStdNamespace()) defaultsOf(*inner, target, made, out);
  for (const clang::FieldDecl *field : record.fields()) {
    const Binding &binding = target.local->members.at(field);
    const clang::Expr *given = field->hasInClassInitializer() ? field->getInClassInitializer() : nullptr;
    if (given != nullptr) given = bare(given);
    const auto *list = llvm::dyn_cast_or_null<clang::InitListExpr>(given);
    const bool isEmpty =
        given == nullptr || (list != nullptr && list->getNumInits() == 0) ||
        llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(given) ||
        (llvm::isa<clang::CXXConstructExpr>(given) && llvm::cast<clang::CXXConstructExpr>(given)->getNumArgs() == 0);
    if (const Object *inner = std::get_if<Object>(&binding)) {
      const clang::CXXRecordDecl *nested = field->getType()->getAsCXXRecordDecl();
      if (!isEmpty || nested == nullptr)
        refuse("member '" + field->getNameAsString() + "' is made in a way that is not supported", where);
      if (!nested->isInStdNamespace()) defaultsOf(*nested, *inner, made, out);
      continue;
    }
    if (isEmpty) continue;
    const Place *place = std::get_if<Place>(&binding);
    if (place == nullptr || !lengthsOf(field->getType(), context).empty())
      refuse("member '" + field->getNameAsString() + "' is made in a way that is not supported", where);
    const Expr initial = simplify(value(given));
    if (polymend::reads(initial)) refuse("member '" + field->getNameAsString() + "' is made of what may change", where);
    put(*place, storedIn(arrayNamed(place->array), initial, where), where, out);
  }
}

/// Gives elements the values that they have without others: zeros, or what their members say.
void Reader::beginRecords(const Object &object, clang::QualType element, const clang::Expr &made, Body &out) {
  const SourceRange where = rangeOf(&made);
  const clang::CXXRecordDecl *record = element->getAsCXXRecordDecl();
  for (const auto &[kind, name] : *object.rows) fill(arrayNamed(name), where, out);
  if (record->isInStdNamespace()) return;
  Body *outer = std::exchange(sink, nullptr);
  const auto read = [&](const Expr &number, Body &body) {
    defaultsOf(*record, *elementOf(object, element, number, where), made, body);
  };
  eachOf(object.count, "at", where, read, out);
  sink = outer;
}

/// Each element of one array of structures becomes that of another one.
void Reader::copyRecords(const Object &to, const Object &from, clang::QualType element, const clang::Expr &copy,
                         Body &out) {
  const SourceRange where = rangeOf(&copy);
  Body *outer = std::exchange(sink, nullptr);
  const auto read = [&](const Expr &number, Body &body) {
    const auto at = [&](const Object &object) {
      return elementOf(object, element, object.start ? simplify(object.start + number) : number, where);
    };
    const auto target = at(to), given = at(from);
    if (!target || !given) refuse("elements of type '" + element.getAsString() + "' are not supported", where);
    assignMembers(*target, *given, copy, body);
  };
  eachOf(to.count ? to.count : countOf(to, where), "at", where, read, out);
  sink = outer;
}

/// A local array of structures; false: another declaration.
bool Reader::declareRecords(const clang::VarDecl &variable, Body &out) {
  const clang::QualType type = variable.getType();
  const clang::QualType element = recordElement(type, context);
  if (element.isNull() || variable.isStaticLocal()) return false;
  const SourceRange where = rangeOf(variable.getSourceRange());
  if (!endsSilently(element)) refuse("a destructor runs where this ends, which is not supported", where);
  const std::string name = variable.getNameAsString();
  const clang::Expr *init = variable.hasInit() ? variable.getInit()->IgnoreImplicit() : nullptr;
  const auto *made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(init);
  const bool isVector = containerName(type) == "vector";
  const bool isCopy = made != nullptr && made->getConstructor()->isCopyConstructor() && made->getNumArgs() == 1 &&
                      made->getConstructor()->getParent()->isInStdNamespace();
  if (isCopy || (isVector && made == nullptr) ||
      (init != nullptr && made == nullptr && !llvm::isa<clang::InitListExpr>(init))) {
    const auto given = init != nullptr ? known(isCopy ? made->getArg(0) : init) : std::nullopt;
    if (!given || recordElement(given->type, context).isNull()) return false;
    const auto object = ownRecords(name, type, element, countOf(*given, where), where);
    if (!object) return false;
    bindings[&variable] = *object;
    copyRecords(*object, *given, element, *init, out);
    return true;
  }
  if (isVector) {
    if (!isMadeOfCount(made)) return false; // declareVector says what is read
    const auto object = ownRecords(name, type, element, fixedExtent(made->getArg(0)), where);
    if (!object) return false;
    bindings[&variable] = *object;
    const bool hasValue = made->getNumArgs() > 1 && made->getArg(1)->getType()->isRecordType() &&
                          context.hasSameUnqualifiedType(made->getArg(1)->getType(), element);
    if (!hasValue) {
      beginRecords(*object, element, *made, out);
      return true;
    }
    sink = &out;
    const Object given = objectOf(made->getArg(1));
    if (!given.local) refuse("a vector filled with data is not supported: write its elements in a loop", where);
    const Object own = ownCopy(given, name + "_each", where, out);
    sink = nullptr;
    const auto read = [&](const Expr &number, Body &body) {
      assignMembers(*elementOf(*object, element, number, where), own, *made, body);
    };
    eachOf(object->count, "at", where, read, out);
    return true;
  }
  const auto lengths = lengthsOf(type, context);
  const auto object =
      lengths.size() == 1 ? ownRecords(name, type, element, Expr::integer(lengths.front()), where) : std::nullopt;
  if (!object) return false;
  bindings[&variable] = *object;
  const clang::InitListExpr *list = listIn(init);
  const clang::CXXRecordDecl *record = element->getAsCXXRecordDecl();
  const bool isBare = list == nullptr && (made == nullptr || !made->requiresZeroInitialization());
  if (isBare && init != nullptr && made == nullptr) refuse("this initialiser of an array is not supported", where);
  const unsigned listed = list != nullptr ? list->getNumInits() : 0;
  constexpr unsigned longestList = 64;
  if (listed > longestList) refuse("the initialiser of '" + name + "' is too long", where);
  if (init != nullptr && (!isBare || !record->hasTrivialDefaultConstructor()))
    beginRecords(*object, element, *init, out);
  for (unsigned k = 0; k < listed; ++k) {
    sink = &out;
    const Object given = objectOf(list->getInit(k));
    sink = nullptr;
    if (!given.local) refuse("this initialiser of an array is not supported", where);
    assignMembers(*elementOf(*object, element, Expr::integer(k), where), given, *list->getInit(k), out);
  }
  return true;
}

/// `a = b` of arrays of structures with as many elements; false: another call.
bool Reader::assignRecords(const clang::CallExpr &call, Body &out) {
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const bool assigns =
      operation != nullptr && operation->getOperator() == clang::OO_Equal && operation->getNumArgs() == 2;
  const clang::QualType element = assigns ? recordElement(operation->getArg(0)->getType(), context) : clang::QualType();
  if (element.isNull()) return false;
  const auto to = known(operation->getArg(0)), from = to ? known(operation->getArg(1)) : std::nullopt;
  if (!from || !haveAsMany(*to, *from, rangeOf(&call))) return false;
  copyRecords(*to, *from, element, call, out);
  return true;
}

} // namespace polymend
