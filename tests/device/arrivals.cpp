// Which kernels run in one launch: the second where the last group of the first arrives, in the scope of its names.
#include "device/map/arrivals.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::device_room;

namespace {

/// Parts of sums over rows, and their sums; the tile of the second kernel is `tile`.
std::optional<std::int64_t> arrivalsWith(const std::string &tile) {
  const Result<TileProgram> program =
      readText("program f\nsize n\narray x : f32[n, n] flat\narray y : f32[n] flat written\n"
               "work parts : f32[8, n] written\n"
               "kernel a grid (i in [0, n) parallel, part in [0, 8) parallel) {\n"
               "tile sum : f32 written\nsum = x[i, part]\nparts[part, i] = sum[]\n}\n"
               "kernel b grid (i in [0, n) parallel) {\ntile " +
               tile + " : f32 written\n" + tile + " = 0.0f32\npoints (k in [0, 8) reduced) {\n" + tile +
               " += parts[k, i]\n}\ny[i] = " + tile + "[]\n}\n");
  EXPECT_TRUE(program) << program.refusal().reason;
  return program ? arrivalsFor(program->kernels[0], program->kernels[1]) : std::nullopt;
}

} // namespace

/// seed 7002, 540: a sum of the source was called as the grid's variable is.
TEST(Arrivals, TakesNoTileWithTheNameOfAVariable) {
  EXPECT_EQ(arrivalsWith("total"), 8);
  EXPECT_EQ(arrivalsWith("sum"), 8);
  EXPECT_EQ(arrivalsWith("part"), std::nullopt);
}
