// What differs between targets, as data: the printers ask this table and never compare targets themselves.
#pragma once

#include "polymend/expr.h"
#include "polymend/print_options.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace polymend::print_room {

struct TargetTable {
  std::string_view half, brain;           // spellings of the 16-bit types
  std::vector<std::string_view> includes; // beyond those that the primitives ask for
  bool openmp = false;                    // grids are parallel loops of the host
  bool runtimeOverlap = false;            // the entry runs the source's own body when an output overlaps
  bool device = false;                    // code runs on a device: no standard library, 32-bit variables in tiles
  std::string_view runtime;               // prefix of the runtime's functions and types
  bool roundedProduct = false;            // products are calls that round, so that no compiler contracts them
};

const TargetTable &tableOf(Target target);
/// An element type as the target spells it.
std::string spellFor(Type type, const TargetTable &table);

} // namespace polymend::print_room
