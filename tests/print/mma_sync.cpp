// Where the primitives of sm_80 look for elements: copied tiles and products of a warp beside an enumeration of the
// layouts of ldmatrix and mma.m16n8k16 (PTX ISA). The printed texts run on this machine; only the instructions
// themselves are replaced by what their documentation says of a whole warp.
#include "compiled.h"
#include "warp_machine.h"

#include "print/text/primitives.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::print_room;

namespace {

constexpr const char *copyCheck = R"cpp(
/// Elements of a tile at (firstRow, firstColumn) of an array of `height` x `width` that are not where they belong.
template <int rows, int columns, int warps = 1>
int faults(int height, int width, int firstRow, int firstColumn, bool inside) {
  std::vector<std::uint16_t> array(static_cast<std::size_t>(height * width));
  for (std::size_t i = 0; i < array.size(); ++i) array[i] = static_cast<std::uint16_t>(i + 1);
  forgetCopies();
  for (threadIdx.x = 128 - 32 * warps; threadIdx.x < 128; ++threadIdx.x)
    copyMatrix<rows, columns, warps>(4096, array.data(), std::int64_t{firstRow} * width + firstColumn, width, inside,
                              -firstRow, height - firstRow, -firstColumn, width - firstColumn, 0);
  int wrong = twice || arrivals != 32 * warps ? 1 : 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int row = firstRow + r, column = firstColumn + c;
      const bool exists = inside && 0 <= row && row < height && 0 <= column && column < width;
      const std::uint16_t wanted = exists ? static_cast<std::uint16_t>(row * width + column + 1) : 0;
      // Panels of 64 columns; in each, rows of eight chunks whose numbers are exchanged by the row's modulo 8.
      const auto place = static_cast<std::uint32_t>(4096 + c / 64 * rows * 128 + r * 128 + 16 * (c % 64 / 8 ^ r % 8));
      std::uint16_t held;
      std::memcpy(&held, &memory[place + 2 * static_cast<std::uint32_t>(c % 8)], sizeof held);
      if (!chunks.count(place) || held != wanted) ++wrong;
    }
  return wrong + static_cast<int>(chunks.size()) - rows * columns / 8;
}
}
extern "C" int wholeTile() { return faults<64, 128>(64, 128, 0, 0, true) + faults<80, 64>(200, 256, 40, 128, true); }
extern "C" int tileAtEdges() {
  return faults<64, 128>(100, 120, 64, 64, true) + faults<16, 80>(40, 88, -8, -16, true) +
         faults<8, 16>(8, 16, 16, 16, true);
}
extern "C" int bySeveralWarps() {
  return faults<64, 192, 2>(70, 200, 8, 8, true) + faults<128, 64, 4>(100, 64, 0, 0, true) +
         faults<16, 80, 2>(40, 88, 8, 16, true);
}
extern "C" int tileOutside() { return faults<64, 32>(64, 32, 0, 0, false); }
)cpp";

constexpr const char *warp = R"cpp(
struct Load { std::uint32_t row; bool transposed; };
struct Product { float *sums; std::uint32_t left[4], right[2]; };
bool recording = true;
std::vector<std::uint16_t> halves(65536); // shared memory
std::vector<Load> loads[32];
std::size_t loaded[32];
std::vector<Product> products[32];

std::uint16_t half(std::uint32_t word, int which) { return static_cast<std::uint16_t>(word >> 16 * which); }

/// ldmatrix.x4: matrix m has the rows that threads 8 m to 8 m + 7 name; a thread gets two neighbours of row lane / 4 of
/// it, or of its transpose.
template <bool transposed> void loadMatrix(std::uint32_t *words, std::uint32_t row) {
  const unsigned lane = threadIdx.x % 32;
  for (int m = 0; m < 4; ++m) words[m] = 0;
  if (recording) {
    loads[lane].push_back({row, transposed});
    return;
  }
  const std::size_t at = loaded[lane]++;
  for (unsigned m = 0; m < 4; ++m)
    for (unsigned which = 0; which < 2; ++which) {
      unsigned r = lane / 4, c = 2 * (lane % 4) + which;
      if (transposed) std::swap(r, c);
      words[m] |= std::uint32_t{halves[loads[8 * m + r][at].row / 2 + c]} << 16 * which;
    }
}
void mmaBrain(float *sums, const std::uint32_t *left, std::uint32_t low, std::uint32_t high) {
  if (!recording) products[threadIdx.x % 32].push_back({sums, {left[0], left[1], left[2], left[3]}, {low, high}});
}

/// mma.m16n8k16 for the whole warp.
void multiply(std::size_t number) {
  const auto a = [&](int row, int k) {
    return half(products[row % 8 * 4 + k % 8 / 2][number].left[row / 8 + 2 * (k / 8)], k % 2);
  };
  const auto b = [&](int k, int column) { return half(products[column * 4 + k % 8 / 2][number].right[k / 8], k % 2); };
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 16; ++k)
        products[lane][number].sums[i] += static_cast<float>(a(lane / 4 + 8 * (i / 2), k) * b(k, 2 * (lane % 4) + i % 2));
}
)cpp";

constexpr const char *warpCheck = R"cpp(
/// Places an element of a tile, as copyCheck expects it.
std::uint16_t &element(std::uint32_t tile, int rows, int r, int c) {
  return halves[(tile + static_cast<std::uint32_t>(c / 64 * rows * 128 + r * 128 + 16 * (c % 64 / 8 ^ r % 8))) / 2 +
                static_cast<std::uint32_t>(c % 8)];
}

