// Lists of the chunks that a condition on arrays leaves: how they are found, and that the others are not visited.
#include "matrix_run.h"
#include "polymend/verify.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

namespace {

MatrixCase listed(const std::string &mask, const std::string &array) {
  MatrixCase c{"listed", replacedAll(bandedBy("listed", mask, array), "[128]", "[256]"), {}};
  return c;
}

std::vector<std::string> namesOf(const TileProgram &program) {
  std::vector<std::string> names;
  for (const Kernel &kernel : program.kernels) names.push_back(kernel.name);
  return names;
}

std::vector<double> &arrayOf(Memory &memory, const std::string &name) {
  for (auto &[own, values] : memory.arrays)
    if (own == name) return values;
  throw std::runtime_error(name);
}

/// The program's result where no value of the first `hidden` columns is a number.
std::vector<double> resultOf(const TileProgram &program, std::int64_t n, std::size_t hidden,
                             const std::function<double(std::int64_t)> &ids, const std::string &array) {
  Memory memory = memoryAt(program, {{"n", n}}, Slope::Flat);
  for (std::int64_t i = 0; i < n; ++i) arrayOf(memory, array)[static_cast<std::size_t>(i)] = ids(i);
  std::fill_n(arrayOf(memory, "v").begin(), hidden * 16, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(interpret(program, memory), std::nullopt);
  return arrayOf(memory, "o");
}

} // namespace

/// Quantities of rows and columns are bounded, and no pair of them is looked at; of a matrix of flags all are.
TEST(ChunkLists, AreFoundByRanges) {
  const TileProgram ranges = lowerBoth(listed("g[i] == g[j] && j <= i", "const int *g, ")).program;
  EXPECT_THAT(namesOf(ranges), Contains("listed_matrix_ranges"));
  EXPECT_THAT(namesOf(ranges), Not(Contains("listed_matrix_kinds")));
  const TileProgram points = lowerBoth(listed("g[i * n + j] != 0", "const int *g, ")).program;
  EXPECT_THAT(namesOf(points), Contains("listed_matrix_kinds"));
  EXPECT_THAT(namesOf(points), Not(Contains("listed_matrix_ranges")));
  const TileProgram wide =
      lowerBoth(listed("g[i] + g[j] < 3", "const long *g, ")).program; // their sum may overflow where none is asked for
  EXPECT_THAT(namesOf(wide), Contains("listed_matrix_kinds"));
}

/// Where few chunks are all there is, the same kernel runs without lists; each way is the source.
TEST(ChunkLists, AreMadeOfManyChunks) {
  const OnBoth both = lowerBoth(listed("g[i / 32] == g[j / 32] && j <= i", "const int *g, "));
  EXPECT_THAT(verify(both.program), IsEmpty());
  std::vector<std::string> asked;
  for (const Kernel &kernel : both.program.kernels) {
    ASSERT_TRUE(kernel.when || kernel.roles.empty()) << kernel.name;
    tile::Environment few, many;
    few.integers = {{"n", 112}};
    many.integers = {{"n", 113}};
    if (!kernel.when) continue;
    const bool isListed = tile::evaluate(kernel.when, many).truth();
    EXPECT_NE(tile::evaluate(kernel.when, few).truth(), isListed) << kernel.name;
    EXPECT_EQ(isListed, !kernel.name.ends_with("_unlisted")) << kernel.name;
  }
  const std::vector<TileProgram> ways = alternatives(both.program);
  ASSERT_EQ(ways.size(), 2U);
  for (const TileProgram &program : ways) {
    EXPECT_THAT(verify(program), IsEmpty());
    for (const std::int64_t n : {0, 1, 65, 113, 250}) {
      const Memory memory = memoryAt(program, {{"n", n}}, Slope::Steep);
      EXPECT_THAT(protocolFaults(program, memory), IsEmpty()) << n;
      EXPECT_EQ(fault(program, both.reference, memory), std::nullopt) << n;
    }
  }
}

/// Rows beyond the end of an array have no part in the bounds of the last tile.
TEST(ChunkLists, LeaveOutWhatNoRowSees) {
  const TileProgram program = lowerBoth(listed("g[i] == g[j]", "const int *g, ")).program;
  const std::int64_t n = 250; // 64 rows a tile: the last has 58
  const auto ids = [](std::int64_t i) { return i < 64 ? 0.0 : i < 128 ? 7.0 : 3.0; };
  const std::vector<double> all = resultOf(program, n, 64, ids, "g"), none = resultOf(program, n, 0, ids, "g");
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(std::isnan(all[k]), k < std::size_t{64} * 16) << k / 16;
    if (!std::isnan(all[k])) EXPECT_EQ(all[k], none[k]) << k / 16;
  }
}

/// More chunks than are listed at once, in several parts, of all kinds.
TEST(ChunkLists, AreLongerThanAPart) {
  MatrixCase c = listed("g[i] <= h[j] && j != 77", "const int *g, const int *h, ");
  c.text = replacedAll(replacedAll(replacedAll(c.text, "[256]", "[2300]"), "j < n", "j < width"), "int n, ",
                       "int n, int width, ");
  const OnBoth both = lowerBoth(c);
  Memory memory = memoryAt(both.program, {{"n", 3}, {"width", 2200}}, Slope::Flat); // 138 chunks of 16
  arrayOf(memory, "g") = {2, 3, 2};
  std::vector<double> &h = arrayOf(memory, "h");
  for (std::size_t j = 0; j < h.size(); ++j) h[j] = static_cast<double>(j / 100 % 5);
  EXPECT_EQ(fault(both.program, both.reference, memory), std::nullopt);
}

/// The assumption names the access that it speaks of.
TEST(ChunkLists, TellWhereFiniteValuesAreRead) {
  const TileProgram program = lowerBoth(listed("g[i] == g[j]", "const int *g, ")).program;
  ASSERT_EQ(program.finiteWhereMasked.size(), 1U);
  EXPECT_EQ(program.finiteWhereMasked.begin()->first, "v");
  EXPECT_EQ(program.finiteWhereMasked.begin()->second.line, 17);
}
