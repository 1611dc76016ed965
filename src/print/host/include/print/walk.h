// Prints the nodes of a kernel's body for the host.
#pragma once

#include "polymend/device.h"

#include "print/expression.h"
#include "print/writer.h"

namespace polymend::print_room {

void printBlock(const DeviceBlock &nodes, Writer &out, Context &context);

} // namespace polymend::print_room
