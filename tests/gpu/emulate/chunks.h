// cp.async: chunks of 16 bytes on their way to shared memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulated {

struct Chunk {
  std::uint32_t shared = 0;
  const void *from = nullptr;
  unsigned bytes = 0, read = 0; // the rest of the bytes are zeros
  std::size_t group = 0;        // of those that the thread waits for itself; zero: a barrier hears of it
};

} // namespace emulated
