// What a turn computes is followed as it is written, each value over what the turn found and what it takes in: a
// running extreme has a number of states within a turn, of which what comes out may see the first and the last.
#include "rescaled_turn.h"

#include "linear_in.h"

#include "deps/split.h"

#include <algorithm>

namespace polymend {
namespace {

constexpr int ofLoop = -2;                  // the access of a read of what turns have from earlier ones
constexpr std::string_view ofTurn = "@sum"; // of a turn's own sum of such

bool isOfLoop(const Expr &e) { return e.op() == Op::Read && e->access == ofLoop; }

bool seesLoop(const Expr &e) {
  bool found = false;
  visit(e, [&](const Expr &node) { found = found || isOfLoop(node); });
  return found;
}

std::string atState(const std::string &array, int state) { return array + "@" + std::to_string(state); }

bool sameSubscripts(const std::vector<Expr> &a, const std::vector<Expr> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Expr &x, const Expr &y) { return equal(simplify(x), simplify(y)); });
}

/// (c ? 1 : 0) != 0 is c: how a condition that is kept in a variable is asked again.
Expr withoutFlags(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    if (node.op() != Op::Ne && node.op() != Op::Eq) return node;
    const Expr &flag = node.arg(0), &number = node.arg(1);
    if (flag.op() != Op::Select || flag.arg(1).op() != Op::Integer || flag.arg(2).op() != Op::Integer ||
        number.op() != Op::Integer)
      return node;
    const bool wanted = node.op() == Op::Eq;
    const bool yes = (flag.arg(1)->integer == number->integer) == wanted,
               no = (flag.arg(2)->integer == number->integer) == wanted;
    if (yes == no) return Expr(node);
    return yes ? flag.arg(0) : Expr::make(Op::Not, Type::Bool, {flag.arg(0)}, node->where);
  });
}

/// An assignment of the turn and what stands around it there.
struct Leaf {
  const Assign *assign = nullptr;
  std::vector<const void *> path;  // loops and sides of conditions, outermost first
  std::vector<const Loop *> loops; // those that are loops
  std::vector<std::pair<const void *, bool>> conditions;
};

bool startsWith(const std::vector<const void *> &path, const std::vector<const void *> &first) {
  return first.size() <= path.size() && std::equal(first.begin(), first.end(), path.begin());
}

void collectLeaves(const Body &body, const Leaf &around, std::vector<Leaf> &leaves) {
  for (const Node &node : body) {
    Leaf inner = around;
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      inner.path.push_back(loop->get());
      inner.loops.push_back(loop->get());
      collectLeaves((*loop)->body, inner, leaves);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      for (const Body *side : {&(*branch)->then, &(*branch)->otherwise}) {
        Leaf there = around;
        there.path.push_back(side);
        there.conditions.emplace_back(branch->get(), side == &(*branch)->then);
        collectLeaves(*side, there, leaves);
      }
    } else {
      inner.assign = std::get<std::shared_ptr<const Assign>>(node).get();
      leaves.push_back(inner);
    }
  }
}

/// Is the variable of the loop a subscript by itself, at one place?
bool isSubscript(const Loop &loop, const std::vector<Expr> &subscripts) {
  const auto is = [&](const Expr &e) { return e.op() == Op::Symbol && e->name == loop.variable; };
  return std::ranges::count_if(subscripts, is) == 1 &&
         std::ranges::count_if(subscripts, [&](const Expr &e) { return symbols(e).contains(loop.variable); }) == 1;
}

bool isZero(const Expr &e) { return e.op() == Op::Real && e->real == 0; }

class TurnReader {
public:
  TurnReader(const Loop &aLoop, const std::set<std::string> &fromEarlier, const Scop &model)
      : loop(aLoop), carried(fromEarlier), scop(model) {}

  std::optional<RescaledTurn> run() {
    collectLeaves(loop.body, {}, leaves);
    for (const Leaf &leaf : leaves) {
      follow(leaf);
      if (failed) return std::nullopt;
    }
    if (!seesWholeStates()) return std::nullopt;
    turn.variable = loop.variable;
    turn.changing.insert(loop.variable);
    for (const Leaf &leaf : leaves) {
      turn.changing.insert(leaf.assign->target);
      for (const Loop *one : leaf.loops) turn.changing.insert(one->variable);
    }
    return turn;
  }

private:
  /// What a name of the turn stands for, over what the turn found.
  struct Inner {
    const Leaf *leaf = nullptr;
    std::vector<const void *> path; // where it holds
    std::vector<Expr> subscripts;   // variables of loops
    Expr value;
    std::set<const Assign *> writers;
  };
  /// A sum of the turn's own, over loops within it, of what it makes of these.
  struct InnerSum {
    const Leaf *leaf = nullptr;
    Expr added;
    std::vector<const void *> path; // where it starts from 0
    std::set<const Assign *> writers;
    bool isTaken = false;
  };
  /// A read of memory that turns have from earlier ones, and a write.
  struct Touch {
    const Leaf *leaf;
    std::string array;
    std::vector<Expr> subscripts;
  };

