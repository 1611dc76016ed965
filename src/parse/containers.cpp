// The standard's containers, by what their members guarantee: elements that lie behind data() one by one, and their
// number. Other classes are understood from their inline members alone. What resizes a container, throws, or walks it
// by iterators is left, with what to write instead. A range-based loop is one over the elements' numbers.
#include "containers.h"
#include "ranges.h"
#include "types.h"

#include <algorithm>
#include <clang/AST/DeclTemplate.h>

namespace polymend {

namespace {

const clang::ClassTemplateSpecializationDecl *standard(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record != nullptr && record->isInStdNamespace()
             ? llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record)
             : nullptr;
}

} // namespace

std::string containerName(clang::QualType type) {
  const auto *record = standard(type);
  if (record == nullptr) return "";
  const std::string name = record->getNameAsString();
  if (name == "unique_ptr")
    return record->getTemplateArgs()[0].getAsType()->isIncompleteArrayType() ? name : std::string();
  const bool counted = name == "vector" || name == "array" || name == "span";
  return counted ? name : std::string();
}

clang::QualType elementIn(clang::QualType type, const clang::ASTContext &context) {
  const clang::QualType first = standard(type)->getTemplateArgs()[0].getAsType();
  return first->isArrayType() ? context.getAsArrayType(first)->getElementType() : first;
}

std::int64_t fixedCount(clang::QualType type) {
  const std::string name = containerName(type);
  if (name != "array" && name != "span") return -1;
  const llvm::APSInt count = standard(type)->getTemplateArgs()[1].getAsIntegral();
  const bool dynamic = name == "span" && count.isMaxValue();
  return dynamic || !count.isRepresentableByInt64() ? -1 : count.getExtValue();
}

std::string startOf(const Object &container) {
  return container.prefix + (containerName(container.type) == "unique_ptr" ? "get()" : "data()");
}

namespace {

constexpr unsigned longestList = 16; // of which each element has a body of its own

/// The list of integers that an array of them stays as, `const int steps[] = {-1, 0, 1}`; null: it is none.
const clang::InitListExpr *integersIn(const clang::Expr &range,
                                      const std::map<const clang::ValueDecl *, clang::SourceRange> &changed,
                                      const clang::ASTContext &context) {
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(range.IgnoreParenImpCasts());
  const auto *variable = named != nullptr ? llvm::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
  const bool isFixed = variable != nullptr && (variable->getType().isConstant(context) ||
                                               (variable->hasLocalStorage() && !changed.contains(variable)));
  const clang::Expr *init = isFixed ? variable->getAnyInitializer() : nullptr;
  const auto *list = init != nullptr ? llvm::dyn_cast<clang::InitListExpr>(init->IgnoreImplicit()) : nullptr;
  if (list != nullptr && containerName(variable->getType()) == "array")
    list = list->getNumInits() == 1 ? llvm::dyn_cast<clang::InitListExpr>(list->getInit(0)->IgnoreImplicit()) : nullptr;
  const auto *array = list != nullptr ? context.getAsConstantArrayType(list->getType()) : nullptr;
  if (array == nullptr || !array->getElementType()->isIntegerType() || array->getSize() != list->getNumInits() ||
      list->getNumInits() > longestList)
    return nullptr;
  const bool areKnown = std::all_of(list->begin(), list->end(), [&](const clang::Stmt *item) {
    const auto *e = llvm::cast<clang::Expr>(item);
    return !e->isValueDependent() && e->isIntegerConstantExpr(context);
  });
  return areKnown ? list : nullptr;
}

Part::Kind kindNamed(const std::string &name) {
  if (name == "vector") return Part::Kind::Vector;
  if (name == "array") return Part::Kind::StandardArray;
  return name == "span" ? Part::Kind::Span : Part::Kind::Owner;
}

/// Does the function do no more than to return the member that its argument says, `return (&x)[i];`?
bool countsMembers(const clang::CXXMethodDecl &method) {
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(method.getBody());
  const auto *result =
      body != nullptr && body->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(body->body_front()) : nullptr;
  const clang::Expr *value = result != nullptr ? result->getRetValue() : nullptr;
  const auto *element =
      value != nullptr ? llvm::dyn_cast<clang::ArraySubscriptExpr>(value->IgnoreParenImpCasts()) : nullptr;
  const auto *address =
      element != nullptr ? llvm::dyn_cast<clang::UnaryOperator>(element->getBase()->IgnoreParenImpCasts()) : nullptr;
  return address != nullptr && address->getOpcode() == clang::UO_AddrOf &&
         llvm::isa<clang::MemberExpr>(address->getSubExpr()->IgnoreParens());
}

} // namespace

