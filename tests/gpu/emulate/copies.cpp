// A copy's bytes come at a drawn time between its issue and the end of the phase it counts towards; until then its box
// in shared memory is poison. Boxes stand with their rows swizzled by address; what lies out of bounds is zero.
#include "copies.h"

#include "block.h"
#include "cuda.h"
#include "matrix.h"
#include "memory.h"
#include "ptx.h"

#include <cstring>

namespace emulated {

namespace {

struct Copy {
  BoxMap map;
  Block *block;
  std::uint32_t shared, barrier;
  std::array<int, 5> at;

  [[nodiscard]] std::uint32_t rowBytes() const { return static_cast<std::uint32_t>(map.box[0]) * map.elementBytes; }
  [[nodiscard]] std::uint32_t rows() const {
    std::uint32_t count = 1;
    for (int d = 1; d < map.rank; ++d) count *= map.box[d];
    return count;
  }
  [[nodiscard]] std::uint32_t bytes() const { return rowBytes() * rows(); }

  /// Both views of shared memory get 16 bytes of the box, at `offset` of it.
  void put(std::uint32_t offset, const char *from) const {
    const std::uint32_t to = swizzled(shared + offset, map.span);
    std::memcpy(sharedBytes(*block, block->shared, to, 16, "a copy"), from, 16);
    std::memcpy(block->proxy + to, from, 16);
  }

  void spoil() const {
    char chunk[16];
    std::memset(chunk, poison, sizeof chunk);
    for (std::uint32_t offset = 0; offset < bytes(); offset += 16) put(offset, chunk);
  }

  /// One row of the box, elements out of bounds zero.
  void row(std::uint32_t number, char *to) const {
    std::memset(to, 0, rowBytes());
    const char *from = map.base;
    std::uint32_t rest = number;
    for (int d = 1; d < map.rank; ++d) {
      const std::int64_t index = at[static_cast<std::size_t>(d)] + static_cast<std::int64_t>(rest % map.box[d]);
      rest /= map.box[d];
      if (index < 0 || index >= static_cast<std::int64_t>(map.sizes[d])) return;
      from += index * static_cast<std::int64_t>(map.strides[d - 1]);
    }
    for (int e = 0; e < map.box[0]; ++e) {
      const std::int64_t index = at[0] + std::int64_t{e};
      if (index < 0 || index >= static_cast<std::int64_t>(map.sizes[0])) continue;
      const char *const element = from + index * map.elementBytes;
      if (e == 0 || e == map.box[0] - 1) requireDevice(element, map.elementBytes, "a copy reads");
      std::memcpy(to + e * map.elementBytes, element, map.elementBytes);
    }
  }

  void bring() const {
    char line[256];
    for (std::uint32_t r = 0; r < rows(); ++r) {
      row(r, line);
      for (std::uint32_t offset = 0; offset < rowBytes(); offset += 16) put(r * rowBytes() + offset, line + offset);
    }
  }
};

} // namespace

void copy_tensor(std::uint32_t shared, const void *map, std::uint32_t barrier, int rank, std::array<int, 5> at) {
  Copy copy{};
  std::memcpy(&copy.map, map, sizeof copy.map);
  if (copy.map.mark != boxMapMark || reinterpret_cast<std::uintptr_t>(map) % 64 != 0)
    fail("a copy without a tensor map");
  if (copy.map.rank != rank)
    fail("a copy of rank " + std::to_string(rank) + " by a map of rank " + std::to_string(copy.map.rank));
  if (shared % 128 != 0) fail("a copy to an address that is no multiple of 128");
  copy.block = current->block;
  copy.shared = shared;
  copy.barrier = barrier;
  copy.at = at;
  if (copy.rowBytes() != copy.map.span && copy.map.span != 16)
    fail("boxes of rows shorter than the swizzled span are not emulated");
  const bool early = drawn(3);
  if (early)
    copy.bring();
  else
    copy.spoil();
  copyWrites(shared, copy.bytes());
  Clock told;
  releaseTo(told);
  ++copy.block->copies;
  later([copy, early, told] {
    if (!early) copy.bring();
    --copy.block->copies;
    mbarrier_complete(copy.barrier, *copy.block, copy.bytes(), told);
  });
  pause();
}

void prefetch_tensormap(const void *map) {
  BoxMap known{};
  std::memcpy(&known, map, sizeof known);
  if (known.mark != boxMapMark) fail("a prefetch without a tensor map");
}

} // namespace emulated

namespace {

unsigned bytesOf(CUtensorMapDataType type) {
  switch (type) {
  case CU_TENSOR_MAP_DATA_TYPE_UINT8: return 1;
  case CU_TENSOR_MAP_DATA_TYPE_UINT16:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: return 2;
  case CU_TENSOR_MAP_DATA_TYPE_UINT32:
  case CU_TENSOR_MAP_DATA_TYPE_INT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32: return 4;
  case CU_TENSOR_MAP_DATA_TYPE_UINT64:
  case CU_TENSOR_MAP_DATA_TYPE_INT64:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT64: return 8;
  }
  return 0;
}

unsigned spanOf(CUtensorMapSwizzle swizzle) {
  switch (swizzle) {
  case CU_TENSOR_MAP_SWIZZLE_NONE: return 16;
  case CU_TENSOR_MAP_SWIZZLE_32B: return 32;
  case CU_TENSOR_MAP_SWIZZLE_64B: return 64;
  case CU_TENSOR_MAP_SWIZZLE_128B: return 128;
  }
  return 0;
}

} // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *base,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  const unsigned element = bytesOf(type), span = spanOf(swizzle);
  bool valid = map && reinterpret_cast<std::uintptr_t>(map) % 64 == 0 && element != 0 && span != 0 && 1 <= rank &&
               rank <= 5 && reinterpret_cast<std::uintptr_t>(base) % 16 == 0 &&
               interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  if (!valid) return CUDA_ERROR_INVALID_VALUE;
  for (cuuint32_t d = 0; d < rank; ++d)
    valid =
        valid && 1 <= sizes[d] && sizes[d] <= std::uint64_t{1} << 32 && 1 <= box[d] && box[d] <= 256 && steps[d] == 1;
  for (cuuint32_t d = 0; d + 1 < rank; ++d) valid = valid && strides[d] % 16 == 0 && strides[d] >> 40 == 0;
  valid = valid && box[0] * element % 16 == 0 && (span == 16 || box[0] * element <= span);
  if (!valid) return CUDA_ERROR_INVALID_VALUE;
  emulated::BoxMap held{};
  held.mark = emulated::boxMapMark;
  held.base = static_cast<const char *>(base);
  for (cuuint32_t d = 0; d < rank; ++d) {
    held.sizes[d] = sizes[d];
    held.box[d] = static_cast<std::uint16_t>(box[d]);
    if (d + 1 < rank) held.strides[d] = strides[d];
  }
  held.rank = static_cast<std::uint8_t>(rank);
  held.elementBytes = static_cast<std::uint8_t>(element);
  held.span = static_cast<std::uint8_t>(span);
  std::memcpy(map, &held, sizeof held);
  return CUDA_SUCCESS;
}
