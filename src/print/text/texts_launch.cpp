// Primitives of the host side of a device target: launches, memory of one call, copies of the caller's arrays.
// `$` stands for the prefix of the target's runtime.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view launch = R"cpp(/// Starts `blocks` blocks; a grid of no blocks is no error.
template <class... Parameters, class... Arguments>
inline $Error_t launch(void (*kernel)(Parameters...), std::int64_t blocks, int threads, std::int64_t bytes,
                       $Stream_t stream, const Arguments &...arguments) {
  if (blocks <= 0) return $Success;
  const auto size = static_cast<std::size_t>(bytes);
  if (size > 48 * 1024) {
    const $Error_t error = $FuncSetAttribute(reinterpret_cast<const void *>(kernel),
                                             $FuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (error != $Success) return error;
  }
  constexpr std::int64_t most = 2147483647;
  const auto count = static_cast<unsigned>(blocks < most ? blocks : most);
  kernel<<<dim3(count), dim3(static_cast<unsigned>(threads)), size, stream>>>(static_cast<Parameters>(arguments)...);
  return $GetLastError();
}
)cpp";

const std::string_view blocksFor =
    R"cpp(/// As many blocks as `points` need with 256 of them each, and not many more than fill the device.
inline std::int64_t blocksFor(std::int64_t points) {
  const std::int64_t blocks = points / 256 + (points % 256 != 0 ? 1 : 0);
  return blocks < 16384 ? blocks : 16384;
}
)cpp";

const std::string_view residentBlocks =
    R"cpp(/// For kernels whose blocks own memory: no more blocks than a few a multiprocessor.
inline std::int64_t residentBlocks(std::int64_t points) { return points < 512 ? points : 512; }
)cpp";

const std::string_view scratchPool =
    R"cpp(/// The pool of the current device that scratch memory comes from. It keeps up to 256 MiB when work is done, so that
/// the next call need not ask the system.
inline $Error_t scratchPool($MemPool_t &pool) {
  static std::mutex alone;
  static std::map<int, $MemPool_t> pools;
  int device = 0;
  if (const $Error_t error = $GetDevice(&device); error != $Success) return error;
  const std::lock_guard<std::mutex> lock(alone);
  if (const auto known = pools.find(device); known != pools.end()) {
    pool = known->second;
    return $Success;
  }
  $MemPoolProps properties{};
  properties.allocType = $MemAllocationTypePinned;
  properties.location.type = $MemLocationTypeDevice;
  properties.location.id = device;
  if (const $Error_t error = $MemPoolCreate(&pool, &properties); error != $Success) return error;
  std::uint64_t kept = std::uint64_t{256} << 20;
  if (const $Error_t error = $MemPoolSetAttribute(pool, $MemPoolAttrReleaseThreshold, &kept); error != $Success) return error;
  pools[device] = pool;
  return $Success;
}
)cpp";

const std::string_view deviceBuffer =
    R"cpp(/// Device memory for the work queued on a stream after its allocation; freed in the order of the stream. Parts are
/// reserved first and allocated together: an allocation costs about as much as a launch.
class Scratch {
public:
  explicit Scratch($Stream_t on) : stream(on) {}
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() {
    if (data) static_cast<void>($FreeAsync(data, stream));
  }
  /// Where a part of so many elements begins.
  template <class T> std::size_t reserve(std::int64_t count) {
    constexpr std::size_t alignment = 256;
    const std::size_t begin = bytes, elements = count > 0 ? static_cast<std::size_t>(count) : 1;
    const bool fits = elements <= (SIZE_MAX - begin - alignment) / sizeof(T);
    if (!fits) error = $ErrorMemoryAllocation;
    if (fits) bytes = (begin + elements * sizeof(T) + alignment - 1) / alignment * alignment;
    return begin;
  }
  $Error_t allocate() {
    $MemPool_t pool{};
    if (error == $Success) error = scratchPool(pool);
    if (error == $Success) error = $MallocFromPoolAsync(reinterpret_cast<void **>(&data), bytes, pool, stream);
    if (error != $Success) data = nullptr;
    return error;
  }
  template <class T> T *at(std::size_t begin) const { return reinterpret_cast<T *>(data + begin); }

private:
  $Stream_t stream;
  $Error_t error = $Success;
  std::size_t bytes = 0;
  unsigned char *data = nullptr;
};
)cpp";

const std::string_view expect = R"cpp(/// Throws std::runtime_error with the runtime's own words.
inline void expect($Error_t error, const char *what) {
  if (error == $Success) return;
  throw std::runtime_error(std::string(what) + ": " + $GetErrorString(error));
}
)cpp";

const std::string_view mirror = R"cpp(/// A copy of one of the caller's arrays on the device.
template <class T> class Mirror {
public:
  Mirror(const void *host, std::int64_t elements) : bytes(elements > 0 ? static_cast<std::size_t>(elements) * sizeof(T) : 0) {
    if (bytes == 0) return;
    expect($Malloc(reinterpret_cast<void **>(&data), bytes), "memory on the device");
    const $Error_t error = $Memcpy(const_cast<void *>(static_cast<const void *>(data)), host, bytes, $MemcpyHostToDevice);
    if (error != $Success) static_cast<void>($Free(data));
    expect(error, "copy to the device");
  }
  Mirror(const Mirror &) = delete;
  Mirror &operator=(const Mirror &) = delete;
  ~Mirror() {
    if (data) static_cast<void>($Free(data));
  }
  void copyBack(void *host) const {
    if (bytes != 0) expect($Memcpy(host, data, bytes, $MemcpyDeviceToHost), "copy from the device");
  }
  T *data = nullptr;

private:
  std::size_t bytes;
};
)cpp";

} // namespace polymend::print_room::texts
