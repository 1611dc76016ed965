// The model of tiles of plain products by warps: what goes through shared memory, what fits registers, what is taken.
#include "tile/tensor/warp_shapes.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace polymend;

namespace {

const MatrixUnits &unitsOf(const std::string &arch, std::int64_t bytes) { return *machineNamed(arch)->unitsFor(bytes); }

WarpShape bestOf(const std::string &arch, std::int64_t bytes, std::int64_t sums, std::int64_t widest = 4096) {
  const std::vector<WarpShape> shapes = warpShapes(unitsOf(arch, bytes), sums, widest);
  return shapes.empty() ? WarpShape() : shapes.front();
}

} // namespace

/// A warp of 16 x 128 reads 16 + 128 elements for 16 * 128 products, one of 64 x 64 reads 128 for 4096.
TEST(WarpShapes, SquareSharesReadLess) {
  const double copies = 1.0 / 128 + 1.0 / 128;
  EXPECT_DOUBLE_EQ(sharedBytesPerProduct({2, 128, 1}, unitsOf("sm_80", 2)), 2 * (144.0 / 2048 + copies));
  EXPECT_DOUBLE_EQ(sharedBytesPerProduct({2, 256, 4}, unitsOf("sm_80", 2)), 2 * (128.0 / 4096 + 1.0 / 128 + 1.0 / 256));
  EXPECT_DOUBLE_EQ(sharedBytesPerProduct({1, 128, 2}, unitsOf("sm_80", 8)), 8 * (96.0 / 2048 + 1.0 / 64 + 1.0 / 128));
}

TEST(WarpShapes, RegistersHoldSumsAndAStep) {
  // 64 x 48 sums of a warp are 96 a thread, four left fragments 16, a right one for 16 columns 4.
  EXPECT_EQ(registersNeeded({2, 192, 4}, 1, unitsOf("sm_80", 2)), 96 + 16 + 4 + 28);
  EXPECT_EQ(registersNeeded({2, 128, 2}, 2, unitsOf("sm_80", 2)), 2 * 64 + 8 + 4 + 28);
  EXPECT_EQ(registersNeeded({2, 96, 2}, 1, unitsOf("sm_80", 8)), 2 * (48 + 8 + 4) + 28);
}

TEST(WarpShapes, TheBestFitRegisters) {
  EXPECT_EQ(bestOf("sm_80", 2, 1), (WarpShape{2, 192, 4})) << "256 columns leave none for addresses";
  EXPECT_EQ(bestOf("sm_90a", 4, 1), (WarpShape{2, 192, 4}));
  EXPECT_EQ(bestOf("sm_80", 8, 1), (WarpShape{2, 96, 2})) << "a double takes two registers";
  EXPECT_EQ(bestOf("sm_80", 2, 2), (WarpShape{2, 128, 2})) << "two sums";
}

TEST(WarpShapes, ColumnsThatAreTooFewForTurnsAreOneWarps) {
  EXPECT_EQ(bestOf("sm_80", 2, 1, 64), (WarpShape{2, 64, 2}));
  EXPECT_EQ(bestOf("sm_80", 2, 1, 48), (WarpShape{2, 48, 1}));
  EXPECT_EQ(bestOf("sm_80", 2, 1, 16), (WarpShape{2, 16, 1}));
  for (const WarpShape &shape : warpShapes(unitsOf("sm_80", 2), 1, 160)) {
    EXPECT_LE(shape.columns, 160);
    EXPECT_EQ(shape.columns % (16 * shape.warpsN), 0) << shape.columns;
  }
}

TEST(WarpShapes, OneGroupIsTheLastResort) {
  const std::vector<WarpShape> shapes = warpShapes(unitsOf("sm_80", 8), 1, 4096);
  ASSERT_FALSE(shapes.empty());
  EXPECT_EQ(shapes.back().groups, 1);
  EXPECT_TRUE(std::is_sorted(shapes.begin(), shapes.end(),
                             [](const WarpShape &a, const WarpShape &b) { return a.groups > b.groups; }));
}
