// Prints one function for the host.
#pragma once

#include "polymend/device.h"

#include "print/beside.h"
#include "print/writer.h"

namespace polymend::print_room {

/// The comment on a test at entry, `given` or of arguments that overlap, under which the source's own body runs.
std::string commentOnOrder(const Function &function, const Expr &given);

/// What takes the function's place; what it needs is added to `needs`.
FunctionText printFunction(const Function &function, const std::string &source, const Spelled &spelled,
                           const DeviceProgram &program, const PrintOptions &options, Needs &needs);

/// Declares the sizes in 64 bits that `rest` mentions and the text before does not, the derived ones by what they are
/// of the others.
void printSizes(const Function &function, const std::vector<std::string> &sizes, const std::string &rest, Writer &out,
                Context &context, const std::string &before = "");
/// Of the conditions on sizes those that are tested: what derived sizes are holds where they are declared.
/// Between which elements an index array must rise: the first, and the last.
std::vector<std::string> boundsOfRising(const Function &function, const std::string &index, Context &context);
/// The test whether an index array falls, on whose rising the text rests.
std::string fallsTest(const Function &function, const std::string &index, Context &context);
Expr tested(const Expr &given, const Function &function);

/// Names scalars as in the source, and sizes as what their 64 bits are called beside it.
void bindNumbers(const std::vector<std::pair<std::string, Type>> &scalars, const std::vector<std::string> &sizes,
                 const std::string &source, Context &context);

} // namespace polymend::print_room
