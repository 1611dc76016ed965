#ifndef POLYMEND_RT_BUFFER
#define POLYMEND_RT_BUFFER

#include <cstdint>
#include <new>

namespace polymend_rt {
namespace {

/// Rows of uninitialised elements, each aligned to a cache line; throws std::bad_alloc where there is no memory.
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

} // namespace
} // namespace polymend_rt

#endif // POLYMEND_RT_BUFFER
