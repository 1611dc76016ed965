#ifndef POLYMEND_RT_PAIR_OF_DOUBLES
#define POLYMEND_RT_PAIR_OF_DOUBLES

#include <cstring>

namespace polymend_rt {
namespace {

/// Two doubles as they stand in memory.
__device__ __forceinline__ uint4 pairOfDoubles(double first, double second) {
  const double both[2] = {first, second};
  uint4 words;
  memcpy(&words, both, sizeof words);
  return words;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_PAIR_OF_DOUBLES
