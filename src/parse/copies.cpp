// Objects that a function has for itself. Of one that may change, or that is made of what may, the members are
// variables of their own; an assignment of an object is one of its members, a call that returns one makes it of what
// its return statement says. A part of a span or of a vector is a container of its own that begins at another element.
#include "algorithms.h"
#include "containers.h"
#include "optionals.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"
#include "wide_elements.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

bool isElement(const Place &place, const Array &array) { return place.subscripts.size() == array.extents.size(); }

void eachAssign(const Body &body, const std::function<void(const Assign &)> &f) {
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      eachAssign((*loop)->body, f);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      eachAssign((*branch)->then, f);
      eachAssign((*branch)->otherwise, f);
    } else {
      f(*std::get<std::shared_ptr<const Assign>>(node));
    }
  }
}

} // namespace

/// An array that a copy goes on reading: it may not be written.
void Reader::share(const Object &object, const Place &place, const SourceRange &where) {
  if (object.isShared) stillRead.insert({place.array, where});
}

/// The object as a copy that nobody changes: what it holds stays as it is, or the function is refused.
Object Reader::held(const Object &object, const SourceRange &where) {
  Object result = object;
  result.isShared = !object.local;
  result.isTemporary = false;
  if (!object.local) return result;
  freezeParts(object, where);
  const auto fields = std::make_shared<ObjectFields>();
  for (const auto &[field, binding] : object.local->members) {
    fields->members[field] = binding;
    if (const Expr *value = std::get_if<Expr>(&binding)) freeze(*value, where);
    const Object *nested = std::get_if<Object>(&binding);
    if (nested != nullptr && field->getType()->isRecordType()) fields->members[field] = held(*nested, where);
  }
  result.local = fields;
  return result;
}

/// Nothing is written that a copy still reads.
void Reader::checkCopies() const {
  eachAssign(function.body, [&](const Assign &assign) {
    if (const auto copy = stillRead.find(assign.target); copy != stillRead.end())
      refuse("'" + assign.target +
                 "' changes, and this copy of what holds it would change with it: take a reference, "
                 "or copy its members to variables",
             copy->second);
  });
}

/// Is it made of values or of places that others may change?
bool Reader::needsCopy(const Object &object) const {
  if (!object.local) return false;
  return std::any_of(object.local->members.begin(), object.local->members.end(), [&](const auto &member) {
    const Binding &binding = member.second;
    if (const Expr *value = std::get_if<Expr>(&binding)) return mayChange(*value);
    if (const Object *nested = std::get_if<Object>(&binding)) return needsCopy(*nested);
    const Place &place = std::get<Place>(binding);
    const bool isChosen = std::any_of(place.subscripts.begin(), place.subscripts.end(),
                                      [](const Expr &subscript) { return polymend::reads(subscript); });
    return !member.first->getType()->isPointerType() && (isChosen || !arrayNamed(place.array).isConst);
  });
}

/// An array of its own with the elements of another one.
Place Reader::copyOf(const Place &place, const std::string &name, clang::QualType type, const SourceRange &where,
                     Body &out) {
  const Place result = arrayOf(name, arrayNamed(place.array).type, type, where);
  copyArray(rowOf(result), rowOf(place), type, where, out);
  return result;
}

