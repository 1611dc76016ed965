// What a masked element becomes where it takes no part.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// The equations with infinity and 0 for the masked elements of reductions whose start is a number that allows it.
System withPlainNeutrals(const System &system);

} // namespace polymend
