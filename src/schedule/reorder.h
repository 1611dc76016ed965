// Another order of a function's loops, chosen from its dependences alone.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// A schedule of all statements' instances under which every dependence still runs forwards: each strongly connected
/// part has a nest of its own, in bands of loops that may be exchanged, cut into tiles whose fronts are independent,
/// with the loop innermost that runs in vectors (after Bondhugula et al., PLDI 2008). `reorder`: may sums be taken in
/// vectors? Absent: isl finds none, or gives up.
std::optional<isl::schedule> reordered(const Scop &scop, const Dependences &dependences, bool reorder);

/// The same in the bands that isl finds, which are neither cut nor turned.
std::optional<isl::schedule> inBands(const Scop &scop, const Dependences &dependences);

/// Does an iteration's time grow steeply along one of its loops? isl 0.25 may make loops in another order of such a
/// schedule, so that none is taken, whoever wrote it.
bool isSteep(const isl::schedule &schedule);

} // namespace polymend
