// Calls of functions whose bodies are known. What a call returns is read where it stands: its statements go before the
// statement around it, and a choice between returns is a choice between values. That is right as long as these
// statements write what is the callee's own, and run wherever the call is evaluated: within a choice, on the right of
// && and ||, and in a loop's header a call may only be an expression. A call for its effects alone stands where it is.
#include "algorithms.h"
#include "closed.h"
#include "effects.h"
#include "optionals.h"
#include "outlined.h"
#include "ranges.h"
#include "reader.h"
#include "turns.h"
#include "types.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

constexpr std::size_t DeepestCall = 8;
constexpr std::size_t LargestCall = 20000;

std::vector<const clang::Stmt *> statementsOf(const clang::Stmt *s) {
  if (s == nullptr) return {};
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s)) return {block->body_begin(), block->body_end()};
  return {s};
}

bool isLambdaCall(const clang::FunctionDecl &callee) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  return method != nullptr && method->getParent()->isLambda();
}

/// The arguments of a call that its callee names: without the object that an operator is called on.
std::vector<const clang::Expr *> givenTo(const clang::FunctionDecl &callee, const clang::CallExpr &call) {
  const bool ofObject = llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee);
  std::vector<const clang::Expr *> all(call.arg_begin(), call.arg_end());
  if (ofObject) all.erase(all.begin());
  return all;
}

} // namespace

bool isTemporary(const clang::Expr *e) {
  e = e->IgnoreParens();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return isTemporary(full->getSubExpr());
  if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) return isTemporary(cast->getSubExpr());
  return llvm::isa<clang::MaterializeTemporaryExpr>(e);
}

const clang::FunctionDecl &Reader::bodyOf(const clang::FunctionDecl &helper, const clang::CallExpr &call) {
  const std::string name = helper.getNameAsString();
  const clang::FunctionDecl *body = nullptr;
  if (!helper.hasBody(body)) refuse("call of unknown function '" + name + "'", rangeOf(&call));
  if (helper.hasAttr<clang::WeakAttr>()) refuse("'" + name + "' is weak: another may take its place", rangeOf(&call));
  if (calls.size() >= DeepestCall) refuse("'" + name + "' calls itself or nests too deeply", rangeOf(&call));
  if (!llvm::isa<clang::CompoundStmt>(body->getBody())) refuse("'" + name + "' is a try block", rangeOf(&call));
  if (body->isVariadic()) refuse("'" + name + "' takes any number of arguments", rangeOf(&call));
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&helper);
  if (method != nullptr && method->isVirtual() && !method->hasAttr<clang::FinalAttr>())
    refuse("a call of the virtual function '" + name + "' is not supported", rangeOf(&call));
  return *body;
}

/// What a parameter of class type is: by reference the object itself, by value a copy, where it matters which.
Object Reader::objectArgument(const clang::ParmVarDecl &parameter, const clang::Expr &given, bool changes) {
  const SourceRange where = rangeOf(&given);
  if (parameter.getType()->isRecordType() && !endsSilently(parameter.getType()))
    refuse("a destructor runs where '" + parameter.getNameAsString() + "' ends, which is not supported", where);
  const bool isMade = isTemporary(&given);
  const bool outer = std::exchange(readsAtOnce, readsAtOnce || !changes);
  Object object = objectOf(&given);
  readsAtOnce = outer;
  const bool isChanged = changed.contains(&parameter);
  if (object.isView || (!isMade && !parameter.getType()->isRecordType())) {
    if (changes) freezeParts(object, where); // the element is chosen before the call
    return object;
  }
  if (isMade && object.isTemporary && !object.local) return object;
  if (!isChanged && !changes) return object;
  if (!isChanged && !needsCopy(object)) return held(object, where);
  if (isChanged && !object.local) object = localOf(object, where);
  if (!object.local) return held(object, where);
  if (sink == nullptr) refuse("this call needs statements of its own, where none can stand", where);
  return ownCopy(object, parameter.getNameAsString(), where, *sink);
}

