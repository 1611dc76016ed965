// wgmma.mma_async: products of a warpgroup.
#pragma once

#include <array>
#include <cstdint>

namespace emulated {

enum class Element { bf16, f16 };

/// What the text of an instruction m64nNk16 says.
struct Shape {
  int columns;
  Element element;
  bool leftTransposed, rightTransposed;
  bool operator==(const Shape &) const = default;
};

/// One thread's part of a product: where its sums stand, and its left factor's words where registers hold it (null
/// where the descriptor `left` tells).
void multiply(const Shape &shape, float *const *sums, const std::uint32_t *const *registers, std::uint64_t left,
              std::uint64_t right, bool accumulate);

template <std::size_t count>
void wgmma(Shape shape, const std::array<float *, count> &sums, const std::array<const std::uint32_t *, 4> &left,
           std::uint64_t right, bool accumulate) {
  static_assert(count % 4 == 0);
  multiply(shape, sums.data(), left.data(), 0, right, accumulate);
}

template <std::size_t count>
void wgmma(Shape shape, const std::array<float *, count> &sums, std::uint64_t left, std::uint64_t right,
           bool accumulate) {
  multiply(shape, sums.data(), nullptr, left, right, accumulate);
}

} // namespace emulated
