// Rewrite: a loop whose turns all do nothing from the one on before which a scalar is 0 goes on only while it is not 0,
// and what its turns did under that condition is done without asking. A condition that a turn keeps first, and without
// which it does nothing but make that scalar 0, is asked before the turn.
// Condition: where the scalar is 0, each assignment of a turn that is not to what the loop alone touches leaves its
// target as it is, the scalar's own among them: so do all turns that follow, and the loop may end there.
// Bound: none.
#pragma once

#include "polymend/device.h"

#include <set>

namespace polymend::device_room {

DeviceKernel withLoopEnds(DeviceKernel kernel);

/// The scalars that loops among the nodes end at.
std::set<std::string> endsOf(const DeviceBlock &nodes);

} // namespace polymend::device_room
