// Statements -> nodes. A compound assignment is spelled out in the type that C++ computes it in. An update of an
// element right behind another one becomes one with it, so that `s += a; s += b` is one update by both. What leaves the
// straight order of loops (break, goto, early return, ...) is refused.
#include "algorithms.h"
#include "closed.h"
#include "kinds.h"
#include "outlined.h"
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

std::optional<clang::BinaryOperatorKind> stepped(const clang::Expr *expression) {
  const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(expression);
  if (operation == nullptr || !operation->isIncrementDecrementOp()) return std::nullopt;
  return operation->isIncrementOp() ? clang::BO_Add : clang::BO_Sub;
}

/// `c ? void() : f()`, where f never returns: what assert is made of.
bool isAssertion(const clang::ConditionalOperator &test) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(test.getFalseExpr()->IgnoreParenCasts());
  const clang::FunctionDecl *callee = call != nullptr ? call->getDirectCallee() : nullptr;
  return callee != nullptr && callee->isNoReturn() && test.getType()->isVoidType() &&
         !test.getTrueExpr()->HasSideEffects(callee->getASTContext());
}

/// Does it break, or go on, out of the loop that it stands in?
bool leavesLoop(const clang::Stmt *s) {
  if (s == nullptr) return false;
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt>(s)) return true;
  if (isLoopStatement(s) || llvm::isa<clang::Expr>(s)) return false;
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(), leavesLoop);
}

/// Is it `do { ... } while (0)`, as macros are written, which is its body?
bool runsOnce(const clang::DoStmt &loop, const clang::ASTContext &context) {
  bool goesOn = true;
  return !loop.getCond()->isValueDependent() && loop.getCond()->EvaluateAsBooleanCondition(goesOn, context) &&
         !goesOn && !loop.getCond()->HasSideEffects(context) && !leavesLoop(loop.getBody());
}

/// How often `value` reads the element that `assign` writes, and whether it reads others of that array.
std::pair<int, bool> readsOf(const Expr &value, const Assign &assign) {
  int same = 0;
  bool others = false;
  visit(value, [&](const Expr &node) {
    if (node.op() != Op::Read || node->name != assign.target) return;
    if (std::equal(node->args.begin(), node->args.end(), assign.subscripts.begin(), assign.subscripts.end(), equal))
      ++same;
    else
      others = true;
  });
  return {same, others};
}

/// Two updates that each read the element they write once, as one; absent: they stay apart.
std::optional<Assign> joined(const Assign &last, const Assign &next) {
  const bool same = last.target == next.target && std::equal(last.subscripts.begin(), last.subscripts.end(),
                                                             next.subscripts.begin(), next.subscripts.end(), equal);
  const std::pair once(1, false);
  if (!same || readsOf(next.value, last) != once || readsOf(last.value, last) != once) return std::nullopt;
  if (size(last.value) + size(next.value) > 400) return std::nullopt;
  Assign result = next;
  result.value = simplify(rewrite(next.value, [&](const Expr &node) {
    return node.op() == Op::Read && node->name == last.target ? last.value : node;
  }));
  return result;
}

} // namespace

void Reader::statement(const clang::Stmt *s, Body &out) {
  Body *outer = std::exchange(sink, &out);
  const auto before = std::exchange(alreadyStepped, {});
  const CallEffects effects = std::exchange(callEffects, {});
  if (isLoopStatement(s) || countedFrom.contains(s))
    dataStatement(*s, out);
  else
    plainStatement(s, out);
  settle(out, rangeOf(s));
  callEffects = effects;
  alreadyStepped = before;
  sink = outer;
}

/// A loop: by its equations, or else as a function of its own, or by those of a loop that turns on without effect once
/// data have ended it. A device prefers these, as it calls no function of the host.
void Reader::dataStatement(const clang::Stmt &s, Body &out) {
  const auto why = refusedBy([&] { plainStatement(&s, out); }, &out);
  if (!why) return;
  const auto open = isForDevice ? endedByData(s, *why, out) : why; // why data end it in no way that is read
  if (!open) return;
  const auto made = countedFrom.find(&s);
  const auto alone = refusedBy(
      [&] {
        if (made != countedFrom.end()) statement(made->second.declaration, out);
        if (!outlines(made != countedFrom.end() ? *made->second.loop : s, false, *why, out)) throw Refusal(*why);
      },
      &out);
  if (!alone) return;
  if (const auto still = isForDevice ? open : endedByData(s, *why, out)) throw Refusal(*still);
}