  const Loop &loop;
  const std::set<std::string> &carried;
  const Scop &scop;
  std::vector<Leaf> leaves;
  RescaledTurn turn;
  std::map<std::string, Inner> inner;
  std::map<std::string, Inner> simple; // numbers of the turn's own, over what it does not change
  std::map<std::string, InnerSum> innerSums;
  std::map<std::string, const Leaf *> zeros;             // what set a number of the turn's own to 0 last
  std::map<std::string, int> latest, inMemory;           // states of what comes from earlier turns
  std::map<std::string, std::vector<const Loop *>> over; // loops that a state is taken over
  std::vector<Touch> touches, writes;
  bool failed = false;

  /// The expression over what the turn found.
  Expr resolved(const Expr &e, const Leaf &leaf) {
    return rewrite(e, [&](const Expr &node) {
      if (node.op() != Op::Read || isOfLoop(node)) return node;
      if (std::ranges::any_of(node->args, seesLoop)) failed = true;
      if (const auto at = inner.find(node->name); at != inner.end()) return instance(at->second, node, leaf);
      if (innerSums.contains(node->name)) {
        turn.uses.push_back({leaf.assign, node->name, innerSums[node->name].writers});
        return Expr::read(node->name + std::string(ofTurn), node->args, node.type(), ofLoop);
      }
      if (!carried.contains(node->name)) return node;
      touches.push_back({&leaf, node->name, node->args});
      return Expr::read(atState(node->name, inMemory[node->name]), node->args, node.type(), ofLoop);
    });
  }

  Expr instance(const Inner &known, const Expr &read, const Leaf &leaf) {
    if (!startsWith(leaf.path, known.path) || known.subscripts.size() != read->args.size()) return failed = true, read;
    turn.uses.push_back({leaf.assign, read->name, known.writers});
    failed = failed || changesBetween(known, leaf);
    return substitute(known.value, [&](const std::string &name) {
      for (std::size_t d = 0; d < known.subscripts.size(); ++d)
        if (known.subscripts[d]->name == name) return read->args[d];
      return Expr();
    });
  }

  /// Does what the value reads change between where it is computed and where it is used?
  [[nodiscard]] bool changesBetween(const Inner &known, const Leaf &use) const {
    const auto has = [](const Leaf &leaf, const Loop *one) {
      return std::ranges::find(leaf.loops, one) != leaf.loops.end();
    };
    return std::ranges::any_of(leaves, [&](const Leaf &writer) {
      if (!reads(known.value, writer.assign->target)) return false;
      const bool isBehind = &writer > known.leaf;
      if (isBehind && &writer < &use) return true;
      return std::ranges::any_of(writer.loops, [&](const Loop *one) {
        if (isBehind) return has(use, one) && !has(*known.leaf, one);
        return has(*known.leaf, one) && !has(use, one) && !isSubscript(*one, writer.assign->subscripts);
      });
    });
  }

  /// The value with numbers of the turn that are made of what it does not change.
  [[nodiscard]] Expr withSimple(const Expr &value, const Leaf &leaf) const {
    return rewrite(value, [&](const Expr &node) {
      const auto at = node.op() == Op::Read && node->args.empty() ? simple.find(node->name) : simple.end();
      return at != simple.end() && startsWith(leaf.path, at->second.path) ? at->second.value : node;
    });
  }

  void noteSimple(const Leaf &leaf, const Expr &value) {
    const Assign &assign = *leaf.assign;
    simple.erase(assign.target);
    const bool isMade = std::ranges::any_of(leaves, [&](const Leaf &one) { return reads(value, one.assign->target); });
    if (!isMade && assign.subscripts.empty() && value.type() == scop.array(assign.target).type)
      simple[assign.target] = {&leaf, leaf.path, {}, value, {}};
  }

  [[nodiscard]] bool isOwn(const std::string &name) const {
    const Array &array = scop.array(name);
    return array.storage == Array::Storage::Local && !array.functionStatic && array.spelling.empty();
  }

