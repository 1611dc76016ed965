// Values that are overwritten before anybody needs them.
#pragma once

#include "polymend/relax.h"

namespace polymend {

/// Leaves out the points of equations whose values are neither stored nor read, where that determines a key.
void keepLastValues(System &system);

} // namespace polymend
