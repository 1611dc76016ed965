// Asynchronous copies to shared memory that a thread waits for itself.
#pragma once

#include "cuda_runtime.h"

#include <cstddef>

namespace emulated {

void copyAside(void *to, const void *from, std::size_t bytes);
void closeCopies();
/// Waits for the copies of all closed groups but the last `later`.
void awaitCopies(std::size_t later);

} // namespace emulated

inline void __pipeline_memcpy_async(void *to, const void *from, std::size_t bytes) {
  emulated::copyAside(to, from, bytes);
}
inline void __pipeline_commit() { emulated::closeCopies(); }
inline void __pipeline_wait_prior(std::size_t later) { emulated::awaitCopies(later); }