  void follow(const Leaf &leaf) {
    const Assign &assign = *leaf.assign;
    const Expr value = withoutFlags(resolved(assign.value, leaf));
    for (const Expr &subscript : assign.subscripts) failed = failed || seesLoop(resolved(subscript, leaf));
    if (failed || takesExtreme(leaf, value) || keepsExtreme(leaf, value)) return;
    failed = seesPart(value, leaf);
    if (failed) return;
    if (carried.contains(assign.target)) return addsUp(leaf, value);
    if (!seesLoop(value)) {
      failed = inner.contains(assign.target) || innerSums.contains(assign.target);
      turn.others.push_back(&assign);
      noteSimple(leaf, value);
      if (isZero(value) && isOwn(assign.target)) zeros[assign.target] = &leaf;
      return;
    }
    failed = !isOwn(assign.target);
    if (!failed && !sumsInTurn(leaf, value)) keepInner(leaf, value);
  }

  /// t = t + b, where t is 0 before: a sum of the turn's own.
  bool sumsInTurn(const Leaf &leaf, const Expr &value) {
    const Assign &assign = *leaf.assign;
    if (!reads(value, assign.target)) return false;
    const auto parts = linearIn(value, assign.target);
    const auto start = zeros.find(assign.target);
    failed = !parts || parts->factor || !parts->term || start == zeros.end() || !assign.subscripts.empty() ||
             innerSums.contains(assign.target) || seesSum(parts->term);
    if (failed) return true;
    innerSums[assign.target] = {&leaf, parts->term, start->second->path, {start->second->assign, &assign}};
    turn.uses.push_back({&assign, assign.target, {start->second->assign, &assign}});
    turn.inner.insert(assign.target);
    return true;
  }

  static bool isSumOfTurn(const Expr &e) { return isOfLoop(e) && e->name.ends_with(ofTurn); }
  static bool seesSum(const Expr &e) {
    bool found = false;
    visit(e, [&](const Expr &node) { found = found || isSumOfTurn(node); });
    return found;
  }

  /// Is a running extreme seen where it takes in elements, before it has them all?
  [[nodiscard]] bool seesPart(const Expr &value, const Leaf &leaf) const {
    bool found = false;
    visit(value, [&](const Expr &node) {
      const auto taken = isOfLoop(node) ? over.find(node->name) : over.end();
      found = found || (taken != over.end() && std::ranges::any_of(taken->second, [&](const Loop *one) {
                          return std::ranges::find(leaf.loops, one) != leaf.loops.end();
                        }));
    });
    return found;
  }

  /// A value of the turn's own that is made of what it found.
  void keepInner(const Leaf &leaf, const Expr &value) {
    const Assign &assign = *leaf.assign;
    Inner known{
        &leaf, leaf.path, assign.subscripts, assign.subscripts.empty() ? value : withSimple(value, leaf), {&assign}};
    while (!known.path.empty() && !leaf.loops.empty()) { // elements of all turns of an inner loop stay
      const auto last = std::ranges::find_if(leaf.loops, [&](const Loop *one) { return one == known.path.back(); });
      if (last == leaf.loops.end() || !isSubscript(**last, assign.subscripts)) break;
      known.path.pop_back();
    }
    for (const Expr &subscript : assign.subscripts)
      failed = failed || subscript.op() != Op::Symbol || std::ranges::none_of(leaf.loops, [&](const Loop *one) {
                 return one->variable == subscript->name && isSubscript(*one, assign.subscripts);
               });
    turn.inner.insert(assign.target);
    inner[assign.target] = known;
  }

  /// The one element that an expression sees of what comes from earlier turns; absent: none, or several.
  static Expr onlySeen(const Expr &e) {
    Expr seen;
    bool several = false;
    visit(e, [&](const Expr &node) {
      if (!isOfLoop(node)) return;
      several = several || (seen && !equal(seen, node));
      seen = node;
    });
    return several ? Expr() : seen;
  }

  static std::string arrayOf(const Expr &state) { return state->name.substr(0, state->name.rfind('@')); }
  [[nodiscard]] int stateOf(const Expr &read) const { return std::stoi(read->name.substr(read->name.rfind('@') + 1)); }