/// What elements of an array, where a pointer or a container leads to one, are of the object that holds it.
Part &Reader::elementsPartOf(const Object &object) {
  const std::string name = containerName(object.type);
  return partOf(object, name.empty() ? Part::Kind::Pointer : kindNamed(name));
}

bool isMadeOfCount(const clang::CXXConstructExpr *made) {
  const clang::CXXConstructorDecl *constructor = made != nullptr ? made->getConstructor() : nullptr;
  return constructor != nullptr && constructor->getNumParams() >= 1 && !made->isListInitialization() &&
         constructor->getParamDecl(0)->getType()->isIntegerType();
}

bool isGivenTo(const clang::CXXConstructExpr &made, unsigned place) {
  return place < made.getNumArgs() && !llvm::isa<clang::CXXDefaultArgExpr>(made.getArg(place));
}

std::optional<AskedElement> elementAsked(const clang::CallExpr &call) {
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
  if (method == nullptr) return std::nullopt;
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  if (operation != nullptr && operation->getOperator() == clang::OO_Subscript)
    return AskedElement{call.getArg(1), false};
  const llvm::StringRef name = method->getDeclName().isIdentifier() ? method->getName() : llvm::StringRef();
  if (name != "front" && name != "back") return std::nullopt;
  return AskedElement{nullptr, name == "back"};
}

bool isFixedArray(clang::QualType type) { return containerName(type) == "array"; }

/// Rows that are containers themselves lie anywhere, but for those of a fixed length.
void Reader::haveNoRows(const Object &object, const SourceRange &where) const {
  if (!isContainer(object)) return;
  const clang::QualType element = elementIn(object.type, context);
  if (holdsRowsApart(object.type, context))
    refuse("rows that lie apart from each other are supported where each is named: m[i], for (auto &row : m)", where);
  if (containerName(element) == "array" || (containerName(element).empty() && !element->isPointerType())) return;
  refuse("rows that lie apart from each other are not supported: keep them in one " +
             (containerName(object.type).empty() ? "array" : "std::" + containerName(object.type)) +
             ", v[i * n + j] for v[i][j]",
         where);
}

/// Does a copy of it have elements of its own?
bool Reader::ownsElements(const Object &object) const {
  const std::string name = containerName(object.type);
  return !object.isView && (name == "vector" || name == "array");
}

bool Reader::isContainer(const Object &object) const { return !containerName(object.type).empty(); }

/// A container's numbers of the type `element` as an array, but for its extents.
Array Reader::arrayFor(const Object &object, clang::QualType element, const SourceRange &where) const {
  Array array;
  array.type = *readType(element);
  array.spelling = element->isEnumeralType() ? "" : spellingOf(element, context);
  array.isConst = element.isConstQualified() || (ownsElements(object) && object.type.isConstQualified());
  array.aliasesAny = mayAliasAny(element) || element->isEnumeralType();
  array.where = where;
  return array;
}

Place Reader::elementsOf(const Object &object, const SourceRange &where) {
  if (object.rows)
    refuse("elements of type '" + elementIn(object.type, context).getAsString() + "' are not supported here", where);
  if (!object.scratch.empty()) {
    if (arrayNamed(object.scratch).extents.size() != object.row.size() + 1)
      refuse("elements of type '" + elementIn(object.type, context).getAsString() + "' are not supported", where);
    Place own{object.scratch, object.row};
    own.subscripts.push_back(object.start ? object.start : Expr::integer(0));
    if (ownsElements(object)) share(object, own, where);
    return own;
  }
  if (object.prefix.empty()) refuse("elements of an object without a name are not supported", where);
  const bool owns = ownsElements(object);
  clang::QualType element = elementIn(object.type, context);
  if (owns && object.type.isConstQualified()) element.addConst();
  const auto type = readType(element);
  if (isBitVector(object.type, context)) return bitsOf(object, where);
  if (!type || element.isVolatileQualified())
    refuse("elements of type '" + element.getAsString() + "' are not supported", where);
  Array array = arrayFor(object, element, where);
  array.extents = {Expr()};
  array.flat = true;
  const std::string start = element->isEnumeralType()
                                ? "reinterpret_cast<const " + spell(*type) + " *>(" + startOf(object) + ")"
                                : startOf(object);
  const Place place = takenArray(object, "data", 0, array, start);
  heldBy.insert({place.array, object});
  if (owns) share(object, place, where);
  elementsPartOf(object).data = place.array;
  return place;
}

