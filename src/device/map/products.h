// What a role that computes does: products, waits, and regions of registers between them.
#pragma once

#include "polymend/device.h"

namespace polymend::device_room {

/// The statements of the kernel's computing role, with functions as near as the machine has them where it
/// `approximates`; refused: a product or tile that the units of `roles` have no form
/// for.
Result<DeviceBlock> mapProducts(const Kernel &kernel, const TileProgram &program, const DeviceRoles &roles,
                                bool approximates);

} // namespace polymend::device_room
