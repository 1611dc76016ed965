// Primitives of kernels for compute capability 9.0 with its own features (sm_90a): barriers in shared memory, the copy
// engine, matrix descriptors, the order of warpgroup products, registers handed over between warpgroups. PTX ISA 8.0.
#include "texts.h"

namespace polymend::print_room::texts {

const std::string_view forHopper =
    R"cpp(/// Whether this pass compiles for sm_90a. Elsewhere the functions that need its instructions do nothing; the host asks
/// runsHopperCode() before it starts a kernel that calls them.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
constexpr bool forHopper = true;
#else
constexpr bool forHopper = false;
#endif
)cpp";

const std::string_view sharedAddress = R"cpp(/// The address of an object in shared memory within that memory.
__device__ __forceinline__ std::uint32_t sharedAddress(const void *object) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(object));
}
)cpp";

const std::string_view barrierInit =
    R"cpp(/// Prepares a barrier, 8 bytes of shared memory, whose phases end after `count` arrivals and all the bytes expected.
__device__ __forceinline__ void barrierInit(std::uint32_t barrier, std::uint32_t count) {
  if constexpr (forHopper)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(barrier), "r"(count) : "memory");
}
)cpp";

const std::string_view barrierInitFence =
    R"cpp(/// Shows prepared barriers to the copy engine; a block-wide barrier shows them to the other threads.
__device__ __forceinline__ void barrierInitFence() {
  if constexpr (forHopper) asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}
)cpp";

const std::string_view barrierExpect = R"cpp(/// Arrives, and has the phase last until `bytes` more were copied.
__device__ __forceinline__ void barrierExpect(std::uint32_t barrier, std::uint32_t bytes) {
  if constexpr (forHopper)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(barrier), "r"(bytes) : "memory");
}
)cpp";

const std::string_view barrierArrive =
    R"cpp(/// Arrives: what this thread did before is done for whoever waits for the phase.
__device__ __forceinline__ void barrierArrive(std::uint32_t barrier) {
  if constexpr (forHopper) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(barrier) : "memory");
}
)cpp";

const std::string_view barrierWait =
    R"cpp(/// Waits for the end of the phase of that parity; the phase before the first counts as ended, with parity 1.
__device__ __forceinline__ void barrierWait(std::uint32_t barrier, std::uint32_t parity) {
  if constexpr (forHopper)
    asm volatile("{\n"
                 ".reg .pred ended;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
                 "@!ended bra again;\n"
                 "}"
                 : : "r"(barrier), "r"(parity) : "memory");
}
)cpp";

const std::string_view waitAmong =
    R"cpp(/// Waits for `threads` threads, whole warps of a block, at the barrier of that number; __syncthreads() has number 0.
__device__ __forceinline__ void waitAmong(int number, int threads) {
  asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(threads) : "memory");
}
)cpp";

const std::string_view fenceShared =
    R"cpp(/// Shows this thread's own stores to shared memory to warpgroup products and the copy engine, after a barrier.
__device__ __forceinline__ void fenceShared() {
  if constexpr (forHopper) asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
}
)cpp";

const std::string_view prefetchMap = R"cpp(/// Fetches a description ahead of its first use.
__device__ __forceinline__ void prefetchMap(const CUtensorMap *map) {
  if constexpr (forHopper) asm volatile("prefetch.tensormap [%0];" : : "l"(map) : "memory");
}
)cpp";

const std::string_view copyTile =
    R"cpp(/// Starts the copy of the box at those coordinates, innermost first, to shared memory; its bytes, those out of bounds
