// Loops that move variables: pointers and integers that stand for an expression (followed.cpp). A turn is read on
// trial, each variable being at a place of its own; where it then is so much further, whatever turn it is, it is an
// induction variable (Aho, Lam, Sethi, Ullman, Compilers, 2nd edition, 9.1.8): in turn t it is at first + t * each, and
// the loop is read with that. A loop whose condition asks such variables turns as often as the condition, linear in t,
// holds. How far an inner loop moves one rests on how often it turns, which is not less than 0: that is tested at
// entry.
#include "ranges.h"
#include "reader.h"
#include "types.h"

#include <algorithm>
#include <utility>

namespace polymend {

namespace {

bool isNothing(const Expr &e) { return e.op() == Op::Integer && e->integer == 0; }

Expr atLeastNothing(const Expr &e) { return simplify(Expr::make(Op::Max, Type::Int64, {Expr::integer(0), e})); }

/// What the head of a loop sets, and to what; null: it is no such statement.
std::pair<const clang::VarDecl *, const clang::Expr *> setBy(const clang::Expr *e) {
  const auto *set = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParens());
  if (set == nullptr || set->getOpcode() != clang::BO_Assign) return {};
  const auto *target = llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens());
  return {target != nullptr ? llvm::dyn_cast<clang::VarDecl>(target->getDecl()) : nullptr, set->getRHS()};
}

} // namespace

bool isNamedOutside(const clang::VarDecl &variable, const clang::Stmt &statement) {
  return namings(homeOf(variable), variable) != namings(&statement, variable);
}

/// The variables that are followed and that the parts change, in the order of their declarations.
Reader::Variables Reader::movedIn(const Statements &parts) const {
  Variables moved;
  for (const clang::VarDecl *variable : followed)
    if (bindings.contains(variable) && std::any_of(parts.begin(), parts.end(), [&](const clang::Stmt *part) {
          return part != nullptr && changedIn(part).contains(variable);
        }))
      moved.push_back(variable);
  std::sort(moved.begin(), moved.end(), [](const clang::VarDecl *a, const clang::VarDecl *b) {
    return a->getLocation().getRawEncoding() < b->getLocation().getRawEncoding();
  });
  return moved;
}

/// What a turn does to the variables, which `read` reads.
Reader::Inductions Reader::onTrial(const Variables &moved, const Expr &turn, const SourceRange &where,
                                   const std::function<void(Inductions &)> &read) {
  const ReaderState before = *this;
  Inductions all;
  std::vector<Expr> starts;
  for (const clang::VarDecl *variable : moved) {
    starts.push_back(Expr::symbol(unique(variable->getNameAsString() + "_start"), numberOf(*variable).type()));
    all.push_back({variable, numberOf(*variable), {}, Expr::integer(0)});
    bindings[variable] = at(*variable, starts.back());
  }
  checksWraps = false; // the places have no bounds
  read(all);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto *from = std::get_if<Place>(&before.bindings.at(all[k].variable));
    const auto *to = std::get_if<Place>(&bindings.at(all[k].variable));
    const auto *records = std::get_if<Object>(&before.bindings.at(all[k].variable));
    const auto *others = std::get_if<Object>(&bindings.at(all[k].variable));
    if ((from != nullptr && from->array != to->array) || (records != nullptr && !areAmongTheSame(*records, *others)))
      refuse("'" + all[k].variable->getNameAsString() + "' leads to another array in each turn", where);
    all[k].each = simplify(numberOf(*all[k].variable) - starts[k]);
    if (!isNothing(all[k].asked)) all[k].asked = simplify(all[k].asked - starts[k]);
  }
  ReaderState::operator=(before);
  for (Induction &one : all) one.each = perTurn(one, turn, where);
  return all;
}

/// How far a turn moves a variable, where it is the same in each: inner loops turn no less than 0 times.
Expr Reader::perTurn(const Induction &one, const Expr &turn, const SourceRange &where) {
  const std::set<std::string> turns = turn ? symbols(turn) : std::set<std::string>();
  bool isSame = !polymend::reads(one.each);
  for (const std::string &name : symbols(one.each)) {
    const bool isLoop = std::any_of(knowledge.loops.begin(), knowledge.loops.end(),
                                    [&](const LoopRange &loop) { return loop.variable == name; });
    isSame = isSame && !turns.contains(name) && (isLoop || knowledge.parameters.contains(name));
  }
  if (!isSame) {
    const std::string name = one.variable->getNameAsString();
    if (polymend::reads(one.each))
      refuse("'" + name + "' moves by what data say: keep where each turn begins in an array of its own, " + name +
                 "[i]",
             where);
    refuse("'" + name + "' does not move by the same in each turn: say where it is, " + name + " = first + turn * step",
           where);
  }
  return simplify(rewrite(one.each, [&](const Expr &node) {
    const bool isCount = node.op() == Op::Max && isNothing(node.arg(0)) && isOverParameters(node.arg(1));
    if (!isCount) return node;
    assume(Expr::make(Op::Le, {Expr::integer(0), node.arg(1)}));
    return node.arg(1);
  }));
}

