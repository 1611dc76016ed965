// Loops in vectors that hold assignments alone, and which elements each of their iterations has for itself.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// The loop in vectors that a node is; null: it is something else, or holds more than assignments.
const DeviceLoop *vectorsOf(const DeviceNode &node);

/// Does each iteration have elements of the array for itself? In all that the assignments touch of it, some subscript
/// is the variable, or equally far from it.
bool isDivided(const DeviceBlock &assigns, const std::string &array, const std::string &variable);

/// The nodes, and those within them, with the symbol of that name replaced.
DeviceBlock withSymbol(const DeviceBlock &nodes, const std::string &name, const Expr &value);

} // namespace polymend::device_room
