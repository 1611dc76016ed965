// Rewrite: a loop's variable loses the number that keeps it apart from those of other loops (j_2, j_3_block), where
// nothing around has the name without.
// Condition: neither what is around nor what the loop reads or sets is called so.
// Bound: none.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// `names`: those of the program, which are seen in all of the kernel.
DeviceKernel withPlainNames(DeviceKernel kernel, std::set<std::string> names);

} // namespace polymend::device_room
