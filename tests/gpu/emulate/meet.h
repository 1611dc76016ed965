// Where threads meet: lanes of a warp, threads of a block at numbered barriers.
#pragma once

#include "machine.h"

#include <cstring>
#include <type_traits>

namespace emulated {

/// Waits until every lane of `mask` came with the same instruction, and gives what each of them brought.
struct Brought {
  std::uint64_t of[32];
};
std::shared_ptr<const Brought> meet(const char *instruction, std::uint32_t mask, std::uint64_t value);

/// The lane that a lane reads from, as a function of its own number.
template <class T, class From> T shuffle(const char *instruction, std::uint32_t mask, T value, const From &from) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  const auto brought = meet(instruction, mask, bits);
  const int source = from(current->number % 32);
  if ((mask >> source & 1) == 0) fail(std::string(instruction) + " reads a lane that is not in its mask");
  std::memcpy(&value, &brought->of[source], sizeof value);
  return value;
}

} // namespace emulated
