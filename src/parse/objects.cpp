// Objects of class type -> parameters. What a function uses of an argument (a member, the elements and the number of
// elements of a container) is taken from it once at entry and becomes a parameter: a number, or an array. That is right
// as long as nothing in between changes the object: its members are not assigned, and the elements that are written are
// of other types than the members that are numbers. A float that another may write is no number but an array of no
// dimension, which is tested for overlap as every array is. A local object is what it was made of.
#include "algorithms.h"
#include "optionals.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include "polymend/element_types.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace polymend {

const clang::Expr *withoutConversions(const clang::Expr *e) {
  for (;;) {
    const clang::Expr *inner = e->IgnoreParens();
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(inner)) inner = full->getSubExpr();
    if (const auto *made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner)) inner = made->getSubExpr();
    if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(inner)) inner = bound->getSubExpr();
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(inner);
        cast != nullptr &&
        (cast->getCastKind() == clang::CK_NoOp || cast->getCastKind() == clang::CK_ConstructorConversion))
      inner = cast->getSubExpr();
    if (inner == e) return e;
    e = inner;
  }
}

const clang::Expr *bare(const clang::Expr *e) {
  for (;;) {
    const clang::Expr *inner = e->IgnoreParens();
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(inner)) inner = full->getSubExpr();
    if (const auto *made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner)) inner = made->getSubExpr();
    if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(inner)) inner = bound->getSubExpr();
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(inner);
        cast != nullptr && (cast->getCastKind() == clang::CK_NoOp || cast->getCastKind() == clang::CK_LValueToRValue))
      inner = cast->getSubExpr();
    if (const auto *listed = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(inner);
        listed != nullptr && listed->getCastKind() == clang::CK_NoOp)
      inner = listed->getSubExpr();
    if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
        copy != nullptr && copy->getConstructor()->isCopyOrMoveConstructor() && copy->getNumArgs() == 1 &&
        copy->getConstructor()->isTrivial())
      inner = copy->getArg(0);
    if (inner == e) return e;
    e = inner;
  }
}

bool Reader::readObject(const clang::VarDecl &parameter, clang::QualType type, unsigned place) {
  const bool refers = type->isLValueReferenceType(), points = type->isPointerType();
  const clang::QualType own = refers || points ? type->getPointeeType() : type;
  const clang::CXXRecordDecl *record = own->getAsCXXRecordDecl();
  if (record == nullptr || record->isUnion() || own.isVolatileQualified()) return false;
  const std::string name = parameter.getNameAsString();
  if (name.empty()) return true;
  Object object{name + (points ? "->" : "."), name, own, {place}, !refers && !points, name, {}, {}};
  if (points && follows(parameter)) {
    followed.insert(&parameter);
    object.start = Expr::integer(0);
  }
  bindings[&parameter] = std::move(object);
  return true;
}

std::string Reader::spelled(clang::QualType type) const {
  clang::PrintingPolicy policy(context.getPrintingPolicy());
  policy.SuppressTagKeyword = true;
  policy.SuppressUnwrittenScope = true;
  return type.getCanonicalType().getAsString(policy);
}

/// What names a member: of a private one what opens it for those who stand outside its class.
std::string Reader::access(const Object &object, const clang::FieldDecl &field) {
  const std::string name = field.getNameAsString();
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&definition);
  const bool isOwn = method != nullptr && method->getParent()->getCanonicalDecl() ==
                                              llvm::cast<clang::CXXRecordDecl>(field.getParent())->getCanonicalDecl();
  if (isOwn || field.getAccess() == clang::AS_public) return object.prefix + name;
  const std::string owner = spelled(context.getRecordType(field.getParent()));
  std::string tag;
  for (const auto &[known, opened] : function.opened)
    if (opened.name == name && opened.owner == owner) tag = known;
  if (tag.empty()) {
    tag = unique(function.name + "_" + name + (name.back() == '_' ? "member" : "_member"));
    function.opened.push_back({tag, {name, owner, false}});
  }
  const bool points = object.prefix.ends_with("->");
  const std::string own = object.prefix.substr(0, object.prefix.size() - (points ? 2 : 1));
  return "(" + own + (points ? "->*" : ".*") + "memberOf(" + tag + "()))";
}

/// The member of an object as a part of its argument.
Object Reader::partIn(const Object &object, const clang::FieldDecl &field) const {
  Object part = object;
  part.type = field.getType().getNonReferenceType();
  part.path.push_back({field.getNameAsString(), spelled(context.getRecordType(field.getParent())),
                       field.getAccess() == clang::AS_public});
  return part;
}