Reader::Binding Reader::argument(const clang::ParmVarDecl &parameter, const clang::Expr &given, bool changes) {
  const clang::QualType type = parameter.getType();
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record != nullptr && record->isLambda()) { // its calls are read as what it says, wherever it is handed on
    if (changed.contains(&parameter)) refuse("a lambda is changed after its initialisation", rangeOf(&given));
    mayCapture(*record, false, rangeOf(&given), nullptr);
    return Object{"", "", type.getNonReferenceType(), {}, true, "", {}, {}};
  }
  if (type->isLValueReferenceType() && isFixedArray(type->getPointeeType()) && !isTemporary(&given))
    if (auto row = rowAt(given)) {
      row->place.subscripts.resize(row->chosen);
      return row->place;
    }
  if (type->getAsCXXRecordDecl() != nullptr || type->getPointeeCXXRecordDecl() != nullptr) {
    Object object = objectArgument(parameter, given, changes);
    object.isTemporary = false; // it has a name now
    return object;
  }
  if (type->isPointerType()) {
    if (follows(parameter)) followed.insert(&parameter);
    return pointer(&given);
  }
  const clang::QualType referred = type.getNonReferenceType();
  const bool refers = type->isLValueReferenceType();
  const bool isVariable = !referred.isConstQualified() && (referred->isFloatingType() || isNumberOfItsOwn(given));
  const auto chosenBefore = [&] {
    const Place place = lvalue(given.IgnoreImplicit());
    for (const Expr &one : place.subscripts)
      if (changes) freeze(one, rangeOf(&given));
    return place;
  };
  if (refers && (referred->isArrayType() || isVariable)) return chosenBefore();
  const bool reads = valueType(referred) && (!refers || referred.isConstQualified());
  if (!reads) refuse("an argument of type '" + type.getAsString() + "' cannot be inlined", rangeOf(&given));
  Expr initial = value(&given);
  const bool isElement = refers && !isTemporary(&given) && polymend::reads(initial);
  if (isElement && changes && isFloating(initial.type())) return chosenBefore();
  return standing(parameter, initial, changes, rangeOf(&given));
}

/// What stands for a parameter whose value is `initial` at first: that, or a copy where either may change.
Reader::Binding Reader::standing(const clang::ParmVarDecl &parameter, const Expr &initial, bool changes,
                                 const SourceRange &where) {
  const bool isChanged = changed.contains(&parameter);
  const bool isFollowed = isFloating(initial.type()) || follows(parameter);
  const bool isNumber = elementType(parameter.getType()) && !parameter.getType()->isBooleanType();
  if (isChanged && sink != nullptr && isNumber &&
      (!isFollowed || (needs != nullptr && needs->variables.contains(&parameter)))) {
    Place copy = variableFor(parameter.getNameAsString(), *elementType(parameter.getType()), where);
    if (isWord(parameter.getType())) unsignedWide.insert(copy.array);
    writtenIntegers.insert({copy.array, where});
    put(copy, storedIn(arrayNamed(copy.array), initial, where), where, *sink);
    return copy;
  }
  if (!isFloating(initial.type())) {
    if (isChanged && !follows(parameter)) refuse("parameter '" + parameter.getNameAsString() + "' is changed", where);
    if (isChanged) followed.insert(&parameter);
    if (isChanged || changes) freeze(initial, where); // else the call is a value, which is read at once
    return simplify(initial);
  }
  if (!isChanged && !(changes && polymend::reads(initial))) return initial;
  if (sink == nullptr) refuse("this call needs statements of its own, where none can stand", where);
  Place copy = variableFor(parameter.getNameAsString(), initial.type(), where);
  sink->emplace_back(std::make_shared<const Assign>(Assign{copy.array, {}, simplify(initial), where}));
  return copy;
}

