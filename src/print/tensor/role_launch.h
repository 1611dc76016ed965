// Starts kernels with roles.
#pragma once

#include "print/role_kernel.h"
#include "role_frame.h"

#include <deque>

namespace polymend::print_room {

/// A kernel that is started where `when` holds of sizes (absent: always).
struct RoleStart {
  RoleStart(const RoleStep &step, DeviceFunction &f, RoleFrame *first, std::size_t place)
      : frame(*step.kernel, f, first, place), when(step.when) {}
  RoleFrame frame;
  Expr when;
};

/// Defines the kernel with the given body and prints the statements of the host that start it.
void launchRoles(RoleStart &start, const std::string &body, Writer &host);
/// The same for kernels of one launch, in which each has points where it can be started.
void launchTogether(std::deque<RoleStart> &starts, const std::string &body, Writer &host);

} // namespace polymend::print_room
