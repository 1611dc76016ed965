// For loops -> Loop: one variable, from a first value towards a limit by a constant step. The condition is solved for
// the variable (limits.cpp). `!=` with a step of one stops at the same place as `<`, or never. `for (v = n; v-- > 0;)`
// is a loop from n - 1 down to 0. Where `!=` may have been passed before the loop begins and something else ends it, as
// another conjunct or the wrap of an unsigned variable, that it has not is tested at entry. The limit is found as if
// nothing wrapped; then the condition is read again with what the variable can be where it is tested, and whatever may
// wrap there is tested at entry or refused. A parameter that a 64-bit loop counts to, alone, is no number that no run
// reaches.
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <utility>

namespace polymend {

namespace {

Expr plus(const Expr &e, std::int64_t constant) { return simplify(e + Expr::integer(constant)); }

bool refersTo(const clang::Expr *expression, const clang::VarDecl &variable) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return reference != nullptr && reference->getDecl() == &variable;
}

/// Is this the condition `v-- > 0` or `v-- != 0` of a loop that steps nowhere else?
bool stepsBeforeTurn(const clang::ForStmt &loop, const clang::VarDecl &variable, const clang::ASTContext &context) {
  const auto *test = loop.getCond() == nullptr
                         ? nullptr
                         : llvm::dyn_cast<clang::BinaryOperator>(loop.getCond()->IgnoreParenImpCasts());
  if (loop.getInc() != nullptr || test == nullptr) return false;
  const auto *step = llvm::dyn_cast<clang::UnaryOperator>(test->getLHS()->IgnoreParenImpCasts());
  const bool compares = test->getOpcode() == clang::BO_GT || test->getOpcode() == clang::BO_NE;
  const clang::Expr &bound = *test->getRHS();
  return compares && step != nullptr && step->getOpcode() == clang::UO_PostDec &&
         refersTo(step->getSubExpr(), variable) && bound.isIntegerConstantExpr(context) &&
         bound.EvaluateKnownConstInt(context).isZero();
}

/// Is it ++v, v--, v += s or the like?
bool isStepOf(const clang::Expr *increment, const clang::VarDecl &variable) {
  const clang::Expr *e = increment->IgnoreParens();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return isStepOf(full->getSubExpr(), variable);
  const auto *step = llvm::dyn_cast<clang::UnaryOperator>(e);
  const auto *set = llvm::dyn_cast<clang::BinaryOperator>(e);
  return (step != nullptr && step->isIncrementDecrementOp() && refersTo(step->getSubExpr(), variable)) ||
         (set != nullptr && set->isAssignmentOp() && refersTo(set->getLHS(), variable));
}

/// Does the head step down a variable that wraps around below 0?
bool countsDownToWrap(const clang::ForStmt &loop, const clang::VarDecl &variable) {
  const clang::Expr *e = loop.getInc() != nullptr ? loop.getInc()->IgnoreParens() : nullptr;
  const auto *step = llvm::dyn_cast_or_null<clang::UnaryOperator>(e);
  const auto *by = llvm::dyn_cast_or_null<clang::CompoundAssignOperator>(e);
  const bool falls =
      (step != nullptr && step->isDecrementOp()) || (by != nullptr && by->getOpcode() == clang::BO_SubAssign);
  return falls && variable.getType()->isUnsignedIntegerType();
}

/// Does the loop's head step its variable by a constant other than one, so that the number of a turn is a quotient?
bool skipsNumbers(const clang::ForStmt &loop, const clang::ASTContext &context) {
  const auto *step =
      loop.getInc() != nullptr ? llvm::dyn_cast<clang::CompoundAssignOperator>(loop.getInc()->IgnoreParens()) : nullptr;
  return step != nullptr && step->getRHS()->isIntegerConstantExpr(context);
}

/// The variable that an expression is, but for parentheses and conversions that are not written.
const clang::ParmVarDecl *parameterIn(const clang::Expr *expression) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return reference != nullptr ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
}