  /// m = max(m, e), in m itself or in a number that takes its place.
  bool takesExtreme(const Leaf &leaf, const Expr &value) {
    const Expr seen = onlySeen(value);
    if (!seen || isOfLoop(value) || isSumOfTurn(seen)) return false;
    const auto update = splitUpdate(value, {ofLoop});
    if (!update || (update->monoid != Monoid::Max && update->monoid != Monoid::Min) || seesLoop(update->element))
      return false;
    const Assign &assign = *leaf.assign;
    const std::string array = arrayOf(seen);
    const bool inPlace = assign.target == array && sameSubscripts(assign.subscripts, seen->args);
    const bool onItsWay = inner.contains(assign.target);
    if (stateOf(seen) != latest[array] || (!inPlace && (carried.contains(assign.target) || !isOwn(assign.target))))
      return failed = true;
    std::vector<const Loop *> along;
    for (const Loop *one : leaf.loops)
      if (!isSubscript(*one, seen->args)) along.push_back(one);
    if (!inPlace && !onItsWay && !along.empty()) return failed = true; // the last of them, and no extreme
    Assign plain = assign;
    plain.target = array;
    plain.subscripts = seen->args;
    plain.value = rewrite(
        value, [&](const Expr &node) { return isOfLoop(node) ? Expr::read(array, node->args, node.type()) : node; });
    turn.extremes.push_back({&assign, plain, update->monoid, update->element, along.empty()});
    const std::string state = atState(array, ++latest[array]);
    over[state] = along;
    if (inPlace) {
      inMemory[array] = latest[array];
      writes.push_back({&leaf, array, assign.subscripts});
      return true;
    }
    const Expr next = Expr::read(state, seen->args, seen.type(), ofLoop);
    if (!onItsWay) return keepInner(leaf, next), true;
    Inner &known = inner[assign.target];
    if (!sameSubscripts(known.subscripts, assign.subscripts) || !equal(known.value, seen)) {
      failed = true;
      return true;
    }
    known.value = next;
    known.writers.insert(&assign);
    return true;
  }

  /// m = its own next value, which a number has kept meanwhile.
  bool keepsExtreme(const Leaf &leaf, const Expr &value) {
    const Assign &assign = *leaf.assign;
    if (carried.contains(assign.target) && value.op() == Op::Select) return keepsWhere(leaf, value);
    if (!isOfLoop(value) || !carried.contains(assign.target)) return false;
    const std::string array = arrayOf(value);
    if (assign.target != array || !sameSubscripts(assign.subscripts, value->args) || stateOf(value) != latest[array] ||
        !isStoredWhole(leaf))
      return failed = true;
    inMemory[array] = latest[array];
    writes.push_back({&leaf, array, assign.subscripts});
    return true;
  }

  /// Is the number that has kept the extreme stored wherever it is set? Of an array the stored elements are known then.
  bool isStoredWhole(const Leaf &leaf) {
    bool whole = true, any = false;
    visit(leaf.assign->value, [&](const Expr &node) {
      const auto at = node.op() == Op::Read ? inner.find(node->name) : inner.end();
      if (at == inner.end()) return;
      any = true;
      if (at->second.subscripts.empty())
        whole = whole && at->second.path == leaf.path;
      else
        turn.stores.push_back({leaf.assign, node->name});
    });
    return whole && any;
  }

  /// m = c ? m : its next value, where c is known already as that takes in its element.
  bool keepsWhere(const Leaf &leaf, const Expr &value) {
    const Assign &assign = *leaf.assign;
    const std::string &array = assign.target;
    const auto isState = [&](const Expr &e, int state) {
      return isOfLoop(e) && e->name == atState(array, state) && sameSubscripts(e->args, assign.subscripts);
    };
    const int last = latest[array];
    const bool keepsFirst = isState(value.arg(1), last - 1) && isState(value.arg(2), last);
    if (last != 1 || (!keepsFirst && !(isState(value.arg(2), last - 1) && isState(value.arg(1), last)))) return false;
    const auto update =
        std::ranges::find_if(turn.extremes, [&](const ExtremeUpdate &one) { return one.plain.target == array; });
    const Expr condition =
        keepsFirst ? value.arg(0) : Expr::make(Op::Not, Type::Bool, {value.arg(0)}, value.arg(0)->where);
    if (seesLoop(condition) || changesFrom(*update->assign, condition) || !isStoredWhole(leaf)) return failed = true;
    update->unless = condition;
    update->plain.value = Expr::make(
        Op::Select, value.type(),
        {condition, Expr::read(array, update->plain.subscripts, value.type()), update->plain.value}, value->where);
    inMemory[array] = last;
    writes.push_back({&leaf, array, assign.subscripts});
    return true;
  }

  /// Does the turn write what the expression reads, from an assignment on?
  [[nodiscard]] bool changesFrom(const Assign &first, const Expr &e) const {
    bool found = false, behind = false;
    for (const Leaf &leaf : leaves) {
      behind = behind || leaf.assign == &first;
      found = found || (behind && reads(e, leaf.assign->target));
    }
    return found;
  }

