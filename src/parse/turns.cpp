// The statements of one turn of a loop. `if (c) { A; continue; } B` is `if (c) { A } else { B }`: what follows a choice
// of which one side ends the turn goes under the other side. A `continue` anywhere else is refused as a statement.
#include "reader.h"

namespace polymend {

namespace {

bool isLoop(const clang::Stmt *s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

/// Does a `continue` under `s` belong to the loop around it?
bool mayEndTurn(const clang::Stmt *s) {
  if (s == nullptr || isLoop(s) || llvm::isa<clang::Expr>(s)) return false;
  if (llvm::isa<clang::ContinueStmt>(s)) return true;
  for (const clang::Stmt *child : s->children())
    if (mayEndTurn(child)) return true;
  return false;
}

bool alwaysEndsTurn(const clang::Stmt *s) {
  if (s == nullptr) return false;
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s))
    return !block->body_empty() && alwaysEndsTurn(block->body_back());
  return llvm::isa<clang::ContinueStmt>(s);
}

} // namespace

void Reader::turn(const Statements &statements, Body &out) {
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const clang::Stmt *s = statements[k];
    const Statements rest(statements.begin() + static_cast<std::ptrdiff_t>(k) + 1, statements.end());
    if (llvm::isa<clang::ContinueStmt>(s)) return;
    const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s);
    if (block != nullptr && rest.empty()) return turn({block->body_begin(), block->body_end()}, out);
    const auto *choice = llvm::dyn_cast<clang::IfStmt>(s);
    if (choice == nullptr || !mayEndTurn(choice)) {
      statement(s, out);
      continue;
    }
    const bool thenEnds = alwaysEndsTurn(choice->getThen()), elseEnds = alwaysEndsTurn(choice->getElse());
    if (!rest.empty() && !thenEnds && !elseEnds) return statement(s, out);
    Statements then{choice->getThen()}, otherwise;
    if (choice->getElse() != nullptr) otherwise.push_back(choice->getElse());
    if (!thenEnds)
      then.insert(then.end(), rest.begin(), rest.end());
    else if (!elseEnds)
      otherwise.insert(otherwise.end(), rest.begin(), rest.end());
    return branch(*choice, then, otherwise, true, out);
  }
}

} // namespace polymend
