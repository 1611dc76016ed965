// taken once: an assignment under a condition that at most one turn of a loop fulfils.
#pragma once

#include "deps/split.h"
#include "polymend/model.h"

namespace polymend {

/// X = c == at ? value : X, over a loop of which at most one turn has c == at, as the sum of what the turns contribute:
/// that of zero and a value. Holds where X begins as zero. `moving` names the loops along which X stays the same;
/// nothing when the statement has no such form.
std::optional<SplitUpdate> takenOnce(const Scop &scop, const Statement &statement, const std::set<int> &self,
                                     const std::vector<std::string> &moving);

} // namespace polymend
