// Grids: a tile where there is a row, and none where the bounds of the tiles alone would leave room for one.
#include "../journey.h"

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
  const auto t = travel(textOf("tests/corpus/no_rows_at_all.cpp"));
  const auto program = t.lowered();
  ASSERT_TRUE(program) << program.refusal().reason;
  EXPECT_EQ(tilesAt(*program, "k", 0), 0);
  EXPECT_EQ(tilesAt(*program, "k", 1), 0);
  EXPECT_EQ(tilesAt(*program, "k", 2), 1);
  EXPECT_EQ(tilesAt(*program, "k", 64), 1);
  EXPECT_EQ(tilesAt(*program, "k", 65), 2);
}
