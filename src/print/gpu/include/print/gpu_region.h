// Prints a region as the work of the threads of a block or of a group of them, of all threads of a launch, or of one
// thread.
#pragma once

#include "print/gpu_plan.h"
#include "print/writer.h"

namespace polymend::print_room {

/// Who runs a region.
enum class Team { Block, Group, Device, One };

void printTeamRegion(const TilePoints &points, const RegionPlan &plan, Team team, Writer &out, Context &context);
/// "for (int v = first; v < limit; v += step)" with the narrowest type that `bounds` allow; binds the variable.
std::string deviceLoop(const std::string &variable, const std::string &first, const std::string &limit,
                       const std::string &step, const Interval &bounds, Context &context);
/// The number of points that a launch deals out, as an expression of the host and of the device.
std::string dealtCount(const RegionPlan &plan, Context &context);

} // namespace polymend::print_room
