// The last subscript of an access, along which elements lie side by side in memory.
#pragma once

#include "polymend/isl.h"

namespace polymend {

/// What moves along memory: the last subscript of an access that has any.
isl::map lastSubscript(const isl::map &access);

/// Does the access stay where it is along a dimension, or move in its last subscript alone?
bool runsAlongMemory(const isl::map &access, unsigned dim);

} // namespace polymend
