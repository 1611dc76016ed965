// The planned order against the dependences, recomputed from the equations rather than taken from the planner.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// Every read of a value that the schedule would run before the value is complete, or from another tile of rows; a
/// dependence that was dropped must be mended in the loop that it was dropped for. Empty: the schedule is legal.
std::vector<std::string> violations(const Relaxed &relaxed, const Schedule &schedule);

/// Under --fp=strict: what is reduced in another order than the source's, as loops are swapped, or an outer one of
/// several runs in chunks.
std::vector<std::string> outOfOrder(const Relaxed &relaxed, const Schedule &schedule);

/// The dependences, by number, that do not run forwards in an order of loops that is not the source's.
std::vector<int> brokenEdges(const Dependences &dependences, const Schedule &schedule);

/// A sentence on one of these.
std::string violation(const Scop &scop, const Dependence &edge);

/// What is wrong with such an order: a sentence for each.
std::vector<std::string> violations(const Scop &scop, const Dependences &dependences, const Schedule &schedule);

} // namespace polymend
