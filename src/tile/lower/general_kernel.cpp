// A kernel's phases follow in order; a loop that is shared out takes two kernels, or the same one twice.
#include "general_kernel.h"

#include "data_ranges.h"
#include "tile/fallback_rows.h"
#include "tile/grid.h"
#include "tile/phase.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend {
namespace {

/// Does an assignment of the block read or write the array?
bool touches(const TileBlock &block, const std::string &array) {
  bool found = false;
  eachAssign(block, [&](const TileAssign &assign) {
    found = found || assign.target.array == array || reads(assign.value, array) || reads(assign.where, array);
  });
  return found;
}

} // namespace

Expr partsOf(const KernelPlan &plan, const System &system) {
  const Phase &phase = plan.phases.front();
  Expr most = Expr::integer(plan.parts);
  bool isOfFewRows = true;
  for (unsigned r = 0; r < plan.rows.size(); ++r) isOfFewRows = isOfFewRows && constantExtent(plan.domain, r);
  if (isOfFewRows || phase.rolled.size() > 1) return most;
  Expr first, limit;
  for (const Member &member : phase.members) {
    if (member.rolled.empty()) return most;
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    const auto [low, high] =
        outermostBounds(onlyDimension(e.domain, static_cast<unsigned>(member.rolled.front())), "x");
    if (!low || !high) return most;
    first = first ? Expr::make(Op::Min, Type::Int64, {first, low}) : low;
    limit = limit ? Expr::make(Op::Max, Type::Int64, {limit, high}) : high;
  }
  const auto chunksBefore = [&](const Expr &end) {
    return Expr::make(Op::FloorDiv, Type::Int64, {end, Expr::integer(phase.chunks.front())});
  };
  const Expr chunks = chunksBefore(limit + Expr::integer(phase.chunks.front() - 1)) - chunksBefore(first);
  return simplify(
      Expr::make(Op::Max, Type::Int64, {Expr::integer(1), Expr::make(Op::Min, Type::Int64, {most, chunks})}));
}

Kernel lowerKernel(const Lowering &lowering, const KernelPlan &plan, const std::string &name,
                   std::set<std::string> &names, std::map<int, Residence> &homes, const Expr &parts,
                   const std::string &fallback) {
  KernelFrame frame = lowering.frame(plan, homes, names);
  frame.boundedParts = parts && plan.parts == 1;
  Kernel kernel;
  kernel.name = name;
  bindGrid(frame, kernel);
  for (const Phase &phase : plan.phases) {
    const bool combines = parts && &phase == &plan.phases.front();
    append(kernel.body, combines ? lowerPhaseCombine(frame, phase, parts) : lowerPhase(frame, phase));
  }
  if (!fallback.empty())
    kernel.body = storedWhere(
        kernel.body, inPlace(frame.system, plan),
        Expr::make(Op::Ne, {Expr::read(fallback, rowIndices(frame), Type::Int32), Expr::integer(0, Type::Int32)}));
  kernel.tiles = frame.tiles;
  homes = frame.homes;
  names = frame.names;
  return withDataRead(kernel, frame);
}

Kernel lowerParts(const Lowering &lowering, const KernelPlan &plan, const std::string &name,
                  const std::set<std::string> &names, const std::map<int, Residence> &homes, const Expr &parts,
                  std::vector<TileArray> &arrays) {
  KernelFrame frame = lowering.frame(plan, homes, names);
  Kernel kernel;
  kernel.name = name;
  bindGrid(frame, kernel);
  const std::string part = frame.unique("part");
  kernel.grid.push_back({part, Expr::integer(0), parts, PointDim::Kind::Parallel});
  const PhasePart<TileBlock> lowered = lowerPhasePart(frame, plan.phases.front(), part, parts);
  kernel.body = lowered.lowered;
  kernel.tiles = frame.tiles;
  arrays.insert(arrays.end(), lowered.arrays.begin(), lowered.arrays.end());
  return kernel;
}

TileBlock combining(const Lowering &lowering, const KernelPlan &plan, const std::string &name,
                    std::set<std::string> names, std::map<int, Residence> homes, const Expr &parts, Kernel &general) {
  for (const PointDim &d : general.grid) names.erase(d.variable);
  const Kernel kernel = lowerKernel(lowering, plan, name, names, homes, parts);
  std::copy_if(kernel.tiles.begin(), kernel.tiles.end(), std::back_inserter(general.tiles),
               [&](const TileArray &tile) { return touches(kernel.body, tile.name); });
  return kernel.body;
}

} // namespace polymend
