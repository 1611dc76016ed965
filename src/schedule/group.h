// Which equations share a kernel, and which a loop.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// A value of a row keeps at most so many columns beside the computation; more live in memory.
inline constexpr std::int64_t tileColumns = 512;

/// Kernels with their phases and members, in execution order; tiles and chunks are not chosen yet. `apart`: as in
/// Schedule.
struct Grouping {
  std::vector<KernelPlan> kernels;
  std::set<int> apart;
};
Grouping group(const Relaxed &relaxed, const ScheduleOptions &options);

} // namespace polymend
