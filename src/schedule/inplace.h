// In-place arrays: what is read at entry must be read before it is overwritten.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// An array whose values at entry the kernels would still read after an equation has overwritten them.
struct Overwritten {
  int writer = 0; // the equation
  std::string array;
  /// What is wrong with that, for a person.
  [[nodiscard]] std::string reason() const;
};
/// The first that the kernels overwrite too early.
std::optional<Overwritten> overwrittenTooEarly(const Relaxed &relaxed, const std::vector<KernelPlan> &kernels);

} // namespace polymend