/// Wrong sums of a warp whose rows begin at `first` of a left factor of `height` x `depth`, times `depth` x `columns`. Of
/// so many warps beside each other it is number `warp`.
template <int height, int columns, int depth, bool leftTurned, bool across, int beside = 1>
int faults(int first, int warp = 0) {
  constexpr std::uint32_t leftTile = 1024, rightTile = 65536;
  constexpr int leftRows = leftTurned ? depth : height, rightRows = across ? depth : columns;
  const auto a = [](int m, int k) { return static_cast<std::uint16_t>((5 * m + 3 * k + m * k) % 17); };
  const auto b = [](int k, int n) { return static_cast<std::uint16_t>((7 * n + 11 * k + n * k) % 13); };
  for (int k = 0; k < depth; ++k) {
    for (int m = 0; m < height; ++m) (leftTurned ? element(leftTile, leftRows, k, m) : element(leftTile, leftRows, m, k)) = a(m, k);
    for (int n = 0; n < columns; ++n) (across ? element(rightTile, rightRows, k, n) : element(rightTile, rightRows, n, k)) = b(k, n);
  }
  constexpr int own = columns / beside;
  static float sums[32][columns / 2];
  for (auto &row : sums)
    for (float &sum : row) sum = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    loads[lane].clear();
    products[lane].clear();
    loaded[lane] = 0;
  }
  for (int pass = 0; pass < 2; ++pass) {
    recording = pass == 0;
    for (threadIdx.x = 64; threadIdx.x < 96; ++threadIdx.x) {
      const std::uint32_t left = leftTurned ? fromColumn<2, leftRows * 128>(matrixStart<false>(leftTile), first)
                                            : matrixStart<true>(leftTile + static_cast<std::uint32_t>(first * 128));
      const std::uint32_t right = across ? fromColumn<2, rightRows * 128>(matrixStart<true>(rightTile), 16 * warp)
                                         : matrixStart<false>(rightTile + static_cast<std::uint32_t>(16 * warp * 128));
      for (int k = 0; k < depth / 16; ++k) {
        std::uint32_t rows[4 * beside];
        loadRows<leftTurned, leftRows * 128>(rows, left, k);
        multiplyBrain<own, across, rightRows * 128>(sums[threadIdx.x % 32], rows, right, k);
      }
    }
  }
  for (std::size_t number = 0; number < products[0].size(); ++number) multiply(number);
  int wrong = products[0].size() == depth / 16 * columns / 8 ? 0 : 1;
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < columns / 2; ++e) {
      const int m = first + 16 * (e / (own / 2)) + lane / 4 + 8 * (e / 2 % 2), eight = e % (own / 2) / 4;
      const int n = 16 * (beside * (eight / 2) + warp) + 8 * (eight % 2) + 2 * (lane % 4) + e % 2;
      float wanted = 0;
      for (int k = 0; k < depth; ++k) wanted += static_cast<float>(a(m, k) * b(k, n));
      if (sums[lane][e] != wanted) ++wrong;
    }
  return wrong;
}
}
extern "C" int rowsAlong() { return faults<64, 80, 128, false, false>(0) + faults<128, 64, 64, false, false>(112); }
extern "C" int rightAcross() { return faults<64, 128, 80, false, true>(16) + faults<64, 192, 64, false, true>(48); }
extern "C" int leftAcross() { return faults<128, 64, 64, true, false>(0) + faults<192, 16, 48, true, true>(176); }
extern "C" int besideEachOther() {
  return faults<128, 192, 64, false, true, 4>(64, 3) + faults<64, 256, 64, false, false, 4>(0, 2) +
         faults<128, 96, 48, false, true, 2>(96, 1) + faults<128, 64, 16, true, false, 4>(64, 1) +
         faults<64, 160, 32, true, true, 2>(32, 1);
}
)cpp";

std::string text(const std::vector<std::string_view> &parts) {
  std::string all = testing_print::warpMachine;
  for (const std::string_view part : parts) all += part;
  return all;
}

int calls(const testing_print::Compiled &code, const char *name) {
  auto *const check = code.find<int()>(name);
  return check ? check() : -1;
}

} // namespace

TEST(MmaSyncTexts, CopiedTilesAreSwizzled) {
  const testing_print::Compiled code(text({textOf("copyMatrix", "cuda"), copyCheck}), testing_print::warpFlags);
  ASSERT_TRUE(code.ok()) << code.failure();
  for (const char *name : {"wholeTile", "tileAtEdges", "bySeveralWarps", "tileOutside"})
    EXPECT_EQ(calls(code, name), 0) << name;
}

TEST(MmaSyncTexts, WarpsFindTheirFactors) {
  const testing_print::Compiled code(
      text({textOf("matrixStart", "cuda"), textOf("matrixAt", "cuda"), textOf("fromColumn", "cuda"), warp,
            textOf("loadRows", "cuda"), textOf("multiplyBrain", "cuda"), warpCheck}),
      testing_print::warpFlags);
  ASSERT_TRUE(code.ok()) << code.failure();
  for (const char *name : {"rowsAlong", "rightAcross", "leftAcross", "besideEachOther"})
    EXPECT_EQ(calls(code, name), 0) << name;
}
