// Primitives of the host: exact integer division, threads, memory, the test for overlapping arguments.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view unroll = R"cpp(#if defined(__clang__)
#define POLYMEND_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define POLYMEND_UNROLL _Pragma("GCC unroll 64")
#else
#define POLYMEND_UNROLL
#endif
)cpp";

const std::string_view floorDiv = R"cpp(/// The quotient rounded towards minus infinity.
inline std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
}
)cpp";

const std::string_view floorMod = R"cpp(/// The remainder that has the sign of the divisor.
inline std::int64_t floorMod(std::int64_t a, std::int64_t b) { return a - floorDiv(a, b) * b; }
)cpp";

const std::string_view threads = R"cpp(/// How many threads a parallel region may have, and which one this is.
inline int threads() {
#if defined(_OPENMP)
  return omp_get_max_threads();
#else
  return 1;
#endif
}

inline int thread() {
#if defined(_OPENMP)
  return omp_get_thread_num();
#else
  return 0;
#endif
}
)cpp";

const std::string_view buffer =
    R"cpp(/// Rows of uninitialised elements, each aligned to a cache line; throws std::bad_alloc where there is no memory.
template <class T> class Buffer {
public:
  explicit Buffer(std::int64_t count, std::int64_t rows = 1) {
    const auto length = static_cast<std::uint64_t>(count > 0 ? count : 0);
    const auto copies = static_cast<std::uint64_t>(rows > 0 ? rows : 0);
    constexpr std::uint64_t most = UINT64_C(1) << 62;
    if (length > most / sizeof(T)) throw std::bad_alloc();
    pitch = (length * sizeof(T) + 63) / 64 * 64 / sizeof(T);
    if (copies != 0 && pitch * sizeof(T) > most / copies) throw std::bad_alloc();
    data = static_cast<T *>(::operator new(pitch * sizeof(T) * copies + 1, std::align_val_t(64)));
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { ::operator delete(data, std::align_val_t(64)); }
  T *row(std::int64_t index) const { return data + static_cast<std::uint64_t>(index) * pitch; }

private:
  T *data = nullptr;
  std::uint64_t pitch = 0;
};
)cpp";

const std::string_view overlap = R"cpp(/// Whether two ranges of memory share a byte.
inline bool overlap(const void *a, std::int64_t aBytes, const void *b, std::int64_t bBytes) {
  const auto p = reinterpret_cast<std::uintptr_t>(a);
  const auto q = reinterpret_cast<std::uintptr_t>(b);
  if (aBytes <= 0 || bBytes <= 0) return false;
  return p < q + static_cast<std::uintptr_t>(bBytes) && q < p + static_cast<std::uintptr_t>(aBytes);
}
)cpp";

} // namespace polymend::print_room::texts
