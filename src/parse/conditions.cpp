// If statements. A condition that is affine in loop variables is a Branch. Another, most often on data, becomes part of
// the values: each assignment under it selects between its value and the old one. That is right as long as no
// assignment before changes what the condition reads; a conjunction is split, so that its affine part still guards the
// reads. What the block itself declares has no old value: it is computed anyway, or is 0 where computing it would read
// elements. A loop under the condition becomes a loop over guarded assignments. A disjunction over loop variables under
// which there are only updates is taken as one on data: what a reduction leaves out is told later, and the flow of
// values stays that of a loop without holes.
#include "affine.h"
#include "algorithms.h"
#include "ranges.h"
#include "reader.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

Expr conjunction(const Expr &a, const Expr &b) { return a && b ? Expr::make(Op::And, {a, b}) : a ? a : b; }

/// The conjuncts over symbols that are affine in the loop variables, and the others; disjunctions count as others where
/// `convex` is asked for.
std::pair<Expr, Expr> split(const Expr &condition, bool convex, const Knowledge &knowledge) {
  if (condition.op() != Op::And) {
    const bool choice = convex && condition.op() == Op::Or;
    const bool isPlain = isOverSymbols(condition) && isAffine(condition, knowledge);
    return isPlain && !choice ? std::pair(condition, Expr()) : std::pair(Expr(), condition);
  }
  const auto [leftAffine, leftData] = split(condition.arg(0), convex, knowledge);
  const auto [rightAffine, rightData] = split(condition.arg(1), convex, knowledge);
  return {conjunction(leftAffine, rightAffine), conjunction(leftData, rightData)};
}

/// Is a function of the source called on the right of && or ||?
bool callsBehindChoice(const clang::Stmt *s, bool isBehind = false) {
  if (s == nullptr || llvm::isa<clang::LambdaExpr>(s)) return false;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(s); call != nullptr && isBehind) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee != nullptr && callee->hasBody() && !callee->isInStdNamespace() && callee->getBuiltinID() == 0)
      return true;
  }
  if (const auto *both = llvm::dyn_cast<clang::BinaryOperator>(s); both != nullptr && both->isLogicalOp())
    return callsBehindChoice(both->getLHS(), isBehind) || callsBehindChoice(both->getRHS(), true);
  return std::any_of(s->child_begin(), s->child_end(),
                     [&](const clang::Stmt *child) { return callsBehindChoice(child, isBehind); });
}

/// The opposite, with the negations at the comparisons, so that a disjunction that leaves becomes a conjunction.
Expr negation(const Expr &e) {
  if (e.op() == Op::Not) return e.arg(0);
  if (e.op() != Op::And && e.op() != Op::Or) return Expr::make(Op::Not, {e});
  return Expr::make(e.op() == Op::And ? Op::Or : Op::And, {negation(e.arg(0)), negation(e.arg(1))});
}

/// Do both assign to one element?
bool areAlike(const Node &a, const Node &b) {
  const auto *first = std::get_if<std::shared_ptr<const Assign>>(&a);
  const auto *second = std::get_if<std::shared_ptr<const Assign>>(&b);
  return first != nullptr && second != nullptr && (*first)->target == (*second)->target &&
         std::equal((*first)->subscripts.begin(), (*first)->subscripts.end(), (*second)->subscripts.begin(),
                    (*second)->subscripts.end(), equal);
}

/// Does it read elements, or divide integers by what may be zero?
bool needsCondition(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Read && !node->args.empty()) || mayTrap(node); });
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
    if (const auto *nested = std::get_if<std::shared_ptr<const Loop>>(&node)) collectTargets((*nested)->body, targets);
  }
}

bool hasLoop(const Body &body) {
  return std::any_of(body.begin(), body.end(), [](const Node &node) {
    const auto *nested = std::get_if<std::shared_ptr<const Branch>>(&node);
    return std::holds_alternative<std::shared_ptr<const Loop>>(node) ||
           (nested != nullptr && (hasLoop((*nested)->then) || hasLoop((*nested)->otherwise)));
  });
}