/// too, count towards the barrier's phase.
template <class... Coordinates>
__device__ __forceinline__ void copyTile(std::uint32_t shared, const CUtensorMap *map, std::uint32_t barrier,
                                         Coordinates... coordinates) {
  constexpr int rank = sizeof...(Coordinates);
  static_assert(2 <= rank && rank <= 5, "dimensions of a copy");
  const int at[] = {static_cast<int>(coordinates)...};
  if constexpr (forHopper && rank == 2)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                 "[%1, {%3, %4}], [%2];"
                 : : "r"(shared), "l"(map), "r"(barrier), "r"(at[0]), "r"(at[1]) : "memory");
  else if constexpr (forHopper && rank == 3)
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                 "[%1, {%3, %4, %5}], [%2];"
                 : : "r"(shared), "l"(map), "r"(barrier), "r"(at[0]), "r"(at[1]), "r"(at[2]) : "memory");
  else if constexpr (forHopper && rank == 4)
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                 "[%1, {%3, %4, %5, %6}], [%2];"
                 : : "r"(shared), "l"(map), "r"(barrier), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]) : "memory");
  else if constexpr (forHopper && rank == 5)
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                 "[%1, {%3, %4, %5, %6, %7}], [%2];"
                 : : "r"(shared), "l"(map), "r"(barrier), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4]) : "memory");
}
)cpp";

const std::string_view swizzledMatrix =
    R"cpp(/// A matrix in shared memory as a warpgroup product takes it: rows of 128 bytes with swizzled chunks of 16, groups of
/// eight rows 1024 bytes apart, panels of 64 columns `panelBytes` apart. `address` is a multiple of 1024 but for steps.
__device__ __forceinline__ std::uint64_t swizzledMatrix(std::uint32_t address, std::uint32_t panelBytes) {
  constexpr std::uint64_t groupBytes = 1024, swizzle128 = 1;
  return (address & 0x3ffffu) >> 4 | std::uint64_t{panelBytes >> 4} << 16 | groupBytes >> 4 << 32 | swizzle128 << 62;
}
)cpp";

const std::string_view matrixK =
    R"cpp(/// A panel [rows][64] whose rows run along the sum. Add 2 for each step of 16 of the sum within the panel.
__device__ __forceinline__ std::uint64_t matrixK(std::uint32_t address) { return swizzledMatrix(address, 16); }
)cpp";

const std::string_view matrixN =
    R"cpp(/// Panels [sum][64] whose rows run across the sum: a transposed operand. Add 128 for each step of 16 of the sum.
__device__ __forceinline__ std::uint64_t matrixN(std::uint32_t address, std::uint32_t panelBytes) {
  return swizzledMatrix(address, panelBytes);
}
)cpp";

const std::string_view wgmmaFence =
    R"cpp(/// Before the first product of a group: orders it after all that touched its registers.
__device__ __forceinline__ void wgmmaFence() {
  if constexpr (forHopper) asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
}
)cpp";

const std::string_view wgmmaCommit = R"cpp(/// Closes a group of products.
__device__ __forceinline__ void wgmmaCommit() {
  if constexpr (forHopper) asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
}
)cpp";

const std::string_view wgmmaWait =
    R"cpp(/// Waits until at most `pending` of the warpgroup's youngest groups are unfinished.
template <int pending> __device__ __forceinline__ void wgmmaWait() {
  if constexpr (forHopper) asm volatile("wgmma.wait_group.sync.aligned %0;" : : "n"(pending) : "memory");
}
)cpp";

const std::string_view raiseRegisters =
    R"cpp(/// All warps of a warpgroup ask for `count` registers a thread, and wait for others to give some up. The kernel needs
/// __launch_bounds__(threads, 1).
template <int count> __device__ __forceinline__ void raiseRegisters() {
  static_assert(24 <= count && count <= 256 && count % 8 == 0, "registers of a thread");
  if constexpr (forHopper) asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" : : "n"(count));
}
)cpp";

const std::string_view lowerRegisters = R"cpp(/// All warps of a warpgroup keep `count` registers a thread.
template <int count> __device__ __forceinline__ void lowerRegisters() {
  static_assert(24 <= count && count <= 256 && count % 8 == 0, "registers of a thread");
  if constexpr (forHopper) asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" : : "n"(count));
}
)cpp";

} // namespace polymend::print_room::texts
