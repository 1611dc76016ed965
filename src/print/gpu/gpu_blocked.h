// Products of tiles by the threads of a block, in blocks of registers.
#pragma once

#include "print/gpu_plan.h"
#include "print/writer.h"

namespace polymend::print_room {

/// The region that is planned as a product.
void printBlocked(const TilePoints &points, const RegionPlan &plan, Writer &out, Context &context);

} // namespace polymend::print_room