Reader::Bindings Reader::argumentsOf(const clang::FunctionDecl &body, const clang::CallExpr &call, bool changes) {
  Bindings arguments;
  const std::vector<const clang::Expr *> given = givenTo(body, call);
  for (unsigned i = 0; i < given.size() && i < body.getNumParams(); ++i)
    arguments[body.getParamDecl(i)] = argument(*body.getParamDecl(i), *given[i], changes);
  return arguments;
}

void Reader::within(const clang::FunctionDecl &body, const clang::CallExpr &call, bool changes,
                    const std::function<void(const Statements &)> &read) {
  for (const auto &change : changedIn(body.getBody())) changed.insert(change);
  const clang::SourceManager &manager = context.getSourceManager();
  const bool isForeign = manager.isInSystemHeader(body.getLocation()) && !manager.isInSystemHeader(call.getBeginLoc());
  try {
    within(body, argumentsOf(body, call, changes), isLambdaCall(body) ? nullptr : objectIn(call), call, read);
  } catch (const Refusal &why) { // nobody changes the library's own text
    if (isForeign) refuse(why.reason, rangeOf(&call));
    throw;
  }
}

void Reader::within(const clang::FunctionDecl &body, const Bindings &arguments, const clang::Expr *given,
                    const clang::CallExpr &call, const std::function<void(const Statements &)> &read) {
  Bindings outside;
  for (const auto &[parameter, binding] : arguments) {
    if (const auto before = bindings.find(parameter); before != bindings.end()) outside[parameter] = before->second;
    bindings[parameter] = binding;
  }
  const std::optional<Object> outer = self;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&body);
  if (given != nullptr && isTemporary(given) && !method->isConst())
    refuse("an object of this place alone is changed by '" + method->getNameAsString() + "'", rangeOf(given));
  if (given != nullptr) {
    const bool isRead = method->isConst() && !call.getType()->isVoidType() && !takesVariables(*method);
    const bool atOnce = std::exchange(readsAtOnce, readsAtOnce || isRead);
    self = objectOf(given);
    self->isTemporary = false;
    readsAtOnce = atOnce;
  }
  const auto outerResult = std::exchange(resultPlace, std::nullopt);
  const auto outerObject = std::exchange(resultObject, std::nullopt);
  const bool outerReturns = std::exchange(returnsEarly, false);
  calls.push_back(rangeOf(&call));
  read(statementsOf(body.getBody()));
  calls.pop_back();
  returnsEarly = outerReturns;
  resultObject = outerObject;
  resultPlace = outerResult;
  self = outer;
  for (const clang::ParmVarDecl *parameter : body.parameters()) bindings.erase(parameter);
  for (auto &[parameter, binding] : outside) bindings[parameter] = binding;
}

Expr Reader::resultUnder(const Expr &condition, const Statements &statements, const clang::CallExpr &call) {
  const std::size_t known = knowledge.facts.size();
  for (const Expr &fact : factsOf(condition, knowledge)) knowledge.facts.push_back(fact);
  Body *outer = std::exchange(sink, nullptr);
  const Bindings before = followedValues();
  Expr result;
  const auto why = refusedBy([&] { result = resultOf(statements, call); }, nullptr);
  sink = outer;
  knowledge.facts.resize(known);
  if (why) result = resultAnyway(statements, call, *why);
  putBack(before);
  return result;
}

/// `return x = e;`: the assignment is a statement, and x is what is returned.
const clang::BinaryOperator *Reader::assignsFirst(const clang::Expr *returned) {
  const auto *first =
      returned != nullptr ? llvm::dyn_cast<clang::BinaryOperator>(returned->IgnoreParenImpCasts()) : nullptr;
  if (first == nullptr || !first->isAssignmentOp() || sink == nullptr || followedIn(first->getLHS()) != nullptr)
    return nullptr;
  assign(*first, *sink);
  chained.insert(first);
  return first;
}

