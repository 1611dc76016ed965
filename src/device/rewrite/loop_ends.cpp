#include "device/loop_ends.h"

#include "device/walk.h"
#include "tile/touched.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Loop = std::shared_ptr<const DeviceLoop>;

/// What is known of scalars: the constant that one is, or that it is not 0; and of a condition, whether it holds.
struct Values {
  std::map<std::string, Expr> constants;
  std::string notZero;
  Expr condition = {};
  bool holds = false;

  void forget(const std::string &scalar) {
    if (condition && reads(condition, scalar)) condition = {};
    constants.erase(scalar);
    if (notZero == scalar) notZero.clear();
  }
  void forget(const std::set<std::string> &scalars) {
    for (const std::string &scalar : scalars) forget(scalar);
  }
};

bool isScalar(const Expr &e) { return e.op() == Op::Read && e->args.empty(); }
bool isConstant(const Expr &e) { return e.op() == Op::Integer; }
bool isZero(const Expr &e) { return isConstant(e) && e->integer == 0; }

/// The scalar that is asked whether it is not 0; empty: another question.
std::string askedScalar(const Expr &e) {
  return e.op() == Op::Ne && isScalar(e.arg(0)) && isZero(e.arg(1)) ? e.arg(0)->name : std::string();
}

/// A choice that is known, or between the same: one of its sides; "and" and "or" with what is known.
Expr folded(const Expr &e) {
  if (e.op() == Op::Select && isConstant(e.arg(0))) return e.arg(isZero(e.arg(0)) ? 2 : 1);
  if (e.op() == Op::Select && equal(e.arg(1), e.arg(2))) return e.arg(1);
  const bool isAnd = e.op() == Op::And;
  for (unsigned k = 0; k < 2 && (isAnd || e.op() == Op::Or); ++k)
    if (isConstant(e.arg(k))) return isZero(e.arg(k)) == isAnd ? e.arg(k) : e.arg(1 - k);
  return e.type() == Type::Bool || isInteger(e.type()) ? simplify(e) : e;
}

Expr valueUnder(const Expr &e, const Values &known) {
  if (!e) return e;
  return rewrite(e, [&](const Expr &part) {
    if (!known.notZero.empty() && askedScalar(part) == known.notZero) return Expr::integer(1, Type::Bool);
    if (known.condition && equal(part, known.condition)) return Expr::integer(known.holds ? 1 : 0, Type::Bool);
    const auto constant = isScalar(part) ? known.constants.find(part->name) : known.constants.end();
    return constant != known.constants.end() ? constant->second : folded(part);
  });
}

/// The nodes where so much is known before the first of them.
DeviceBlock blockUnder(const DeviceBlock &nodes, Values known) {
  DeviceBlock result;
  for (const DeviceNode &node : nodes) {
    if (std::holds_alternative<Loop>(node)) known.forget(writtenIn({node})); // a turn may follow another
    DeviceNode next = withExprs(node, [&](const Expr &e) { return valueUnder(e, known); });
    next = withBlocks(next, [&](const DeviceBlock &inner) { return blockUnder(inner, known); });
    const auto *assign = std::get_if<DeviceAssign>(&next);
    if (assign && assign->what.where && isConstant(assign->what.where)) {
      if (isZero(assign->what.where)) continue;
      std::get<DeviceAssign>(next).what.where = {};
    }
    known.forget(writtenIn({next}));
    if (assign && assign->what.update == Update::Set && !assign->what.where && assign->what.target.subscripts.empty() &&
        isConstant(assign->what.value))
      known.constants[assign->what.target.array] = assign->what.value;
    result.push_back(std::move(next));
  }
  return result;
}

/// A subscript, whatever integers its parts are computed in.
Expr withoutWidths(const Expr &subscript) {
  return rewrite(subscript, [](const Expr &e) {
    if (e.op() == Op::Cast && isInteger(e.type()) && isInteger(e.arg(0).type())) return e.arg(0);
    if (e.op() == Op::Symbol) return Expr::symbol(e->name, Type::Int64);
    if (e.op() == Op::Integer) return Expr::integer(e->integer);
    const bool isSum = e.op() == Op::Add || e.op() == Op::Sub || e.op() == Op::Mul || e.op() == Op::Neg;
    return isSum && isInteger(e.type()) ? Expr::make(e.op(), Type::Int64, e->args) : e;
  });
}

bool isOnePlace(const Expr &a, const Expr &b) {
  const Expr one = withoutWidths(a), other = withoutWidths(b);
  return equal(one, other) || isZero(simplify(one - other));
}

