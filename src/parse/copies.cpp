// Objects that a function has for itself. Of one that may change, or that is made of what may, the members are
// variables of their own; an assignment of an object is one of its members, a call that returns one makes it of what
// its return statement says. A part of a span or of a vector is a container of its own that begins at another element.
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

bool isElement(const Place &place, const Array &array) { return place.subscripts.size() == array.extents.size(); }

void put(const Place &place, const Expr &value, const SourceRange &where, Body &out) {
  out.emplace_back(std::make_shared<const Assign>(Assign{place.array, place.subscripts, simplify(value), where}));
}

} // namespace

/// Is it made of values or of places that others may change?
bool Reader::needsCopy(const Object &object) const {
  if (!object.local) return false;
  return std::any_of(object.local->members.begin(), object.local->members.end(), [&](const auto &member) {
    const Binding &binding = member.second;
    if (const Expr *value = std::get_if<Expr>(&binding)) return mayChange(*value);
    if (const Object *nested = std::get_if<Object>(&binding)) return needsCopy(*nested);
    const Place &place = std::get<Place>(binding);
    return isElement(place, arrayNamed(place.array)) && !arrayNamed(place.array).isConst;
  });
}

/// The object with variables for its numbers: of floats always, of integers where they change.
Object Reader::ownCopy(const Object &object, const std::string &name, const SourceRange &where, Body &out) {
  Object result = object;
  const auto fields = std::make_shared<ObjectFields>();
  for (const auto &[field, binding] : object.local->members) {
    const std::string own = name + "_" + field->getNameAsString();
    Expr value;
    if (const Object *nested = std::get_if<Object>(&binding)) {
      fields->members[field] = nested->local ? Binding(ownCopy(*nested, own, where, out)) : binding;
      continue;
    }
    const Place *place = std::get_if<Place>(&binding);
    const Expr *number = std::get_if<Expr>(&binding);
    if (place != nullptr && isElement(*place, arrayNamed(place->array))) {
      ExprNode read;
      read.op = Op::Read;
      read.type = arrayNamed(place->array).type;
      read.name = place->array;
      read.args = place->subscripts;
      read.where = where;
      value = Expr(std::move(read));
    } else if (number != nullptr && (isFloating(number->type()) || changed.contains(field) || mayChange(*number))) {
      value = *number;
    }
    const auto type = elementType(field->getType());
    if (!value || !type) {
      fields->members[field] = binding;
      continue;
    }
    const Place variable = variableFor(own, *type, where);
    if (!isFloating(*type)) writtenIntegers.insert({variable.array, where});
    put(variable, value.type() == *type ? value : storedIn(arrayNamed(variable.array), value, where), where, out);
    fields->members[field] = variable;
  }
  result.local = fields;
  return result;
}

