#include "device/one_condition.h"

#include "device/walk.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// Nodes [begin, end) of a block that wait for `condition`.
struct Run {
  std::size_t begin = 0, end = 0;
  Expr condition;
};

bool isScalarChoice(const TileAssign &a) {
  return a.update == Update::Set && !a.where && a.target.subscripts.empty() && a.value.op() == Op::Select;
}

/// What the node waits for; absent: nothing. `chosen`: scalars that may be set under the condition alone.
Expr awaited(const DeviceNode &node, const std::set<std::string> &chosen) {
  const auto *assign = std::get_if<DeviceAssign>(&node);
  if (!assign || assign->declares) return {};
  if (assign->what.where) return assign->what.where;
  return isScalarChoice(assign->what) && chosen.contains(assign->what.target.array) ? assign->what.value.arg(0)
                                                                                    : Expr();
}

/// The run that begins with node number `begin`; empty: none does.
Run runAt(const DeviceBlock &block, std::size_t begin, const std::set<std::string> &chosen) {
  Run run{begin, begin, awaited(block[begin], chosen)};
  bool stands = static_cast<bool>(run.condition);
  while (stands && run.end < block.size()) {
    const Expr next = awaited(block[run.end], chosen);
    if (!next || !equal(next, run.condition)) break;
    stands = !reads(run.condition, std::get<DeviceAssign>(block[run.end]).what.target.array);
    ++run.end;
  }
  return run;
}

/// The scalars of `chosen` that something touches which is in no run of a choice of theirs.
void noteOthers(const DeviceBlock &block, const std::set<std::string> &chosen, std::set<std::string> &others) {
  for (std::size_t at = 0; at < block.size();) {
    const Run run = runAt(block, at, chosen);
    const std::size_t end = std::max(run.end, at + 1);
    std::set<std::string> known;
    for (; at < end; ++at) {
      const auto *assign = std::get_if<DeviceAssign>(&block[at]);
      for (const std::string &scalar : chosen) {
        const bool sets = assign && isScalarChoice(assign->what) && assign->what.target.array == scalar &&
                          !reads(assign->what.value, scalar) && run.end > run.begin;
        if (sets)
          known.insert(scalar);
        else if (!known.contains(scalar) && blocksOf(block[at]).empty() && touches(block[at], scalar))
          others.insert(scalar);
      }
      eachExpr(block[at], [&](const Expr &e) {
        if (assign) return;
        for (const std::string &scalar : chosen)
          if (reads(e, scalar)) others.insert(scalar);
      });
      for (const DeviceBlock *inner : blocksOf(block[at])) noteOthers(*inner, chosen, others);
    }
  }
}

/// Does it take long to compute?
bool isCostly(const Expr &value) {
  bool costs = false;
  visit(value, [&](const Expr &e) {
    const bool isFunction = e.op() == Op::Sqrt || e.op() == Op::Exp || e.op() == Op::Exp2 || e.op() == Op::Log ||
                            e.op() == Op::Tanh || e.op() == Op::Call;
    costs = costs || (isFloating(e.type()) && (isFunction || e.op() == Op::Div));
  });
  return costs;
}

/// The condition without which the scalar stays as it is; absent: it is another assignment.
Expr changedUnder(const DeviceNode &node) {
  const auto *assign = std::get_if<DeviceAssign>(&node);
  if (!assign || assign->declares || !isScalarChoice(assign->what)) return {};
  const Expr &otherwise = assign->what.value.arg(2);
  const bool stays =
      otherwise.op() == Op::Read && otherwise->args.empty() && otherwise->name == assign->what.target.array;
  return stays ? assign->what.value.arg(0) : Expr();
}

/// How often the nodes read a scalar.
std::size_t readsOf(const DeviceBlock &nodes, const std::string &scalar) {
  std::size_t count = 0;
  for (const DeviceNode &node : nodes) {
    eachExpr(node, [&](const Expr &e) {
      if (e) visit(e, [&](const Expr &part) { count += part.op() == Op::Read && part->name == scalar; });
    });
    for (const DeviceBlock *inner : blocksOf(node)) count += readsOf(*inner, scalar);
  }
  return count;
}

