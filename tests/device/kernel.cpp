// How threads share a grid, and where tiles lie.
#include "mapping.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

using Form = DeviceSharing::Form;
using Order = DeviceSharing::Order;
using Place = DeviceTile::Place;

DeviceKernel kernelOf(const std::string &grid, const std::string &inside) {
  const std::string head = "program f\nsize n, m\narray x : f32[n, m] flat\narray y : f32[n, m] flat written\n";
  return mapped(head + "kernel k grid (" + grid + ") {\n" + inside + "}\n").kernels.front();
}

const std::string rows = "i in [0, n) parallel";
const std::string copy = "points (j in [0, m) parallel) {\n y[i, j] = x[i, j]\n }\n";
const std::string twice = "points (j in [0, m) parallel, l in [0, m) reduced) {\n y[i, j] += x[i, l] * x[j, l]\n }\n";

} // namespace

TEST(Sharing, OfPointsOfOneLoopIsStatic) {
  const DeviceSharing sharing = kernelOf(rows, copy).sharing;
  EXPECT_EQ(sharing.order, Order::Static);
  EXPECT_EQ(sharing.form, Form::Collapsed);
}

TEST(Sharing, OfManyPointsOfMuchWorkShrinks) { EXPECT_EQ(kernelOf(rows, twice).sharing.order, Order::Guided); }

TEST(Sharing, OfTilesIsInTurns) {
  const DeviceSharing sharing = kernelOf("t in [0, floordiv(n, 64)) parallel",
                                         "points (i in [0, 64) parallel, j in [0, m) parallel) {\n y[64 * t + i, j] = "
                                         "x[64 * t + i, j]\n }\n")
                                    .sharing;
  EXPECT_EQ(sharing.order, Order::Dynamic);
  EXPECT_TRUE(sharing.turn);
}

TEST(Sharing, OfATriangleDependsOnItsWork) {
  const std::string triangle = "i in [0, n) parallel, q in [0, i + 1) parallel";
  EXPECT_EQ(kernelOf(triangle, "y[i, q] = x[i, q]\n").sharing.form, Form::Outermost);
  EXPECT_EQ(
      kernelOf(triangle, "points (j in [0, m) parallel, l in [0, m) reduced) {\n y[i, q] += x[i, l] * x[j, l]\n }\n")
          .sharing.form,
      Form::Listed);
}

TEST(Sharing, OfOnePointIsNone) { EXPECT_EQ(kernelOf("", "y[0, 0] = x[0, 0]\n").sharing.order, Order::Alone); }

TEST(Tiles, LieWhereTheirExtentsAreKnown) {
  const auto placeOf = [](const std::string &tile) {
    const std::string use = "t[0] = x[i, 0]\n y[i, 0] = t[0]\n";
    return kernelOf(rows, tile + "\n" + use).tiles.front().place;
  };
  EXPECT_EQ(placeOf("tile t : f32[64] written"), Place::Stack);
  EXPECT_EQ(placeOf("row t : f32[m] written"), Place::Heap);
  EXPECT_EQ(placeOf("row t : f32[i + 1] written"), Place::Point);
  EXPECT_EQ(placeOf("tile t : f32[1000000] written"), Place::Heap);
}

TEST(Tiles, ThatNothingTouchesAreLeftOut) {
  EXPECT_TRUE(kernelOf(rows, "tile t : f32[64] written\n" + copy).tiles.empty());
}
