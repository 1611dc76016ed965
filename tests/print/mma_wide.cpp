// Where products of floats and doubles look for elements: copied tiles and a warp's shares of them beside an
// enumeration of the layouts of mma.m16n8k8 and mma.m16n8k4 (PTX ISA). The printed texts run on this machine; only the
// instructions themselves are replaced by what their documentation says of a whole warp. No load has two threads meet
// in a bank.
#include "compiled.h"
#include "warp_machine.h"

#include "print/text/primitives.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::print_room;

namespace {

constexpr const char *units = R"cpp(
/// Per thread of a warp, the addresses and sizes of its loads.
struct Load { std::uint32_t at, bytes; };
std::vector<Load> loads[32];
template <class Element> void take(std::uint32_t at, Element &to, std::uint32_t bytes) {
  std::memcpy(&to, &memory[at], sizeof to);
  if (bytes > 0) loads[threadIdx.x % 32].push_back({at, bytes});
}
template <class Element> void loadElements(std::uint32_t at, Element &only) { take(at, only, sizeof only); }
template <class Element> void loadElements(std::uint32_t at, Element &first, Element &second) {
  take(at, first, 2 * sizeof first);
  take(at + sizeof first, second, 0);
}
template <class Element> struct Product { Element *sums; Element upper[2], lower[2], right[2]; };
template <class Element> std::vector<Product<Element>> products[32];
void mmaDouble(double *sums, double upper, double lower, double right) {
  products<double>[threadIdx.x % 32].push_back({sums, {upper}, {lower}, {right}});
}
float roundFactor(float x) { return x + 1; }
void mmaFloat(float *sums, const float *left, float even, float odd) {
  products<float>[threadIdx.x % 32].push_back(
      {sums, {left[0] - 1, left[1] - 1}, {left[2] - 1, left[3] - 1}, {even - 1, odd - 1}});
}
)cpp";

constexpr const char *check = R"cpp(
/// mma.m16n8k8 and k4: term k of the left factor is at thread row % 8 * 4 + k % 4, element k / 4 of those of its upper
/// or lower rows; of the right one at thread column * 4 + k % 4, element k / 4.
template <class Element> void multiply(std::size_t number) {
  const auto a = [&](int row, int k) {
    const Product<Element> &p = products<Element>[row % 8 * 4 + k % 4][number];
    return (row < 8 ? p.upper : p.lower)[k / 4];
  };
  const auto b = [&](int k, int column) { return products<Element>[column * 4 + k % 4][number].right[k / 4]; };
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < static_cast<int>(sizeof(Element) == 8 ? 4 : 8); ++k)
        products<Element>[lane][number].sums[i] += a(lane / 4 + 8 * (i / 2), k) * b(k, 2 * (lane % 4) + i % 2);
}

/// Loads in which two threads of one transaction want different words of a bank: 8, 16 or 32 threads take turns, by
/// the bytes of each.
int conflicts() {
  int found = 0;
  for (std::size_t l = 0; l < loads[0].size(); ++l) {
    const int threads = static_cast<int>(128 / loads[0][l].bytes);
    for (int first = 0; first < 32; first += threads) {
      std::map<std::uint32_t, std::set<std::uint32_t>> words;
      for (int lane = first; lane < first + threads; ++lane)
        for (std::uint32_t byte = 0; byte < loads[lane][l].bytes; byte += 4)
          words[(loads[lane][l].at + byte) / 4 % 32].insert(loads[lane][l].at + byte);
      for (const auto &[bank, wanted] : words) found += wanted.size() > 1 ? 1 : 0;
    }
  }
  return found;
}

/// Copies height x width elements to a tile, two rows and a chunk further on in their array.
template <class Element, int height, int width, class Value> int copied(std::uint32_t tile, Value value) {
  constexpr int per = 16 / sizeof(Element), pitch = width + 3 * per;
  std::vector<Element> array((height + 2) * pitch, -7);
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c) array[(r + 2) * pitch + c + per] = value(r, c);
  forgetCopies();
  for (threadIdx.x = 96; threadIdx.x < 128; ++threadIdx.x)
    copyMatrix<height, width>(tile, array.data(), 2 * pitch + per, pitch, true, -2, height - 1, -per, width, 0);
  int wrong = twice || arrivals != 32 ? 1 : 0;
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c) {
      // Panels of rows of 128 bytes, whose chunks' numbers are exchanged by the row's modulo 8 and its lowest bit.
      const int byte = c * static_cast<int>(sizeof(Element));
      Element held;
      std::memcpy(&held, &memory[tile + byte / 128 * height * 128 + r * 128 + 16 * (byte % 128 / 16 ^ r % 8 ^ 4 * (r % 2)) + byte % 16], sizeof held);
      wrong += held != (r < height - 1 ? value(r, c) : 0);
    }
  return wrong;
}

