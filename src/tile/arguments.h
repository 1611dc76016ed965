// The arguments of a program, and how much of them it uses.
#pragma once

#include "polymend/lower.h"

namespace polymend {

/// A program without kernels: its sizes, scalars and arguments, what it returns and what it rests on.
TileProgram header(const Function &function, const Scop &scop);

} // namespace polymend
