// If statements. A condition over loop variables and parameters is a Branch. A condition on data becomes part of the
// values: each assignment under it selects between its value and the old one. That is right as long as no assignment
// before changes what the condition reads; a conjunction is split, so that its affine part still guards the reads. What
// the block itself declares has no old value: it is computed anyway, or is 0 where computing it would read elements.
#include "parse/ranges.h"
#include "parse/reader.h"

#include <algorithm>

namespace polymend {

namespace {

Expr conjunction(const Expr &a, const Expr &b) { return a && b ? Expr::make(Op::And, {a, b}) : a ? a : b; }

/// The conjuncts over symbols only, and the others.
std::pair<Expr, Expr> split(const Expr &condition) {
  if (isOverSymbols(condition)) return {condition, {}};
  if (condition.op() != Op::And) return {{}, condition};
  const auto [leftAffine, leftData] = split(condition.arg(0));
  const auto [rightAffine, rightData] = split(condition.arg(1));
  return {conjunction(leftAffine, rightAffine), conjunction(leftData, rightData)};
}

const Assign *onlyAssign(const Body &body) {
  const auto *assign = body.size() == 1 ? std::get_if<std::shared_ptr<const Assign>>(body.data()) : nullptr;
  return assign != nullptr ? assign->get() : nullptr;
}

bool sameTarget(const Assign &a, const Assign &b) {
  return a.target == b.target &&
         std::equal(a.subscripts.begin(), a.subscripts.end(), b.subscripts.begin(), b.subscripts.end(), equal);
}

bool reads(const Expr &e, const std::string &array) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Read && node->name == array); });
  return found;
}

bool readsElements(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Read && !node->args.empty()); });
  return found;
}

void addBranch(const Expr &condition, Body then, Body otherwise, const SourceRange &where, Body &out) {
  if (then.empty() && otherwise.empty()) return;
  out.emplace_back(std::make_shared<const Branch>(Branch{condition, std::move(then), std::move(otherwise), where}));
}

/// The targets assigned in `body`, in order.
void collectTargets(const Body &body, std::vector<std::string> &targets) {
  for (const Node &node : body) {
    if (const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node)) targets.push_back((*assign)->target);
    if (const auto *nested = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      collectTargets((*nested)->then, targets);
      collectTargets((*nested)->otherwise, targets);
    }
  }
}

void append(Body &out, Body more) { out.insert(out.end(), more.begin(), more.end()); }

} // namespace

Body Reader::guarded(const Body &body, const Expr &condition, bool holds, std::size_t firstLocal,
                     const SourceRange &where) {
  Body result;
  for (const Node &node : body) {
    if (std::holds_alternative<std::shared_ptr<const Loop>>(node)) refuse("a condition on data guards a loop", where);
    if (const auto *nested = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      addBranch((*nested)->condition, guarded((*nested)->then, condition, holds, firstLocal, where),
                guarded((*nested)->otherwise, condition, holds, firstLocal, where), (*nested)->where, result);
      continue;
    }
    Assign assign = *std::get<std::shared_ptr<const Assign>>(node);
    const Array &array = arrayNamed(assign.target);
    const bool local = static_cast<std::size_t>(&array - function.arrays.data()) >= firstLocal &&
                       array.storage == Array::Storage::Local;
    const Expr old = local ? Expr::real(0, array.type) : Expr::read(assign.target, assign.subscripts, array.type);
    if (!local || readsElements(assign.value))
      assign.value = holds ? choose(condition, assign.value, old) : choose(condition, old, assign.value);
    result.emplace_back(std::make_shared<const Assign>(std::move(assign)));
  }
  return result;
}

void Reader::guard(const Expr &condition, const Body &then, const Body &otherwise, std::size_t firstLocal,
                   const SourceRange &where, Body &out) {
  const Assign *first = onlyAssign(then);
  const Assign *second = onlyAssign(otherwise);
  if (first != nullptr && second != nullptr && sameTarget(*first, *second)) {
    Assign merged = *first;
    merged.value = choose(condition, first->value, second->value);
    merged.where = where;
    out.emplace_back(std::make_shared<const Assign>(std::move(merged)));
    return;
  }
  std::vector<std::string> targets;
  collectTargets(then, targets);
  collectTargets(otherwise, targets);
  for (std::size_t i = 0; i + 1 < targets.size(); ++i)
    if (reads(condition, targets[i]))
      refuse("the condition reads '" + targets[i] + "', which is changed under it", where);
  append(out, guarded(then, condition, true, firstLocal, where));
  append(out, guarded(otherwise, condition, false, firstLocal, where));
}

Body Reader::under(const Expr &condition, const clang::Stmt *statementUnder) {
  Body body;
  if (statementUnder == nullptr) return body;
  const std::size_t known = knowledge.facts.size();
  for (const Expr &fact : factsOf(condition)) knowledge.facts.push_back(fact);
  statement(statementUnder, body);
  knowledge.facts.resize(known);
  return body;
}

void Reader::branch(const clang::IfStmt &branch, Body &out) {
  const SourceRange where = rangeOf(&branch);
  if (branch.getInit() != nullptr || branch.getConditionVariable() != nullptr)
    refuse("an if statement with a declaration is not supported", where);
  if (branch.isConsteval()) refuse("'if consteval' is not supported", where);
  const Expr condition = simplify(value(branch.getCond()));
  if (condition.op() == Op::Integer) {
    const clang::Stmt *taken = condition->integer != 0 ? branch.getThen() : branch.getElse();
    if (taken != nullptr) statement(taken, out);
    return;
  }
  const std::size_t firstLocal = function.arrays.size();
  Body then = under(condition, branch.getThen());
  Body otherwise = under(Expr::make(Op::Not, {condition}), branch.getElse());
  const auto [affine, data] = split(condition);
  if (!data) return addBranch(condition, std::move(then), std::move(otherwise), where, out);
  if (!affine) return guard(data, then, otherwise, firstLocal, rangeOf(branch.getCond()), out);
  Body inner;
  guard(data, then, otherwise, firstLocal, rangeOf(branch.getCond()), inner);
  addBranch(affine, std::move(inner), std::move(otherwise), where, out);
}

} // namespace polymend
