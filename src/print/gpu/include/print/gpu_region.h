// Prints a region as the work of the threads of a block or of a group of them, of all threads of a launch, or of one
// thread.
#pragma once

#include "device/dealt.h"
#include "print/expression.h"
#include "print/writer.h"

namespace polymend::print_room {

void printDeal(const DeviceDeal &deal, const DeviceTeam &team, Writer &out, Context &context);
/// What combines two values as an update does: an object of the device.
std::string functorOf(Update update, Context &context);
/// The number of threads of a block, in a kernel.
std::string threadsOf(const DeviceTeam &team);
/// The number of points that a launch deals out, as an expression of the host and of the device.
std::string dealtCount(const DeviceDeal &deal, Context &context);

} // namespace polymend::print_room
