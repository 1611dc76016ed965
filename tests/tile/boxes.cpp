// The model that chooses boxes of rows and keys.
#include "tile/tensor/boxes.h"

#include <gtest/gtest.h>

namespace polymend {
namespace {

/// A window of so many keys along a row, each row's one further on than the one before's.
SlidingWindow sliding(std::int64_t keys, std::int64_t count = 0) {
  const Expr row = Expr::symbol(rowOfWindow, Type::Int64);
  SlidingWindow window;
  window.first = row;
  window.last = row + Expr::integer(keys - 1);
  window.count = count > 0 ? Expr::integer(count) : Expr::symbol("n", Type::Int64);
  for (std::int64_t rows = 1; rows <= 256; rows *= 2) window.seen[rows] = keys + rows - 1;
  return window;
}

std::vector<std::int64_t> extentsOf(const Boxes &boxes) {
  std::vector<std::int64_t> all;
  for (const BoxSide &side : boxes.sides) all.insert(all.end(), {side.rows, side.keys, side.turns});
  return all;
}

TEST(Boxes, VisitFewKeysInWholeChunks) {
  const auto boxes = boxesFor({sliding(13), sliding(13)}, 128, 16, 128);
  ASSERT_TRUE(boxes);
  EXPECT_EQ(extentsOf(*boxes), (std::vector<std::int64_t>{8, 4, 5, 16, 32, 1}));
  EXPECT_EQ(boxes->cost, 5 * (128 + costOfChunk));
}

TEST(Boxes, LeaveFewRowsOver) {
  const auto boxes = boxesFor({sliding(13, 4), sliding(13)}, 128, 16, 128);
  ASSERT_TRUE(boxes);
  EXPECT_LE(boxes->sides[0].rows, 4);
}

TEST(Boxes, HaveThreeSides) {
  const auto boxes = boxesFor({sliding(7), sliding(7), sliding(7)}, 128, 16, 128);
  ASSERT_TRUE(boxes);
  EXPECT_EQ(boxes->sides[0].rows * boxes->sides[1].rows * boxes->sides[2].rows, 128);
  const std::int64_t keys = boxes->sides[0].keys * boxes->sides[1].keys * boxes->sides[2].keys;
  EXPECT_EQ(keys % 16, 0);
  EXPECT_LE(keys, 128);
  for (const BoxSide &side : boxes->sides) EXPECT_GE(side.keys * side.turns, 6 + side.rows);
}

TEST(Boxes, AreNoLines) { EXPECT_FALSE(boxesFor({sliding(1), sliding(13)}, 128, 16, 128)); }

} // namespace
} // namespace polymend
