// ldmatrix and mma.sync: what the 32 threads of a warp do together with their registers.
#pragma once

#include "products.h"

#include <array>
#include <cstdint>

namespace emulated {

/// ldmatrix.m8n8.x4: each thread names one row of 16 bytes and gets a word of each of four matrices, or of their
/// transposes.
void ldmatrix(const std::array<std::uint32_t *, 4> &words, std::uint32_t row, bool transposed);

/// mma.m16n8k16.row.col: four sums of a thread, from four words of the left factor and two of the right one.
void mma(Element element, const std::array<float *, 4> &sums, const std::array<std::uint32_t, 4> &left,
         const std::array<std::uint32_t, 2> &right, const std::array<float, 4> &addends);

} // namespace emulated
