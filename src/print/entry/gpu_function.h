// Prints one function for a device: its kernels and its entry on device pointers before it, and its new body.
#pragma once

#include "polymend/parse.h"

#include "print/expression.h"

namespace polymend::print_room {

struct DeviceText {
  std::string before; // what stands before the function's declaration
  std::string body;   // from '{' to '}'
};

/// `original` is the source's own body as the target spells it; what the text needs is added to `needs` if there is
/// one.
Result<DeviceText> printForDevice(const Function &function, const std::string &source, const std::string &original,
                                  const TileProgram &program, const PrintOptions &options, Needs &needs);

} // namespace polymend::print_room