/// Does `body` change what stood before it by updates alone, each of which reads the element that it writes?
bool onlyUpdates(const Body &body, const std::vector<Array> &arrays, std::size_t firstLocal) {
  return std::all_of(body.begin(), body.end(), [&](const Node &node) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node))
      return onlyUpdates((*loop)->body, arrays, firstLocal);
    if (const auto *nested = std::get_if<std::shared_ptr<const Branch>>(&node))
      return onlyUpdates((*nested)->then, arrays, firstLocal) && onlyUpdates((*nested)->otherwise, arrays, firstLocal);
    const Assign &assign = *std::get<std::shared_ptr<const Assign>>(node);
    const auto own = std::find_if(arrays.begin() + static_cast<std::ptrdiff_t>(firstLocal), arrays.end(),
                                  [&](const Array &array) { return array.name == assign.target; });
    const bool isOwn = own != arrays.end() && own->storage == Array::Storage::Local;
    return isOwn || reads(assign.value, assign.target);
  });
}

/// `body` with the assignments that change what `condition` reads behind all others, where they may stand there.
Body changedLast(const Body &body, const Expr &condition) {
  Body first, last;
  std::set<std::string> moved;
  for (const Node &node : body) {
    const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node);
    if (assign == nullptr) return body;
    for (const std::string &name : moved)
      if (reads((*assign)->value, name) || (*assign)->target == name) return body;
    const bool isRead = reads(condition, (*assign)->target);
    for (const Node &other : isRead ? last : Body())
      if (reads((*assign)->value, std::get<std::shared_ptr<const Assign>>(other)->target)) return body;
    for (const Expr &subscript : (*assign)->subscripts)
      for (const std::string &name : moved)
        if (reads(subscript, name)) return body;
    if (isRead) moved.insert((*assign)->target);
    (isRead ? last : first).push_back(node);
  }
  for (const Node &mover : last)
    for (const Node &other : first)
      if (reads(std::get<std::shared_ptr<const Assign>>(mover)->value,
                std::get<std::shared_ptr<const Assign>>(other)->target))
        return body;
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

void append(Body &out, Body more) { out.insert(out.end(), more.begin(), more.end()); }

} // namespace

Body Reader::guarded(const Body &body, const Expr &condition, bool holds, std::size_t firstLocal,
                     const SourceRange &where) {
  Body result;
  for (const Node &node : body) {
    if (const auto *nested = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      Loop loop = **nested;
      loop.body = guarded(loop.body, condition, holds, firstLocal, where);
      result.emplace_back(std::make_shared<const Loop>(std::move(loop)));
      continue;
    }
    if (const auto *nested = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      addBranch((*nested)->condition, guarded((*nested)->then, condition, holds, firstLocal, where),
                guarded((*nested)->otherwise, condition, holds, firstLocal, where), (*nested)->where, result);
      continue;
    }
    Assign assign = *std::get<std::shared_ptr<const Assign>>(node);
    const Array &array = arrayNamed(assign.target);
    const bool local = static_cast<std::size_t>(&array - function.arrays.data()) >= firstLocal &&
                       array.storage == Array::Storage::Local;
    const Expr old = local && !reads(assign.value, assign.target)
                         ? (isFloating(array.type) ? Expr::real(0, array.type) : Expr::integer(0, array.type))
                         : Expr::read(assign.target, assign.subscripts, array.type);
    if (!local || needsCondition(assign.value))
      assign.value = holds ? choose(condition, assign.value, old) : choose(condition, old, assign.value);
    result.emplace_back(std::make_shared<const Assign>(std::move(assign)));
  }
  return result;
}

/// `then` where the condition holds, `otherwise` where it does not. Only one of them runs, so that what both assign to
/// one element is one assignment, as long as each keeps its own order.
void Reader::guard(const Expr &condition, const Body &then, const Body &otherwise, std::size_t firstLocal,
                   const SourceRange &where, Body &out) {
  std::vector<std::string> targets;
  collectTargets(then, targets);
  collectTargets(otherwise, targets);
  const bool isPair = then.size() == 1 && otherwise.size() == 1 && areAlike(then.front(), otherwise.front());
  const std::size_t last = targets.empty() || hasLoop(then) || hasLoop(otherwise) ? 0 : isPair ? 2 : 1;
  const bool changes = std::any_of(targets.begin(), targets.end() - static_cast<std::ptrdiff_t>(last),
                                   [&](const std::string &target) { return reads(condition, target); });
  const Expr tested = changes ? kept(condition, where, out) : condition;
  const auto some = [&](const Body &body, std::size_t from, std::size_t to, bool holds) {
    const Body part(body.begin() + static_cast<std::ptrdiff_t>(from), body.begin() + static_cast<std::ptrdiff_t>(to));
    append(out, guarded(part, tested, holds, firstLocal, where));
  };
  std::size_t done = 0, doneOtherwise = 0;
  for (std::size_t k = 0; k < then.size(); ++k)
    for (std::size_t other = doneOtherwise; other < otherwise.size(); ++other) {
      if (!areAlike(then[k], otherwise[other])) continue;
      some(then, done, k, true);
      some(otherwise, doneOtherwise, other, false);
      Assign both = *std::get<std::shared_ptr<const Assign>>(then[k]);
      both.value = choose(tested, both.value, std::get<std::shared_ptr<const Assign>>(otherwise[other])->value);
      both.where = where;
      out.emplace_back(std::make_shared<const Assign>(std::move(both)));
      done = k + 1;
      doneOtherwise = other + 1;
      break;
    }
  some(then, done, then.size(), true);
  some(otherwise, doneOtherwise, otherwise.size(), false);
}

