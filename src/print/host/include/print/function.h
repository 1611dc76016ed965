// Prints one function for the host.
#pragma once

#include "polymend/device.h"

#include "print/beside.h"

namespace polymend::print_room {

/// The comment on a test at entry, `given` or of arguments that overlap, under which the source's own body runs.
std::string commentOnOrder(const Function &function, const Expr &given);

/// What takes the function's place; what it needs is added to `needs`.
FunctionText printFunction(const Function &function, const std::string &source, const Spelled &spelled,
                           const DeviceProgram &program, const PrintOptions &options, Needs &needs);

/// Names scalars as in the source, and sizes as what their 64 bits are called beside it.
void bindNumbers(const std::vector<std::pair<std::string, Type>> &scalars, const std::vector<std::string> &sizes,
                 const std::string &source, Context &context);

} // namespace polymend::print_room