/// `a = b` of objects whose members are numbers; false: another call.
bool Reader::assignObject(const clang::CallExpr &call, Body &out) {
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const auto *method = operation != nullptr && operation->getOperator() == clang::OO_Equal
                           ? llvm::dyn_cast_or_null<clang::CXXMethodDecl>(operation->getDirectCallee())
                           : nullptr;
  const bool copies = method != nullptr && method->isTrivial() &&
                      (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
  const auto target = copies ? known(operation->getArg(0)) : std::nullopt;
  if (!target || !target->local) return false;
  const SourceRange where = rangeOf(&call);
  Object given = objectOf(operation->getArg(1));
  if (!given.local) return false;
  given = ownCopy(given, "held", where, out);
  for (const auto &[field, binding] : target->local->members) {
    const Place *place = std::get_if<Place>(&binding);
    const auto source = given.local->members.find(field);
    if (place == nullptr || source == given.local->members.end())
      refuse("an object is assigned whose members are not all numbers", where);
    const Array array = wholeElement(*place, &call);
    if (array.isConst) refuse("'" + array.name + "' is const and is written", where);
    if (!isFloating(array.type)) writtenIntegers.insert({array.name, where});
    const Place *held = std::get_if<Place>(&source->second);
    const Expr *number = std::get_if<Expr>(&source->second);
    if (held == nullptr && number == nullptr) refuse("an object is assigned whose members are not all numbers", where);
    put(*place, storedIn(array, held != nullptr ? readAt(*held, &call) : *number, where), where, out);
  }
  return true;
}

/// The object that a call returns; absent: the call is of another kind.
std::optional<Object> Reader::objectOfCall(const clang::CallExpr &call) {
  if (auto part = partOfSpan(call)) return part;
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (callee == nullptr || !callee->hasBody() || callee->isInStdNamespace() || !call.getType()->isRecordType())
    return std::nullopt;
  std::optional<Object> result;
  within(bodyOf(*callee, call), call, false, [&](const Statements &body) {
    for (const clang::Stmt *s : body) {
      if (const auto *returns = llvm::dyn_cast<clang::ReturnStmt>(s)) {
        result = objectOf(returns->getRetValue());
        return;
      }
      if (sink == nullptr) refuse("this call needs statements of its own, where none can stand", rangeOf(&call));
      statement(s, *sink);
    }
  });
  if (result && needsCopy(*result) && sink != nullptr) result = ownCopy(*result, "made", rangeOf(&call), *sink);
  return result;
}

/// `s.subspan(offset, count)`, `s.first(count)`; absent: another call.
std::optional<Object> Reader::partOfSpan(const clang::CallExpr &call) {
  const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  const clang::FunctionDecl *callee = member != nullptr ? call.getDirectCallee() : nullptr;
  if (callee == nullptr || !callee->getDeclName().isIdentifier()) return std::nullopt;
  const bool isPart = callee->getName() == "subspan", isFirst = callee->getName() == "first";
  const auto whole = isPart || isFirst ? known(member->getImplicitObjectArgument()) : std::nullopt;
  if (!whole || !isContainer(*whole) || call.getNumArgs() == 0) return std::nullopt;
  const SourceRange where = rangeOf(&call);
  const Place elements = elementsOf(*whole, where);
  const bool hasCount = isFirst || (call.getNumArgs() > 1 && !llvm::isa<clang::CXXDefaultArgExpr>(call.getArg(1)));
  const Expr offset = isPart ? subscript(call.getArg(0)) : Expr::integer(0);
  Object part{"", "", whole->type, {}, true, "", {}, {}, elements.array};
  part.start = simplify(elements.subscripts.back() + offset);
  part.count = hasCount ? subscript(call.getArg(isFirst ? 0 : 1)) : simplify(countOf(*whole, where) - offset);
  return part;
}

/// `std::vector<T> v(other)`; false: another declaration.
bool Reader::declareCopy(const clang::VarDecl &variable, Body &out) {
  if (!variable.hasInit() || variable.isStaticLocal()) return false;
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(variable.getInit()->IgnoreImplicit());
  if (made == nullptr || !made->getConstructor()->isCopyConstructor() || made->getNumArgs() != 1) return false;
  const auto given = known(made->getArg(0));
  if (!given || !isContainer(*given) || !variable.getType()->getAsCXXRecordDecl()->isInStdNamespace()) return false;
  if (variable.getType()->getAsCXXRecordDecl()->getName() != "vector") return false;
  const SourceRange where = rangeOf(variable.getSourceRange());
  const Place from = elementsOf(*given, where);
  Array array;
  array.name = unique(variable.getNameAsString());
  array.type = arrayNamed(from.array).type;
  array.extents = {countOf(*given, where)};
  array.where = where;
  const std::string name = addArray(array).name;
  if (!isFloating(array.type)) writtenIntegers.insert({name, where});
  Body *outer = std::exchange(sink, nullptr);
  const auto read = [&](const Expr &number, Body &body) {
    ExprNode element;
    element.op = Op::Read;
    element.type = array.type;
    element.name = from.array;
    element.args = {simplify(from.subscripts.back() + number)};
    element.where = where;
    put(Place{name, {number}}, Expr(std::move(element)), where, body);
  };
  eachOf(array.extents.front(), "at", where, read, out);
  sink = outer;
  bindings[&variable] = Object{"", "", variable.getType(), {}, true, "", {}, {}, name, array.extents.front()};
  return true;
}

/// What `p != nullptr` says of an argument: true, where the function is called with memory; else its own text runs.
Expr Reader::isGiven(const clang::Expr *pointer) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(pointer->IgnoreParenImpCasts());
  const auto *parameter = reference != nullptr ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
  const auto &own = definition.parameters();
  const bool isArgument = std::find(own.begin(), own.end(), parameter) != own.end();
  if (parameter == nullptr || !isArgument || changed.contains(parameter))
    refuse("a comparison of this pointer is not supported", rangeOf(pointer));
  const std::string name = parameter->getNameAsString();
  const Object none{"", "", context.IntTy, {parameter->getFunctionScopeIndex()}, true, name, {}, {}};
  const Expr given =
      takenNumber(none, name + "_given", 0, "static_cast<int>(" + name + " != nullptr)", Type::Int32, context.IntTy);
  assume(Expr::make(Op::Le, {Expr::integer(1), given}));
  return Expr::integer(1);
}

/// An element of an array of integers that an object holds, at a constant place: a number; absent: another expression.
Expr Reader::fixedElement(const clang::Expr *expression) {
  const clang::Expr *base = nullptr, *index = nullptr;
  if (const auto *subscripted = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    base = subscripted->getBase()->IgnoreParenImpCasts();
    index = subscripted->getIdx();
    if (!base->getType()->isConstantArrayType()) return {};
  } else if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
             call != nullptr && call->getOperator() == clang::OO_Subscript && call->getNumArgs() == 2) {
    base = call->getArg(0)->IgnoreParenImpCasts();
    index = call->getArg(1);
    const clang::CXXRecordDecl *record = base->getType()->getAsCXXRecordDecl();
    if (record == nullptr || !record->isInStdNamespace() || record->getName() != "array") return {};
  }
  const auto *access = base != nullptr ? llvm::dyn_cast<clang::MemberExpr>(base) : nullptr;
  const auto *field = access != nullptr ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl()) : nullptr;
  if (field == nullptr || changed.contains(field)) return {};
  const clang::QualType type = expression->getType().getNonReferenceType();
  if (!type->isIntegerType() || type->isBooleanType() || !valueType(type)) return {};
  const auto object = known(access->getBase());
  const Expr number = object && !object->local && !object->prefix.empty() ? subscript(index) : Expr();
  if (!number || number.op() != Op::Integer || number->integer < 0) return {};
  const std::string array = this->access(*object, *field);
  const std::string whole = base->getType()->isRecordType() ? array + ".data()" : array;
  const auto isArray = [&](const Parameter &p) { return p.taken == whole && p.isArray; };
  if (std::any_of(function.parameters.begin(), function.parameters.end(), isArray)) return {};
  fixedParts.insert({whole, rangeOf(expression)});
  function.isMakeable = false;
  const std::string at = std::to_string(number->integer);
  const std::string taken = array + "[" + at + "]";
  const unsigned rank = field->getFieldIndex() * 2;
  const Expr size = takenNumber(*object, field->getNameAsString() + "_" + at, rank, taken, *valueType(type), type);
  if (!object->isCopy) references.emplace_back(*elementType(type), taken);
  return size;
}

} // namespace polymend
