// Kernels whose points are run by groups of threads: a warp where rows are short and many, a block where they are long.
// The printed kernel has the size of its groups as a parameter, and the host chooses it at every launch.
#pragma once

#include "print/gpu_body.h"

namespace polymend::print_room {

/// How a grid's points are run by groups.
struct GroupPlan {
  Memory memory;
  bool window = false; // what is kept of arrays lies in shared memory, where registers cannot hold it
  Expr length;         // what the longest run of elements of a point is at most, over sizes; absent: unknown
};

/// Absent where blocks serve the kernel better: some region is no reduction or row of neighbours, or none reads a
/// stream, which is no reason for what only the last group runs (`alone` is false). `body` is prepared and all its
/// tiles are in `held`.
std::optional<GroupPlan> planGroups(const TileBlock &body, const std::vector<PointDim> &grid,
                                    const std::set<std::string> &held, const Context &context, bool alone = true);

/// The array that stands for what a group holds of `array` in printed code, with the declaration of its holder.
std::string heldName(const std::string &array, Context &context);
std::string heldDeclaration(const std::string &holder, const std::string &array, int fours, Context &context);
/// As heldDeclaration, for an array that lies in shared memory from the text `memory` on, in so many pieces.
std::string windowDeclaration(const std::string &holder, const std::string &array, int fours, const std::string &memory,
                              const std::string &pieces, Context &context);

/// Prints a region that is dealt out in fours.
void printFours(const TilePoints &points, const RegionPlan &plan, Writer &out, Context &context);

} // namespace polymend::print_room
