// What is lowered, and the frame of one of its kernels.
#pragma once

#include "tile/frame.h"

namespace polymend {

/// A schedule and what it was made for.
struct Lowering {
  const Scop &scop;
  const Relaxed &relaxed;
  const Schedule &schedule;
  const LowerOptions &options;
  const Function &function;
  /// A kernel before anything is in it: values of kernels before it live in `homes`, `names` are taken.
  [[nodiscard]] KernelFrame frame(const KernelPlan &plan, const std::map<int, Residence> &homes,
                                  const std::set<std::string> &names) const {
    return {scop, *relaxed.system, relaxed, schedule, plan, options, {}, {}, homes, {}, names};
  }
};

} // namespace polymend