/// The conjuncts `a != b`.
std::vector<Expr> inequalities(const Expr &condition) {
  if (condition.op() == Op::Ne) return {condition};
  if (condition.op() != Op::And) return {};
  std::vector<Expr> all = inequalities(condition.arg(0));
  for (const Expr &other : inequalities(condition.arg(1))) all.push_back(other);
  return all;
}

/// A loop from below FarStart by steps below LongStep to 2^63 never ends.
constexpr std::int64_t FarStart = std::int64_t{1} << 47;
constexpr std::int64_t LongStep = 1 << 14;

Expr quotient(const Expr &e, std::int64_t divisor) {
  return divisor == 1 ? e : Expr::make(Op::FloorDiv, Type::Int64, {e, Expr::integer(divisor)});
}

/// Is it a choice, or pushed inside at both ends? What loops from there turn over is no convex set of points.
bool isPushedInside(const Expr &first) {
  bool least = false, greatest = false, chosen = false;
  visit(first, [&](const Expr &node) {
    least = least || node.op() == Op::Min;
    greatest = greatest || node.op() == Op::Max;
    chosen = chosen || node.op() == Op::Select;
  });
  return (chosen || (least && greatest)) && isOverSymbols(first);
}

/// How often a loop turns whose variable is somewhere + `number`, where the condition then compares `number` with a
/// constant; absent: it asks something else.
std::optional<std::int64_t> turnsBelow(const Expr &condition, const Expr &number) {
  if (condition.op() != Op::Lt && condition.op() != Op::Le) return std::nullopt;
  const Expr rest = simplify(condition.arg(0) - condition.arg(1) - number);
  if (rest.op() != Op::Integer) return std::nullopt;
  return (condition.op() == Op::Le ? 1 : 0) - rest->integer;
}

/// Sums of symbols with constant factors alone.
bool isLinear(const Expr &e) {
  bool linear = true;
  visit(e, [&](const Expr &node) {
    const bool constant = node->args.size() != 2 || node.arg(0).op() == Op::Integer || node.arg(1).op() == Op::Integer;
    linear = linear && (node.op() != Op::Mul || constant);
  });
  return linear;
}

} // namespace

const clang::VarDecl *headVariable(const clang::ForStmt &loop, const clang::ASTContext &context) {
  std::vector<const clang::VarDecl *> set;
  if (const auto *declarations = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit())) {
    for (const clang::Decl *declared : declarations->decls())
      if (const auto *local = llvm::dyn_cast<clang::VarDecl>(declared)) set.push_back(local);
  } else if (const auto *assigned = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInit());
             assigned != nullptr && assigned->getOpcode() == clang::BO_Assign) {
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(assigned->getLHS()->IgnoreParens());
    if (const auto *local = reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr)
      set.push_back(local);
  }
  for (const clang::VarDecl *variable : set) {
    if (!variable->getType()->isIntegerType() || changedIn(loop.getBody()).contains(variable)) continue;
    const bool steps = loop.getInc() != nullptr
                           ? isStepOf(loop.getInc(), *variable) && !changedIn(loop.getCond()).contains(variable)
                           : stepsBeforeTurn(loop, *variable, context);
    if (steps) return variable;
  }
  return nullptr;
}

Expr Reader::bound(const clang::Expr *expression) {
  Expr result = subscript(expression);
  if (!isBound(result)) refuse("a bound is no expression over parameters and loop variables", rangeOf(expression));
  return result;
}

