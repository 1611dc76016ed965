// The statements of one turn of a loop, or of one call. `if (c) { A; continue; } B` is `if (c) { A } else { B }`: what
// follows a choice of which one side ends the turn goes under the other side; so do a `return` and what follows it in a
// function, and a `break` of a loop that data end (data_ended.cpp). Anywhere else they are refused as statements.
#include "turns.h"
#include "ranges.h"
#include "reader.h"

#include <algorithm>

namespace polymend {

namespace {

bool isLoop(const clang::Stmt *s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

bool ends(const clang::Stmt *s, Until until) {
  if (until == Until::Return) return llvm::isa<clang::ReturnStmt>(s);
  return llvm::isa<clang::ContinueStmt>(s) ||
         (until == Until::Leave && llvm::isa<clang::BreakStmt, clang::ReturnStmt>(s));
}

} // namespace

bool returnsWithin(const clang::Stmt *s) {
  if (s == nullptr || llvm::isa<clang::Expr>(s)) return false;
  const auto children = s->children();
  return llvm::isa<clang::ReturnStmt>(s) || std::any_of(children.begin(), children.end(), returnsWithin);
}

bool mayEnd(const clang::Stmt *s, Until until) {
  if (s == nullptr || isLoop(s) || llvm::isa<clang::Expr>(s)) return false;
  if (ends(s, until)) return true;
  if (until == Until::Leave && llvm::isa<clang::SwitchStmt>(s)) until = Until::Turn; // a break of its own
  for (const clang::Stmt *child : s->children())
    if (mayEnd(child, until)) return true;
  return false;
}

bool alwaysEnds(const clang::Stmt *s, Until until) {
  if (s == nullptr) return false;
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s))
    return !block->body_empty() && alwaysEnds(block->body_back(), until);
  if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(s))
    return alwaysEnds(choice->getThen(), until) && alwaysEnds(choice->getElse(), until);
  return ends(s, until);
}

bool returnsFromLoopOf(const clang::FunctionDecl &helper) {
  const clang::FunctionDecl *body = nullptr;
  if (!helper.hasBody(body) || !alwaysEnds(body->getBody(), Until::Return)) return false;
  const auto returnsWithinLoop = [](const auto &self, const clang::Stmt *s) -> bool {
    if (s == nullptr || llvm::isa<clang::Expr>(s)) return false;
    if (isLoop(s)) return returnsWithin(s);
    return std::any_of(s->child_begin(), s->child_end(), [&](const clang::Stmt *child) { return self(self, child); });
  };
  return returnsWithinLoop(returnsWithinLoop, body->getBody());
}

void Reader::turn(const Statements &given, Until until, Body &out) {
  const Statements statements = counted(given);
  for (std::size_t k = 0; k < statements.size(); ++k) {
    const clang::Stmt *s = statements[k];
    const Statements rest(statements.begin() + static_cast<std::ptrdiff_t>(k) + 1, statements.end());
    if (ends(s, until)) {
      const auto *result = llvm::dyn_cast<clang::ReturnStmt>(s);
      if (result != nullptr && until == Until::Leave) return returnsFromLoop(*result, out);
      if (result != nullptr) returned(*result, out);
      if (llvm::isa<clang::BreakStmt>(s)) goesNoFurther(rangeOf(s), out);
      return;
    }
    const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s);
    if (block != nullptr && rest.empty()) return turn({block->body_begin(), block->body_end()}, until, out);
    if (rotations.contains(s)) {
      if (rotated(*llvm::cast<clang::ForStmt>(s), rest, until, out)) return;
      continue;
    }
    if (isLoop(s) && turnsOn && returnsEarly && returnsWithin(s)) return returningLoop(*s, rest, until, out);
    const auto *choice = llvm::dyn_cast<clang::IfStmt>(s);
    if (choice == nullptr || !mayEnd(choice, until)) {
      statement(s, out);
      continue;
    }
    const bool thenEnds = alwaysEnds(choice->getThen(), until), elseEnds = alwaysEnds(choice->getElse(), until);
    if (!rest.empty() && !thenEnds && !elseEnds) return statement(s, out);
    Statements then{choice->getThen()}, otherwise;
    if (choice->getElse() != nullptr) otherwise.push_back(choice->getElse());
    if (!thenEnds)
      then.insert(then.end(), rest.begin(), rest.end());
    else if (!elseEnds)
      otherwise.insert(otherwise.end(), rest.begin(), rest.end());
    return branch(*choice, then, otherwise, until, out);
  }
}

/// A loop of a function that is called, out of which that may return: what follows it runs where it has not.
void Reader::returningLoop(const clang::Stmt &loop, const Statements &rest, Until until, Body &out) {
  const SourceRange where = rangeOf(&loop);
  const std::optional<Leaving> outer = leaving;
  if (!leaving) {
    leaving = Leaving{variableFor("returned", Type::Int32, where).array, nullptr};
    writtenIntegers.insert({leaving->flag, where});
    out.emplace_back(std::make_shared<const Assign>(Assign{leaving->flag, {}, Expr::integer(0, Type::Int32), where}));
  }
  leaving->body = loopBodyOf(loop);
  const Leaving here = *leaving;
  statement(&loop, out);
  const Expr isHere =
      Expr::make(Op::Eq, Type::Bool, {Expr::read(here.flag, {}, Type::Int32), Expr::integer(0, Type::Int32)}, where);
  leaving->body = outer ? outer->body : nullptr;
  if (until != Until::Return && until != Until::Leave)
    refuse("a return before the end of the function is not supported", where);
  const ReadInto goesOn = [&](Body &body) { turn(rest, until, body); };
  const ReadInto ends = [&](Body &body) {
    if (until == Until::Leave) goesNoFurther(where, body);
  };
  choice(isHere, goesOn, ends, where, where, out);
}

/// `return x;` within such a loop.
void Reader::returnsFromLoop(const clang::ReturnStmt &result, Body &out) {
  const SourceRange where = rangeOf(&result);
  if (!leaving || dataEnds.empty() || leaving->body == nullptr || dataEnds.back().body != leaving->body)
    refuse("a return before the end of the function is not supported", where);
  returned(result, out);
  out.emplace_back(std::make_shared<const Assign>(Assign{leaving->flag, {}, Expr::integer(1, Type::Int32), where}));
  goesNoFurther(where, out);
}

} // namespace polymend
