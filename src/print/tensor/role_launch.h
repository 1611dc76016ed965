// Starts kernels with roles.
#pragma once

#include "role_units.h"

namespace polymend::print_room {

/// Defines the kernel with the given body and prints the statements of the host that start it.
void launchRoles(RoleFrame &frame, RoleUnits &units, const std::string &body, Writer &host);

} // namespace polymend::print_room
