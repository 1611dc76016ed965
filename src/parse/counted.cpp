// `int i = first; while (i < limit) { ...; ++i; }` -> the for loop that it is, where nothing between the two and
// nothing behind them names the variable, and the step is the only change of it. `do ... while (++i < limit)` likewise,
// which turns once whatever its condition says.
#include "reader.h"
#include "turns.h"

namespace polymend {

namespace {

/// The integer that a statement steps: ++i, i--, i += s.
const clang::VarDecl *steppedBy(const clang::Stmt *s) {
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(s)) s = full->getSubExpr();
  const clang::Expr *target = nullptr;
  if (const auto *step = llvm::dyn_cast<clang::UnaryOperator>(s); step != nullptr && step->isIncrementDecrementOp())
    target = step->getSubExpr();
  if (const auto *step = llvm::dyn_cast<clang::CompoundAssignOperator>(s);
      step != nullptr && (step->getOpcode() == clang::BO_AddAssign || step->getOpcode() == clang::BO_SubAssign))
    target = step->getLHS();
  const auto *reference = target != nullptr ? llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens()) : nullptr;
  const auto *variable = reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  const bool counts = variable != nullptr && variable->getType()->isIntegerType() && variable->hasLocalStorage();
  return counts && !llvm::isa<clang::ParmVarDecl>(variable) ? variable : nullptr;
}

/// Which declaration before number `place` sets the variable and nothing else; or -1.
std::ptrdiff_t declaredAt(const std::vector<const clang::Stmt *> &all, std::size_t place,
                          const clang::VarDecl &variable) {
  for (std::size_t k = place; k-- > 0;) {
    const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(all[k]);
    if (declarations != nullptr && declarations->isSingleDecl() && declarations->getSingleDecl() == &variable)
      return variable.hasInit() ? static_cast<std::ptrdiff_t>(k) : -1;
    if (mentions(all[k], variable)) return -1;
  }
  return -1;
}

/// Is it made of constants and of variables that nothing changes, so that it is the same wherever it stands?
bool isSteady(const clang::Stmt *s, const std::map<const clang::ValueDecl *, clang::SourceRange> &changed) {
  if (s == nullptr) return false;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable == nullptr) return llvm::isa<clang::EnumConstantDecl>(reference->getDecl());
    const bool own = variable->hasLocalStorage() || variable->isConstexpr();
    return own && !variable->getType()->isReferenceType() && !changed.contains(variable);
  }
  const auto *operation = llvm::dyn_cast<clang::UnaryOperator>(s);
  const bool computes = operation != nullptr && operation->isArithmeticOp();
  if (!computes && !llvm::isa<clang::IntegerLiteral, clang::CharacterLiteral, clang::CXXBoolLiteralExpr,
                              clang::ParenExpr, clang::CastExpr, clang::BinaryOperator, clang::FullExpr>(s))
    return false;
  const auto children = s->children();
  return std::all_of(children.begin(), children.end(),
                     [&](const clang::Stmt *child) { return isSteady(child, changed); });
}

/// A loop that counts, but for where its variable is declared.
struct Counting {
  const clang::Stmt *body = nullptr;
  const clang::Expr *condition = nullptr, *step = nullptr; // the condition without the step
  std::vector<clang::Stmt *> turn;                         // the body without the step
  clang::SourceLocation keyword;
  bool runsOnce = false; // before the condition is asked
};

