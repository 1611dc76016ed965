// flow: where every read's value comes from, and which write of each element is the last.
#pragma once

#include "polymend/deps.h"

namespace polymend {

struct Flow {
  std::vector<Sources> sources;                                   // statement by statement, read by read
  std::vector<std::pair<std::string, isl::union_map>> lastWrites; // per array that may outlive the function
};

/// One value-based computation for all reads; reads of arrays that nobody writes see the array at entry.
Flow flow(const Scop &scop);

} // namespace polymend
