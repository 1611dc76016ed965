// Another order of a function's loops for a GPU, chosen from its dependences alone.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// A schedule of all statements' instances under which every dependence still runs forwards: as few loops as possible
/// carry something, outermost, so that each of their turns is one launch for each nest within, whose points are
/// independent (after Feautrier, International Journal of Parallel Programming 21, 1992). `reorder`: may sums be taken
/// in any order? Then each may be a point's own loop or a launch a term, whichever takes less by an estimate. Absent:
/// isl finds none, or gives up.
std::optional<isl::schedule> spread(const Scop &scop, const Dependences &dependences, bool reorder);

} // namespace polymend
