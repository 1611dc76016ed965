// Numbers for arrays of integers whose values are data, no subscripts.
#pragma once

#include "run.h"

namespace polymend {

/// How large such numbers may be in arrays of a type: as large as the type holds where C++ lets them wrap around, else
/// as large as no operation of the source overflows.
Interval integersOf(Type type, const CheckedFunction &checked, const Sizes &sizes);

} // namespace polymend