Expr Reader::resultOf(const Statements &given, const clang::CallExpr &call) {
  const Statements statements = counted(given);
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const clang::Stmt *s = statements[k];
    const Statements rest(statements.begin() + static_cast<std::ptrdiff_t>(k) + 1, statements.end());
    if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(s)) {
      const clang::BinaryOperator *first = assignsFirst(result->getRetValue());
      const Expr returned = value(result->getRetValue(), bitsOfResult);
      if (first != nullptr) chained.erase(first);
      return returned;
    }
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s); block != nullptr && rest.empty())
      return resultOf(statementsOf(block), call);
    if (const auto *choice = llvm::dyn_cast<clang::SwitchStmt>(s); choice != nullptr && mayEnd(choice, Until::Return))
      return resultOfCases(*choice, rest, call);
    const auto *choice = llvm::dyn_cast<clang::IfStmt>(s);
    if (choice == nullptr || !mayEnd(choice, Until::Return)) {
      Body none;
      if (sink != nullptr)
        statement(s, *sink);
      else
        plainStatement(s, none);
      if (!none.empty())
        refuse("this call needs statements of its own, where none can stand: say its result in a variable before",
               rangeOf(&call));
      continue;
    }
    if (choice->isConsteval()) refuse("'if consteval' is not supported", rangeOf(choice));
    Body declared;
    declareHead(*choice, sink != nullptr ? *sink : declared);
    if (!declared.empty())
      refuse("this call needs statements of its own, where none can stand: say its result in a variable before",
             rangeOf(&call));
    Statements then = statementsOf(choice->getThen()), otherwise = statementsOf(choice->getElse());
    if (!alwaysEnds(choice->getThen(), Until::Return)) then.insert(then.end(), rest.begin(), rest.end());
    if (!alwaysEnds(choice->getElse(), Until::Return)) otherwise.insert(otherwise.end(), rest.begin(), rest.end());
    const Expr condition = simplify(value(choice->getCond()));
    settle(condition, rangeOf(choice));
    if (condition.op() == Op::Integer) return resultOf(condition->integer != 0 ? then : otherwise, call);
    const Expr first = resultUnder(condition, then, call);
    return choose(condition, first, resultUnder(Expr::make(Op::Not, {condition}), otherwise, call));
  }
  refuse("a function that is called here may end without a result", rangeOf(&call));
}

/// What the helper returns: by its equations, or, where it has none, by a call of it.
Expr Reader::inlined(const clang::FunctionDecl &helper, const clang::CallExpr &call, unsigned bits) {
  if (callsItself(helper)) {
    const Refusal why{"'" + helper.getNameAsString() + "' calls itself", rangeOf(&call)};
    if (const Expr result = called(helper, call, why)) return result;
  }
  Expr result;
  auto why = refusedBy([&] { result = byEquations(helper, call, bits); }, sink);
  if (why && turnsOn && sink != nullptr) {
    const auto other = refusedBy([&] { result = byStatements(helper, call); }, sink);
    if (other && returnsFromLoopOf(helper)) why = other;
  }
  if (why && !result) result = called(helper, call, *why);
  if (!result) throw Refusal(*why);
  return result;
}

Expr Reader::byEquations(const clang::FunctionDecl &helper, const clang::CallExpr &call, unsigned bits) {
  const std::string name = helper.getNameAsString();
  Expr result;
  const std::size_t own = function.arrays.size();
  const std::size_t from = sink != nullptr ? sink->size() : 0;
  const CallEffects around = std::exchange(callEffects, {});
  within(bodyOf(helper, call), call, takesVariables(helper), [&](const Statements &body) {
    const unsigned outer = std::exchange(bitsOfResult, bits);
    result = resultOf(body, call);
    bitsOfResult = outer;
  });
  settle(result, rangeOf(&call));
  callEffects = around;
  result = afterEffects(from, own, result, call);
  if (size(result) > LargestCall) refuse("'" + name + "' grows too large when inlined", rangeOf(&call));
  return result;
}