const clang::VarDecl *Reader::inductionOf(const clang::ForStmt &loop, const clang::Expr *&init, Body &out) {
  const auto stepped = changedIn(loop.getInc());
  const clang::Stmt *start = loop.getInit();
  if (start == nullptr) refuse("the loop does not set its variable", rangeOf(&loop));
  const clang::VarDecl *variable = nullptr;
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(start)) {
    for (const clang::Decl *declared : declarations->decls()) {
      const auto *local = llvm::dyn_cast<clang::VarDecl>(declared);
      if (local == nullptr) refuse("this declaration is not supported", rangeOf(start));
      if (variable == nullptr && (declarations->isSingleDecl() || stepped.contains(local)))
        variable = local;
      else
        declare(*local, out);
    }
    init = variable != nullptr ? variable->getInit() : nullptr;
  } else if (const auto *set = llvm::dyn_cast<clang::BinaryOperator>(start);
             set != nullptr && set->getOpcode() == clang::BO_Assign) {
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens());
    variable = reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    init = set->getRHS();
  }
  const bool local = variable != nullptr && variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable);
  if (!local || init == nullptr) refuse("the loop does not set a local variable", rangeOf(start));
  const clang::QualType type = variable->getType();
  if (!valueType(type) || !type->isIntegerType() || type->isBooleanType())
    refuse("loop variable '" + variable->getNameAsString() + "' is not an integer", rangeOf(start));
  return variable;
}

Expr Reader::loopCondition(const clang::Expr *condition) {
  const bool outer = std::exchange(wordsWrap, false);
  Expr result = conditionOfLoop(condition);
  wordsWrap = outer;
  return result;
}

Expr Reader::conditionOfLoop(const clang::Expr *condition) {
  const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParens());
  if (operation != nullptr && operation->getOpcode() == clang::BO_LAnd)
    return Expr::make(Op::And, {conditionOfLoop(operation->getLHS()), conditionOfLoop(operation->getRHS())});
  if (operation != nullptr && operation->isRelationalOp() && operation->getLHS()->getType()->isIntegerType()) {
    const Expr left = value(operation->getLHS()), right = value(operation->getRHS());
    for (const Expr &side : {left, right})
      if (isWord(operation->getLHS()->getType()) && side.op() == Op::Integer && side->integer < 0)
        refuse("this constant is too large", rangeOf(operation));
    return compare(operation->getOpcode(), left, right, *operation);
  }
  return value(condition);
}

const clang::ParmVarDecl *Reader::countedBy(const clang::Expr *condition, const clang::VarDecl &variable) const {
  const auto *test = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParens());
  if (test == nullptr || !test->isComparisonOp()) return nullptr;
  const clang::QualType type = test->getLHS()->getType();
  if (!type->isUnsignedIntegerType() || widthOf(type) != 64) return nullptr;
  const bool left = refersTo(test->getLHS(), variable);
  const clang::BinaryOperatorKind kind = test->getOpcode();
  const bool rises = kind == clang::BO_NE || kind == (left ? clang::BO_LT : clang::BO_GT) ||
                     kind == (left ? clang::BO_LE : clang::BO_GE);
  if (!rises || (!left && !refersTo(test->getRHS(), variable))) return nullptr;
  return parameterIn(left ? test->getRHS() : test->getLHS());
}

void Reader::count(const clang::ParmVarDecl &parameter) {
  const auto bound = bindings.find(&parameter);
  const Expr *symbol = bound != bindings.end() ? std::get_if<Expr>(&bound->second) : nullptr;
  if (symbol == nullptr || symbol->op() != Op::Symbol || !knowledge.parameters.contains((*symbol)->name)) return;
  Interval &limits = knowledge.parameters.at((*symbol)->name);
  limits = {0, std::min(limits.most, Wide{1} << 48)};
  knowledge.nonNegative.insert((*symbol)->name);
  unsignedWide.erase((*symbol)->name);
}

