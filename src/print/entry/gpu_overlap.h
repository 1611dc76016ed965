// Where data choose which elements of an argument are touched, only the device can tell whether they are elements of
// another argument too. One block looks first and leaves a flag; where it is set the kernels do nothing, and one thread
// runs the source's statements in the source's order after them. The host waits for none of this.
#pragma once

#include "print/function.h"
#include "print/gpu_kernel.h"

namespace polymend::print_room {

/// The launches that find out whether arguments share memory, ahead of all others, where there is something to ask;
/// they name the flag.
void printMeeting(const Function &function, const DeviceQueue &queue, DeviceFunction &device, Writer &queued);
/// The launch of the source's own order, which does nothing where the flag is not set.
void printInOrder(const DeviceInOrder &source, DeviceFunction &device, Writer &queued);

} // namespace polymend::print_room