/// The condition as it holds here, whatever changes what it reads.
Expr Reader::kept(const Expr &condition, const SourceRange &where, Body &out) {
  Array holds;
  holds.name = unique("holds");
  holds.type = Type::Int32;
  holds.where = where;
  addArray(holds);
  const Expr one = Expr::integer(1, Type::Int32), none = Expr::integer(0, Type::Int32);
  const Expr number = Expr::make(Op::Select, Type::Int32, {condition, one, none}, where);
  out.emplace_back(std::make_shared<const Assign>(Assign{holds.name, {}, number, where}));
  return Expr::make(Op::Ne, Type::Bool, {Expr::read(holds.name, {}, Type::Int32), none}, where);
}

Body Reader::under(const Expr &condition, const ReadInto &read) {
  Body body;
  const std::size_t known = knowledge.facts.size();
  const bool outer = std::exchange(underCondition, true);
  for (const Expr &fact : factsOf(condition, knowledge)) knowledge.facts.push_back(fact);
  read(body);
  knowledge.facts.resize(known);
  underCondition = outer;
  return body;
}

/// What an if statement declares before it asks: `if (float s = f(x); s < best)`, `if (int k = f(x))`.
void Reader::declareHead(const clang::IfStmt &branch, Body &out) {
  if (branch.getInit() != nullptr) statement(branch.getInit(), out);
  if (branch.getConditionVariable() != nullptr) declare(*branch.getConditionVariable(), out);
}

void Reader::branch(const clang::IfStmt &branch, Body &out) {
  Statements otherwise;
  if (branch.getElse() != nullptr) otherwise.push_back(branch.getElse());
  this->branch(branch, {branch.getThen()}, otherwise, Until::Block, out);
}

void Reader::branch(const clang::IfStmt &branch, const Statements &thenStatements, const Statements &elseStatements,
                    Until until, Body &out) {
  const SourceRange where = rangeOf(&branch);
  sink = &out;
  declareHead(branch, out);
  sink = &out;
  if (branch.isConsteval()) refuse("'if consteval' is not supported", where);
  const auto reading = [&](const Statements &statements) {
    return [&, until](Body &body) {
      if (until != Until::Block) return turn(statements, until, body);
      for (const clang::Stmt *child : statements) statement(child, body);
    };
  };
  const std::function<Expr(const clang::Expr *, Body &)> asked = [&](const clang::Expr *e, Body &into) {
    const clang::Expr *inner = e->IgnoreParenImpCasts();
    const auto *both = llvm::dyn_cast<clang::BinaryOperator>(inner);
    if (const auto *single = llvm::dyn_cast<clang::UnaryOperator>(inner);
        single != nullptr && single->getOpcode() == clang::UO_LNot && callsBehindChoice(inner))
      return Expr::make(Op::Not, Type::Bool, {asked(single->getSubExpr(), into)});
    sink = &into;
    if (both == nullptr || !both->isLogicalOp() || !callsBehindChoice(inner)) {
      const Expr result = simplify(value(e));
      settle(result, rangeOf(e));
      return result;
    }
    const SourceRange place = rangeOf(inner);
    const Place holds = variableFor("holds", Type::Bool, place);
    const auto keep = [&](const Expr &truth, Body &body) {
      put(holds, convert(truth, Type::Bool, place), place, body);
    };
    keep(asked(both->getLHS(), into), into);
    const Expr first = readAt(holds, inner);
    const bool isAnd = both->getOpcode() == clang::BO_LAnd;
    choice(
        isAnd ? first : Expr::make(Op::Not, Type::Bool, {first}),
        [&](Body &body) { keep(asked(both->getRHS(), body), body); }, [](Body &) {}, place, place, into);
    sink = &into;
    return readAt(holds, inner);
  };
  Expr condition;
  const auto plainly = [&] {
    condition = simplify(value(branch.getCond()));
    settle(condition, where);
  };
  if (!callsBehindChoice(branch.getCond())) {
    plainly();
  } else if (const auto why = refusedBy(plainly, &out)) { // what runs where the first operands say so
    if (refusedBy([&] { condition = asked(branch.getCond(), out); }, &out)) throw Refusal(*why);
    sink = &out;
  }
  choice(condition, reading(thenStatements), reading(elseStatements), where, rangeOf(branch.getCond()), out);
}

