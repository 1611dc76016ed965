#ifndef POLYMEND_RT_EXPECT
#define POLYMEND_RT_EXPECT

#include <stdexcept>
#include <string>

namespace polymend_rt {
namespace {

/// Throws std::runtime_error with the runtime's own words.
inline void expect(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_EXPECT