/// The object with variables for its numbers: of floats always, of integers where they change.
Object Reader::ownCopy(const Object &object, const std::string &name, const SourceRange &where, Body &out) {
  Object result = object;
  const auto fields = std::make_shared<ObjectFields>();
  for (const auto &[field, binding] : object.local->members) {
    const std::string own = name + "_" + field->getNameAsString();
    Expr value;
    if (const Object *nested = std::get_if<Object>(&binding)) {
      const bool points = field->getType()->isPointerType();
      Object inner = *nested;
      inner.isTemporary = object.isTemporary;
      fields->members[field] = points ? *nested : inner.local ? ownCopy(inner, own, where, out) : held(*nested, where);
      continue;
    }
    const Place *place = std::get_if<Place>(&binding);
    if (place != nullptr && !lengthsOf(field->getType(), context).empty()) {
      fields->members[field] = object.isTemporary ? *place : copyOf(*place, own, field->getType(), where, out);
      continue;
    }
    const Expr *number = std::get_if<Expr>(&binding);
    const bool points = field->getType()->isPointerType();
    if (place != nullptr && !points && object.isTemporary && place->subscripts.empty() &&
        arrayNamed(place->array).storage == Array::Storage::Local) {
      fields->members[field] = *place;
      continue;
    }
    if (place != nullptr && !points && isElement(*place, arrayNamed(place->array))) {
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
    const auto type = memberType(field->getType());
    if (!value || !type) {
      if (place != nullptr && !points) stillRead.insert({place->array, where});
      if (place != nullptr)
        for (const Expr &subscript : place->subscripts) freeze(subscript, where);
      if (number != nullptr) freeze(*number, where);
      fields->members[field] = binding;
      continue;
    }
    const Place variable = variableFor(own, *type, where);
    if (!isFloating(*type)) writtenIntegers.insert({variable.array, where});
    put(variable, value.type() == *type ? value : storedIn(arrayNamed(variable.array), value, where), where, out);
    fields->members[field] = variable;
  }
  result.isTemporary = false; // but for whom it is made for
  result.local = fields;
  return result;
}

/// Do its values read nothing of what the other object's members are?
bool Reader::readsNoneOf(const Object &object, const Object &other) const {
  std::set<std::string> read, written;
  const auto collect = [](const auto &self, const Object &from, std::set<std::string> &names) -> void {
    for (const auto &[field, binding] : from.local->members) {
      const Object *nested = std::get_if<Object>(&binding);
      if (nested != nullptr && nested->local) self(self, *nested, names);
      if (const Place *place = std::get_if<Place>(&binding)) names.insert(place->array);
      if (const Expr *value = std::get_if<Expr>(&binding))
        visit(*value, [&](const Expr &node) {
          if (node.op() == Op::Read) names.insert(node->name);
        });
    }
  };
  collect(collect, object, read);
  collect(collect, other, written);
  return std::none_of(written.begin(), written.end(), [&](const std::string &name) { return read.contains(name); });
}

/// `a = b` of objects whose members are numbers; false: another call.
bool Reader::assignObject(const clang::CallExpr &call, Body &out) {
  const auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const auto *method = operation != nullptr && operation->getOperator() == clang::OO_Equal
                           ? llvm::dyn_cast_or_null<clang::CXXMethodDecl>(operation->getDirectCallee())
                           : nullptr;
  const bool copies = method != nullptr && method->isTrivial() &&
                      (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
  const SourceRange where = rangeOf(&call);
  auto target = copies ? known(operation->getArg(0)) : std::nullopt;
  if (target && !target->local) target = localOf(*target, where);
  if (!target || !target->local) return false;
  const bool isNamed =
      std::all_of(target->local->members.begin(), target->local->members.end(), [](const auto &member) {
        const Place *place = std::get_if<Place>(&member.second);
        return place != nullptr && place->subscripts.empty();
      });
  const auto *outer =
      std::exchange(standsAlone, isNamed ? llvm::dyn_cast<clang::CallExpr>(bare(operation->getArg(1))) : nullptr);
  const Object given = objectOf(operation->getArg(1));
  standsAlone = outer;
  if (!given.local) return false;
  assignMembers(*target, readsNoneOf(given, *target) ? given : ownCopy(given, "held", where, out), call, out);
  return true;
}

void Reader::assignMembers(const Object &target, const Object &given, const clang::Expr &call, Body &out) {
  const SourceRange where = rangeOf(&call);
  for (const auto &[field, binding] : target.local->members) {
    const Place *place = std::get_if<Place>(&binding);
    const auto source = given.local->members.find(field);
    const bool isKnown = source != given.local->members.end();
    if (!isKnown && isOptional(given.type)) continue; // it has no value
    const Object *inner = std::get_if<Object>(&binding);
    const Object *other = isKnown ? std::get_if<Object>(&source->second) : nullptr;
    if (inner != nullptr && inner->local && other != nullptr && other->local) {
      assignMembers(*inner, *other, call, out);
      continue;
    }
    const Place *held = isKnown ? std::get_if<Place>(&source->second) : nullptr;
    if (place != nullptr && held != nullptr && !lengthsOf(field->getType(), context).empty()) {
      copyArray(rowOf(*place), rowOf(*held), field->getType(), where, out);
      continue;
    }
    const Expr *number = isKnown ? std::get_if<Expr>(&source->second) : nullptr;
    if (place == nullptr || !memberType(field->getType()) || (held == nullptr && number == nullptr))
      refuse("an object is assigned whose members are not all numbers", where);
    const Array array = wholeElement(*place, &call);
    if (array.isConst) refuse("'" + array.name + "' is const and is written", where);
    if (!isFloating(array.type)) writtenIntegers.insert({array.name, where});
    put(*place, storedIn(array, held != nullptr ? readAt(*held, &call) : *number, where), where, out);
  }
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
  part.row.assign(elements.subscripts.begin(), elements.subscripts.end() - 1);
  part.start = simplify(elements.subscripts.back() + offset);
  Expr count;
  if (hasCount) {
    const clang::Expr *given = call.getArg(isFirst ? 0 : 1);
    const clang::Expr *written = given->IgnoreParenImpCasts();
    const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(written);
    const bool isRest = isPart && named != nullptr && named->getDecl()->getNameAsString() == "dynamic_extent" &&
                        named->getDecl()->isInStdNamespace();
    if (!isRest) count = simplify(value(given));
    if (count) fitsSigned(count, unsignedWide, unread, where);
    if (count) freeze(count, where);
  }
  part.count = count ? count : simplify(countOf(*whole, where) - offset);
  return part;
}

/// `std::span<T>(pointer, count)`, or of a container; absent: another object.
std::optional<Object> Reader::spanMade(const clang::Expr *expression) {
  const clang::Expr *e = expression->IgnoreImplicit();
  if (const auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(e)) e = cast->getSubExpr()->IgnoreImplicit();
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e);
  const clang::CXXRecordDecl *record = made != nullptr ? made->getConstructor()->getParent() : nullptr;
  const bool isSpan = record != nullptr && record->isInStdNamespace() && record->getName() == "span";
  if (!isSpan || made->getNumArgs() == 0) return std::nullopt;
  const SourceRange where = rangeOf(made);
  Object span{"", "", made->getType(), {}, true, "", {}, {}};
  if (made->getNumArgs() == 1) {
    const auto whole = known(made->getArg(0));
    if (!whole || !isContainer(*whole)) return std::nullopt;
    if (elementIn(whole->type, context)->isRecordType() && containerName(elementIn(whole->type, context)).empty()) {
      Object view = *whole;
      view.count = countOf(*whole, where);
      view.isView = true;
      return view;
    }
    const Place elements = elementsOf(*whole, where);
    span.scratch = elements.array;
    span.row.assign(elements.subscripts.begin(), elements.subscripts.end() - 1);
    span.start = elements.subscripts.back();
    span.count = countOf(*whole, where);
    return span;
  }
  const clang::Expr *first = made->getArg(0), *count = made->getArg(1);
  if (!first->getType()->isPointerType() || !count->getType()->isIntegerType()) return std::nullopt;
  const Place elements = pointer(first);
  if (elements.subscripts.size() != 1) return std::nullopt;
  span.scratch = elements.array;
  span.start = elements.subscripts.back();
  span.count = simplify(value(count));
  fitsSigned(span.count, unsignedWide, unread, where);
  freeze(span.count, where);
  return span;
}

/// `std::vector<T> v(other)`, or of a std::array; false: another declaration.
bool Reader::declareCopy(const clang::VarDecl &variable, Body &out) {
  if (!variable.hasInit() || variable.isStaticLocal()) return false;
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(variable.getInit()->IgnoreImplicit());
  if (made == nullptr || !made->getConstructor()->isCopyConstructor() || made->getNumArgs() != 1) return false;
  if (!variable.getType()->getAsCXXRecordDecl()->isInStdNamespace()) return false;
  const auto given = known(made->getArg(0));
  if (!given || !isContainer(*given)) return false;
  const llvm::StringRef kind = variable.getType()->getAsCXXRecordDecl()->getName();
  if (kind != "vector" && kind != "array") return false;
  const SourceRange where = rangeOf(variable.getSourceRange());
  const Place from = elementsOf(*given, where);
  Array array;
  array.name = unique(variable.getNameAsString());
  array.type = arrayNamed(from.array).type;
  array.extents = {countOf(*given, where)};
  array.where = where;
  const std::set<std::string> used = symbols(array.extents.front());
  const bool varies = std::any_of(knowledge.loops.begin(), knowledge.loops.end(),
                                  [&](const LoopRange &loop) { return used.contains(loop.variable); });
  if (varies || polymend::reads(array.extents.front())) refuse("the size of an array varies in a loop", where);
  const std::string name = addArray(array).name;
  if (!isFloating(array.type)) writtenIntegers.insert({name, where});
  Body *outer = std::exchange(sink, nullptr);
  const auto read = [&](const Expr &number, Body &body) {
    ExprNode element;
    element.op = Op::Read;
    element.type = array.type;
    element.name = from.array;
    element.args = further(from, number).subscripts;
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
  if (pointer->getType()->getPointeeType()->isRecordType())
    refuse("a comparison of a pointer to a structure is not supported: its members are taken before", rangeOf(pointer));
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
  if (!type->isIntegerType() || type->isBooleanType() || !elementType(type)) return {};
  const auto object = known(access->getBase());
  const Expr number = object && !object->local && !object->prefix.empty() ? subscript(index) : Expr();
  if (!number || number.op() != Op::Integer || number->integer < 0) return {};
  const std::string array = this->access(*object, *field);
  const std::string whole = base->getType()->isRecordType() ? array + ".data()" : array;
  const auto isArray = [&](const Parameter &p) { return p.taken == whole && p.isArray; };
  if (std::any_of(function.parameters.begin(), function.parameters.end(), isArray)) return {};
  fixedParts.insert({whole, rangeOf(expression)});
  const std::string at = std::to_string(number->integer);
  const std::string taken = array + "[" + at + "]";
  const unsigned rank = field->getFieldIndex() * 2;
  const Type carried = valueType(type).value_or(*elementType(type));
  const Expr size = takenNumber(*object, field->getNameAsString() + "_" + at, rank, taken, carried, type);
  if (!object->isCopy) references.emplace_back(*elementType(type), taken);
  partOf(partIn(*object, *field), Part::Kind::Number, number->integer).data = size->name;
  return size;
}

} // namespace polymend
