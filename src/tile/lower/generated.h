// A function in another order than the source's: loops as isl writes them for a schedule.
#pragma once

#include "polymend/lower.h"

namespace polymend {

/// Kernels for the schedule `order`; a loop that carries no dependence is a kernel's grid, shared by threads, or a
/// parallel dimension of a region. `reorder`: sums may be taken in another order; `copies`: a thread that shares a loop
/// has what its turns set for themselves alone for itself. Returns why it cannot.
std::optional<Refusal> lowerMoved(const Scop &scop, const Dependences &dependences, const isl::schedule &order,
                                  bool reorder, bool isHost, bool copies, TileProgram &program);

} // namespace polymend
