// A switch statement -> choices one within the other. Its body is a list of labels and what follows each; that is right
// as long as nothing falls from one label's statements into the next ones', so that at most one of them runs.
#include "ranges.h"
#include "reader.h"
#include "turns.h"
#include "wide_elements.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace polymend {

namespace {

struct Case {
  std::vector<const clang::Expr *> labels; // one of them is the value
  bool isDefault = false;                  // or none of any case's
  std::vector<const clang::Stmt *> statements;
  bool ends = false; // by a break, or by what leaves the function
};

/// Is there a place within it that a jump from outside leads to?
bool hasLabel(const clang::Stmt *s) {
  if (s == nullptr || llvm::isa<clang::SwitchStmt>(s)) return false;
  if (llvm::isa<clang::SwitchCase, clang::LabelStmt>(s)) return true;
  const auto children = s->children();
  return std::any_of(children.begin(), children.end(), hasLabel);
}

void add(const clang::Stmt *s, std::vector<Case> &all) {
  if (const auto *label = llvm::dyn_cast<clang::SwitchCase>(s)) {
    if (all.empty() || !all.back().statements.empty() || all.back().ends) all.emplace_back();
    if (const auto *named = llvm::dyn_cast<clang::CaseStmt>(label)) {
      if (named->getRHS() != nullptr) all.back().labels.push_back(nullptr);
      all.back().labels.push_back(named->getLHS());
    } else {
      all.back().isDefault = true;
    }
    return add(label->getSubStmt(), all);
  }
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
    for (const clang::Stmt *child : block->body()) add(child, all);
    return;
  }
  if (hasLabel(s)) {
    all.emplace_back();
    all.back().labels.push_back(nullptr);
    return;
  }
  if (all.empty() || all.back().ends) return;
  if (llvm::isa<clang::BreakStmt>(s)) {
    all.back().ends = true;
    return;
  }
  all.back().statements.push_back(s);
  all.back().ends = alwaysEnds(s, Until::Return);
}

/// The cases in order, the default one behind all others; empty: a form that is not taken apart.
std::vector<Case> casesOf(const clang::SwitchStmt &choice) {
  std::vector<Case> all;
  if (choice.getInit() != nullptr || choice.getConditionVariable() != nullptr) return {};
  add(choice.getBody(), all);
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const clang::Expr *label : all[k].labels)
      if (label == nullptr) return {};
    if (!all[k].ends && k + 1 < all.size()) return {};
  }
  const auto other = std::find_if(all.begin(), all.end(), [](const Case &one) { return one.isDefault; });
  if (other != all.end()) std::rotate(other, other + 1, all.end());
  return all;
}

} // namespace

/// What a switch statement chooses by.
Expr Reader::chosenBy(const clang::SwitchStmt &choice) {
  const Expr chosen = simplify(value(choice.getCond()));
  fitsSigned(chosen, unsignedWide, unread, rangeOf(choice.getCond()));
  return chosen;
}

Expr Reader::isLabel(const Expr &chosen, const clang::Expr &label) {
  const Expr constant = simplify(value(&label));
  if (constant.op() != Op::Integer) refuse("this label of a switch statement is not supported", rangeOf(&label));
  return Expr::make(Op::Eq, Type::Bool, {chosen, constant}, rangeOf(&label));
}

void Reader::cases(const clang::SwitchStmt &choice, Body &out) {
  const SourceRange where = rangeOf(&choice), tested = rangeOf(choice.getCond());
  const std::vector<Case> all = casesOf(choice);
  if (all.empty())
    refuse("a switch statement whose cases run into each other is not supported: end each by break", where);
  sink = &out;
  const Expr chosen = chosenBy(choice);
  const std::function<void(std::size_t, Body &)> from = [&](std::size_t k, Body &body) {
    if (k == all.size()) return;
    const auto read = [&](Body &own) {
      for (const clang::Stmt *s : all[k].statements) statement(s, own);
    };
    if (all[k].isDefault) return read(body);
    Expr condition;
    for (const clang::Expr *label : all[k].labels) {
      const Expr same = isLabel(chosen, *label);
      condition = condition ? Expr::make(Op::Or, Type::Bool, {condition, same}, tested) : same;
    }
    this->choice(simplify(condition), read, [&](Body &rest) { from(k + 1, rest); }, where, tested, body);
  };
  from(0, out);
}

/// What a call returns whose body ends with a switch, each case of which returns, and with what stands behind that.
Expr Reader::resultOfCases(const clang::SwitchStmt &choice, const Statements &rest, const clang::CallExpr &call) {
  std::vector<Case> all = casesOf(choice);
  const auto returns = [](const Case &one) {
    return !one.statements.empty() && alwaysEnds(one.statements.back(), Until::Return);
  };
  if (all.empty() || !std::all_of(all.begin(), all.end(), returns))
    refuse("a switch statement is supported here where each case returns", rangeOf(&choice));
  const Expr chosen = chosenBy(choice);
  Body *outer = std::exchange(sink, nullptr);
  Expr result = resultOf(all.back().isDefault ? all.back().statements : rest, call);
  sink = outer;
  if (all.back().isDefault) all.pop_back();
  for (std::size_t k = all.size(); k-- > 0;)
    for (const clang::Expr *label : all[k].labels) {
      const Expr same = simplify(isLabel(chosen, *label));
      const Expr own = resultUnder(same, all[k].statements, call);
      result = same.op() == Op::Integer ? (same->integer != 0 ? own : result) : choose(same, own, result);
    }
  return result;
}

} // namespace polymend
