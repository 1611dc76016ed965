// A kernel's phases follow in order; a loop that is shared out takes two kernels, or the same one twice.
#include "tile/general_kernel.h"

#include "tile/grid.h"
#include "tile/phase.h"
#include "tile/rows_again.h"

#include <algorithm>

namespace polymend {
namespace {

/// Does an assignment of the block read or write the array?
bool touches(const TileBlock &block, const std::string &array) {
  bool found = false;
  rewrite(block, [&](const TileAssign &assign) {
    found = found || assign.target.array == array;
    for (const Expr &e : {assign.value, assign.where})
      if (e) visit(e, [&](const Expr &node) { found = found || (node.op() == Op::Read && node->name == array); });
    return assign;
  });
  return found;
}

} // namespace

Kernel lowerKernel(const Lowering &lowering, const KernelPlan &plan, const std::string &name,
                   std::set<std::string> &names, std::map<int, Residence> &homes, const Expr &parts,
                   const std::string &again) {
  KernelFrame frame = lowering.frame(plan, homes, names);
  frame.boundedParts = parts && plan.parts == 1;
  Kernel kernel;
  kernel.name = name;
  bindGrid(frame, kernel);
  for (const Phase &phase : plan.phases) {
    PhaseLowerer lowerer(frame, phase);
    const bool combines = parts && &phase == &plan.phases.front();
    const TileBlock block = combines ? lowerer.runCombine(parts) : lowerer.run();
    kernel.body.insert(kernel.body.end(), block.begin(), block.end());
  }
  if (!again.empty())
    kernel.body = storedWhere(
        kernel.body, inPlace(frame.system, plan),
        Expr::make(Op::Ne, {Expr::read(again, rowIndices(frame), Type::Int32), Expr::integer(0, Type::Int32)}));
  kernel.tiles = frame.tiles;
  homes = frame.homes;
  names = frame.names;
  return kernel;
}

Kernel lowerParts(const Lowering &lowering, const KernelPlan &plan, const std::string &name,
                  const std::set<std::string> &names, const std::map<int, Residence> &homes,
                  std::vector<TileArray> &arrays) {
  KernelFrame frame = lowering.frame(plan, homes, names);
  Kernel kernel;
  kernel.name = name;
  bindGrid(frame, kernel);
  const std::string part = frame.unique("part");
  kernel.grid.push_back({part, Expr::integer(0), Expr::integer(plan.parts), PointDim::Kind::Parallel});
  PhaseLowerer lowerer(frame, plan.phases.front());
  kernel.body = lowerer.runPart(part, plan.parts);
  kernel.tiles = frame.tiles;
  const std::vector<TileArray> handed = lowerer.partArrays(Expr::integer(plan.parts));
  arrays.insert(arrays.end(), handed.begin(), handed.end());
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
