// Which kernels wait for which: an order to launch them in, and whether one can wait for another.
#pragma once

#include <set>
#include <vector>

namespace polymend {

/// For each kernel those whose values it reads.
using Waits = std::vector<std::set<std::size_t>>;

/// Does `kernel` wait for `other`, directly or through others? Each waits for itself.
bool waitsFor(const Waits &waits, std::size_t kernel, std::size_t other);

/// All kernels, each behind those that it waits for, else as they are numbered; none may wait for itself through
/// others.
std::vector<std::size_t> inOrder(const Waits &waits);

} // namespace polymend