/// The variables are where turn number `turn` of the loop begins.
void Reader::moveTo(const Inductions &all, const Expr &turn, const clang::Stmt &loop) {
  for (const Induction &one : all) {
    const Expr number = simplify(one.first + turn * one.each);
    const clang::QualType type = one.variable->getType();
    const bool isWrapped = type->isIntegerType() && mayWrap(type);
    bindings[one.variable] = at(*one.variable, isWrapped ? fitting(number, type, &loop) : number);
  }
}

/// The variables are behind `count` turns of the loop, or none where it is negative.
void Reader::leave(const Inductions &all, const Expr &count, const clang::Stmt &loop) {
  if (EndingLoop *ending = endOf(loop))
    for (const Induction &one : all) ending->moved.push_back({one.variable, one.first, one.each});
  for (const Induction &one : all) {
    Expr turned = count;
    if (isNothing(one.each) || isNonNegative(count, knowledge))
      turned = count;
    else if (isNamedOutside(*one.variable, loop) && isOverParameters(count))
      assume(Expr::make(Op::Le, {Expr::integer(0), count}));
    else
      turned = atLeastNothing(count);
    const Expr number = simplify(one.first + turned * one.each);
    if (const Place *place = std::get_if<Place>(&bindings.at(one.variable)); place != nullptr && !isNothing(one.each)) {
      Place first = *place;
      first.subscripts.back() = one.first;
      staysInRow(first, simplify(turned * one.each), rangeOf(&loop));
    }
    if (mayChange(number))
      bindings.erase(one.variable);
    else
      follow(*one.variable, at(*one.variable, number), rangeOf(&loop));
  }
}

/// Reads turn number `turn` of a loop; the caller leaves the loop.
Reader::Inductions Reader::inTurns(const Expr &turn, const Statements &inside, const clang::Stmt &loop,
                                   const ReadInto &read, Body &out) {
  const Variables moved = movedIn(inside);
  Inductions all;
  if (!moved.empty()) {
    all = onTrial(moved, turn, rangeOf(&loop), [&](Inductions &) {
      Body unread;
      read(unread);
    });
    moveTo(all, turn, loop);
  }
  read(out);
  return all;
}

/// Whether the loop goes on.
Expr Reader::asks(const Turning &loop) {
  const auto outer = std::exchange(alreadyStepped, {});
  Body *statements = std::exchange(sink, nullptr);
  const Expr condition = simplify(loopCondition(loop.condition));
  sink = statements;
  alreadyStepped = outer;
  return condition;
}

void Reader::readTurn(const Turning &loop, const std::function<void()> &asking, Body &out) {
  const auto ask = [&] {
    asking();
    asks(loop);
  };
  if (!loop.asksLast) ask();
  turnUntilData(*loop.body, out);
  if (loop.step != nullptr) statement(loop.step, out);
  if (loop.asksLast) ask();
}

/// How often the loop turns; negative: not once.
Expr Reader::turnsOf(const Turning &loop, const Inductions &all) {
  const Expr turn = Expr::symbol(unique("turn"), Type::Int64);
  Inductions asked = all;
  for (Induction &one : asked) one.first = simplify(one.first + one.asked);
  const ReaderState before = *this;
  checksWraps = false;
  moveTo(asked, turn, *loop.loop);
  const Expr condition = asks(loop);
  const Expr limit = limitOf(condition, turn, 1, rangeOf(loop.condition));
  ReaderState::operator=(before);

  const bool isUnsigned = std::any_of(all.begin(), all.end(), [&](const Induction &one) {
    const clang::QualType type = one.variable->getType();
    return type->isIntegerType() && mayWrap(type) && mentions(loop.condition, *one.variable);
  });
  const bool steps = std::any_of(
      all.begin(), all.end(), [&](const Induction &one) { return changedIn(loop.condition).contains(one.variable); });
  const Expr last = atLeastNothing(limit);
  knowledge.loops.push_back({turn->name, turn.type(), Expr::integer(0), last});
  moveTo(asked, turn, *loop.loop);
  if (steps) knowledge.loops.back().upper = simplify(last - Expr::integer(1));
  asks(loop);
  for (const Induction &one : all) bindings[one.variable] = at(*one.variable, one.first);
  knowledge.loops.pop_back();
  if (isUnsigned || condition.op() == Op::And) meets(condition, turn, Expr::integer(0), 1, *loop.condition);
  return loop.asksLast ? simplify(last + Expr::integer(1)) : limit;
}

