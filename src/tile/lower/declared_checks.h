// What the source declares of index arrays, as checks.
#pragma once

#include "polymend/model.h"
#include "polymend/tile.h"

#include <functional>

namespace polymend {

/// Hears of a check at each of the points, which are over the iterators.
using AddCheck =
    std::function<void(const IndexCheck &, const isl::set &, const std::vector<std::string> &, const SourceRange &)>;
/// What is declared, at the elements that the function reads.
void declareChecks(const Function &function, const Scop &scop, const AddCheck &add);

} // namespace polymend
