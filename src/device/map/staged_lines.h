// Threads that walk along lines of arrays, of which neighbours in memory belong to one thread.
#pragma once

#include "device/scope.h"

namespace polymend::device_room {

/// The kernel whose points each run loops in order along a line of an array, as one whose points are so many lines
/// each: what a loop reads of the lines comes in chunks by all threads of a block, side by side as it lies in memory,
/// then a thread walks along each line of the chunk, and what it has written goes back in the same way. The same kernel
/// where no loop does.
Kernel withStagedLines(const Kernel &kernel, Scope &scope);

} // namespace polymend::device_room