/// What the helper returns, where statements of which each returns it stand among others that run or do not.
Expr Reader::byStatements(const clang::FunctionDecl &helper, const clang::CallExpr &call) {
  const auto type = elementType(helper.getReturnType());
  const clang::FunctionDecl &body = bodyOf(helper, call);
  if (!type || !alwaysEnds(body.getBody(), Until::Return)) refuse("its result is not known", rangeOf(&call));
  Body &out = *sink;
  const std::size_t own = function.arrays.size(), from = out.size();
  const Place result = variableFor(helper.getNameAsString() + "_result", *type, rangeOf(&call));
  put(result, isFloating(*type) ? Expr::real(0, *type) : Expr::integer(0, *type), rangeOf(&call), out);
  if (!isFloating(*type)) writtenIntegers.insert({result.array, rangeOf(&call)});
  within(body, call, false, [&](const Statements &statements) {
    const auto outer = std::exchange(resultPlace, result);
    const auto leavingOuter = std::exchange(leaving, std::nullopt);
    returnsEarly = true;
    turn(statements, Until::Return, out);
    leaving = leavingOuter;
    resultPlace = outer;
  });
  sink = &out;
  return afterEffects(from, own, readAt(result, &call), call);
}

void Reader::effects(const clang::FunctionDecl &helper, const clang::CallExpr &call, Body &out) {
  within(bodyOf(helper, call), call, true, [&](const Statements &body) {
    const auto leavingOuter = std::exchange(leaving, std::nullopt);
    returnsEarly = true;
    turn(body, Until::Return, out);
    leaving = leavingOuter;
  });
}

/// What a lambda copies of an object or of what a reference leads to stays as it is.
void Reader::keepCaptured(const clang::VarDecl &captured, const SourceRange &where) {
  const auto found = bindings.find(&captured);
  if (found == bindings.end()) return;
  const Place *place = std::get_if<Place>(&found->second);
  const Object *object = std::get_if<Object>(&found->second);
  const bool refers = captured.getType()->isReferenceType();
  if (refers && ((place != nullptr && !arrayNamed(place->array).isConst) || (object != nullptr && needsCopy(*object))))
    refuse("a lambda copies what '" + captured.getNameAsString() + "' refers to, which may change", where);
  if (object != nullptr && !object->local && !captured.getType()->isPointerType()) found->second = held(*object, where);
}

void Reader::declareLambda(const clang::VarDecl &variable, Body *out) {
  const SourceRange where = rangeOf(variable.getSourceRange());
  if (changed.contains(&variable)) refuse("a lambda is changed after its initialisation", where);
  mayCapture(*variable.getType()->getAsCXXRecordDecl(), false, where, out);
}

/// Refuses where a lambda does not find what it captures as it was: one that is called where it stands does. What it
/// declares itself becomes a variable in `out`, or, where there is none, has been one before.
void Reader::mayCapture(const clang::CXXRecordDecl &closure, bool isCalledHere, const SourceRange &where, Body *out) {
  const auto everywhere = changedIn(definition.getBody());
  for (const clang::LambdaCapture &capture : closure.captures()) {
    if (capture.getCaptureKind() == clang::LCK_StarThis)
      refuse("a lambda that copies its object is not supported", where);
    if (!capture.capturesVariable()) continue;
    const auto *captured = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
    if (captured == nullptr) refuse("a lambda that declares what it captures here is not supported", where);
    if (captured->isInitCapture()) {
      const bool isKept = !everywhere.contains(captured) && !changed.contains(captured);
      const bool isDeclared = !isCalledHere && out == nullptr && bindings.contains(captured);
      if (!isKept || (out == nullptr && !isDeclared))
        refuse("a lambda that declares what it captures here, or changes it, is not supported", where);
      if (out != nullptr) declare(*captured, *out);
      continue;
    }
    const bool copies = capture.getCaptureKind() == clang::LCK_ByCopy;
    const bool isChanged = !isCalledHere && (changed.contains(captured) || everywhere.contains(captured));
    if (copies && (isChanged || captured->getType()->isArrayType()))
      refuse("a lambda copies '" + captured->getNameAsString() + "', which changes: capture it by reference", where);
    if (copies) keepCaptured(*captured, where);
  }
}

} // namespace polymend
