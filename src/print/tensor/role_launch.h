// Starts kernels with roles.
#pragma once

#include "role_frame.h"

namespace polymend::print_room {

/// Defines the kernel with the given body and prints the statements of the host that start it, where `when` holds of
/// sizes (absent: always).
void launchRoles(RoleFrame &frame, const Expr &when, const std::string &body, Writer &host);

} // namespace polymend::print_room