/// What the turns are called that move the variable: as it is where it is their number.
std::string Reader::nameOfTurn(const Induction &one) {
  const std::string name = one.variable->getNameAsString();
  if (one.variable->getType()->isPointerType()) return "at_" + name;
  const bool isNumber = isNothing(one.first) && one.each.op() == Op::Integer && one.each->integer == 1;
  return isNumber ? name : name + "_turn";
}

/// A loop that ends where variables that it moves are; false: its condition asks for none.
bool Reader::turns(const Turning &loop, Body &out) {
  if (loop.condition == nullptr) return false;
  const Variables moved = movedIn({loop.condition, loop.body, loop.step});
  const auto decides = [&](const clang::VarDecl *variable) { return mentions(loop.condition, *variable); };
  const auto counter = std::find_if(moved.begin(), moved.end(), decides);
  if (counter == moved.end()) return false;
  sink = nullptr;
  const Inductions all = onTrial(moved, {}, rangeOf(loop.loop), [&](Inductions &inductions) {
    Body unread;
    const auto asking = [&] {
      for (Induction &one : inductions) one.asked = numberOf(*one.variable);
    };
    readTurn(loop, asking, unread);
  });
  const Expr count = turnsOf(loop, all);
  const auto read = [&](const Expr &turn, Body &body) {
    moveTo(all, turn, *loop.loop);
    readTurn(loop, [] {}, body);
  };
  eachOf(count, nameOfTurn(all[static_cast<std::size_t>(counter - moved.begin())]), rangeOf(loop.loop), read, out);
  leave(all, count, *loop.loop);
  if (loop.asksLast) return true;
  const bool outer = std::exchange(checksWraps, false);
  asks(loop);
  checksWraps = outer;
  for (const Induction &one : all)
    if (one.variable->getType()->isUnsignedIntegerType() && changedIn(loop.condition).contains(one.variable))
      bindings.erase(one.variable); // it may have wrapped around
  return true;
}

/// Sets what a loop's head sets; false: something that cannot be followed.
bool Reader::start(const clang::Stmt *init, Variables &begun, Body &out) {
  if (init == nullptr) return true;
  if (const auto *both = llvm::dyn_cast<clang::BinaryOperator>(init);
      both != nullptr && both->getOpcode() == clang::BO_Comma)
    return start(both->getLHS(), begun, out) && start(both->getRHS(), begun, out);
  const auto set = [&](const clang::VarDecl &variable, const clang::Expr &to) {
    const SourceRange where = rangeOf(&to);
    if (variable.getType()->isPointerType())
      follow(variable, leadsTo(to), where);
    else
      follow(variable, value(&to), where);
  };
  const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(init);
  if (declarations == nullptr) {
    const auto *e = llvm::dyn_cast<clang::Expr>(init);
    const auto [variable, to] = e != nullptr ? setBy(e) : std::pair<const clang::VarDecl *, const clang::Expr *>();
    if (variable == nullptr || !movesPlainly(*variable)) return false;
    set(*variable, *to);
    return true;
  }
  for (const clang::Decl *declared : declarations->decls()) {
    const auto *local = llvm::dyn_cast<clang::VarDecl>(declared);
    if (local == nullptr) return false;
    begun.push_back(local);
    if (local->hasInit() && movesPlainly(*local))
      set(*local, *local->getInit());
    else
      declare(*local, out);
  }
  return true;
}

/// A for loop that is more than its head: false: it is none, or of another kind.
bool Reader::turns(const clang::ForStmt &loop, Body &out) {
  const ReaderState before = *this;
  const std::size_t written = out.size();
  Variables begun;
  const bool isRead = loop.getConditionVariable() == nullptr && start(loop.getInit(), begun, out) &&
                      turns({&loop, loop.getCond(), loop.getBody(), loop.getInc(), turnsOnce.contains(&loop)}, out);
  if (!isRead) {
    ReaderState::operator=(before);
    out.resize(written);
    return false;
  }
  for (const clang::VarDecl *variable : begun) {
    bindings.erase(variable);
    followed.erase(variable);
  }
  return true;
}

} // namespace polymend
