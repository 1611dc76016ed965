// The end of a block of a kernel with roles: what it marked it computes again. The tickets that it took are a chain.
#pragma once

#include "role_frame.h"

namespace polymend::print_room {

/// Nothing is marked, and no ticket was taken; by one thread before the others begin.
void beginChain(Writer &out);
/// A computing thread's statement for where it marks something.
std::string noteMark();
/// Adds $ticket, unless it is negative, to the chain; by the thread that draws.
void linkTicket(const RoleFrame &frame, Writer &out);
/// After a computing thread's last ticket: where any of the block marked something, the first of them run the general
/// kernel's points in every tile of the chain. `coordinates` declares the coordinates of the tile of $ticket.
void computeFallback(RoleFrame &frame, const std::function<void()> &coordinates, Writer &out);
/// Parameters of a kernel that calls the function.
void takeFallback(const PointFunction &point, LaunchPlan &plan);

} // namespace polymend::print_room
