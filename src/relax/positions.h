// Loops over what each row sees of an array become loops over the array's elements.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// Writes loops that count from where a row's part of an array begins (x[first(row) + a], a from 0) over the elements
/// of the array (j = first(row) + a), where sums of products run over them: rows whose parts overlap then meet at equal
/// points. All equations that meet in such a loop take it up, or none; values are unchanged. `assumptions`, on sizes,
/// hold wherever the equations run. Says whether any did.
bool takePositions(System &system, const isl::set &assumptions);

} // namespace polymend