/// The limit, where the variable does not wrap around before it. One of 64 bits without a sign whose range is read from
/// an array would run for ages, or touch what no array has, before it does.
Expr Reader::limitWithoutWraps(const clang::ForStmt &loop, const clang::VarDecl &variable, const Expr &first,
                               const Expr &symbol, std::int64_t step) {
  const clang::ParmVarDecl *parameter = countedBy(loop.getCond(), variable);
  const bool many = first.op() == Op::Integer && first->integer < FarStart && std::abs(step) < LongStep;
  if (parameter != nullptr && many) count(*parameter);
  const bool outer = std::exchange(checksWraps, false);
  const Expr limit = limitOf(simplify(loopCondition(loop.getCond())), symbol, step, rangeOf(loop.getCond()));
  checksWraps = outer;
  const bool up = step > 0;
  const Expr beyond = plus(limit, up ? step - 1 : step + 1);
  const Expr farthest = simplify(Expr::make(up ? Op::Max : Op::Min, Type::Int64, {first, beyond}));
  knowledge.loops.push_back({symbol->name, symbol.type(), up ? first : farthest, up ? farthest : first});
  const Expr condition = simplify(loopCondition(loop.getCond()));
  const bool wraps = mayWrap(variable.getType());
  const bool isEndless = widthOf(variable.getType()) == 64 && (reads(first) || reads(limit));
  if (wraps && !isEndless) fitting(symbol, variable.getType(), loop.getCond());
  knowledge.loops.pop_back();
  const bool isAlone = isEndless && condition.op() == Op::Ne; // ages, or memory that no array has, lie beyond it
  if ((wraps && !isAlone) || condition.op() == Op::And) meets(condition, symbol, first, step, *loop.getCond());
  return limit;
}

/// What ends a loop by `!=` lies ahead of where the loop begins, and is not passed before.
void Reader::meets(const Expr &condition, const Expr &variable, const Expr &first, std::int64_t step,
                   const clang::Expr &written) {
  for (const Expr &missed : inequalities(condition)) {
    const Expr stop = limitOf(missed, variable, step, rangeOf(&written));
    fitting(simplify(step > 0 ? stop - first : first - stop), context.UnsignedLongTy, &written);
  }
}

/// What the variable changes by in each turn: a constant, or a number of steps that no loop changes.
Expr Reader::stepOf(const clang::Expr *increment, const clang::VarDecl &variable) {
  const std::string name = variable.getNameAsString();
  if (increment == nullptr) refuse("the loop does not step its variable", rangeOf(variable.getSourceRange()));
  const clang::Expr *e = increment->IgnoreParens();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) return stepOf(full->getSubExpr(), variable);
  if (const auto *step = llvm::dyn_cast<clang::UnaryOperator>(e);
      step != nullptr && step->isIncrementDecrementOp() && refersTo(step->getSubExpr(), variable))
    return Expr::integer(step->isIncrementOp() ? 1 : -1);
  Expr change;
  if (const auto *step = llvm::dyn_cast<clang::BinaryOperator>(e);
      step != nullptr && refersTo(step->getLHS(), variable)) {
    if (step->getOpcode() == clang::BO_AddAssign) change = subscript(step->getRHS());
    if (step->getOpcode() == clang::BO_SubAssign) change = simplify(Expr::make(Op::Neg, {subscript(step->getRHS())}));
    if (step->getOpcode() == clang::BO_Assign) {
      const Expr before = std::get<Expr>(bindings.at(&variable));
      const bool outer = std::exchange(checksWraps, false); // as of `+=`: the loop's end asks for it
      change = simplify(subscript(step->getRHS()) - before);
      checksWraps = outer;
    }
  }
  if (!change || (change.op() == Op::Integer ? change->integer == 0 : !isOverParameters(change)))
    refuse("the step of '" + name + "' is not a constant, nor a number that no loop changes", rangeOf(increment));
  return change;
}