Part &Reader::partOf(const Object &object, Part::Kind kind, std::int64_t element) {
  for (Part &part : function.parts)
    if (part.argument == object.argument && part.kind == kind && part.element == element &&
        std::equal(part.path.begin(), part.path.end(), object.path.begin(), object.path.end(),
                   [](const ClassMember &a, const ClassMember &b) { return a.name == b.name; }))
      return part;
  Part part;
  part.argument = object.argument;
  part.path = object.path;
  part.kind = kind;
  part.element = element;
  part.type = spelled(object.type.getNonReferenceType().getUnqualifiedType());
  return function.parts.emplace_back(part);
}

std::string Reader::takenName(const Object &object, const std::string &part) {
  const std::string base = object.name.empty() ? part : object.name + "_" + part;
  return base.back() == '_' ? base.substr(0, base.size() - 1) : base;
}

Expr Reader::takenNumber(const Object &object, const std::string &part, unsigned rank, const std::string &taken,
                         Type type, clang::QualType limits) {
  const auto before = std::find_if(function.parameters.begin(), function.parameters.end(),
                                   [&](const Parameter &p) { return p.taken == taken; });
  std::string name = before != function.parameters.end() ? before->name : "";
  if (name.empty()) {
    name = unique(takenName(object, part));
    Parameter parameter;
    parameter.name = name;
    parameter.type = type;
    parameter.taken = taken;
    function.parameters.push_back(parameter);
    orders.push_back(object.order);
    orders.back().push_back(rank);
    if (limits->isIntegerType() || limits->isEnumeralType()) learnLimits(name, limits);
  }
  const Expr symbol = Expr::symbol(name, type == Type::Bool ? Type::Int32 : type);
  return type == Type::Bool ? Expr::make(Op::Ne, {symbol, Expr::integer(0, Type::Int32)}) : symbol;
}

Place Reader::takenArray(const Object &object, const std::string &part, unsigned rank, Array array, std::string taken) {
  const auto isNumber = [&](const Parameter &p) { return p.taken == taken && !p.isArray; };
  if (const auto fixed = fixedParts.find(taken); fixed != fixedParts.end() && !array.isConst)
    refuse("elements of member '" + part + "' are sizes, and it is used as an array", fixed->second);
  if (std::any_of(function.parameters.begin(), function.parameters.end(), isNumber))
    refuse("member '" + part + "' is changed by a function that is called here", array.where);
  const bool points = array.flat || (!array.extents.empty() && !array.extents.front());
  const auto before = std::find_if(function.parameters.begin(), function.parameters.end(),
                                   [&](const Parameter &p) { return p.taken == taken; });
  if (before == function.parameters.end()) {
    array.name = unique(takenName(object, part));
    array.storage = Array::Storage::Parameter;
    array.derived = derived.contains(object.argument) && !fresh.contains(object.argument);
    array.restricted = array.restricted || fresh.contains(object.argument);
    Parameter parameter;
    parameter.name = array.name;
    parameter.type = array.type;
    parameter.isArray = true;
    parameter.taken = std::move(taken);
    parameter.isReference = !points;
    function.parameters.push_back(parameter);
    orders.push_back(object.order);
    orders.back().push_back(rank);
    addArray(array);
  } else {
    array.name = before->name;
  }
  return points ? Place{array.name, {Expr::integer(0)}} : Place{array.name, {}};
}