/// How many elements there are, as the call says.
Expr Reader::takenLength(const Object &object, const std::string &part, const std::string &taken) {
  const Expr length = takenNumber(object, part, 1, taken, Type::Int64, context.getSizeType());
  knowledge.parameters[length->name] = {0, Wide{1} << 47};
  knowledge.nonNegative.insert(length->name);
  unsignedWide.erase(length->name);
  return length;
}

/// The number of the element that a call asks for.
Expr Reader::numberAsked(const AskedElement &asked, const Object &object, const SourceRange &where) {
  if (asked.isLast) return simplify(countOf(object, where) - Expr::integer(1));
  return asked.index != nullptr ? subscript(asked.index) : Expr::integer(0);
}

Expr Reader::countOf(const Object &object, const SourceRange &where) {
  if (object.count) return object.count;
  const std::int64_t fixed = fixedCount(object.type);
  if (fixed >= 0) return Expr::integer(fixed);
  if (containerName(object.type) == "unique_ptr") refuse("a unique_ptr has no size", where);
  const std::string taken = "static_cast<std::int64_t>(" + object.prefix + "size())";
  const Expr count = takenLength(object, "size", taken);
  elementsPartOf(object).count = count->name;
  return count;
}

Expr Reader::standardCall(const Object &object, const std::string &name, const clang::CallExpr &call) {
  const SourceRange where = rangeOf(&call);
  if (name == "size" || name == "ssize") return countOf(object, where);
  if (name == "empty") return node(Op::Eq, Type::Bool, {countOf(object, where), Expr::integer(0)}, &call);
  refuse("'" + name + "' of a container is not supported: read its elements by [] and their number by size()", where);
}

/// The object that a member function or an operator is called on.
const clang::Expr *Reader::objectIn(const clang::CallExpr &call) const {
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) return member->getImplicitObjectArgument();
  const bool operates = llvm::isa<clang::CXXOperatorCallExpr>(call) && call.getNumArgs() > 0;
  return operates && llvm::isa_and_nonnull<clang::CXXMethodDecl>(call.getDirectCallee()) ? call.getArg(0) : nullptr;
}

/// The place that a call returns a reference or a pointer to.
Place Reader::placeOfCall(const clang::CallExpr &call, bool isPointer) {
  const SourceRange where = rangeOf(&call);
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee == nullptr) refuse("a call through a pointer is not supported", where);
  if (const auto part = partAsked(call))
    if (const Place *place = std::get_if<Place>(&*part)) return *place;
  const clang::Expr *given = objectIn(call);
  const std::string name = callee->getNameAsString();
  if (const auto place = given != nullptr ? inRow(*given, name, call) : std::nullopt) return *place;
  if (const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call); operation != nullptr && !isPointer) {
    const bool isElement = operation->getOperator() == clang::OO_Star && operation->getNumArgs() == 1;
    const bool isFurther = operation->getOperator() == clang::OO_Subscript && operation->getNumArgs() == 2;
    if (auto place = isElement || isFurther ? iterator(operation->getArg(0)) : std::nullopt) {
      if (isFurther) place->subscripts.back() = simplify(place->subscripts.back() + subscript(operation->getArg(1)));
      return *place;
    }
  }
  const auto object = given != nullptr ? known(given) : std::nullopt;
  if (object && isContainer(*object)) {
    haveNoRows(*object, where);
    Place place = elementsOf(*object, where);
    Expr index;
    if (name == "operator[]") index = subscript(call.getArg(1));
    if (name == "front" || name == "data" || name == "get") index = Expr::integer(0);
    if (name == "back") index = countOf(*object, where) - Expr::integer(1);
    if (name == "at") refuse("'at' may throw: write [] where the index is known to be right", where);
    if (!index) refuse("'" + name + "' of a container is not supported: use its elements by []", where);
    place.subscripts.back() = simplify(place.subscripts.back() + index);
    return place;
  }
  const bool isStandard = callee->isInStdNamespace() || callee->getBuiltinID() != 0;
  if (isStandard && (name == "move" || name == "as_const") && call.getNumArgs() == 1) return lvalue(call.getArg(0));
  if (isStandard || !callee->hasBody()) refuse("call of unknown function '" + name + "'", where);
  Place place;
  within(bodyOf(*callee, call), call, false, [&](const Statements &body) { place = placeIn(body, isPointer, call); });
  return place;
}

