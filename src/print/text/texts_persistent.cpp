// Primitives of kernels whose blocks stay and take tiles until none is left: tickets, how many blocks to start, and the
// host's descriptions of arrays for the copy engine. cuda.h serves for its types: nothing links with the driver.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view nextTicket =
    R"cpp(/// The next number, from zero, of the two words at `counter`, which were zero before the launch; one thread calls
/// this. Launches that may overlap need counters of their own.
__device__ __forceinline__ std::uint32_t nextTicket(std::uint32_t *counter) { return atomicAdd(counter, 1u); }
)cpp";

const std::string_view returnTickets =
    R"cpp(/// Once per block, after its last ticket, by the same thread: the last of `blocks` blocks leaves the counter at zero.
__device__ __forceinline__ void returnTickets(std::uint32_t *counter, std::uint32_t blocks) {
  __threadfence();
  if (atomicAdd(counter + 1, 1u) != blocks - 1) return;
  __threadfence();
  counter[0] = 0;
  counter[1] = 0;
}
)cpp";

const std::string_view anyMarked =
    R"cpp(/// Whether one of `count` words is not zero: the same for all threads of a block. A barrier.
__device__ inline bool anyMarked(const std::uint32_t *words, std::int64_t count) {
  std::uint32_t any = 0;
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) any |= words[i];
  return combineBlock(any, Most()) != 0;
}
)cpp";

const std::string_view waitTeam =
    R"cpp(/// The 256 threads of a team, a block or whole warps of a larger one, wait for one another.
__device__ __forceinline__ void waitTeam() { waitAmong(1, 256); }
)cpp";

const std::string_view combineTeam =
    R"cpp(/// Combines the values of a team's threads; each of them gets the same result. A barrier. `thread` is the number in the
/// team; `memory` has room for 8 values.
template <class T, class Combine>
__device__ inline T combineTeam(T value, Combine combine, int thread, unsigned char *memory) {
  T *const parts = reinterpret_cast<T *>(memory);
  value = combineLanes<32>(value, combine);
  waitTeam();
  if (thread % 32 == 0) parts[thread / 32] = value;
  waitTeam();
  T result = parts[0];
  for (int i = 1; i < 8; ++i) result = combine(result, parts[i]);
  return result;
}
)cpp";

const std::string_view persistentBlocks =
    R"cpp(/// One block a multiprocessor of the current device, and no more than there are tiles.
inline std::int64_t persistentBlocks(std::int64_t tiles) {
  int device = 0, multiprocessors = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return tiles;
  return tiles < multiprocessors ? tiles : multiprocessors;
}
)cpp";

const std::string_view runsHopperCode =
    R"cpp(/// Has shared memory of its own exactly where it was compiled for sm_90a.
__global__ void hopperMark() {
  if constexpr (forHopper) {
    __shared__ volatile int mark[1024];
    mark[threadIdx.x] = 0;
  }
}

/// Whether the current device has compute capability 9.0 and will run what this file compiles to for sm_90a.
inline bool runsHopperCode() {
  int device = 0, major = 0, minor = 0;
  cudaFuncAttributes mark{};
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
         cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess && major == 9 &&
         minor == 0 && cudaFuncGetAttributes(&mark, hopperMark) == cudaSuccess && mark.sharedSizeBytes >= 4096;
}
)cpp";

const std::string_view tensorMappable =
    R"cpp(/// Whether the copy engine reaches an array: extents in elements, strides in bytes of all dimensions but the innermost,
/// whose elements are neighbours; innermost first.
template <int rank>
inline bool tensorMappable(const void *base, const std::int64_t (&extents)[rank],
                           const std::int64_t (&strides)[rank - 1]) {
  bool fits = reinterpret_cast<std::uintptr_t>(base) % 16 == 0;
  for (const std::int64_t extent : extents) fits = fits && 1 <= extent && extent <= INT32_MAX;
  for (const std::int64_t stride : strides) fits = fits && 0 <= stride && stride >> 40 == 0 && stride % 16 == 0;
  return fits;
}
)cpp";

const std::string_view tensorMapEncoder =
    R"cpp(/// The driver's function that describes arrays, or null where it has none.
inline auto tensorMapEncoder() {
  using Encoder = decltype(&cuTensorMapEncodeTiled);
  static const Encoder encoder = [] {
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
#else
    const cudaError_t error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
#endif
    const bool usable = error == cudaSuccess && found == cudaDriverEntryPointSuccess;
    return usable ? reinterpret_cast<Encoder>(entry) : nullptr;
  }();
  return encoder;
}
)cpp";

const std::string_view makeTensorMap =
    R"cpp(/// Describes a mappable array and the box of one copy, at most 256 elements along each dimension and 128 bytes along
/// the innermost. A box stands in shared memory in rows of 128 bytes, their chunks of 16 exchanged by the row's number
/// modulo 8; elements out of bounds are zero.
template <int rank>
inline cudaError_t makeTensorMap(CUtensorMap &map, CUtensorMapDataType type, const void *base,
                                 const std::int64_t (&extents)[rank], const std::int64_t (&strides)[rank - 1],
                                 const int (&box)[rank]) {
  static_assert(2 <= rank && rank <= 5, "dimensions of a copy");
  const auto encode = tensorMapEncoder();
  if (!encode) return cudaErrorNotSupported;
  cuuint64_t sizes[rank], steps[rank - 1];
  cuuint32_t boxes[rank], every[rank];
  for (int i = 0; i < rank; ++i) {
    sizes[i] = static_cast<cuuint64_t>(extents[i]);
    boxes[i] = static_cast<cuuint32_t>(box[i]);
    every[i] = 1;
  }
  for (int i = 0; i + 1 < rank; ++i) steps[i] = static_cast<cuuint64_t>(strides[i]);
  const CUresult result = encode(&map, type, rank, const_cast<void *>(base), sizes, steps, boxes, every,
                                 CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}
)cpp";

} // namespace polymend::print_room::texts
