// The passes that make a kernel on matrix units of a rectangular one.
#pragma once

#include "tile/matrix.h"

#include <string_view>

namespace polymend {

/// Before the kernel has roles.
struct RectangularPass {
  std::string_view name;
  Result<RectangularKernel> (*run)(RectangularKernel, const PassContext &);
};

/// What passes of kernels with roles know beside the kernel.
struct RoleContext {
  const MatrixUnits &units;
  std::int64_t warpsN = 1;            // as in BoxedKernel
  const std::set<std::string> &names; // taken
};

/// After.
struct RolePass {
  std::string_view name;
  Kernel (*run)(Kernel, const RoleContext &);
};

/// Called with the name of a pass and what it left.
using ShowKernel = std::function<void(const std::string &, const Kernel &)>;

/// The names of all passes, in order.
std::vector<std::string> passNames();

/// The kernel through all passes. What only some of them can do without is tried without: where copies of what regions
/// read leave no room, regions read memory. Refused: why the last way fails.
Result<Kernel> throughPasses(const RectangularKernel &rectangular, const PassContext &context, const ShowKernel &show);

} // namespace polymend
