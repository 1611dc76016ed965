// Kernels of the general route: regions of points, without roles.
#pragma once

#include "tile/lowering.h"

namespace polymend {

/// Into how many parts the first phase's loop is shared out: as many as the plan says; for any number of rows, no more
/// than the longest of them has chunks, but 1 where there is none.
Expr partsOf(const KernelPlan &plan, const System &system);

/// `names` are taken; the kernel's own join them. `parts`: kernels before this one left so many parts of the first
/// phase's states, which this one combines. `fallback`, if any, marks the rows that are computed again: of what is
/// changed in place, only those are stored.
Kernel lowerKernel(const Lowering &lowering, const KernelPlan &plan, const std::string &name,
                   std::set<std::string> &names, std::map<int, Residence> &homes, const Expr &parts,
                   const std::string &fallback = "");

/// The kernel that shares out the first phase's loop in `parts`, and the arrays it hands to the kernel that combines.
Kernel lowerParts(const Lowering &lowering, const KernelPlan &plan, const std::string &name,
                  const std::set<std::string> &names, const std::map<int, Residence> &homes, const Expr &parts,
                  std::vector<TileArray> &arrays);

/// The body of a kernel that combines parts on the grid of `general`, which gets its tiles.
TileBlock combining(const Lowering &lowering, const KernelPlan &plan, const std::string &name,
                    std::set<std::string> names, std::map<int, Residence> homes, const Expr &parts, Kernel &general);

} // namespace polymend