Place Reader::placeIn(const Statements &statements, bool isPointer, const clang::CallExpr &call) {
  for (const clang::Stmt *s : statements) {
    if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(s))
      return isPointer ? pointer(result->getRetValue()) : lvalue(result->getRetValue());
    Body none;
    plainStatement(s, none);
    if (!none.empty()) refuse("what this call refers to needs statements of its own", rangeOf(&call));
  }
  refuse("a function that is called here may end without a result", rangeOf(&call));
}

Expr Reader::memberCall(const clang::CallExpr &call, const clang::CXXMethodDecl &method, unsigned bits) {
  const clang::Expr *given = objectIn(call);
  const auto object = given != nullptr ? known(given) : std::nullopt;
  const std::string name = method.getNameAsString();
  if (object && isContainer(*object) && !call.isGLValue())
    if (const Expr bit = bitAt(&call)) return bit;
  if (object && isContainer(*object) && !call.isGLValue()) return standardCall(*object, name, call);
  if (given != nullptr && !object && name == "size" && isFixedArray(given->getType()) && rowAt(*given))
    return Expr::integer(fixedCount(given->getType()));
  if (!method.hasBody() && !(object && isContainer(*object)))
    refuse("a call through a pointer or of a member function is not supported", rangeOf(&call));
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  if (operation != nullptr && operation->getOperator() == clang::OO_Star)
    if (const Expr element = extreme(operation->getArg(0))) return element;
  if (call.isGLValue() && !countsMembers(method)) {
    const bool outer = std::exchange(readsAtOnce, true);
    const Place place = placeOfCall(call, false);
    readsAtOnce = outer;
    return readAt(place, &call);
  }
  return inlined(method, call, bits);
}

/// `for (int d : {-1, 1})`: the body for one value behind the other.
void Reader::listedLoop(const clang::CXXForRangeStmt &loop, const clang::InitListExpr &list, Body &out) {
  const SourceRange where = rangeOf(&loop);
  const clang::VarDecl &variable = *loop.getLoopVariable();
  const clang::QualType declared = variable.getType().getNonReferenceType();
  const auto type = valueType(declared);
  if (!type || list.getNumInits() > longestList)
    refuse("a range-based for loop over this list is not supported: loop over subscripts", where);
  if (changed.contains(&variable)) refuse("'" + variable.getNameAsString() + "' is changed", where);
  for (const clang::Expr *item : list.inits()) {
    const Expr listed = value(item);
    const bool narrows = declared->isIntegerType() && widthOf(declared) < widthOf(item->getType());
    if (reads(listed) || narrows) refuse("a range-based for loop over this list is not supported", rangeOf(item));
    bindings[&variable] = convert(listed, *type, where);
    loopBody(*loop.getBody(), out);
  }
  bindings.erase(&variable);
}

/// The elements of an object that has a begin() and an end(), such as a string; absent: what they are is not known.
std::optional<std::pair<Place, Expr>> Reader::elementsFromBegin(const clang::CXXForRangeStmt &loop,
                                                                const clang::VarDecl &range, const Object &object) {
  const auto firstOf = [](const clang::DeclStmt *s) {
    const auto *variable =
        s != nullptr && s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
    return variable != nullptr ? variable->getInit() : nullptr;
  };
  const clang::Expr *first = firstOf(loop.getBeginStmt()), *last = firstOf(loop.getEndStmt());
  if (first == nullptr || last == nullptr) return std::nullopt;
  bindings[&range] = object;
  auto found = elementsBetween(first, last);
  bindings.erase(&range);
  return found;
}

