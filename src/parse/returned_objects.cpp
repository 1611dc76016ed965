// Objects that calls return: by the equations of the callee's statements, where early returns choose, or by its
// statements, each return of which puts the members into variables. What such a call changes besides its own is read
// where the call is all of a statement alone.
#include "effects.h"
#include "optionals.h"
#include "ranges.h"
#include "reader.h"
#include "turns.h"
#include "types.h"

#include <utility>

namespace polymend {

namespace {

constexpr const char *notItsOwn = " and changes what is not its own";

Expr zeroOf(Type type) { return isFloating(type) ? Expr::real(0, type) : Expr::integer(0, type); }

/// An object with zeros for its numbers, and for those of its members.
Object zerosLike(const Object &object) {
  Object result = object;
  const auto fields = std::make_shared<ObjectFields>();
  for (const auto &[field, member] : object.local ? object.local->members : ObjectFields().members) {
    if (const Object *nested = std::get_if<Object>(&member)) fields->members[field] = zerosLike(*nested);
    if (const auto type = valueType(field->getType())) fields->members[field] = zeroOf(*type);
  }
  result.local = fields;
  return result;
}

} // namespace

/// The number that a member of a local object is.
Expr Reader::numberIn(const Binding &member, const clang::Expr &where) const {
  if (const Expr *number = std::get_if<Expr>(&member)) return *number;
  const Place *place = std::get_if<Place>(&member);
  if (place == nullptr) refuse("an object of class type is not supported", rangeOf(&where));
  return readAt(*place, &where);
}

/// One object or the other, member by member; an optional that has no value leaves the other's.
Object Reader::eitherObject(const Expr &condition, const Object &a, const Object &b, const clang::Expr &where) {
  const auto refuseOthers = [&] {
    refuse("a choice between objects is supported where their members are numbers", rangeOf(&where));
  };
  if (!a.local || !b.local) refuseOthers();
  if (isOptional(a.type) && a.local->members.size() < b.local->members.size())
    return eitherObject(Expr::make(Op::Not, {condition}), b, a, where);
  const bool isEmpty = isOptional(a.type) && b.local->members.size() < a.local->members.size();
  if (!isEmpty && a.local->members.size() != b.local->members.size()) refuseOthers();
  Object result = a;
  result.isTemporary = false;
  const auto fields = std::make_shared<ObjectFields>();
  for (const auto &[field, member] : a.local->members) {
    const auto other = b.local->members.find(field);
    const bool isKnown = other != b.local->members.end();
    if ((!isKnown && !isEmpty) || field->getType()->isPointerType()) refuseOthers();
    const Object *nested = std::get_if<Object>(&member);
    const Object *otherNested = isKnown ? std::get_if<Object>(&other->second) : nullptr;
    if (nested != nullptr && otherNested != nullptr) {
      fields->members[field] = eitherObject(condition, *nested, *otherNested, where);
      continue;
    }
    if (nested != nullptr && !isKnown) {
      fields->members[field] = eitherObject(condition, *nested, zerosLike(*nested), where);
      continue;
    }
    if (!valueType(field->getType())) refuseOthers();
    const Type type = *valueType(field->getType());
    const Expr then = convert(numberIn(member, where), type, rangeOf(&where)),
               otherwise = isKnown ? convert(numberIn(other->second, where), type, rangeOf(&where)) : zeroOf(type);
    fields->members[field] = choose(condition, then, otherwise);
  }
  result.local = fields;
  return result;
}

/// `c ? a : b` of objects.
Object Reader::chosenObject(const clang::ConditionalOperator &choice) {
  const Expr condition = simplify(value(choice.getCond()));
  Body *outer = std::exchange(sink, nullptr);
  const Object then = objectOf(choice.getTrueExpr()), otherwise = objectOf(choice.getFalseExpr());
  sink = outer;
  if (condition.op() == Op::Integer) return condition->integer != 0 ? then : otherwise;
  return eitherObject(condition, then, otherwise, choice);
}

/// The object that statements return, where an early return chooses; absent: they may return none that is known.
std::optional<Object> Reader::objectReturned(const Statements &statements, const clang::CallExpr &call) {
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const clang::Stmt *s = statements[k];
    if (const auto *returns = llvm::dyn_cast<clang::ReturnStmt>(s)) {
      const clang::Expr *returned = returns->getRetValue();
      if (call.isGLValue()) return known(returned);
      const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(bare(returned));
      const auto *local = named != nullptr ? llvm::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
      const clang::FunctionDecl *callee = nullptr;
      const bool dies = local != nullptr && call.getDirectCallee()->hasBody(callee) &&
                        local->getDeclContext() == callee && local->hasLocalStorage() &&
                        !llvm::isa<clang::ParmVarDecl>(local) && local->getType()->isRecordType() &&
                        !local->getType().isConstQualified();
      const auto *outer = std::exchange(standsAlone, llvm::dyn_cast<clang::CallExpr>(bare(returned)));
      Object object = objectOf(returned);
      standsAlone = outer;
      object.isTemporary = object.isTemporary || dies;
      return object;
    }
    const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s);
    if (block != nullptr && k + 1 == statements.size())
      return objectReturned({block->body_begin(), block->body_end()}, call);
    const auto *branch = llvm::dyn_cast<clang::IfStmt>(s);
    if (branch != nullptr && !call.isGLValue() && branch->getInit() == nullptr &&
        branch->getConditionVariable() == nullptr && alwaysEnds(branch->getThen(), Until::Return)) {
      const Expr condition = simplify(value(branch->getCond()));
      Statements rest(statements.begin() + static_cast<std::ptrdiff_t>(k) + 1, statements.end());
      if (branch->getElse() != nullptr) rest.insert(rest.begin(), branch->getElse());
      Body *outer = std::exchange(sink, nullptr);
      std::optional<Object> then, otherwise;
      const auto why = refusedBy(
          [&] {
            then = objectReturned({branch->getThen()}, call);
            otherwise = objectReturned(rest, call);
          },
          nullptr);
      sink = outer;
      const auto *arm = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen());
      if (why)
        refuse("a return before the end of the function is not supported",
               rangeOf(arm != nullptr ? arm->body_back() : branch->getThen()));
      if (!then || !otherwise) return std::nullopt;
      if (condition.op() == Op::Integer) return condition->integer != 0 ? then : otherwise;
      return eitherObject(condition, *then, *otherwise, call);
    }
    if (sink == nullptr) refuse("this call needs statements of its own, where none can stand", rangeOf(&call));
    statement(s, *sink);
  }
  return std::nullopt;
}

