// The part of verification that knows roles.
#pragma once

#include "polymend/tile.h"

#include <map>

namespace polymend::tile {

/// What breaks the rules of roles in `k`: who may fill, get and assign what, and the shapes that copies and
/// contractions have. `arrays` holds every array in scope by name. Names and subscript counts are not checked.
std::vector<std::string> roleFaults(const Kernel &k, const std::map<std::string, TileArray> &arrays);

} // namespace polymend::tile

namespace polymend {

/// What is wrong with the layouts of a kernel that has no other fault, recomputed from its products.
std::vector<std::string> layoutFaults(const Kernel &kernel);

} // namespace polymend