Reader::Binding Reader::member(const Object &object, const clang::FieldDecl &field, const SourceRange &where) {
  const std::string name = field.getNameAsString();
  if (object.local) {
    const auto found = object.local->members.find(&field);
    if (found == object.local->members.end()) refuse("member '" + name + "' has no known value", where);
    return found->second;
  }
  if (name.empty() || field.isBitField() || field.isMutable()) refuse("member '" + name + "' is not supported", where);
  const clang::QualType declared = field.getType(), type = declared.getNonReferenceType();
  if (type.isVolatileQualified()) refuse("member '" + name + "' is volatile", where);
  const bool isConst = object.type.isConstQualified() && !declared->isReferenceType();
  const std::string taken = access(object, field);
  const unsigned rank = field.getFieldIndex() * 2;
  Object part = partIn(object, field);
  if (declared->isReferenceType()) function.isMakeable = false;
  const auto change = changed.find(&field);
  const bool isChanged = change != changed.end();
  Array array;
  array.where = where;
  if (type->isPointerType() || type->isArrayType()) {
    const clang::QualType pointee = type->isPointerType() ? type->getPointeeType() : type;
    const auto element = elementType(elementOf(pointee));
    if (pointee->isRecordType() && type->isPointerType() && !isChanged) {
      Object nested{taken + "->", takenName(object, name), pointee, object.order, false, part.argument, part.path, {}};
      nested.path.back().points = true;
      nested.order.push_back(rank);
      return nested;
    }
    if (!element || pointee.isVolatileQualified())
      refuse("member '" + name + "' has the unsupported type '" + declared.getAsString() + "'", where);
    if (isChanged && type->isPointerType()) refuse("pointer '" + name + "' is changed", rangeOf(change->second));
    array.type = *element;
    array.spelling = spellingOf(elementOf(pointee), context);
    array.extents = extentsOf(pointee, where);
    array.flat = type->isPointerType() && !pointee->isArrayType();
    if (type->isPointerType()) array.extents.insert(array.extents.begin(), Expr());
    array.isConst = elementOf(pointee).isConstQualified() || (isConst && type->isArrayType());
    array.aliasesAny = mayAliasAny(elementOf(pointee));
    Place place = takenArray(object, name, rank, std::move(array), taken);
    if (type->isArrayType() && !declared->isReferenceType()) share(object, place, where);
    partOf(part, type->isPointerType() ? Part::Kind::Pointer : Part::Kind::Array).data = place.array;
    return place;
  }
  if (type->isRecordType()) {
    Object nested{taken + ".",   takenName(object, name), type,      object.order,
                  object.isCopy, part.argument,           part.path, {}};
    if (isConst) nested.type.addConst();
    nested.isShared = object.isShared && !declared->isReferenceType();
    nested.order.push_back(rank);
    return nested;
  }
  const auto kind = valueType(type);
  if (!kind) refuse("member '" + name + "' has the unsupported type '" + declared.getAsString() + "'", where);
  const bool isCount = isChanged && elementType(type);
  if (isCount || (isFloating(*kind) && !(object.isCopy && !isChanged))) {
    array.type = isFloating(*kind) ? *kind : *elementType(type);
    array.spelling = spellingOf(type, context);
    array.isConst = isConst || type.isConstQualified();
    Place place = takenArray(object, name, rank, std::move(array), taken);
    if (!declared->isReferenceType()) share(object, place, where);
    partOf(part, Part::Kind::Array).data = place.array;
    return place;
  }
  if (isChanged) refuse("member '" + name + "' is changed", rangeOf(change->second));
  const std::string cast = type->isEnumeralType() ? "static_cast<" + spell(*kind) + ">(" + taken + ")" : taken;
  Expr number = takenNumber(object, name, rank, cast, *kind, type);
  if (!object.isCopy) {
    const Type element = elementType(type).value_or(*kind);
    references.emplace_back(isCharacter(element) ? *kind : element, taken);
    if (owners.contains(object.argument)) owned.insert(taken);
  }
  partOf(part, Part::Kind::Number).data = *symbols(number).begin();
  return number;
}

