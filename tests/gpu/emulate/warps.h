// ldmatrix, mma.sync and loads: what the 32 threads of a warp do together with their registers.
#pragma once

#include "products.h"

#include <array>
#include <cstdint>
#include <vector>

namespace emulated {

/// ldmatrix.m8n8.x4: each thread names one row of 16 bytes and gets a word of each of four matrices, or of their
/// transposes.
void ldmatrix(const std::array<std::uint32_t *, 4> &words, std::uint32_t row, bool transposed);

/// mma.m16n8k16.row.col: four sums of a thread, from four words of the left factor and two of the right one.
void mma(Element element, const std::array<float *, 4> &sums, const std::array<std::uint32_t, 4> &left,
         const std::array<std::uint32_t, 2> &right, const std::array<float, 4> &addends);

/// mma.mMn8k4.row.col of doubles, M 8 or 16: sums of a thread, from its parts of the factors.
template <int rows, int terms>
void mma_f64(const std::array<double *, rows / 4> &sums, const std::array<double, rows * terms / 32> &left,
             const std::array<double, terms / 4> &right, const std::array<double, rows / 4> &addends);

/// mma.m16n8k8.row.col of floats, whose low 13 bits do not count.
template <int rows, int terms>
void mma_tf32(const std::array<float *, rows / 4> &sums, const std::array<std::uint32_t, rows * terms / 32> &left,
              const std::array<std::uint32_t, terms / 4> &right, const std::array<float, rows / 4> &addends);

/// cvt.rna.tf32: to nearest, ties away from zero.
std::uint32_t cvt_rna_tf32(float x);

/// ld.shared: neighbours of `size` bytes, at an address that all of them together align.
void load_shared(const std::vector<void *> &elements, std::uint32_t address, std::uint32_t size);

} // namespace emulated