/// A loop by s >= 1 elements at a time, whose variable is first + s * turn; with another s the source's own text runs.
void Reader::stridedLoop(const clang::ForStmt &loop, const clang::VarDecl &variable, const Expr &first,
                         const Expr &step, Body &out) {
  const SourceRange where = rangeOf(&loop);
  const std::string name = variable.getNameAsString();
  const Expr symbol = std::get<Expr>(bindings.at(&variable));
  if (!isOverParameters(first))
    refuse("the step of '" + name + "' is not a constant, and where it starts varies in a loop", where);
  assume(Expr::make(Op::Le, {Expr::integer(1), step}));
  const bool outer = std::exchange(checksWraps, false);
  const Expr limit = limitOf(simplify(loopCondition(loop.getCond())), symbol, 2, rangeOf(loop.getCond()));
  checksWraps = outer;
  if (!isOverParameters(limit))
    refuse("the step of '" + name + "' is not a constant, and its bound varies in a loop", rangeOf(loop.getCond()));
  const Expr beyond = simplify(limit + step);
  if (mayWrap(variable.getType()))
    fitting(simplify(Expr::make(Op::Max, Type::Int64, {first, beyond})), variable.getType(), loop.getCond());
  const Expr turns = Expr::make(Op::FloorDiv, Type::Int64, {simplify(beyond - first - Expr::integer(1)), step});
  const Expr turn = Expr::symbol(unique(name + "_turn"), Type::Int64);
  bindings[&variable] = simplify(first + step * turn);
  knowledge.loops.push_back({turn->name, turn.type(), Expr::integer(0), plus(turns, -1)});
  Loop result{turn->name, name, Expr::integer(0), turns, 1, {}, where};
  const auto read = [&](Body &body) { loopBody(*loop.getBody(), body); };
  const Inductions moved = inTurns(turn, {loop.getBody()}, loop, read, result.body);
  knowledge.loops.pop_back();
  leave(moved, turns, loop);
  if (!result.body.empty()) out.emplace_back(std::make_shared<const Loop>(std::move(result)));
}

/// What was learnt since is of a place that is left, but for what parameters that appeared there are.
void Reader::forget(const Knowledge &outside, const std::set<std::string> &wide) {
  const Knowledge inside = std::exchange(knowledge, outside);
  const std::set<std::string> wideInside = std::exchange(unsignedWide, wide);
  for (const auto &[name, limits] : inside.parameters) {
    if (!knowledge.parameters.insert({name, limits}).second) continue;
    if (inside.nonNegative.contains(name)) knowledge.nonNegative.insert(name);
    if (wideInside.contains(name)) unsignedWide.insert(name);
  }
  knowledge.given = askedNonNegative;
  for (const Expr &condition : function.given) learnFrom(condition);
}

