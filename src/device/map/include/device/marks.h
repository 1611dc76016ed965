// Marks of what a kernel with roles leaves to a later one.
#pragma once

#include "polymend/tile.h"

namespace polymend::device_room {

/// Whether the kernels with roles that this array's marks are of never set one: then one variable of the host stands
/// for all of them, not zero where all is marked and zero where nothing is.
bool isNeverMarked(const TileProgram &program, const std::string &array);

/// A kernel that does one thing where marks are set and another, or nothing, where none is, as a kernel for each.
struct ByMarks {
  Kernel marked;
  std::optional<Kernel> unmarked;
  std::string marks; // the array
};
/// Nothing where the kernel does not depend on marks that one variable of the host stands for.
std::optional<ByMarks> byMarks(const Kernel &kernel, const TileProgram &program);

} // namespace polymend::device_room