void Reader::plainStatement(const clang::Stmt *s, Body &out) {
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
    for (const clang::Stmt *child : counted({block->body_begin(), block->body_end()})) statement(child, out);
    return;
  }
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl *declared : declarations->decls()) {
      if (const Kind kind = kindOf(*declared); kind.reading != Reading::Modelled)
        refuse(refusalOf(kind), rangeOf(declared->getSourceRange()));
      if (const auto *local = llvm::dyn_cast<clang::VarDecl>(declared)) declare(*local, out);
    }
    return;
  }
  if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(s))
    return statement(attributed->getSubStmt(), out);
  if (const auto *nested = llvm::dyn_cast<clang::ForStmt>(s)) return loop(*nested, out);
  if (const auto *nested = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) return rangeLoop(*nested, out);
  if (const auto *nested = llvm::dyn_cast<clang::WhileStmt>(s);
      nested != nullptr && nested->getConditionVariable() == nullptr &&
      turns({nested, nested->getCond(), nested->getBody(), nullptr, false}, out))
    return;
  if (const auto *once = llvm::dyn_cast<clang::DoStmt>(s); once != nullptr && runsOnce(*once, context))
    return statement(once->getBody(), out);
  if (const auto *nested = llvm::dyn_cast<clang::DoStmt>(s);
      nested != nullptr && turns({nested, nested->getCond(), nested->getBody(), nullptr, true}, out))
    return;
  if (const auto *nested = llvm::dyn_cast<clang::IfStmt>(s)) return branch(*nested, out);
  if (const auto *nested = llvm::dyn_cast<clang::SwitchStmt>(s)) return cases(*nested, out);
  if (const auto *expression = llvm::dyn_cast<clang::Expr>(s)) return expressionStatement(expression, out);
  if (!llvm::isa<clang::NullStmt>(s)) refuse(refusalOf(kindOf(*s)), rangeOf(s));
}

void Reader::expressionStatement(const clang::Expr *expression, Body &out) {
  const clang::Expr *e = expression->IgnoreParens();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return expressionStatement(full->getSubExpr(), out);
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(e);
      operation != nullptr && operation->isAssignmentOp())
    return assign(*operation, out);
  if (const auto *discarded = llvm::dyn_cast<clang::CastExpr>(e); discarded != nullptr &&
                                                                  discarded->getCastKind() == clang::CK_ToVoid &&
                                                                  !discarded->getSubExpr()->HasSideEffects(context))
    return;
  if (const auto *both = llvm::dyn_cast<clang::BinaryOperator>(e);
      both != nullptr && both->getOpcode() == clang::BO_Comma) {
    statement(both->getLHS(), out);
    return statement(both->getRHS(), out);
  }
  if (stepped(e)) return step(*llvm::cast<clang::UnaryOperator>(e), out);
  if (const auto *called = llvm::dyn_cast<clang::CallExpr>(e)) return callStatement(*called, out);
  if (const auto *deleted = llvm::dyn_cast<clang::CXXDeleteExpr>(e); deleted != nullptr && deleted->isArrayForm())
    return releases(*deleted->getArgument(), rangeOf(e));
  if (const auto *test = llvm::dyn_cast<clang::ConditionalOperator>(e->IgnoreParenCasts());
      test != nullptr && isAssertion(*test))
    return promised(*test);
  const Kind kind = kindOf(*e);
  const bool named = kind.reading == Reading::Left || kind.reading == Reading::Foreign;
  refuse(named ? refusalOf(kind) : "a statement without an assignment is not supported", rangeOf(e));
}

