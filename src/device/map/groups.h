// Kernels whose points are run by groups of threads: a warp where rows are short and many, a block where they are long.
// The kernel has the size of its groups as a parameter, and the host chooses it at every launch.
#pragma once

#include "device/deal.h"

namespace polymend::device_room {

/// How a grid's points are run by groups.
struct GroupPlan {
  Memory memory;
  bool window = false; // what is kept of arrays lies in shared memory, where registers cannot hold it
  Expr length;         // what the longest run of elements of a point is at most, over sizes; absent: unknown
  Expr row;            // how many elements a point has, where that is read from arrays and told before its body runs
};

/// Absent where blocks serve the kernel better: some region is no reduction or row of neighbours, or none reads a
/// stream, which is no reason for what only the last group runs (`alone` is false). `body` is prepared and all its
/// tiles are in `held`. `windows`: shared memory is filled beside the threads.
std::optional<GroupPlan> planGroups(const TileBlock &body, const std::vector<PointDim> &grid,
                                    const std::set<std::string> &held, const Scope &scope, bool windows,
                                    bool alone = true);

/// As planGroups, where points beside one another read neighbours, so that a thread may run each; absent: some region
/// is none that threads of a group can take elements of in turn.
std::optional<GroupPlan> planBeside(const TileBlock &body, const std::vector<PointDim> &grid,
                                    const std::set<std::string> &held, const Scope &scope);

} // namespace polymend::device_room
