// Bands of exchangeable loops, turned and cut.
#pragma once

#include "polymend/schedule.h"

#include <isl/schedule_node.h>

namespace polymend {

/// The schedule with every permutable band turned so that a loop that runs in vectors is innermost, and cut into tiles
/// where it carries something: tiles of loops that carry nothing come first; where all carry something, tiles run in
/// fronts, whose sum of numbers is the same. `dependences` are those of `scop`, as one relation in `validity`.
isl::schedule withBands(const isl::schedule &schedule, const Scop &scop, const Dependences &dependences,
                        const isl::union_map &validity, bool reorder);

/// Is there no loop below the band, at most an order of its statements?
bool endsBelow(isl_schedule_node *band);

} // namespace polymend
