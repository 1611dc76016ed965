// Warp specialisation: a role that copies and one that computes.
#pragma once

#include "tile/matrix.h"

namespace polymend {

/// Copies become a role of their own, contractions run beside the element-wise work: the contraction that needs this
/// chunk's element-wise results is issued together with the next chunk's first one. Tiles have no layouts yet. Refused
/// where a region fits no tile operation.
Result<Kernel> withRoles(const RectangularKernel &rectangular, const MatrixUnits &units);

} // namespace polymend