/// `++i < n` as `i < n` and `++i`.
std::optional<std::pair<const clang::Expr *, const clang::Expr *>> steppedCondition(const clang::Expr *condition,
                                                                                    clang::ASTContext &context) {
  const auto *comparison = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParens());
  if (comparison == nullptr || !comparison->isComparisonOp()) return std::nullopt;
  const auto *read = llvm::dyn_cast<clang::ImplicitCastExpr>(comparison->getLHS());
  while (read != nullptr && read->getCastKind() != clang::CK_LValueToRValue)
    read = llvm::dyn_cast<clang::ImplicitCastExpr>(read->getSubExpr());
  const auto *step = read != nullptr ? llvm::dyn_cast<clang::UnaryOperator>(read->getSubExpr()) : nullptr;
  if (step == nullptr || !step->isPrefix() || !step->isIncrementDecrementOp()) return std::nullopt;
  const auto renewed = [&](clang::Expr *value, clang::QualType type, clang::CastKind kind) {
    return clang::ImplicitCastExpr::Create(context, type, kind, value, nullptr, clang::VK_PRValue,
                                           clang::FPOptionsOverride());
  };
  clang::Expr *variable = renewed(step->getSubExpr(), read->getType(), clang::CK_LValueToRValue);
  if (comparison->getLHS() != read) {
    const auto *widened = llvm::cast<clang::ImplicitCastExpr>(comparison->getLHS());
    if (widened->getSubExpr() != read) return std::nullopt;
    variable = renewed(variable, widened->getType(), widened->getCastKind());
  }
  const clang::Expr *plain = clang::BinaryOperator::Create(
      context, variable, comparison->getRHS(), comparison->getOpcode(), comparison->getType(), clang::VK_PRValue,
      clang::OK_Ordinary, comparison->getOperatorLoc(), clang::FPOptionsOverride());
  return std::pair(plain, static_cast<const clang::Expr *>(step));
}

/// A while or do loop whose last statement steps, or a do loop whose condition does.
std::optional<Counting> countingOf(const clang::Stmt *s, clang::ASTContext &context) {
  Counting result;
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(s);
      loop != nullptr && loop->getConditionVariable() == nullptr)
    result = {loop->getBody(), loop->getCond(), nullptr, {}, loop->getWhileLoc(), false};
  if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(s))
    result = {loop->getBody(), loop->getCond(), nullptr, {}, loop->getDoLoc(), true};
  if (result.body == nullptr) return std::nullopt;
  const auto *block = llvm::dyn_cast<clang::CompoundStmt>(result.body);
  if (block != nullptr)
    result.turn.assign(block->body_begin(), block->body_end());
  else
    result.turn = {const_cast<clang::Stmt *>(result.body)};
  if (const auto stepped = result.runsOnce ? steppedCondition(result.condition, context) : std::nullopt) {
    std::tie(result.condition, result.step) = *stepped;
    return result;
  }
  if (block == nullptr || result.turn.empty()) return std::nullopt;
  result.step = llvm::dyn_cast<clang::Expr>(result.turn.back());
  result.turn.pop_back();
  return result.step != nullptr ? std::optional(result) : std::nullopt;
}

} // namespace

Reader::Statements Reader::counted(Statements statements) {
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const auto loop = countingOf(statements[k], context);
    if (!loop) continue;
    const clang::VarDecl *variable = steppedBy(loop->step);
    if (variable == nullptr || !mentions(loop->condition, *variable)) continue;
    const std::ptrdiff_t declared = declaredAt(statements, k, *variable);
    const bool moves = declared >= 0 && static_cast<std::size_t>(declared) + 1 < k;
    bool plain = declared >= 0 && (!moves || isSteady(variable->getInit(), changed));
    for (const clang::Stmt *s : loop->turn)
      plain = plain && !changedIn(s).contains(variable) && !mayEnd(s, Until::Turn);
    for (std::size_t later = k + 1; later < statements.size(); ++later)
      plain = plain && !mentions(statements[later], *variable);
    if (!plain) continue;
    auto *own =
        clang::CompoundStmt::Create(context, loop->turn, {}, loop->body->getBeginLoc(), loop->body->getEndLoc());
    const auto first = statements.begin() + declared;
    const auto *made = new (context)
        clang::ForStmt(context, const_cast<clang::Stmt *>(*first), const_cast<clang::Expr *>(loop->condition), nullptr,
                       const_cast<clang::Expr *>(loop->step), own, loop->keyword, loop->condition->getBeginLoc(),
                       loop->condition->getEndLoc());
    if (loop->runsOnce) turnsOnce.insert(made);
    countedFrom[made] = {*first, statements[k]};
    statements[k] = made;
    statements.erase(first);
    --k;
  }
  return statements;
}

} // namespace polymend