bool staysAsItIs(const TileAssign &assign) {
  const Expr &value = assign.value;
  const std::vector<Expr> &subscripts = assign.target.subscripts;
  return assign.update == Update::Set && value.op() == Op::Read && value->name == assign.target.array &&
         std::equal(value->args.begin(), value->args.end(), subscripts.begin(), subscripts.end(), isOnePlace);
}

/// Do the nodes, as they are where the scalar is 0, leave all but what the loop alone touches, and the scalar 0?
bool areIdle(const DeviceBlock &nodes, const std::string &scalar, const std::set<std::string> &beside) {
  return std::all_of(nodes.begin(), nodes.end(), [&](const DeviceNode &node) {
    const std::vector<const DeviceBlock *> blocks = blocksOf(node);
    if (std::holds_alternative<Loop>(node) || std::holds_alternative<std::shared_ptr<const DeviceBranch>>(node))
      return std::ranges::all_of(blocks, [&](const DeviceBlock *inner) { return areIdle(*inner, scalar, beside); });
    if (std::holds_alternative<TileNote>(node) || std::holds_alternative<DeviceLet>(node)) return true;
    if (const auto *assign = std::get_if<DeviceAssign>(&node)) {
      const std::string &target = assign->what.target.array;
      if (target == scalar) return assign->what.update == Update::Set && isZero(assign->what.value);
      return !beside.contains(target) || staysAsItIs(assign->what);
    }
    if (!std::holds_alternative<DeviceFold>(node)) return false;
    const std::string &target = std::get<DeviceFold>(node).what.target.array;
    return target != scalar && !beside.contains(target);
  });
}

/// Do the nodes leave all but what the loop alone touches, and make the scalar 0?
bool endsIn(const DeviceBlock &nodes, const std::string &scalar, const std::set<std::string> &beside) {
  const auto ends = [&](const DeviceNode &node) {
    const auto *assign = std::get_if<DeviceAssign>(&node);
    return assign && assign->what.target.array == scalar && !assign->what.where;
  };
  return areIdle(nodes, scalar, beside) && std::ranges::any_of(nodes, ends);
}

/// Is the scalar set before anything else is done with it?
bool isSetFirst(const DeviceBlock &nodes, const std::string &scalar) {
  const auto first =
      std::find_if(nodes.begin(), nodes.end(), [&](const DeviceNode &node) { return touches(node, scalar); });
  const auto *assign = first != nodes.end() ? std::get_if<DeviceAssign>(&*first) : nullptr;
  return assign && assign->what.update == Update::Set && !assign->what.where && assign->what.target.array == scalar &&
         assign->what.target.subscripts.empty() && !reads(assign->what.value, scalar);
}

/// The condition under which the node makes the scalar 0 that was not; absent: it does something else.
Expr endingUnder(const DeviceNode &node, const std::string &scalar) {
  const auto *assign = std::get_if<DeviceAssign>(&node);
  if (!assign || assign->what.target.array != scalar || assign->what.update != Update::Set || assign->what.where)
    return {};
  const Expr &value = assign->what.value;
  const auto stays = [&](const Expr &e) { return isScalar(e) && e->name == scalar; };
  if (value.op() != Op::Select || reads(value.arg(0), scalar)) return {};
  if (isZero(value.arg(1)) && stays(value.arg(2))) return value.arg(0);
  const bool isElse = stays(value.arg(1)) && isZero(value.arg(2));
  return isElse ? Expr::make(Op::Not, Type::Bool, {value.arg(0)}) : Expr();
}

