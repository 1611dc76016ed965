#ifndef POLYMEND_RT_FOUR
#define POLYMEND_RT_FOUR

#include <cstdint>

namespace polymend_rt {
namespace {

/// Four neighbours in memory, as one access of up to 16 bytes.
template <class T> struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) Four {
  T of[4];
};

template <class T> __device__ inline bool isAligned(const T *at) {
  return reinterpret_cast<std::uintptr_t>(at) % alignof(Four<T>) == 0;
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_FOUR
