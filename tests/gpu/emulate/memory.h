// Device memory: pages of their own, at whose end each allocation ends but for its alignment; what is beyond faults.
#pragma once

#include <cstddef>

namespace emulated {

/// Memory that holds poison; null where there is none.
void *allocate(std::size_t bytes);
/// False for an address that no allocation begins at.
bool release(void *data);
/// Fails where the bytes do not lie within one allocation.
void requireDevice(const void *data, std::size_t bytes, const char *what);
/// A kernel's name and its largest block, as its __launch_bounds__ says.
bool noteBounds(const void *kernel, const char *name, unsigned threads);

} // namespace emulated
