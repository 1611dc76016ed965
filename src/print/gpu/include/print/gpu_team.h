// Prints the body of a kernel as a device program has it for the threads of a team.
#pragma once

#include "print/expression.h"
#include "print/writer.h"

#include "polymend/device.h"

namespace polymend::print_room {

void printTeamBlock(const DeviceBlock &nodes, const DeviceTeam &team, Writer &out, Context &context);

/// The variable of the host, and the parameter of a kernel, that tells how many terms are read ahead.
inline constexpr const char *termsAhead = "terms ahead";
/// The parameter of a kernel that is launched several times.
inline constexpr const char *numberOfLaunch = "number of launch";

} // namespace polymend::print_room
