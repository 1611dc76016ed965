// What no printer could survive in a tile program is found, and nothing else.
#include "polymend/verify.h"
#include "polymend/tile.h"

#include <gmock/gmock.h>

using namespace polymend;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// The faults of a kernel of rows with this body.
std::vector<std::string> faultsOf(const std::string &body) {
  const Result<TileProgram> program = readText("program f\nsize n, m\narray x : f32[n]\narray y : f32[n, 8] written\n"
                                               "kernel f grid (i in [0, n) parallel) {\n" +
                                               body + "}\n");
  EXPECT_TRUE(program) << (program ? "" : program.refusal().reason);
  return program ? verify(*program) : std::vector<std::string>();
}

} // namespace

TEST(Verify, PointsOfAParallelLoopHaveElementsOfTheirOwn) {
  EXPECT_THAT(faultsOf("  points (j in [0, 8) parallel) {\n    y[i, j] = x[i]\n  }\n"), IsEmpty());
  EXPECT_THAT(faultsOf("  points (j in [0, 8) parallel) {\n    y[i, 0] = x[i]\n  }\n"),
              ElementsAre(HasSubstr("the points along 'j' share one element of 'y'")));
  EXPECT_THAT(faultsOf("  points (j in [m, m + 2) parallel) {\n    y[i, 0] = x[i]\n  }\n"),
              ElementsAre(HasSubstr("the points along 'j' share one element of 'y'")));
}

TEST(Verify, OnePointSharesItsElementWithNone) {
  EXPECT_THAT(faultsOf("  points (j in [4, 5) parallel) {\n    y[i, 0] = x[i]\n  }\n"), IsEmpty());
  EXPECT_THAT(faultsOf("  points (j in [m, m + 1) parallel) {\n    y[i, 0] = x[i]\n  }\n"), IsEmpty());
}
