// Sums over windows of a constant few elements, in the loop over those that a vector holds.
#include "mapping.h"

#include <gmock/gmock.h>

using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string header = "program f\nsize n, w\narray x : f32[n, w] flat\narray y : f32[n, w] flat written\n"
                           "kernel k grid (r in [0, n) parallel, t in [0, floordiv(w - 1, 64) + 1) parallel) {\n"
                           "tile sum : f32[64] written\n";

std::string points(const std::string &assign, const std::string &limit = "min(64, w - 64 * t)") {
  return "points (i in [0, " + limit + ") parallel) {\n" + assign + "\n}\n";
}

/// The sum over a window, its elements taken by `taken` within `loops`.
std::string windows(const std::string &loops, const std::string &taken, const std::string &behind = "") {
  std::string ends;
  for (const char c : loops) ends += c == '{' ? "}\n" : "";
  return bodyOf(header + points("sum[i] = 0.0f32") + loops + taken + ends +
                points("y[r, 64 * t + i] = sum[i] / 9.0f32", "min(w - 64 * t, 64)") + behind + "}\n");
}

const std::string three = "for d in [-1, 2) step 1 {\n";
const std::string tap = points("sum[i] += x[r, 64 * t + i + d]");

} // namespace

/// The order of a choice does not count.
TEST(Windows, AreSummedInARegister) {
  EXPECT_EQ(windows(three, tap), "for i in [0, min(64, w - 64 * t)) step 1 vector {\nnew sum = 0.0f32\n"
                                 "for d in [-1, 2) step 1 unroll {\nsum += x[r, 64 * t + i + d]\n}\n"
                                 "y[r, 64 * t + i] = sum[] / 9.0f32\n}\n");
  EXPECT_THAT(windows("for e in [0, 3) step 1 {\n" + three, tap),
              HasSubstr("for e in [0, 3) step 1 unroll {\nfor d in"));
}

TEST(Windows, OfManyElementsAreNotWrittenOut) {
  EXPECT_THAT(windows("for d in [0, 40) step 1 {\n", tap), Not(HasSubstr("unroll")));
  EXPECT_THAT(windows("for e in [0, 9) step 1 {\nfor d in [0, 9) step 1 {\n", tap), Not(HasSubstr("unroll")));
  EXPECT_THAT(windows("for d in [0, n) step 1 {\n", tap), Not(HasSubstr("unroll")));
}

/// Another iteration's sum is needed, or one behind the loop.
TEST(Windows, AreNoneWhereIterationsNeedOthers) {
  EXPECT_THAT(windows(three, points("sum[i] += x[r, 64 * t + i + d] * sum[63 - i]")), Not(HasSubstr("unroll")));
  EXPECT_THAT(windows(three, tap, "y[r, 0] = sum[3]\n"), HasSubstr("sum[i] += x[r, 64 * t + i + d]"));
}

TEST(Windows, AreNoneOverAnotherRange) {
  EXPECT_THAT(windows(three, points("sum[i] += x[r, 64 * t + i + d]", "min(32, w - 64 * t)")),
              Not(HasSubstr("unroll")));
}

/// Points of so little work are not handed out one by one.
TEST(Windows, AreSharedInEqualParts) {
  EXPECT_THAT(polymend::writeText(mapped(header + points("sum[i] = 0.0f32") + three + tap + "}\n" +
                                         points("y[r, 64 * t + i] = sum[i]") + "}\n")),
              HasSubstr("static collapsed"));
}

/// To a compiler a character that is stored may be a part of anything, so that it would read all names again.
TEST(Sharing, CopiesNamesWhereCharactersAreStored) {
  const auto shared = [](const std::string &type) {
    return polymend::writeText(
        mapped("program f\nsize n, m\nscalar c : " + type + "\narray x : " + type + "[n] flat\narray y : " + type +
               "[n] flat written\narray z : f32[m] flat\nkernel k grid (i in [0, n) parallel) {\n"
               "y[i] = x[i]\n}\n"));
  };
  EXPECT_THAT(shared("u8"), HasSubstr("copied (x, y"));
  EXPECT_THAT(shared("u8"), Not(HasSubstr("z,")));
  EXPECT_THAT(shared("f32"), Not(HasSubstr("copied")));
}