/// `if (condition) then else otherwise`, both of which are read where the condition and its opposite hold.
void Reader::choice(Expr condition, const ReadInto &readThen, const ReadInto &readOtherwise, const SourceRange &where,
                    const SourceRange &tested, Body &out) {
  if (condition.op() == Op::Integer) {
    append(out, under(condition, condition->integer != 0 ? readThen : readOtherwise));
    return;
  }
  sink = nullptr;
  const std::size_t firstLocal = function.arrays.size();
  const Bindings before = followedValues();
  hasLeft = false;
  Body then = changedLast(under(condition, readThen), condition);
  const Bindings left = followedValues();
  const bool thenLeaves = std::exchange(hasLeft, false);
  putBack(before);
  Body otherwise = changedLast(under(negation(condition), readOtherwise), condition);
  const bool onlyOne = thenLeaves != hasLeft;
  if (!onlyOne) merge(condition, left, followedValues(), tested);
  if (onlyOne && hasLeft) putBack(left);
  hasLeft = hasLeft && thenLeaves;
  if (then.empty()) {
    condition = negation(condition);
    std::swap(then, otherwise);
  }
  const bool convex = otherwise.empty() && onlyUpdates(then, function.arrays, firstLocal);
  const auto [affine, data] = split(condition, convex, knowledge);
  if (!data) return addBranch(condition, std::move(then), std::move(otherwise), where, out);
  if (!affine) return guard(data, then, otherwise, firstLocal, tested, out);
  Body inner;
  guard(data, then, otherwise, firstLocal, tested, inner);
  addBranch(affine, std::move(inner), std::move(otherwise), where, out);
}

/// What `fact`, which is to be >= 0, asks of sizes, so that it is in every turn of the loops around; absent: no one
/// knows.
Expr Reader::inEveryTurn(Expr fact) const {
  for (auto loop = knowledge.loops.rbegin(); loop != knowledge.loops.rend(); ++loop) {
    if (!symbols(fact).contains(loop->variable)) continue;
    const auto slope = coefficient(fact, loop->variable);
    const Expr &least = slope.value_or(0) > 0 ? loop->lower : loop->upper;
    if (!slope || !least) return {};
    fact = simplify(substitute(fact, [&](const std::string &name) { return name == loop->variable ? least : Expr(); }));
  }
  return fact;
}

/// `assert(c)`: what the loops around do not say of it is asked of sizes. Where it does not hold, the source's own text
/// runs, which stops.
void Reader::promised(const clang::ConditionalOperator &test) {
  const SourceRange where = rangeOf(&test);
  std::vector<Expr> open{simplify(value(test.getCond()))};
  while (!open.empty()) {
    const Expr condition = open.back();
    open.pop_back();
    if (condition.op() == Op::And) {
      open.push_back(condition.arg(0));
      open.push_back(condition.arg(1));
      continue;
    }
    if (condition.op() == Op::Integer && condition->integer != 0) continue;
    if (condition.op() == Op::Integer) refuse("an assertion never holds", where);
    if (!isOverSymbols(condition))
      refuse("an assertion about data is not supported: leave it out, -DNDEBUG does", where);
    const std::vector<Expr> facts = factsOf(condition);
    if (facts.size() == 1 && isNonNegative(facts.front(), knowledge)) continue;
    if (underCondition) refuse("an assertion under a condition is not supported: leave it out, -DNDEBUG does", where);
    const std::set<std::string> used = symbols(condition);
    const bool isOfTurns = std::any_of(knowledge.loops.begin(), knowledge.loops.end(),
                                       [&](const LoopRange &loop) { return used.contains(loop.variable); });
    const Expr least = isOfTurns && facts.size() == 1 ? inEveryTurn(facts.front()) : Expr();
    if (isOfTurns && !least)
      refuse("what this assertion asks of each turn is not known: leave it out, -DNDEBUG does", where);
    assume(isOfTurns ? Expr::make(Op::Le, {Expr::integer(0), least}) : condition);
  }
}

} // namespace polymend