std::optional<Object> Reader::known(const clang::Expr *expression) {
  const clang::Expr *e = bare(expression);
  if (llvm::isa<clang::CXXThisExpr>(e)) return self;
  if (const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(e);
      operation != nullptr &&
      (operation->getOpcode() == clang::UO_Deref || operation->getOpcode() == clang::UO_AddrOf)) {
    const clang::QualType inner = operation->getSubExpr()->getType();
    if (auto elements = elementsFrom(*e)) return elements;
    if (!inner->isRecordType() && !(inner->isPointerType() && inner->getPointeeType()->isRecordType()))
      return std::nullopt;
    auto object = known(operation->getSubExpr());
    if (object && operation->getOpcode() == clang::UO_Deref)
      if (auto element = pointedElement(*object, e->getType(), rangeOf(e))) return element;
    return object;
  }
  if (const auto *step = llvm::dyn_cast<clang::UnaryOperator>(e); step != nullptr && step->isIncrementDecrementOp() &&
                                                                  pointsToRecords(step->getType()) &&
                                                                  followedIn(step->getSubExpr()) != nullptr)
    return std::get<Object>(steps(*step));
  if (const auto *asked = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
      asked != nullptr && asked->getNumArgs() == 1 && isIteratorClass(asked->getArg(0)->getType()) &&
      (asked->getOperator() == clang::OO_Star || asked->getOperator() == clang::OO_Arrow))
    if (const auto object = known(bareIterator(asked->getArg(0))))
      return pointedElement(*object, pointedTo(asked->getArg(0)->getType()), rangeOf(e));
  if (const auto step = iteratorStep(e); step && pointedTo(step->target->getType())->isRecordType())
    if (const auto met = stepsIterator(*e)) {
      const Object *object = std::get_if<Object>(&*met);
      return object != nullptr ? std::optional(*object) : std::nullopt;
    }
  if (const auto *decayed = llvm::dyn_cast<clang::ImplicitCastExpr>(e);
      decayed != nullptr && decayed->getCastKind() == clang::CK_ArrayToPointerDecay && pointsToRecords(e->getType()))
    if (auto array = known(decayed->getSubExpr()); array && array->rows) {
      if (!array->start) array->start = Expr::integer(0);
      return array;
    }
  if (const auto *based = llvm::dyn_cast<clang::ImplicitCastExpr>(e);
      based != nullptr &&
      (based->getCastKind() == clang::CK_UncheckedDerivedToBase || based->getCastKind() == clang::CK_DerivedToBase))
    if (auto whole = known(based->getSubExpr()); whole && whole->local) return whole;
  if (auto elements = elementsFrom(*e)) return elements;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto found = bindings.find(reference->getDecl());
    const Object *object = found != bindings.end() ? std::get_if<Object>(&found->second) : nullptr;
    if (object == nullptr) return globalContainer(*reference);
    if (const auto change = changed.find(reference->getDecl()); change != changed.end() && !isContainer(*object) &&
                                                                reference->getDecl()->getType()->isPointerType() &&
                                                                followedIn(reference) == nullptr)
      refuse("pointer '" + reference->getDecl()->getNameAsString() + "' is changed", rangeOf(change->second));
    return *object;
  }
  if (auto element = elementAt(*e)) return element;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e)) {
    if (auto part = partAsked(*call))
      if (Object *object = std::get_if<Object>(&*part)) return *object;
    if (call->isGLValue()) return objectOfCall(*call);
  }
  if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(e);
      access != nullptr && llvm::isa<clang::FieldDecl>(access->getMemberDecl())) {
    Binding found = memberOf(*access);
    if (Object *object = std::get_if<Object>(&found)) {
      object->isTemporary = false; // the object around has its arrays
      return *object;
    }
  }
  return std::nullopt;
}

Object Reader::objectOf(const clang::Expr *expression) {
  if (auto object = known(expression)) return *object;
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(bare(expression))) return chosenObject(*choice);
  if (auto number = complexMade(expression)) return *number;
  if (auto span = spanMade(bare(expression))) return *span;
  if (const auto *made = llvm::dyn_cast<clang::CallExpr>(bare(expression)))
    if (auto object = objectOfCall(*made)) return *object;
  return constructed(expression);
}

Reader::Binding Reader::memberOf(const clang::MemberExpr &expression) {
  const auto *field = llvm::dyn_cast<clang::FieldDecl>(expression.getMemberDecl());
  auto object = field != nullptr ? known(expression.getBase()) : std::nullopt;
  if (field != nullptr && !object && !expression.isArrow() && isTemporary(expression.getBase()))
    object = objectOf(expression.getBase());
  if (!object) refuse("a member of a structure is not supported", rangeOf(&expression));
  const clang::QualType base = expression.getBase()->getType();
  const auto element =
      expression.isArrow() ? pointedElement(*object, base->getPointeeType(), rangeOf(&expression)) : std::nullopt;
  return member(element ? *element : *object, *field, rangeOf(&expression));
}

void Reader::sortArguments() {
  std::vector<std::size_t> places(function.parameters.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(orders[a], a) < std::pair(orders[b], b); });
  std::vector<Parameter> parameters;
  std::vector<Array> arrays;
  for (const std::size_t place : places) {
    parameters.push_back(function.parameters[place]);
    for (const Array &array : function.arrays)
      if (array.storage == Array::Storage::Parameter && array.name == parameters.back().name) arrays.push_back(array);
  }
  for (const Array &array : function.arrays)
    if (array.storage != Array::Storage::Parameter) arrays.push_back(array);
  function.parameters = std::move(parameters);
  function.arrays = std::move(arrays);
}

} // namespace polymend
