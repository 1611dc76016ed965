// Where points that are neighbours along one dimension read the same elements of tiles, a thread takes several of them
// together, so that it reads each once (register blocking).
// Condition: one assignment to a tile that it does not read; it reads nothing but tiles, and elements that they have
// wherever the constant box has points; where it computes without need nothing can go wrong.
#pragma once

#include "device/deal.h"

namespace polymend::device_room {

void takeRows(const Memory &memory, const Scope &scope, DeviceDeal &deal);

} // namespace polymend::device_room
