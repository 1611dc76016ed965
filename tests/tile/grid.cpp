// Grids: a tile where there is a row, and none where the bounds of the tiles alone would leave room for one. Loops over
// ranges that end apart.
#include "../compilation.h"

#include "polymend/interpret.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;

namespace {

/// The number of tiles of the program's first kernel, whose grid has one dimension, at a size.
std::int64_t tilesAt(const TileProgram &program, const std::string &name, std::int64_t size) {
  const PointDim &rows = program.kernels.at(0).grid.at(0);
  const auto at = [&](const Expr &e) {
    const Expr value = simplify(
        substitute(e, [&](const std::string &symbol) { return symbol == name ? Expr::integer(size) : Expr(); }));
    EXPECT_EQ(value.op(), Op::Integer) << show(value);
    return value->integer;
  };
  return std::max<std::int64_t>(0, at(rows.limit) - at(rows.first));
}

} // namespace

TEST(Grid, HasNoTileWithoutRows) {
  const auto t = analyse(textOf("tests/corpus/no_rows_at_all.cpp"));
  const auto program = t.lowered();
  ASSERT_TRUE(program) << program.refusal().reason;
  EXPECT_EQ(tilesAt(*program, "k", 0), 0);
  EXPECT_EQ(tilesAt(*program, "k", 1), 0);
  EXPECT_EQ(tilesAt(*program, "k", 2), 1);
  EXPECT_EQ(tilesAt(*program, "k", 64), 1);
  EXPECT_EQ(tilesAt(*program, "k", 65), 2);
}

/// Rows that only sizes keep from being there, in pieces with steps, whose hull bounds tiles alone.
TEST(Grid, HasNoTileWhereSizesLeaveNone) {
  const auto t = analyse("void f(int d, int len, int n, const float *in, float *y) {\n"
                         "  for (int p = 0; p < d; p++)\n    for (int at = 1; at < n; at++) {\n"
                         "      y[at] = 3;\n      y[p] = 1;\n    }\n"
                         "  for (int l = 0; l < len; l++) y[l + 1] = in[l];\n"
                         "  for (int t = 0; t < len; t += 2) y[2 * t] = in[t];\n}\n");
  const auto program = t.lowered();
  ASSERT_TRUE(program) << program.refusal().reason;
  const std::map<std::string, double> sizes{{"d", 7}, {"len", 4}, {"n", 0}};
  Memory memory;
  for (const std::string &name : program->sizes) memory.sizes.emplace_back(name, sizes.at(name));
  memory.arrays = {{"in", {1, 2, 3, 4}}, {"y", std::vector<double>(8, -9)}};
  EXPECT_EQ(interpret(*program, memory), std::nullopt);
  EXPECT_EQ(memory.arrays[1].second, (std::vector<double>{1, 1, 2, 3, 3, -9, -9, -9}));
}

/// A maximum over m elements and a sum over k of them share a loop, which neither's end bounds.
TEST(SharedLoop, EndsWithTheLongerOfTwoRanges) {
  const auto t = analyse("#include <cmath>\nvoid f(int n, int m, int k, const float x[64][512], float *y) {\n"
                         "  for (int i = 0; i < n; i++) {\n    float top = -INFINITY, sum = 0;\n"
                         "    for (int j = 0; j < m; j++) top = std::fmax(top, x[i][j]);\n"
                         "    for (int j = 0; j < k; j++) sum += std::exp(x[i][j] - top);\n"
                         "    y[i] = sum;\n  }\n}\n");
  const auto program = t.lowered();
  ASSERT_TRUE(program) << program.refusal().reason;
  EXPECT_THAT(writeText(*program), testing::ContainsRegex("in \\[0, max\\((m, k|k, m)\\)\\) step"));
}
