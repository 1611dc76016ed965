// What runs whatever data say: what no condition stands around but those on numbers that are known before.
#include "certain.h"

#include "closed.h"

#include <algorithm>

namespace polymend {

namespace {

/// May the statement end what it stands in before its end? `loops`, `switches`: those around it that it is in.
bool leavesEarly(const clang::Stmt *s, int loops = 0, int switches = 0) {
  if (s == nullptr || llvm::isa<clang::LambdaExpr>(s)) return false;
  if (llvm::isa<clang::ReturnStmt>(s)) return true;
  if (llvm::isa<clang::BreakStmt>(s)) return loops + switches == 0;
  if (llvm::isa<clang::ContinueStmt>(s)) return loops == 0;
  const int more = isLoopStatement(s) ? 1 : 0, chosen = llvm::isa<clang::SwitchStmt>(s) ? 1 : 0;
  return std::any_of(s->child_begin(), s->child_end(),
                     [&](const clang::Stmt *child) { return leavesEarly(child, loops + more, switches + chosen); });
}

/// Does the condition of a loop hold at first, whatever its data are?
bool holdsAtFirst(const clang::ForStmt &loop, const clang::ASTContext &context) {
  if (loop.getCond() == nullptr) return true;
  const auto *test = llvm::dyn_cast<clang::BinaryOperator>(loop.getCond()->IgnoreParens());
  const auto *declarations = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
  const auto *variable = declarations != nullptr && declarations->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(declarations->getSingleDecl())
                             : nullptr;
  const auto *left =
      test != nullptr ? llvm::dyn_cast<clang::DeclRefExpr>(test->getLHS()->IgnoreParenImpCasts()) : nullptr;
  if (variable == nullptr || left == nullptr || left->getDecl() != variable || !variable->hasInit()) return false;
  clang::Expr::EvalResult first, limit;
  if (!variable->getInit()->EvaluateAsInt(first, context) || !test->getRHS()->EvaluateAsInt(limit, context))
    return false;
  const std::int64_t a = first.Val.getInt().getExtValue(), b = limit.Val.getInt().getExtValue();
  return (test->getOpcode() == clang::BO_LT && a < b) || (test->getOpcode() == clang::BO_LE && a <= b);
}

/// Notes what runs whatever data say, with the conditions on numbers around that it stands under.
class Certain {
public:
  Certain(const clang::ASTContext &clangContext, const std::function<bool(const clang::Expr &)> &isKnownBefore)
      : context(clangContext), isKnown(isKnownBefore) {}
  std::map<const clang::Stmt *, Conditions> all;

  /// False: something may have ended the statement before its end.
  bool visit(const clang::Stmt *s, const Conditions &under = {}) {
    if (s == nullptr || llvm::isa<clang::LambdaExpr>(s)) return true;
    if (isLoopStatement(s)) {
      loop(s, under);
      return true;
    }
    if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(s)) {
      visit(choice->getCond(), under);
      if (choice->getInit() == nullptr && choice->getConditionVariable() == nullptr)
        ways(*choice->getCond(), choice->getThen(), choice->getElse(), under);
      return !leavesEarly(choice);
    }
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(s)) {
      visit(choice->getCond(), under);
      ways(*choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr(), under);
      return true;
    }
    if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(s);
        operation != nullptr && operation->isLogicalOp()) {
      visit(operation->getLHS(), under);
      const bool isAnd = operation->getOpcode() == clang::BO_LAnd;
      ways(*operation->getLHS(), isAnd ? operation->getRHS() : nullptr, isAnd ? nullptr : operation->getRHS(), under);
      return true;
    }
    if (llvm::isa<clang::SwitchStmt, clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(s)) return false;
    all.insert({s, under});
    return std::all_of(s->child_begin(), s->child_end(), [&](const clang::Stmt *child) { return visit(child, under); });
  }

private:
  const clang::ASTContext &context;
  const std::function<bool(const clang::Expr &)> &isKnown;

  void loop(const clang::Stmt *s, const Conditions &under) {
    if (const auto *counted = llvm::dyn_cast<clang::ForStmt>(s)) {
      visit(counted->getInit(), under);
      visit(counted->getCond(), under);
      if (holdsAtFirst(*counted, context)) visit(counted->getBody(), under);
    }
    if (const auto *waiting = llvm::dyn_cast<clang::WhileStmt>(s)) visit(waiting->getCond(), under);
    if (const auto *once = llvm::dyn_cast<clang::DoStmt>(s)) visit(once->getBody(), under);
    if (const auto *over = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) visit(over->getRangeInit(), under);
  }

  void ways(const clang::Expr &condition, const clang::Stmt *then, const clang::Stmt *otherwise,
            const Conditions &under) {
    if (!isKnown(condition)) return;
    for (const bool holds : {true, false}) {
      Conditions more = under;
      more.emplace_back(&condition, holds);
      visit(holds ? then : otherwise, more);
    }
  }
};

} // namespace

std::map<const clang::Stmt *, Conditions> runsUnder(const clang::Stmt &s, const clang::ASTContext &context,
                                                    const std::function<bool(const clang::Expr &)> &isKnown) {
  Certain certain(context, isKnown);
  certain.visit(&s);
  return certain.all;
}

} // namespace polymend