  void addsUp(const Leaf &leaf, const Expr &value) {
    const Assign &assign = *leaf.assign;
    const std::string own = atState(assign.target, latest[assign.target]);
    bool isOne = inMemory[assign.target] == latest[assign.target];
    visit(value, [&](const Expr &node) {
      if (isOfLoop(node) && arrayOf(node) == assign.target)
        isOne = isOne && node->name == own && sameSubscripts(node->args, assign.subscripts);
    });
    const auto parts = isOne ? linearIn(value, own) : std::nullopt;
    const bool isFirst = latest[assign.target] == 0;
    failed = !parts || (parts->factor && (!isFirst || seesSum(parts->factor))) ||
             (parts->factor &&
              std::ranges::any_of(leaf.loops, [&](const Loop *one) { return !isSubscript(*one, assign.subscripts); }));
    if (failed) return;
    Expr added = parts->term;
    if (added && seesSum(added)) added = takenFrom(leaf, added);
    turn.sums.push_back({&assign, assign.target, assign.subscripts, parts->factor, added});
    inMemory[assign.target] = ++latest[assign.target];
    writes.push_back({&leaf, assign.target, assign.subscripts});
  }

  /// What is added beside a sum of the turn's own, whose elements are added each by itself.
  Expr takenFrom(const Leaf &leaf, const Expr &added) {
    std::string name;
    visit(added, [&](const Expr &node) {
      if (isSumOfTurn(node)) name = node->name;
    });
    InnerSum &sum = innerSums[name.substr(0, name.size() - ofTurn.size())];
    const auto parts = linearIn(added, name);
    failed = !parts || parts->factor || (parts->term && seesSum(parts->term)) || sum.isTaken || sum.path != leaf.path ||
             !startsWith(sum.leaf->path, leaf.path) || sum.added.type() != scop.array(leaf.assign->target).type;
    if (failed) return {};
    sum.isTaken = true;
    turn.sums.push_back({sum.leaf->assign, leaf.assign->target, leaf.assign->subscripts, {}, sum.added});
    return parts->term;
  }

  /// Is each element read before all its changes in the turn, or behind them? Sums are seen by themselves alone.
  [[nodiscard]] bool seesWholeStates() {
    for (const auto &[array, state] : latest)
      if (inMemory[array] != state) return false;
    for (const Touch &read : touches)
      for (const Touch &write : writes)
        if (read.array == write.array && read.leaf != write.leaf && !areApart(read, write)) return false;
    for (const Touch &write : writes)
      if (write.leaf->conditions != writes.front().leaf->conditions) return false;
    return std::ranges::all_of(turn.sums,
                               [&](RescaledSum &sum) { return isOverWhole(sum.scale) && isOverWhole(sum.added); });
  }

  static bool areApart(const Touch &read, const Touch &write) {
    for (const Loop *shared : read.leaf->loops) {
      if (std::ranges::find(write.leaf->loops, shared) == write.leaf->loops.end()) continue;
      if (!isSubscript(*shared, write.subscripts) || !isSubscript(*shared, read.subscripts)) return false;
      for (std::size_t d = 0; d < write.subscripts.size(); ++d)
        if (symbols(write.subscripts[d]).contains(shared->variable) && !equal(write.subscripts[d], read.subscripts[d]))
          return false;
    }
    return true;
  }

  /// Does a part of a sum see running extremes at both ends of the turn alone? It says which, then.
  bool isOverWhole(Expr &part) {
    if (!part) return true;
    bool whole = true;
    part = rewrite(part, [&](const Expr &node) {
      if (!isOfLoop(node)) return node;
      if (isSumOfTurn(node)) return whole = false, node;
      const std::string array = arrayOf(node);
      const int state = stateOf(node);
      const bool isSum = std::ranges::any_of(turn.sums, [&](const RescaledSum &one) { return one.array == array; });
      whole = whole && !isSum && (state == 0 || state == latest[array]);
      return Expr::read(state == 0 ? beforeTurn(array) : afterTurn(array), node->args, node.type());
    });
    return whole;
  }
};

} // namespace

std::string beforeTurn(const std::string &array) { return array + "@before"; }
std::string afterTurn(const std::string &array) { return array + "@after"; }

std::optional<RescaledTurn> rescaledTurn(const Loop &loop, const std::set<std::string> &carried, const Scop &scop) {
  return TurnReader(loop, carried, scop).run();
}

} // namespace polymend
