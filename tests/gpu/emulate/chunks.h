// cp.async: chunks of 16 bytes on their way to shared memory.
#pragma once

#include <cstdint>

namespace emulated {

struct Chunk {
  std::uint32_t shared = 0;
  const void *from = nullptr;
  unsigned bytes = 0, read = 0; // the rest of the bytes are zeros
};

} // namespace emulated