/// A turn before which the scalar is not 0: what follows its end, and does nothing then, stands in a branch.
DeviceBlock branchedTurn(const DeviceBlock &turn, const Expr &goesOn, const std::set<std::string> &beside) {
  const std::string scalar = askedScalar(goesOn);
  for (std::size_t at = 0; at + 1 < turn.size(); ++at) {
    Expr ends = endingUnder(turn[at], scalar);
    if (!ends && writtenIn({turn[at]}).contains(scalar)) return turn;
    if (!ends) continue;
    const bool isElse = ends.op() == Op::Not;
    if (isElse) ends = ends.arg(0);
    const DeviceBlock rest(turn.begin() + static_cast<std::ptrdiff_t>(at) + 1, turn.end());
    const Expr none = Expr::integer(0, goesOn.arg(0).type());
    if (!areIdle(blockUnder(rest, {{{scalar, none}}, "", ends, !isElse}), scalar, beside)) return turn;
    DeviceBlock result(turn.begin(), turn.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    DeviceBranch branch{goesOn, blockUnder(rest, {{}, scalar, ends, isElse}), {}};
    result.emplace_back(std::make_shared<const DeviceBranch>(std::move(branch)));
    return result;
  }
  return turn;
}

/// What the nodes read.
void noteReadIn(const DeviceBlock &nodes, std::set<std::string> &read) {
  for (const DeviceNode &node : nodes) {
    eachExpr(node, [&](const Expr &e) { noteReads(e, read); });
    for (const DeviceBlock *inner : blocksOf(node)) noteReadIn(*inner, read);
  }
}

/// What the nodes but those of the loop read.
void noteReadBeside(const DeviceBlock &nodes, const DeviceLoop &loop, std::set<std::string> &read) {
  for (const DeviceNode &node : nodes) {
    if (const auto *found = std::get_if<Loop>(&node); found && found->get() == &loop) continue;
    eachExpr(node, [&](const Expr &e) { noteReads(e, read); });
    for (const DeviceBlock *inner : blocksOf(node)) noteReadBeside(*inner, loop, read);
  }
}

/// The condition that a scalar keeps as 1 or 0; absent: the node does something else.
Expr keptCondition(const DeviceNode &node) {
  const auto *assign = std::get_if<DeviceAssign>(&node);
  if (!assign || assign->what.update != Update::Set || assign->what.where || !assign->what.target.subscripts.empty())
    return {};
  const Expr &value = assign->what.value;
  const bool keeps = value.op() == Op::Select && isConstant(value.arg(1)) && value.arg(1)->integer == 1 &&
                     isZero(value.arg(2)) && !reads(value.arg(0), assign->what.target.array);
  return keeps ? value.arg(0) : Expr();
}

/// Notes what the nodes but those of the loop read or assign.
void noteUsedBeside(const DeviceBlock &nodes, const DeviceLoop &loop, std::set<std::string> &used) {
  for (const DeviceNode &node : nodes) {
    if (const auto *found = std::get_if<Loop>(&node); found && found->get() == &loop) {
      for (const Expr &e : {loop.first, loop.limit}) noteReads(e, used);
      continue;
    }
    eachExpr(node, [&](const Expr &e) { noteReads(e, used); });
    if (blocksOf(node).empty()) used.merge(usedIn({node}));
    for (const DeviceBlock *inner : blocksOf(node)) noteUsedBeside(*inner, loop, used);
  }
}

/// The scalars that the nodes ask whether they are not 0.
void noteAsked(const DeviceBlock &nodes, std::set<std::string> &asked) {
  for (const DeviceNode &node : nodes) {
    eachExpr(node, [&](const Expr &e) {
      if (!e) return;
      visit(e, [&](const Expr &part) {
        if (const std::string scalar = askedScalar(part); !scalar.empty()) asked.insert(scalar);
      });
    });
    for (const DeviceBlock *inner : blocksOf(node)) noteAsked(*inner, asked);
  }
}

class Ender {
public:
  explicit Ender(const DeviceKernel &k) : kernel(k) {
    for (const DeviceTile &tile : k.tiles)
      if (tile.place == DeviceTile::Place::Stack || tile.place == DeviceTile::Place::Held)
        (tile.array.extents.empty() ? scalars : own).insert(tile.array.name);
    own.insert(scalars.begin(), scalars.end());
  }
  /// `again`: do loops around run the nodes again, with what the nodes left?
  DeviceBlock block(const DeviceBlock &nodes, bool again = false) {
    DeviceBlock result;
    std::set<std::string> fresh; // set here before the loop at hand, each time
    for (const DeviceNode &node : nodes) {
      const auto *loop = std::get_if<Loop>(&node);
      const auto *assign = std::get_if<DeviceAssign>(&node);
      const DeviceNode ended = loop ? DeviceNode(endedLoop(*loop, again, fresh)) : node;
      if (assign && assign->what.update == Update::Set && !assign->what.where) fresh.insert(assign->what.target.array);
      result.push_back(withBlocks(ended, [&](const DeviceBlock &inner) { return block(inner, again || loop); }));
    }
    return result;
  }

private:
  /// The loop with an end, if a scalar gives it one.
  [[nodiscard]] Loop endedLoop(const Loop &loop, bool again, const std::set<std::string> &fresh) const {
    if (loop->kind != DeviceLoop::Kind::Serial || loop->goesOn) return loop;
    std::set<std::string> asked, beside;
    noteAsked(loop->body, asked);
    noteUsedBeside(kernel.body, *loop, beside);
    const std::set<std::string> written = writtenIn(loop->body);
    for (const std::string &array : written)
      if (!own.contains(array) || (again && !isSetFirst(loop->body, array))) beside.insert(array);
    for (const std::string &scalar : asked) {
      if (!scalars.contains(scalar) || !written.contains(scalar)) continue;
      const Type type = typeOf(scalar);
      if (!areIdle(blockUnder(loop->body, {{{scalar, Expr::integer(0, type)}}, ""}), scalar, beside)) continue;
      DeviceLoop ended = *loop;
      ended.goesOn =
          Expr::make(Op::Ne, Type::Bool, {Expr::read(scalar, {}, type), Expr::integer(0, type)}, SourceRange());
      ended.body = branchedTurn(blockUnder(loop->body, {{}, scalar}), ended.goesOn, beside);
      if (!again || fresh.contains(scalar)) leaveFirst(ended, *loop, scalar, beside);
      return std::make_shared<const DeviceLoop>(std::move(ended));
    }
    return loop;
  }

  /// Where a turn begins with a condition without which it does nothing but end the loop, that is asked before the
  /// turn.
  void leaveFirst(DeviceLoop &ended, const DeviceLoop &loop, const std::string &scalar,
                  const std::set<std::string> &beside) const {
    const Expr condition = ended.body.empty() ? Expr() : keptCondition(ended.body.front());
    if (!condition || reads(condition, scalar)) return;
    const std::string holds = std::get<DeviceAssign>(ended.body.front()).what.target.array;
    std::set<std::string> read;
    noteReadBeside(kernel.body, loop, read);
    if (holds == scalar || !scalars.contains(holds) || read.contains(holds) || read.contains(scalar)) return;
    const DeviceBlock rest(ended.body.begin() + 1, ended.body.end());
    const Expr none = Expr::integer(0, typeOf(holds)), some = Expr::integer(1, typeOf(holds));
    std::set<std::string> kept = beside;
    kept.erase(holds);
    kept.erase(scalar);
    if (!endsIn(blockUnder(rest, {{{holds, none}}, ""}), scalar, kept)) return;
    DeviceBlock body = blockUnder(rest, {{{holds, some}}, scalar});
    std::erase_if(body, [&](const DeviceNode &node) {
      const auto *assign = std::get_if<DeviceAssign>(&node);
      return assign && !assign->what.where && staysAsItIs(assign->what);
    });
    if (writtenIn(body).contains(holds)) return;
    ended.goesOn = Expr::make(Op::And, Type::Bool, {ended.goesOn, condition});
    ended.body = std::move(body);
  }

  [[nodiscard]] Type typeOf(const std::string &scalar) const {
    return std::find_if(kernel.tiles.begin(), kernel.tiles.end(),
                        [&](const DeviceTile &t) { return t.array.name == scalar; })
        ->array.type;
  }

  const DeviceKernel &kernel;
  std::set<std::string> scalars, own; // own: what no other thread touches
};

/// The nodes without assignments to scalars that nobody reads.
DeviceBlock withoutUnread(const DeviceBlock &nodes, const std::set<std::string> &unread) {
  DeviceBlock result;
  for (const DeviceNode &node : nodes) {
    const auto *assign = std::get_if<DeviceAssign>(&node);
    if (!assign || !unread.contains(assign->what.target.array))
      result.push_back(withBlocks(node, [&](const DeviceBlock &inner) { return withoutUnread(inner, unread); }));
  }
  return result;
}

} // namespace

DeviceKernel withLoopEnds(DeviceKernel kernel) {
  DeviceBlock body = Ender(kernel).block(kernel.body);
  if (endsOf(body).empty()) return kernel;
  kernel.body = std::move(body);
  std::set<std::string> read, unread;
  noteReadIn(kernel.body, read);
  for (const DeviceTile &tile : kernel.tiles)
    if (tile.array.extents.empty() && !read.contains(tile.array.name)) unread.insert(tile.array.name);
  kernel.body = withoutUnread(kernel.body, unread);
  std::erase_if(kernel.tiles, [&](const DeviceTile &tile) { return unread.contains(tile.array.name); });
  return kernel;
}

std::set<std::string> endsOf(const DeviceBlock &nodes) {
  std::set<std::string> ends;
  for (const DeviceNode &node : nodes) {
    if (const auto *loop = std::get_if<Loop>(&node)) noteReads((*loop)->goesOn, ends);
    for (const DeviceBlock *inner : blocksOf(node)) ends.merge(endsOf(*inner));
  }
  return ends;
}

} // namespace polymend::device_room
