// What entries ask of index arrays before anything else.
#pragma once

#include "polymend/device.h"

#include "print/beside.h"
#include "print/writer.h"

namespace polymend::print_room {

/// Tells of a fault: the arguments are those of an IndexFault, in order.
using TellFault = std::function<void(const std::string &fault, Writer &out)>;
/// Prints a check at one point of its loops: what is wrong there is told.
void printCheckAtPoint(const IndexCheck &check, std::size_t number, const TellFault &tell, Writer &out,
                       Context &context);

/// The guard of an entry on the caller's memory: what stands before the entry, and what the entry begins with.
struct GuardText {
  std::string definitions, call;
};
/// Nothing of a program without checks.
GuardText printIndexGuard(const Function &function, const std::string &source, const Spelled &spelled,
                          const DeviceProgram &program, Context &context);
/// A function for callers with device pointers that tells in words what NAME_on found wrong.
std::string printIndexMessage(const Function &function, const std::string &source, Context &context);

} // namespace polymend::print_room
