// The runtime's functions: memory that faults beyond its end, launches that are checked as the driver checks them.
// Everything takes place at once: a stream is ready when the call returns.
#include "block.h"
#include "cuda.h"
#include "memory.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace emulated {

namespace {

constexpr std::size_t page = 4096, arena = std::size_t{1} << 40, alignment = 256;
constexpr std::size_t sparse = std::size_t{1} << 30; // of more, only the last page holds poison and takes memory

struct Memory {
  char *base = nullptr, *next = nullptr;
  std::map<const char *, std::size_t> live; // begin, bytes
} memory;

struct Bounds {
  const char *name = "a kernel";
  unsigned threads = 1024;
};
/// By kernel; filled before main begins.
std::map<const void *, Bounds> &bounds() {
  static std::map<const void *, Bounds> known;
  return known;
}
std::map<const void *, std::size_t> allowed;
cudaError_t lastError = cudaSuccess;

std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

void faulted(int, siginfo_t *info, void *) {
  char text[160];
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto arenaBase = reinterpret_cast<std::uintptr_t>(memory.base);
  const bool device = memory.base && at - arenaBase < arena;
  std::snprintf(text, sizeof text, "FAIL  emulated: %s, block %u thread %d: an access to %s at %p\n",
                launched ? launched->name : "host", current ? current->block->index.x : 0,
                current ? current->number : -1, device ? "device memory beyond an array" : "no memory", info->si_addr);
  static_cast<void>(!write(1, text, std::strlen(text)));
  _exit(3);
}

void watchFaults() {
  static char stack[64 * 1024];
  stack_t own{};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  sigaltstack(&own, nullptr);
  struct sigaction action{};
  action.sa_sigaction = faulted;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

/// The pages of an allocation: it ends with them but for its alignment.
char *pagesOf(const char *data) { return const_cast<char *>(data) - reinterpret_cast<std::uintptr_t>(data) % page; }

std::size_t pageBytes(std::size_t bytes) { return rounded(rounded(bytes, alignment), page); }

bool spoilt(const char *from, const char *to) {
  for (; from < to; ++from)
    if (static_cast<unsigned char>(*from) != poison) return true;
  return false;
}

} // namespace

void *allocate(std::size_t bytes) {
  if (!memory.base) {
    void *const all = mmap(nullptr, arena, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return nullptr;
    memory.base = memory.next = static_cast<char *>(all);
    watchFaults();
  }
  const std::size_t whole = pageBytes(std::max<std::size_t>(bytes, 1));
  if (whole > arena || memory.next + whole + page > memory.base + arena) return nullptr;
  char *const pages = memory.next;
  memory.next += whole + page;
  if (mprotect(pages, whole, PROT_READ | PROT_WRITE) != 0) return nullptr;
  if (whole > sparse)
    std::memset(pages, poison, page), std::memset(pages + whole - page, poison, page);
  else
    std::memset(pages, poison, whole);
  char *const data = pages + whole - rounded(std::max<std::size_t>(bytes, 1), alignment);
  memory.live[data] = bytes;
  return data;
}

bool release(void *data) {
  const auto found = memory.live.find(static_cast<char *>(data));
  if (found == memory.live.end()) return false;
  const std::size_t whole = pageBytes(std::max<std::size_t>(found->second, 1));
  char *const pages = pagesOf(found->first), *const begin = static_cast<char *>(data);
  if (spoilt(pages, begin) || spoilt(begin + found->second, pages + whole))
    fail("device memory beside an array was written");
  madvise(pages, whole, MADV_DONTNEED);
  mprotect(pages, whole, PROT_NONE);
  memory.live.erase(found);
  return true;
}

void requireDevice(const void *data, std::size_t bytes, const char *what) {
  const auto *const at = static_cast<const char *>(data);
  auto found = memory.live.upper_bound(at);
  if (found == memory.live.begin()) fail(std::string(what) + " memory that is not on the device");
  --found;
  if (at + bytes > found->first + found->second) fail(std::string(what) + " memory beyond an array on the device");
}

/// The array on the device that `place` is in: what cuMemGetAddressRange tells.
int addressRange(unsigned long long *begin, std::size_t *bytes, unsigned long long place) {
  const auto *const at = reinterpret_cast<const char *>(place);
  auto found = memory.live.upper_bound(at);
  constexpr int notFound = 500;
  if (found == memory.live.begin()) return notFound;
  --found;
  if (at >= found->first + std::max<std::size_t>(found->second, 1)) return notFound;
  *begin = reinterpret_cast<unsigned long long>(found->first);
  *bytes = found->second;
  return 0;
}

bool noteBounds(const void *kernel, const char *name, unsigned threads) {
  bounds()[kernel] = {name, threads};
  return true;
}

uint3 blockIndex() { return current->block->index; }
unsigned char *dynamicShared() { return reinterpret_cast<unsigned char *>(current->block->shared) + dynamicOffset(); }
void *inShared(std::size_t place) { return current->block->shared + place; }
bool syncThreads(bool predicate) { return namedBarrier(0, 0, predicate); }

void start(const void *kernel, dim3 grid, dim3 block, std::size_t bytes, std::function<void()> body) {
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const auto limit = allowed.contains(kernel) ? std::max<std::size_t>(allowed[kernel], 49152) : 49152;
  if (threads == 0 || threads > 1024 || grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 2147483647u ||
      grid.y > 65535 || grid.z > 65535 || threads > bounds()[kernel].threads)
    lastError = cudaErrorInvalidConfiguration;
  else if (bytes > limit)
    lastError = cudaErrorInvalidValue;
  else {
    Launch launch;
    launch.name = bounds()[kernel].name;
    launch.grid = grid;
    launch.block = block;
    launch.dynamicBytes = bytes;
    launch.body = std::move(body);
    run(launch);
  }
}

} // namespace emulated

using namespace emulated;

cudaError_t cudaGetLastError() { return std::exchange(lastError, cudaSuccess); }

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return "no error";
  case cudaErrorInvalidValue: return "invalid argument";
  case cudaErrorMemoryAllocation: return "out of memory";
  case cudaErrorInvalidConfiguration: return "invalid configuration argument";
  case cudaErrorInvalidDevicePointer: return "invalid device pointer";
  case cudaErrorNotSupported: return "operation not supported";
  }
  return "unrecognized error code";
}

cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
  case cudaDevAttrMultiProcessorCount: *value = multiprocessors(); break;
  case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
  case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = static_cast<int>(mostDynamicBytes); break;
  }
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute, int value) {
  if (value < 0 || static_cast<std::uint32_t>(value) > mostDynamicBytes) return cudaErrorInvalidValue;
  allowed[kernel] = static_cast<std::size_t>(value);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **data, std::size_t bytes) {
  *data = bytes == 0 ? nullptr : allocate(bytes);
  return *data || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *data) { return !data || release(data) ? cudaSuccess : cudaErrorInvalidDevicePointer; }

cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  if (kind != cudaMemcpyHostToDevice) requireDevice(from, bytes, "cudaMemcpy reads");
  if (kind != cudaMemcpyDeviceToHost) requireDevice(to, bytes, "cudaMemcpy writes");
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *data, int value, std::size_t bytes, cudaStream_t) {
  if (bytes == 0) return cudaSuccess;
  requireDevice(data, bytes, "cudaMemsetAsync writes");
  std::memset(data, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *) {
  static int one;
  *pool = &one;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSuccess; }
cudaError_t cudaMallocFromPoolAsync(void **data, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
  return cudaMalloc(data, bytes);
}
cudaError_t cudaFreeAsync(void *data, cudaStream_t) { return cudaFree(data); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaGetDriverEntryPoint(const char *name, void **entry, unsigned long long,
                                    cudaDriverEntryPointQueryResult *found) {
  *entry = nullptr;
  if (std::strcmp(name, "cuTensorMapEncodeTiled") == 0) *entry = reinterpret_cast<void *>(&cuTensorMapEncodeTiled);
  if (std::strcmp(name, "cuMemGetAddressRange") == 0) *entry = reinterpret_cast<void *>(&addressRange);
  *found = *entry ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **entry, unsigned, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *found) {
  return cudaGetDriverEntryPoint(name, entry, flags, found);
}
