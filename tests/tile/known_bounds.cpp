// What loops and branches imply is not asked again; what they do not imply stays as it is.
#include "tile/lower/known_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A kernel of rows with this body, simplified, as text.
std::string simplified(const std::string &body, std::int64_t longRun = 0) {
  const std::string text = "program f\nsize n, m\narray x : f32[n, m]\narray y : f32[n] written\n"
                           "kernel f grid (i in [0, n) parallel) {\n  tile s : f32 written\n" +
                           body + "}\n";
  const Result<TileProgram> program = readText(text);
  EXPECT_TRUE(program) << text << (program ? "" : program.refusal().reason);
  return program ? writeText(withKnownBounds(*program, longRun)) : "";
}

/// A sum over chunks of 1024 whose last is shorter, with a body for full and one for partial chunks.
std::string chunks(const std::string &partial) {
  return "  s = 0.0f32\n  for j0 in [0, m) step 1024 {\n    if (0 <= m - j0 - 1024) {\n"
         "      points (j in [0, 1024) reduced) {\n        s += x[i, j0 + j]\n      }\n    } else {\n"
         "      points (j in [0, min(1024, m - j0)) reduced) {\n        " +
         partial + "\n      }\n    }\n  }\n  y[i] = s[]\n";
}

} // namespace

TEST(KnownBounds, OfALoopDecideMinima) {
  const std::string text = simplified("  for j in [0, m) step 1 {\n    y[i] = x[i, min(j, m)]\n  }\n");
  EXPECT_THAT(text, HasSubstr("y[i] = x[i, j]"));
}

TEST(KnownBounds, ReadRemaindersOfNumbers) {
  const std::string text = simplified("  if (floormod(-5, 3) == 1) {\n    y[i] = x[i, floormod(7, 4)]\n  }\n");
  EXPECT_THAT(text, Not(HasSubstr("if"))) << text;
}

/// The next place of a ring, the one before, and the place itself.
TEST(KnownBounds, DivideNoPlaceOfARing) {
  const auto place = [](const std::string &j) {
    return simplified("  for j in [0, m) step 1 {\n    y[i] = x[i, " + j + "]\n  }\n");
  };
  EXPECT_THAT(place("(j + 1) % m"), HasSubstr("select(j + 1 < m, j + 1, j - m + 1)"));
  EXPECT_THAT(place("(j + m - 1) % m"), HasSubstr("select(j + m - 1 < m, j + m - 1, j - 1)"));
  EXPECT_THAT(place("floormod(j - 1, m)"), HasSubstr("select(j - 1 < 0, j + m - 1, j - 1)"));
  EXPECT_THAT(place("j % m"), HasSubstr("x[i, j]"));
  for (const char *other : {"3 * j % m", "(j - 1) % m", "(j + m) % n", "(j + 1) % 8"})
    EXPECT_THAT(place(other), Not(HasSubstr("select"))) << other;
}

TEST(KnownBounds, LeaveNoConditionThatALoopImplies) {
  const std::string text =
      simplified("  for j in [0, m) step 1 {\n    if (0 <= m - 1) {\n      y[i] = x[i, j]\n    }\n  }\n");
  EXPECT_THAT(text, Not(HasSubstr("if (")));
  EXPECT_THAT(text, HasSubstr("y[i] = x[i, j]"));
}

TEST(KnownBounds, LeaveOutWhatNeverRuns) {
  const std::string text = simplified("  y[i] = 1.0f32\n  if (n <= i) {\n    y[i] = 2.0f32\n  }\n");
  EXPECT_THAT(text, Not(HasSubstr("2.0")));
  EXPECT_THAT(text, HasSubstr("y[i] = 1.0f32"));
}

TEST(KnownBounds, KnowStridesAndTheSidesOfBranches) {
  const std::string text =
      simplified("  for j0 in [0, m) step 4 {\n    if (j0 < 4) {\n      y[i] = x[i, max(j0, 3)]\n    }\n  }\n");
  EXPECT_THAT(text, HasSubstr("x[i, 3]")); // a multiple of four below four is zero
}

TEST(KnownBounds, OfAConditionAtAnAssignmentDoNotReachWhatItReads) {
  const std::string text =
      simplified("  points (j in [0, 64) parallel) {\n    y[i] = x[i, min(j, m - 1)] where j < m\n  }\n");
  EXPECT_THAT(text, HasSubstr("min(j, m - 1)")); // where both sides of a choice are computed it is read without it
}

TEST(KnownBounds, DoNotTrustWhatMemoryHolds) {
  const std::string text = simplified("  if (x[i, 0] < 1.0f32) {\n    y[i] = 1.0f32\n  }\n");
  EXPECT_THAT(text, HasSubstr("if (x[i, 0] < 1.0f32)"));
}

TEST(KnownBounds, KeepWhatIsNotImplied) {
  const std::string body = "  for j in [0, m) step 1 {\n    y[i] = x[i, min(j, n)]\n  }\n";
  EXPECT_THAT(simplified(body), HasSubstr("min(j, n)"));
}

TEST(KnownBounds, MakeOneOfTwoBodiesThatDoTheSame) {
  const std::string same = chunks("s += x[i, j0 + j]");
  EXPECT_THAT(simplified(same), HasSubstr("if (j0 + 1024 <= m)"));
  const std::string one = simplified(same, 256);
  EXPECT_THAT(one, Not(HasSubstr("if (")));
  EXPECT_THAT(one, HasSubstr("points (j in [0, min(1024, m - j0)) reduced)"));
  EXPECT_THAT(simplified(same, 2048), HasSubstr("if ("));
  EXPECT_THAT(simplified(chunks("s += x[i, j0 + j] * 2.0f32"), 256), HasSubstr("if ("));
}
