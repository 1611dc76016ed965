// Statements cut where their dependences begin and end.
#pragma once

#include <isl/cpp.h>

#include <optional>

namespace polymend {

/// A schedule of the instances, those of a statement in pieces that follow one another: a statement is cut along the
/// hyperplanes that bound where dependences begin and where they end, and what depends on itself through no other piece
/// has loops that carry nothing (index set splitting: Griebl, Feautrier and Lengauer, International Journal of Parallel
/// Programming 28, 2000). `validity` holds between instances that have the same value of `outer`; no hyperplane is
/// taken on which that value alone decides. Absent: there is nothing to cut, or too much.
std::optional<isl::schedule> inPieces(const isl::union_set &instances, const isl::union_map &validity,
                                      const std::optional<isl::multi_union_pw_aff> &outer);

} // namespace polymend