/// The object that a call returns or refers to; absent: the call is of another kind.
std::optional<Object> Reader::objectOfCall(const clang::CallExpr &call) {
  if (auto part = partOfSpan(call)) return part;
  if (auto part = partAsked(call))
    if (Object *object = std::get_if<Object>(&*part)) return *object;
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  const bool isStandard = callee != nullptr && (callee->isInStdNamespace() || callee->getBuiltinID() != 0 ||
                                                (method != nullptr && method->getParent()->isInStdNamespace()));
  if (callee == nullptr || !callee->hasBody() || isStandard || !call.getType()->isRecordType()) return std::nullopt;
  const bool stands = std::exchange(standsAlone, nullptr) == &call && sink != nullptr;
  std::optional<Object> result;
  auto why = refusedBy([&] { result = objectByEquations(*callee, call, false); }, sink);
  if (why && stands && why->reason.ends_with(notItsOwn))
    why = refusedBy([&] { result = objectByEquations(*callee, call, true); }, sink);
  if (!why) return result;
  if (call.isGLValue() || sink == nullptr) throw Refusal(*why);
  const auto other = refusedBy([&] { result = objectByStatements(*callee, call); }, sink);
  if (other) throw Refusal(returnsFromLoopOf(*callee) ? *other : *why);
  return result;
}

/// `stands`: the call is all of a statement, so that what it changes is changed there.
std::optional<Object> Reader::objectByEquations(const clang::FunctionDecl &helper, const clang::CallExpr &call,
                                                bool stands) {
  std::optional<Object> result;
  const std::size_t own = function.arrays.size();
  const std::size_t from = sink != nullptr ? sink->size() : 0;
  within(bodyOf(helper, call), call, stands, [&](const Statements &body) { result = objectReturned(body, call); });
  if (!stands && sink != nullptr && sink->size() > from && writesOthers(*sink, from, function.arrays, own))
    refuse("'" + helper.getNameAsString() + "' returns an object" + notItsOwn, rangeOf(&call));
  if (result && call.isGLValue()) freezeParts(*result, rangeOf(&call));
  if (result && !call.isGLValue() && needsCopy(*result) && sink != nullptr) {
    result = ownCopy(*result, "made", rangeOf(&call), *sink);
    result->isTemporary = true;
  }
  return result;
}

/// The object that a helper returns, where statements of which each returns one stand among others that run or do not:
/// each puts its members into variables.
std::optional<Object> Reader::objectByStatements(const clang::FunctionDecl &helper, const clang::CallExpr &call) {
  const SourceRange where = rangeOf(&call);
  const clang::FunctionDecl &body = bodyOf(helper, call);
  if (!alwaysEnds(body.getBody(), Until::Return)) refuse("its result is not known", where);
  Body &out = *sink;
  const std::size_t own = function.arrays.size(), from = out.size();
  auto result = openObject(helper.getReturnType(), helper.getNameAsString() + "_result", where);
  if (!result) refuse("a result of type '" + helper.getReturnType().getAsString() + "' is not supported here", where);
  within(body, call, false, [&](const Statements &statements) {
    resultObject = result;
    const auto leavingOuter = std::exchange(leaving, std::nullopt);
    returnsEarly = true;
    turn(statements, Until::Return, out);
    leaving = leavingOuter;
  });
  sink = &out;
  if (writesOthers(out, from, function.arrays, own))
    refuse("'" + helper.getNameAsString() + "' returns an object" + notItsOwn, where);
  result->isTemporary = true;
  return result;
}

} // namespace polymend