/// Is it a variable of 64 bits without a sign that the function declares?
bool Reader::isCounting(const clang::Expr &target) const {
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(target.IgnoreParens());
  const auto at = named != nullptr ? bindings.find(named->getDecl()) : bindings.end();
  const auto *place = at != bindings.end() ? std::get_if<Place>(&at->second) : nullptr;
  return place != nullptr && counters.contains(place->array);
}

/// What a variable that counts is set to; one that does not only count holds any word.
Expr Reader::countedOn(const Expr &value, const clang::Expr &target) {
  const auto *named = llvm::cast<clang::DeclRefExpr>(target.IgnoreParens());
  try {
    if (mayBeBig(value))
      refuse("'" + named->getDecl()->getNameAsString() + "' counts, and becomes any number of 64 bits without a sign",
             rangeOf(&target));
    return fitting(value, target.getType(), &target);
  } catch (const Refusal &) {
    if (needs != nullptr) needs->words.insert(llvm::cast<clang::VarDecl>(named->getDecl()));
    throw;
  }
}

/// What `c++` leaves of an integer that is no loop's variable.
Expr Reader::steppedFrom(const clang::UnaryOperator &operation, const Expr &old) {
  const clang::Expr *target = operation.getSubExpr();
  const clang::QualType type = target->getType();
  const Op op = operation.isIncrementOp() ? Op::Add : Op::Sub;
  const Expr sum = node(op, old.type(), {old, Expr::integer(1, old.type())}, &operation);
  if (isCounting(*target)) return countedOn(sum, *target);
  if (isWord(type) && operation.isDecrementOp()) return wrapping(sum, type, target);
  return shortType(type) ? fitting(sum, type, target) : sum;
}

/// `c++` within an expression: a statement before it, and what c was, or is, in a variable.
Expr Reader::steppedWithin(const clang::UnaryOperator &operation) {
  const clang::Expr *target = operation.getSubExpr();
  const SourceRange where = rangeOf(&operation);
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens());
  const auto *variable = named != nullptr ? llvm::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
  const clang::QualType type = target->getType();
  const bool isOwn = variable != nullptr && variable->hasLocalStorage() && type->isIntegerType() &&
                     !type->isBooleanType() && elementType(type) && widthOf(type) <= 64;
  if (!isOwn || sink == nullptr || !callEffects.changed.empty())
    refuse("operator '" + clang::UnaryOperator::getOpcodeStr(operation.getOpcode()).str() +
               "' within an expression is not supported",
           where);
  Body &out = *sink;
  const Place place = lvalue(target);
  const Array array = written(place, where);
  const Place held = variableFor(variable->getNameAsString(), localType(type), where);
  const Expr old = readAt(place, target), next = steppedFrom(operation, old);
  put(held, storedIn(arrayNamed(held.array), operation.isPostfix() ? old : next, where), where, out);
  put(place, storedIn(array, next, where), where, out);
  if (isWord(type)) (counters.contains(place.array) ? counters : unsignedWide).insert(held.array);
  callEffects = {{array.name}, out.size()};
  return readAt(held, &operation);
}

/// `c++` of an integer that is no loop's variable.
void Reader::step(const clang::UnaryOperator &operation, Body &out) {
  const std::string text = clang::UnaryOperator::getOpcodeStr(operation.getOpcode()).str();
  const clang::Expr *target = operation.getSubExpr();
  if (followedIn(target) != nullptr) {
    steps(operation);
    return;
  }
  const clang::QualType type = target->getType();
  const bool isCount = type->isIntegerType() && elementType(type) && !type->isBooleanType() && widthOf(type) <= 64;
  const bool moves = type->isPointerType();
  if (!isCount)
    refuse("'" + text + "' outside a loop header" + (moves ? " moves a pointer" : " is not supported"),
           rangeOf(&operation));
  const Place place = lvalue(target);
  const Array array = wholeElement(place, target);
  writtenIntegers.insert({array.name, rangeOf(&operation)});
  const Expr result = storedIn(array, steppedFrom(operation, readAt(place, target)), rangeOf(&operation));
  out.emplace_back(std::make_shared<const Assign>(Assign{array.name, place.subscripts, result, rangeOf(&operation)}));
}