/// Wrong sums and bank conflicts of a warp whose rows begin at `first` of a left factor of `height` x `depth`, times
/// `depth` x `columns`. Of so many warps beside each other it is number `warp`.
template <class Element, int height, int columns, int depth, bool leftTurned, bool across, int beside = 1>
int faults(int first, int warp = 0) {
  constexpr std::uint32_t leftTile = 1024, rightTile = 1 << 19;
  constexpr int leftRows = leftTurned ? depth : height, rightRows = across ? depth : columns;
  constexpr int leftColumns = leftTurned ? height : depth, rightColumns = across ? columns : depth;
  const auto a = [](int m, int k) { return m == height - 1 || k == depth - 1 ? 0 : (5 * m + 3 * k + m * k) % 17; };
  const auto b = [](int k, int n) { return n == columns - 1 || k == depth - 1 ? 0 : (7 * n + 11 * k + n * k) % 13; };
  int wrong = copied<Element, leftRows, leftColumns>(leftTile, [&](int r, int c) { return leftTurned ? a(c, r) : a(r, c); });
  wrong += copied<Element, rightRows, rightColumns>(rightTile, [&](int r, int c) { return across ? b(r, c) : b(c, r); });
  constexpr int own = columns / beside, bytes = sizeof(Element);
  static Element sums[32][columns / 2];
  for (auto &row : sums)
    for (Element &sum : row) sum = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    loads[lane].clear();
    products<Element>[lane].clear();
  }
  for (threadIdx.x = 64; threadIdx.x < 96; ++threadIdx.x) {
    const std::uint32_t left =
        leftTurned ? fromColumn<bytes, leftRows * 128>(shareStart<Element, true>(leftTile), first)
                   : shareStart<Element, false>(leftTile + static_cast<std::uint32_t>(first * 128));
    const std::uint32_t right =
        across ? fromColumn<bytes, rightRows * 128>(shareStart<Element, true>(rightTile), 16 * warp)
               : shareStart<Element, false>(rightTile + static_cast<std::uint32_t>(16 * warp * 128));
    for (int k = 0; k < depth / 8; ++k) {
      Element rows[4 * beside];
      loadShares<leftTurned, leftRows * 128>(rows, left, k);
      multiplyWarp<own, across, rightRows * 128>(sums[threadIdx.x % 32], rows, right, k);
    }
  }
  wrong += conflicts();
  wrong += products<Element>[0].size() == depth / 8 * columns / 8 * (sizeof(Element) / 4) ? 0 : 1;
  for (std::size_t number = 0; number < products<Element>[0].size(); ++number) multiply<Element>(number);
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < columns / 2; ++e) {
      const int m = first + 16 * (e / (own / 2)) + lane / 4 + 8 * (e / 2 % 2), eight = e % (own / 2) / 4;
      const int n = 16 * (beside * (eight / 2) + warp) + 8 * (eight % 2) + 2 * (lane % 4) + e % 2;
      Element wanted = 0;
      for (int k = 0; k < depth; ++k) wanted += static_cast<Element>(a(m, k) * b(k, n));
      wrong += sums[lane][e] != wanted;
    }
  return wrong;
}
}
)cpp";

constexpr const char *cases = R"cpp(
extern "C" int rowsAlong() { return faults<Number, 64, 80, 48, false, false>(0) + faults<Number, 128, 64, 16, false, false>(112); }
extern "C" int rightAcross() { return faults<Number, 64, 128, 32, false, true>(16) + faults<Number, 64, 48, 64, false, true>(48); }
extern "C" int leftAcross() { return faults<Number, 128, 64, 16, true, false>(0) + faults<Number, 192, 16, 48, true, true>(176); }
extern "C" int besideEachOther() {
  return faults<Number, 128, 192, 16, false, true, 4>(64, 3) + faults<Number, 64, 128, 16, false, false, 4>(0, 2) +
         faults<Number, 128, 96, 24, false, true, 2>(96, 1) + faults<Number, 128, 64, 16, true, false, 4>(64, 1) +
         faults<Number, 64, 160, 8, true, true, 2>(32, 1);
}
)cpp";

/// Runs the cases for a type of numbers, with its product of a warp.
void allRight(const std::string &number, const std::string_view &multiply, const std::string &name) {
  std::string all = std::string(testing_print::warpMachine) + units;
  for (const std::string_view part :
       {textOf("copyMatrix", "cuda"), textOf("shareStart", "cuda"), textOf("fromColumn", "cuda"),
        textOf("loadShare", "cuda"), textOf("loadShares", "cuda"), multiply})
    all += part;
  all += "using Number = " + number + ";\n#define multiplyWarp " + name + "\n";
  const testing_print::Compiled code(all + check + cases, testing_print::warpFlags);
  ASSERT_TRUE(code.ok()) << code.failure();
  for (const char *test : {"rowsAlong", "rightAcross", "leftAcross", "besideEachOther"}) {
    auto *const run = code.find<int()>(test);
    ASSERT_TRUE(run);
    EXPECT_EQ(run(), 0) << test;
  }
}

} // namespace

TEST(MmaWideTexts, WarpsFindDoubles) { allRight("double", textOf("multiplyDouble", "cuda"), "multiplyDouble"); }

TEST(MmaWideTexts, WarpsFindFloatsAndRoundThem) { allRight("float", textOf("multiplyFloat", "cuda"), "multiplyFloat"); }