void Reader::rangeLoop(const clang::CXXForRangeStmt &loop, Body &out) {
  const SourceRange where = rangeOf(&loop);
  if (loop.getInit() != nullptr) refuse("a range-based for loop with a declaration is not supported", where);
  const clang::Expr *range = loop.getRangeInit();
  if (const auto *made = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(range->IgnoreImplicit()))
    if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(made->getSubExpr()->IgnoreImplicit()))
      return listedLoop(loop, *list, out);
  if (const auto *list = integersIn(*range, changed, context)) return listedLoop(loop, *list, out);
  if (tabledRange(loop, out) || countsOver(loop, out)) return;
  const clang::VarDecl &variable = *loop.getLoopVariable();
  Place elements;
  Expr count;
  std::optional<Object> records;
  bool areRows = false;
  if (auto rows = rowsIn(*range, where)) {
    elements = rows->place;
    count = rows->count;
    areRows = rows->areRows;
    if (areRows && !variable.getType()->isReferenceType())
      refuse("a copy of a row is not supported: take a reference, for (const auto &row : rows)", where);
  } else if (const auto object = known(range); object && (isContainer(*object) || object->rows)) {
    if (object->rows || elementIn(object->type, context)->isRecordType())
      records = object;
    else
      elements = elementsOf(*object, where);
    count = countOf(*object, where);
  } else {
    const auto *held = loop.getRangeStmt()->isSingleDecl()
                           ? llvm::dyn_cast<clang::VarDecl>(loop.getRangeStmt()->getSingleDecl())
                           : nullptr;
    const auto between = object && held != nullptr ? elementsFromBegin(loop, *held, *object) : std::nullopt;
    if (!between) refuse("a range-based for loop over this is not supported: loop over subscripts", where);
    std::tie(elements, count) = *between;
    checkBound(count, where);
  }
  const Knowledge outside = knowledge;
  const std::set<std::string> wide = unsignedWide;
  const Expr symbol = Expr::symbol(unique("at_" + variable.getNameAsString()), Type::Int64);
  if (!records) elements.subscripts.back() = simplify(elements.subscripts.back() + symbol);
  knowledge.loops.push_back({symbol->name, symbol.type(), Expr::integer(0), simplify(count - Expr::integer(1))});
  Loop result{symbol->name, symbol->name, Expr::integer(0), count, 1, {}, where};
  const clang::QualType declared = variable.getType();
  const Type type = records ? Type::Void : arrayNamed(elements.array).type;
  if (records) {
    auto item = rowApart(*records, symbol, where);
    if (item && !declared->isReferenceType()) {
      if (changed.contains(&variable))
        refuse("a copy of a row is not supported: take a reference, for (const auto &row : rows)", where);
      item = held(*item, where);
    }
    if (!item) item = elementOf(*records, declared.getNonReferenceType(), symbol, where);
    if (!item) refuse("elements of type '" + declared.getAsString() + "' are not supported", where);
    const std::string own = variable.getNameAsString();
    const bool isOwn = !declared->isReferenceType() && (needsCopy(*item) || changed.contains(&variable));
    bindings[&variable] = isOwn ? ownCopy(*item, own, where, result.body) : *item;
  } else if (declared->isReferenceType()) {
    bindings[&variable] = elements;
  } else if (!isFloating(type) && declared->isIntegralOrEnumerationType()) {
    if (changed.contains(&variable)) refuse("'" + variable.getNameAsString() + "' is changed", where);
    const Expr element = readAt(elements, range);
    const bool narrows = !declared->isBooleanType() && widthOf(declared) < 64;
    bindings[&variable] = narrows ? fitting(element, declared, range) : convert(element, *valueType(declared), where);
    freeze(element, where);
  } else {
    const auto kind = valueType(declared);
    if (!kind || !isFloating(*kind)) refuse("a range-based for loop with this variable is not supported", where);
    const Expr read = convert(readAt(elements, range), *kind, where);
    const Place copy = variableFor(variable.getNameAsString(), *kind, where);
    result.body.emplace_back(std::make_shared<const Assign>(Assign{copy.array, {}, read, where}));
    bindings[&variable] = copy;
  }
  const auto read = [&](Body &body) { loopBody(*loop.getBody(), body); };
  const Inductions moved = inTurns(symbol, {loop.getBody()}, loop, read, result.body);
  forget(outside, wide);
  leave(moved, count, loop);
  if (!result.body.empty()) out.emplace_back(std::make_shared<const Loop>(std::move(result)));
}

} // namespace polymend
