// Loops over one range, what is the same for all of a loop's elements, and names of variables.
#include "mapping.h"

#include <gmock/gmock.h>

using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string bodyWith(const std::string &nodes) {
  return bodyOf("program f\nsize n, m\narray x : f32[n] flat\narray y : f32[n] flat written\n"
                "kernel k grid () {\ntile a : f32[64] written\ntile b : f32[64] written\ntile s : f32 written\n"
                "tile p : f32 written\ntile d : f64[64] written\ns = 0.0f32\np = x[0]\n" +
                nodes + "y[0] = a[0] + b[0] + s[]\n}\n");
}

std::string points(const std::string &assign, const std::string &limit = "64", const std::string &variable = "i") {
  return "points (" + variable + " in [0, " + limit + ") parallel) {\n" + assign + "\n}\n";
}

} // namespace

TEST(JoinedLoops, AreOneOverOneRange) {
  EXPECT_THAT(bodyWith(points("a[i] = x[i]") + points("b[i] = a[i] + 1.0f32")),
              HasSubstr("for i in [0, 64) step 1 vector {\na[i] = x[i]\nb[i] = a[i] + 1.0f32\n}\n"));
  EXPECT_THAT(bodyWith(points("a[i] = x[i]") + points("b[j] = a[j]", "64", "j")), HasSubstr("b[i] = a[i]"));
}

/// An iteration reads what another one writes.
TEST(JoinedLoops, AreTwoWhereOneNeedsAllOfTheOther) {
  EXPECT_THAT(bodyWith(points("a[i] = x[i]") + points("b[i] = a[63 - i]")), HasSubstr("}\nfor i in "));
  EXPECT_THAT(bodyWith(points("a[i] = x[i]") + points("b[i] = a[i + 1]", "64")), HasSubstr("}\nfor i in "));
}

TEST(JoinedLoops, AreTwoOverTwoRanges) {
  EXPECT_THAT(bodyWith(points("a[i] = x[i]") + points("b[i] = a[i]", "min(64, n)")), HasSubstr("}\nfor i in "));
}

/// Vectors of doubles hold half as many.
TEST(JoinedLoops, AreTwoOfTwoWidths) {
  EXPECT_THAT(bodyWith(points("a[i] = x[i]") + points("d[i] = f64(x[i])")), HasSubstr("}\nfor i in "));
}

TEST(InvariantValues, StandBeforeTheLoop) {
  const std::string sum = "points (i in [0, n) reduced) {\ns += x[i] - p[] / f32(m)\n}\n";
  EXPECT_THAT(bodyWith(sum), HasSubstr("let p_quotient = p[] / f32(m)\nfold f32 (i in [0, n) reduced) {\n"
                                       "s += x[i] - p_quotient\n}\n"));
}

TEST(InvariantValues, ServeUntilTheyChange) {
  const std::string sum = "points (i in [0, n) reduced) {\ns += x[i] - p[] / f32(m)\n}\n";
  EXPECT_THAT(bodyWith(sum + sum), Not(HasSubstr("p_quotient_2")));
  EXPECT_THAT(bodyWith(sum + "p = s[]\n" + sum), HasSubstr("let p_quotient_2 = p[] / f32(m)\n"));
}

/// The quotient is of what the sum sets; what is read of memory may not exist where no element does.
TEST(InvariantValues, AreSetByNothingInTheLoop) {
  EXPECT_THAT(bodyWith("points (i in [0, n) reduced) {\ns += x[i] - x[0] / f32(m)\n}\n"), Not(HasSubstr("let ")));
}

/// m may be 0 where no element is.
TEST(InvariantValues, DivideNoIntegersBeforeTheLoop) {
  EXPECT_THAT(bodyWith("points (i in [0, n) reduced) {\ns += x[i] * (p[] + f32(n / m))\n}\n"), Not(HasSubstr("let ")));
  EXPECT_THAT(bodyWith("points (i in [0, n) reduced) {\ns += x[i] * (p[] + f32(n / 8))\n}\n"), HasSubstr("let "));
}

TEST(PlainNames, OfLoopsThatLieApart) {
  const std::string loops = points("a[j_2] = x[j_2]", "64", "j_2") + points("b[j_3] = a[63 - j_3]", "64", "j_3");
  EXPECT_THAT(bodyWith(loops), HasSubstr("a[j] = x[j]\n}\nfor j in [0, 64) step 1 vector {\nb[j] = a[63 - j]\n"));
}

/// Nothing reads the inner variable, which would still hide the outer one.
TEST(PlainNames, HideNoOthers) {
  EXPECT_THAT(bodyWith("for j_2 in [0, n) step 1 {\npoints (j in [0, 4) reduced) {\ns += x[j_2]\n}\n}\n"),
              HasSubstr("for j_2 in "));
}

/// The loop around is called so, and an array.
TEST(PlainNames, AreNoOthers) {
  EXPECT_THAT(bodyWith("for j in [0, n) step 1 {\n" + points("a[j_2] = x[j]", "64", "j_2") + "}\n"),
              HasSubstr("for j_2 in "));
  EXPECT_THAT(bodyWith(points("a[x_2] = x[x_2]", "64", "x_2")), HasSubstr("for x_2 in "));
}
