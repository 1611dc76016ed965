// Fragments as the PTX ISA draws them ("Warp Level Matrix Load Instruction: ldmatrix", "Matrix Fragments for
// mma.m16n8k16 with floating point type", "mma.m16n8k8", "mma.m8n8k4 with .f64 floating point type"). Threads bring
// their operands to a meeting, so that each can compute its own results.
#include "warps.h"

#include "block.h"
#include "matrix.h"
#include "meet.h"
#include "races.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace emulated {

namespace {

constexpr std::uint32_t whole = 0xffffffffu;

std::uint64_t joined(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }
std::uint16_t half(std::uint64_t words, int which) { return static_cast<std::uint16_t>(words >> 16 * which); }

float withoutLowBits(std::uint32_t word) { return std::bit_cast<float>(word & ~std::uint32_t{0x1fff}); }

/// sums = addends + left * right, 8 columns: of the left factor, element i of a thread is row lane / 4 + 8 * (i %
/// halves), term lane % 4 + 4 * (i / halves) for halves of 8 rows; of the right one, term lane % 4 + 4 * i, column lane
/// / 4.
template <int rows, int terms, class Value, class Number>
void product(const char *name, Value *const *sums, const Number *left, const Number *right, const Value *addends,
             Value (*value)(std::uint64_t)) {
  constexpr int halves = rows / 8, lefts = rows * terms / 32, rights = terms / 4;
  std::shared_ptr<const Brought> brought[lefts + rights];
  for (int i = 0; i < lefts + rights; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, i < lefts ? &left[i] : &right[i - lefts], sizeof(Number));
    brought[i] = meet(name, whole, bits);
  }
  const auto a = [&](int row, int k) { return value(brought[row / 8 + halves * (k / 4)]->of[row % 8 * 4 + k % 4]); };
  const auto b = [&](int k, int column) { return value(brought[lefts + k / 4]->of[column * 4 + k % 4]); };
  const int lane = current->number % 32;
  for (int i = 0; i < rows / 4; ++i) {
    Value sum = addends[i];
    for (int k = 0; k < terms; ++k) sum = std::fma(a(lane / 4 + 8 * (i / 2), k), b(k, 2 * (lane % 4) + i % 2), sum);
    *sums[i] = sum;
  }
}

} // namespace

void ldmatrix(const std::array<std::uint32_t *, 4> &words, std::uint32_t row, bool transposed) {
  if (row % 16 != 0) fail("ldmatrix: a row that is not aligned");
  std::uint16_t held[8];
  std::memcpy(held, sharedBytes(*current->block, current->block->shared, row, sizeof held, "ldmatrix"), sizeof held);
  matrixReads(row, sizeof held);
  std::uint64_t parts[2];
  std::memcpy(parts, held, sizeof parts);
  const char *const name = transposed ? "ldmatrix.trans" : "ldmatrix";
  const auto left = meet(name, whole, parts[0]), right = meet(name, whole, parts[1]);
  const auto element = [&](int matrix, int r, int c) {
    return half((c < 4 ? left : right)->of[8 * matrix + r], c % 4);
  };
  const int lane = current->number % 32;
  for (int matrix = 0; matrix < 4; ++matrix) {
    const int r = lane / 4, c = 2 * (lane % 4);
    const std::uint16_t first = transposed ? element(matrix, c, r) : element(matrix, r, c);
    const std::uint16_t second = transposed ? element(matrix, c + 1, r) : element(matrix, r, c + 1);
    *words[static_cast<std::size_t>(matrix)] = std::uint32_t{second} << 16 | first;
  }
}

void mma(Element element, const std::array<float *, 4> &sums, const std::array<std::uint32_t, 4> &left,
         const std::array<std::uint32_t, 2> &right, const std::array<float, 4> &addends) {
  const auto upper = meet("mma", whole, joined(left[0], left[1])), lower = meet("mma", whole, joined(left[2], left[3])),
             other = meet("mma", whole, joined(right[0], right[1]));
  // Word w of the left factor holds rows from 8 * (w % 2) and columns from 8 * (w / 2); of the right one, rows from 8 *
  // w.
  const auto a = [&](int row, int k) {
    const std::uint64_t words = (k < 8 ? upper : lower)->of[row % 8 * 4 + k % 8 / 2];
    return toFloat(element, half(words, row / 8 * 2 + k % 2));
  };
  const auto b = [&](int k, int column) {
    return toFloat(element, half(other->of[column * 4 + k % 8 / 2], k / 8 * 2 + k % 2));
  };
  const int lane = current->number % 32;
  for (int i = 0; i < 4; ++i) {
    const int row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
    float sum = addends[static_cast<std::size_t>(i)];
    for (int k = 0; k < 16; ++k) sum += a(row, k) * b(k, column);
    *sums[static_cast<std::size_t>(i)] = sum;
  }
}

template <int rows, int terms>
void mma_f64(const std::array<double *, rows / 4> &sums, const std::array<double, rows * terms / 32> &left,
             const std::array<double, terms / 4> &right, const std::array<double, rows / 4> &addends) {
  product<rows, terms>(
      "mma.f64", sums.data(), left.data(), right.data(), addends.data(),
      +[](std::uint64_t bits) { return std::bit_cast<double>(bits); });
}

template <int rows, int terms>
void mma_tf32(const std::array<float *, rows / 4> &sums, const std::array<std::uint32_t, rows * terms / 32> &left,
              const std::array<std::uint32_t, terms / 4> &right, const std::array<float, rows / 4> &addends) {
  product<rows, terms>(
      "mma.tf32", sums.data(), left.data(), right.data(), addends.data(),
      +[](std::uint64_t bits) { return withoutLowBits(static_cast<std::uint32_t>(bits)); });
}

template void mma_f64<8, 4>(const std::array<double *, 2> &, const std::array<double, 1> &,
                            const std::array<double, 1> &, const std::array<double, 2> &);
template void mma_f64<16, 4>(const std::array<double *, 4> &, const std::array<double, 2> &,
                             const std::array<double, 1> &, const std::array<double, 4> &);
template void mma_tf32<16, 8>(const std::array<float *, 4> &, const std::array<std::uint32_t, 4> &,
                              const std::array<std::uint32_t, 2> &, const std::array<float, 4> &);

std::uint32_t cvt_rna_tf32(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::isfinite(x) ? (bits + 0x1000) & ~std::uint32_t{0x1fff} : bits;
}

void load_shared(const std::vector<void *> &elements, std::uint32_t address, std::uint32_t size) {
  const auto bytes = static_cast<std::uint32_t>(elements.size()) * size;
  if (address % bytes != 0) fail("ld.shared at an address that is not aligned");
  const auto *const from = static_cast<const char *>(
      static_cast<const void *>(sharedBytes(*current->block, current->block->shared, address, bytes, "ld.shared")));
  matrixReads(address, bytes);
  for (std::size_t i = 0; i < elements.size(); ++i) std::memcpy(elements[i], from + i * size, size);
}

} // namespace emulated
