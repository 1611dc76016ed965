// Which member of a band runs innermost.
#pragma once

#include "polymend/schedule.h"

namespace polymend {

/// A band's innermost loop, and the instances that have one of their own each, in order.
struct Innermost {
  std::size_t member = 0;
  std::vector<isl::union_set> parts;
};

/// The member that gains most in vectors: the others fixed, it carries nothing between instances of one statement (or
/// a sum alone, where `reorder`), and elements lie side by side along it. `dependences`: those within one iteration of
/// the loops `around` the band, whose loops are `rows`. Absent: none may.
std::optional<Innermost> innermost(const Scop &scop, const Dependences &graph, const isl::union_map &dependences,
                                   const std::vector<isl::union_pw_aff> &rows,
                                   const std::vector<isl::union_pw_aff> &around, bool reorder);

/// Does the last member take the terms of sums alone, each into an element that stands still? Tiles cost these a load
/// and a store a row, where what one turn hands to the next in a register would go through memory.
bool gathersInnermost(const Scop &scop, const Dependences &graph, const isl::union_map &dependences,
                      const std::vector<isl::union_pw_aff> &rows);

/// The instances of a band of one statement in parts, in order, within each of which the first member carries nothing:
/// threads share its turns in each. Empty: it carries nothing at all, or there are no such parts.
std::vector<isl::union_set> partsAlongFirst(const Scop &scop, const Dependences &graph,
                                            const isl::union_map &dependences,
                                            const std::vector<isl::union_pw_aff> &rows);

} // namespace polymend