/// What takes long, and is asked for under a condition alone, in branches: of a kernel whose threads each run all of a
/// point, where no loop becomes vectors.
class Sinker {
public:
  explicit Sinker(const DeviceKernel &k) : kernel(k) {
    for (const DeviceTile &tile : k.tiles)
      if (tile.place == DeviceTile::Place::Held && tile.array.extents.empty()) scalars.insert(tile.array.name);
  }
  [[nodiscard]] DeviceBlock block(const DeviceBlock &nodes) const;

private:
  [[nodiscard]] bool isFor(const DeviceNode &node, const DeviceBlock &later, const Expr &condition) const;

  const DeviceKernel &kernel;
  std::set<std::string> scalars; // of a thread
};

/// Does the node set a scalar that nobody reads but these, which run under the condition?
bool Sinker::isFor(const DeviceNode &node, const DeviceBlock &later, const Expr &condition) const {
  const auto *assign = std::get_if<DeviceAssign>(&node);
  if (!assign || assign->declares || assign->what.update != Update::Set || assign->what.where) return false;
  const std::string &scalar = assign->what.target.array;
  if (!scalars.contains(scalar) || !assign->what.target.subscripts.empty() || reads(condition, scalar)) return false;
  return readsOf(later, scalar) == readsOf(kernel.body, scalar);
}

DeviceBlock Sinker::block(const DeviceBlock &nodes) const {
  DeviceBlock result;
  for (std::size_t at = 0; at < nodes.size();) {
    const Expr condition = changedUnder(nodes[at]);
    if (!condition) {
      result.push_back(withBlocks(nodes[at++], [&](const DeviceBlock &inner) { return block(inner); }));
      continue;
    }
    DeviceBlock then;
    for (bool stands = true; stands && at < nodes.size(); ++at) {
      DeviceAssign assign = std::get<DeviceAssign>(nodes[at]);
      assign.what.value = assign.what.value.arg(1);
      stands = !reads(condition, assign.what.target.array) && at + 1 < nodes.size() && changedUnder(nodes[at + 1]) &&
               equal(changedUnder(nodes[at + 1]), condition);
      then.emplace_back(std::move(assign));
    }
    const std::size_t changed = then.size();
    while (!result.empty() && isFor(result.back(), then, condition)) {
      then.insert(then.begin(), std::move(result.back()));
      result.pop_back();
    }
    const bool costs = std::ranges::any_of(
        then, [](const DeviceNode &node) { return isCostly(std::get<DeviceAssign>(node).what.value); });
    if (costs) {
      result.emplace_back(std::make_shared<const DeviceBranch>(DeviceBranch{condition, std::move(then), {}}));
      continue;
    }
    result.insert(result.end(), then.begin(), then.end() - static_cast<std::ptrdiff_t>(changed));
    result.insert(result.end(), nodes.begin() + static_cast<std::ptrdiff_t>(at - changed),
                  nodes.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return result;
}

DeviceNode unconditional(const DeviceNode &node) {
  DeviceAssign assign = std::get<DeviceAssign>(node);
  TileAssign &a = assign.what;
  if (!a.where) a.value = a.value.arg(1);
  a.where = {};
  return assign;
}

DeviceBlock inBranches(const DeviceBlock &block, const std::set<std::string> &chosen) {
  DeviceBlock result;
  for (std::size_t at = 0; at < block.size();) {
    const Run run = runAt(block, at, chosen);
    if (run.end - run.begin < 2) {
      result.push_back(withBlocks(block[at++], [&](const DeviceBlock &inner) { return inBranches(inner, chosen); }));
      continue;
    }
    DeviceBranch branch{run.condition, {}, {}};
    for (; at < run.end; ++at) branch.then.push_back(unconditional(block[at]));
    result.emplace_back(std::make_shared<const DeviceBranch>(std::move(branch)));
  }
  return result;
}

} // namespace

DeviceKernel withOneCondition(DeviceKernel kernel) {
  std::set<std::string> chosen;
  for (const DeviceTile &tile : kernel.tiles)
    if ((tile.place == DeviceTile::Place::Stack || tile.place == DeviceTile::Place::Held) && tile.array.extents.empty())
      chosen.insert(tile.array.name);
  for (std::set<std::string> others{""}; !others.empty();) { // without one scalar the run of another may end
    others.clear();
    noteOthers(kernel.body, chosen, others);
    for (const std::string &scalar : others) chosen.erase(scalar);
  }
  kernel.body = inBranches(kernel.body, chosen);
  if (kernel.team && kernel.team->kind == DeviceTeam::Kind::Thread) kernel.body = Sinker(kernel).block(kernel.body);
  return kernel;
}

} // namespace polymend::device_room