void Reader::loop(const clang::ForStmt &loop, Body &out) {
  const SourceRange where = rangeOf(&loop);
  if (walks(loop, out)) return;
  const clang::VarDecl *head = headVariable(loop, context);
  const Variables moving = movedIn({loop.getBody()});
  const bool counts =
      head != nullptr && !countsDownToWrap(loop, *head) && (!skipsNumbers(loop, context) || moving.empty());
  const bool isMoved = std::any_of(moving.begin(), moving.end(), [&](const clang::VarDecl *one) {
    return mentions(loop.getCond(), *one) || mentions(loop.getInc(), *one);
  });
  if ((!counts || isMoved) && turns(loop, out)) return;
  if (isMoved) refuse("the loop's end or step is moved within it", where);
  const clang::Expr *init = nullptr;
  const clang::VarDecl *variable = inductionOf(loop, init, out);
  const std::string name = variable->getNameAsString();
  const bool isUnsigned = variable->getType()->isUnsignedIntegerType();
  if (loop.getCond() == nullptr || loop.getConditionVariable() != nullptr) refuse("the loop has no condition", where);
  const auto inside = changedIn(loop.getBody());
  if (const auto change = inside.find(variable); change != inside.end())
    refuse("loop variable '" + name + "' is changed in the loop", rangeOf(change->second));

  sink = nullptr;
  const Knowledge outside = knowledge;
  const std::set<std::string> wide = unsignedWide;
  const bool early = stepsBeforeTurn(loop, *variable, context);
  const clang::ParmVarDecl *turns =
      early && isUnsigned && widthOf(variable->getType()) == 64 ? parameterIn(init) : nullptr;
  if (turns != nullptr) count(*turns);
  const Expr begin = early ? plus(value(init), -1) : simplify(value(init));
  const auto fromFirst = [&](const Expr &number, Body &body) {
    bindings[variable] = simplify(begin + number);
    loopBody(*loop.getBody(), body);
  };
  if (!early && isPushedInside(begin) && !isOverParameters(begin) && !mayWrap(variable->getType())) {
    const Expr number = Expr::symbol(unique(name + "_number"), Type::Int64);
    bindings[variable] = simplify(begin + number);
    const Expr step = stepOf(loop.getInc(), *variable);
    const auto count = turnsBelow(simplify(loopCondition(loop.getCond())), number);
    if (count && step.op() == Op::Integer && step->integer == 1) {
      eachTurn(Expr::integer(*count), name, loop.getBody(), loop, fromFirst, out);
      bindings.erase(variable);
      return;
    }
  }
  const Expr first = early ? begin : unchosen(begin, Op::Max);
  checkBound(first, rangeOf(init));
  const Expr symbol = Expr::symbol(unique(name), valueType(variable->getType()).value_or(Type::Int64));
  bindings[variable] = symbol;
  const Expr change = early ? Expr::integer(-1) : stepOf(loop.getInc(), *variable);
  if (change.op() != Op::Integer) {
    if (turnsOnce.contains(&loop)) refuse("a do loop whose step is no constant is not supported", where);
    stridedLoop(loop, *variable, first, change, out);
    if (!knowledge.loops.empty() || underCondition) forget(outside, wide);
    bindings.erase(variable);
    return;
  }
  const std::int64_t step = change->integer;
  if (isUnsigned && step < 0 && !early) refuse("unsigned loop variable '" + name + "' counts down", where);
  const bool up = step > 0;
  Expr limit = early ? Expr::integer(-1) : limitWithoutWraps(loop, *variable, first, symbol, step);
  if (turnsOnce.contains(&loop))
    limit = simplify(Expr::make(up ? Op::Max : Op::Min, Type::Int64, {limit, plus(first, up ? 1 : -1)}));

  if (const Expr span = simplify(limit - first);
      step == 1 && !reads(first) && !reads(span) && !isLinear(first) && isLinear(span)) {
    eachTurn(span, name, loop.getBody(), loop, fromFirst, out);
    bindings.erase(variable);
    return;
  }
  Loop result{symbol->name, name, first, limit, step, {}, where};
  const clang::Stmt *turn = withoutFirstBreaks(loop, result, symbol);
  limit = result.limit;
  if (tabledLoop(loop, *variable, result, out)) {
    if (!knowledge.loops.empty() || underCondition) forget(outside, wide);
    bindings.erase(variable);
    return;
  }
  if (isMeasured(result)) bindings[variable] = measure(result, symbol);
  knowledge.loops.push_back({symbol->name, symbol.type(), up ? result.first : plus(result.limit, 1),
                             up ? plus(result.limit, -1) : result.first});
  const auto read = [&](Body &body) { loopBody(*turn, body); };
  const Expr number = simplify(up ? symbol - first : first - symbol),
             span = simplify(up ? limit - first : first - limit);
  const auto turnsOf = [&](const Expr &distance) { return quotient(distance, std::abs(step)); };
  const Inductions moved = inTurns(turnsOf(number), {turn}, loop, read, result.body);
  knowledge.loops.pop_back();
  if (!knowledge.loops.empty() || underCondition) forget(outside, wide);
  const Expr turned = turnsOf(plus(span, std::abs(step) - 1));
  leave(moved, turned, loop);
  bindings.erase(variable);
  if (followed.contains(variable)) {
    bindings[variable] = first;
    leave({{variable, first, change, {}}}, turned, loop);
  } else if (EndingLoop *ending = endOf(loop)) {
    ending->moved.push_back({variable, first, change});
  }
  if (!result.body.empty()) out.emplace_back(std::make_shared<const Loop>(std::move(result)));
}

} // namespace polymend
