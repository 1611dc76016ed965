// Prints the new body of one function.
#pragma once

#include "polymend/parse.h"

#include "print/expression.h"

namespace polymend::print_room {

/// The comment on a test at entry under which the source's own body runs.
std::string commentOnOrder(const Function &function, const TileProgram &program);

/// From '{' to '}'; what it needs is added to `needs`.
std::string printBody(const Function &function, const std::string &source, const TileProgram &program,
                      const PrintOptions &options, Needs &needs);

/// Names scalars as in the source, and sizes as what their 64 bits are called beside it.
void bindNumbers(const TileProgram &program, const std::string &source, Context &context);

} // namespace polymend::print_room
