// Products of tiles by the threads of a block, in blocks of registers.
#pragma once

#include "polymend/device.h"
#include "print/expression.h"
#include "print/writer.h"

namespace polymend::print_room {

void printBlocked(const DeviceDeal &deal, Writer &out, Context &context);

} // namespace polymend::print_room
