// A maximum by comparison, lifted to a monoid, assumes that no NaN is compared: data may be assumed to hold none, a NaN
// that the source writes may not.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// Why a reduction by comparison cannot be taken in another order; absent: the source writes no NaN that one may meet.
std::optional<Refusal> comparesWrittenNaN(const Scop &scop, const Dependences &deps, const System &system);

} // namespace polymend
