// Data sizes in a tile program: what they read, where they are used.
#pragma once

#include "tile/frame.h"

namespace polymend {

/// The kernel with what is read in the place of data sizes, at the rows of its grid.
Kernel withDataRead(Kernel kernel, const KernelFrame &frame);

/// Does the plan compute anything whose bounds read arrays?
bool readsBounds(const KernelPlan &plan, const Scop &scop, const System &system);

} // namespace polymend
