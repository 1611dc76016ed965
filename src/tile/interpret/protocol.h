// Roles beside one another: each runs to its next wait, in turn, until all have visited every grid point or all wait.
#pragma once

#include "execute.h"

namespace polymend::tile {

/// What a run of roles is for: their values, or only whether every wait ends and every access is in time.
enum class Meaning { Values, Waits };

/// Runs the roles of `k` as one block that takes `visits` in order; its channels live as long as the block. `outer`
/// has the sizes and, for values, the scalars and arrays. Returns what is wrong, or nothing.
std::optional<std::string> runRoles(const Kernel &k, const std::vector<GridPoint> &visits, const Environment &outer,
                                    Meaning meaning);

} // namespace polymend::tile