void Reader::callStatement(const clang::CallExpr &call, Body &out) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (movesIterator(call) || runs(call, out) || assignArray(call, out) || assignRecords(call, out) ||
      assignObject(call, out) || changesComplex(call, out) || changesOptional(call, out) || assignsTied(call, out) ||
      assignsToAll(call, out) || setsAll(call, out) || exchangesContainers(call, out) || assignsBit(call, out))
    return;
  if (const clang::Expr *given = objectIn(call))
    if (const auto object = known(given); object && isContainer(*object))
      refuse("'" + callee->getNameAsString() +
                 "' changes a container or throws: do so outside, and use its elements by []",
             rangeOf(&call));
  if (callee != nullptr && callee->getDeclName().isIdentifier() && callee->getName() == "free" &&
      call.getNumArgs() == 1)
    return releases(*call.getArg(0), rangeOf(&call));
  if (callee != nullptr && callee->hasBody() && !callee->isInStdNamespace() && callee->getBuiltinID() == 0)
    return effects(*callee, call, out);
  const std::string name = callee != nullptr ? "'" + callee->getNameAsString() + "'" : "a function";
  refuse("call of " + name + " for its effects is not supported", rangeOf(&call));
}

/// What `target op= by` leaves there, where `old` was, `inFloat` as the source carries halves.
Expr Reader::compounded(const clang::CompoundAssignOperator &assignment, const Expr &old, const Expr &by,
                        bool inFloat) {
  const clang::Expr *target = assignment.getLHS();
  const clang::QualType type = assignment.getComputationResultType();
  const auto computed = inFloat ? Type::Float32 : valueType(assignment.getComputationLHSType());
  const auto resulting = inFloat ? Type::Float32 : valueType(type);
  if (!computed || !resulting) refuse("the type of this computation is not supported", rangeOf(&assignment));
  const clang::BinaryOperatorKind kind = clang::BinaryOperator::getOpForCompoundAssignment(assignment.getOpcode());
  const auto op = arithmetic(kind);
  if ((op == Op::Div || op == Op::Mod) && by.op() == Op::Integer && by->integer == 0)
    refuse("a division by zero", rangeOf(&assignment));
  const bool joinsTruths = old.type() == Type::Bool && by.op() == Op::Cast && by.arg(0).type() == Type::Bool;
  if (joinsTruths && (kind == clang::BO_Or || kind == clang::BO_And))
    return node(kind == clang::BO_Or ? Op::Or : Op::And, Type::Bool, {old, by.arg(0)}, &assignment);
  const Expr first = convert(old, *computed, rangeOf(target));
  const bool counts = !isFloating(*resulting) && (op == Op::Add || op == Op::Sub || op == Op::Mul);
  Expr result = !op      ? onBits(kind, type, first, by, assignment)
                : counts ? modulo(*op, type, first, by, assignment)
                         : node(*op, *resulting, {first, by}, &assignment);
  if (!isFloating(old.type()) && isFloating(*resulting)) result = convert(result, old.type(), rangeOf(&assignment));
  return shortType(target->getType()) ? fitting(result, target->getType(), target) : result;
}

/// `k = e`, `k += e` and the like of a variable that is followed.
void Reader::assign(const clang::VarDecl &variable, const clang::BinaryOperator &assignment) {
  const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&assignment);
  if (variable.getType()->isPointerType()) {
    if (compound == nullptr) return follow(variable, leadsTo(*assignment.getRHS()), rangeOf(&assignment));
    const Expr by = subscript(compound->getRHS()), old = numberOf(variable);
    const Op op = compound->getOpcode() == clang::BO_AddAssign ? Op::Add : Op::Sub;
    return follow(variable, at(variable, simplify(Expr::make(op, {old, by}))), rangeOf(&assignment));
  }
  const Expr by = value(assignment.getRHS());
  const Expr old = compound != nullptr ? numberOf(variable) : Expr();
  follow(variable, compound != nullptr ? compounded(*compound, old, by, false) : by, rangeOf(&assignment));
}

