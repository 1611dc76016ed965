// `int i = first; while (i < limit) { ...; ++i; }` -> the for loop that it is, where nothing between the two and
// nothing behind them names the variable, and the step is the only change of it.
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

} // namespace

Reader::Statements Reader::counted(Statements statements) const {
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const auto *loop = llvm::dyn_cast<clang::WhileStmt>(statements[k]);
    const auto *body = loop != nullptr ? llvm::dyn_cast<clang::CompoundStmt>(loop->getBody()) : nullptr;
    if (body == nullptr || body->body_empty() || loop->getConditionVariable() != nullptr) continue;
    const clang::VarDecl *variable = steppedBy(body->body_back());
    if (variable == nullptr || !mentions(loop->getCond(), *variable)) continue;
    const std::ptrdiff_t declared = declaredAt(statements, k, *variable);
    std::vector<clang::Stmt *> inner(body->body_begin(), body->body_end() - 1);
    const bool moves = declared >= 0 && static_cast<std::size_t>(declared) + 1 < k;
    bool plain = declared >= 0 && (!moves || isSteady(variable->getInit(), changed));
    for (const clang::Stmt *s : inner) plain = plain && !changedIn(s).contains(variable) && !mayEnd(s, Until::Turn);
    for (std::size_t later = k + 1; later < statements.size(); ++later)
      plain = plain && !mentions(statements[later], *variable);
    if (!plain) continue;
    auto *own = clang::CompoundStmt::Create(context, inner, {}, body->getLBracLoc(), body->getRBracLoc());
    const auto first = statements.begin() + declared;
    statements[k] = new (context)
        clang::ForStmt(context, const_cast<clang::Stmt *>(*first), const_cast<clang::Expr *>(loop->getCond()), nullptr,
                       llvm::cast<clang::Expr>(const_cast<clang::Stmt *>(body->body_back())), own, loop->getWhileLoc(),
                       loop->getLParenLoc(), loop->getRParenLoc());
    statements.erase(first);
    --k;
  }
  return statements;
}

} // namespace polymend
