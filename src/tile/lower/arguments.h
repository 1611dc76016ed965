// The arguments of a program, and how much of them it uses.
#pragma once

#include "polymend/lower.h"

namespace polymend {

/// A program without kernels: its sizes, scalars and arguments, what it returns and what it rests on. Dimensions of
/// arguments are joined, in this order, as the equations of its kernels read them.
TileProgram header(const Function &function, const Scop &scop, const std::vector<Joined> &joined);

/// The value of an integer expression in 64 bits: none that a program's extents say wraps around.
Expr inWide(const Expr &e);

} // namespace polymend