/// `(c ? a : b) = e`: an assignment to the one or the other.
void Reader::assignEither(const clang::BinaryOperator &assignment, const clang::ConditionalOperator &target,
                          Body &out) {
  const SourceRange where = rangeOf(&assignment);
  const auto to = [&](clang::Expr *one) {
    const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&assignment);
    clang::BinaryOperator *result =
        compound != nullptr
            ? clang::CompoundAssignOperator::Create(
                  context, one, assignment.getRHS(), assignment.getOpcode(), assignment.getType(), clang::VK_LValue,
                  clang::OK_Ordinary, assignment.getOperatorLoc(), clang::FPOptionsOverride(),
                  compound->getComputationLHSType(), compound->getComputationResultType())
            : clang::BinaryOperator::Create(context, one, assignment.getRHS(), assignment.getOpcode(),
                                            assignment.getType(), clang::VK_LValue, clang::OK_Ordinary,
                                            assignment.getOperatorLoc(), clang::FPOptionsOverride());
    return [this, result](Body &body) { statement(result, body); };
  };
  const Expr condition = simplify(value(target.getCond()));
  settle(condition, where);
  choice(condition, to(target.getTrueExpr()), to(target.getFalseExpr()), where, rangeOf(target.getCond()), out);
  sink = &out;
}

void Reader::assign(const clang::BinaryOperator &assignment, Body &out) {
  const clang::Expr *target = assignment.getLHS();
  if (const auto *either = llvm::dyn_cast<clang::ConditionalOperator>(target->IgnoreParens());
      either != nullptr && !assignment.getRHS()->HasSideEffects(context))
    return assignEither(assignment, *either, out);
  if (const clang::VarDecl *variable = followedIn(target)) return assign(*variable, assignment);
  if (target->getType()->isPointerType()) refuse("an assignment moves a pointer", rangeOf(&assignment));
  const bool isCounter = isCounting(*target);
  if (!elementType(target->getType()))
    refuse("values of type '" + target->getType().getUnqualifiedType().getAsString() + "' are written here",
           rangeOf(&assignment));
  const Place place = lvalue(target);
  const Array array = wholeElement(place, target);
  if (!isFloating(array.type)) writtenIntegers.insert({array.name, rangeOf(&assignment)});
  if (array.isConst) refuse("'" + array.name + "' is const and is written", rangeOf(&assignment));
  const bool inFloat = assignment.isCompoundAssignmentOp() && isCarried(assignment.getRHS());
  const clang::Expr *inner = assignment.getRHS()->IgnoreParenImpCasts();
  if (const auto *before = llvm::dyn_cast<clang::BinaryOperator>(inner);
      before != nullptr && before->isAssignmentOp()) {
    if (assignment.isCompoundAssignmentOp())
      refuse("an assignment is added to another: write two statements", rangeOf(&assignment));
    assign(*before, out);
    chained.insert(before);
  }
  Expr result = inFloat ? carried(assignment.getRHS()) : value(assignment.getRHS());
  if (const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&assignment))
    result = compounded(*compound, readAt(place, target), result, inFloat);
  const bool isWide = target->getType()->isUnsignedIntegerType() && widthOf(target->getType()) > 32;
  if (isCounter) result = countedOn(result, *target);
  if (isWide && !isCounter && assignment.isCompoundAssignmentOp()) {
    const bool isSum = assignment.getOpcode() == clang::BO_AddAssign; // stays one, whatever its terms are
    if (!isSum || !polymend::reads(result)) result = wrapping(result, target->getType(), target);
  }
  if (isWide && comesFromReal(result))
    refuse("a floating-point number becomes one of 64 bits without a sign", rangeOf(&assignment));
  result = storedIn(array, result, rangeOf(&assignment));
  const Assign assign{place.array, place.subscripts, simplify(result), rangeOf(&assignment)};
  const auto *last = out.empty() ? nullptr : std::get_if<std::shared_ptr<const Assign>>(&out.back());
  if (const auto both = last != nullptr ? joined(**last, assign) : std::nullopt)
    out.back() = std::make_shared<const Assign>(*both);
  else
    out.emplace_back(std::make_shared<const Assign>(assign));
}

} // namespace polymend
