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
  return kernel;
}

} // namespace polymend::device_room
