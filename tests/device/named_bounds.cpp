// Which bounds get a name, and where.
#include "mapping.h"

using namespace polymend::tests;

namespace {

std::string bodyWith(const std::string &nodes) {
  return bodyOf("program f\nsize n, m\narray x : f32[n, m] flat\narray y : f32[n, m] flat written\n"
                "kernel k grid (t in [0, n) parallel) {\n" +
                nodes + "}\n");
}

const std::string first = "points (i in [0, min(64, n - 64 * t)) parallel) {\ny[i, 0] = x[i, 0]\n}\n";
const std::string second = "points (i in [0, min(n - 64 * t, 64)) parallel) {\ny[i, 1] = x[i, 1]\n}\n";

} // namespace

/// The order of a choice does not count.
TEST(NamedBounds, AreThoseThatOccurTwice) {
  EXPECT_EQ(bodyWith(first + second), "let i_limit = min(64, n - 64 * t)\n"
                                      "for i in [0, i_limit) step 1 vector {\ny[i, 0] = x[i, 0]\n}\n"
                                      "for i in [0, i_limit) step 1 vector {\ny[i, 1] = x[i, 1]\n}\n");
  EXPECT_EQ(bodyWith(first).find("let"), std::string::npos);
}

TEST(NamedBounds, StandWhereTheirVariablesAreKnown) {
  const std::string chunk = "points (j in [0, min(8, m - j0)) parallel) {\ny[0, j0 + j] = x[0, j0 + j]\n}\n";
  const std::string behind = "points (j in [0, min(8, m - j0)) parallel) {\ny[1, j0 + j] = y[0, j0 + j + 1]\n}\n";
  EXPECT_EQ(bodyWith("for j0 in [0, m) step 8 {\n" + chunk + behind + "}\n")
                .find("for j0 in [0, m) step 8 {\nlet j_limit = min(8, m - j0)\n"),
            0U);
}

/// What only one side of a branch needs is not computed beside it.
TEST(NamedBounds, StandInTheBranchThatNeedsThem) {
  const std::string sides = "if (t < 3) {\ny[0, 0] = 1.0f32\n} else {\n" + first + second + "}\n";
  EXPECT_NE(bodyWith(sides).find("} else {\nlet i_limit"), std::string::npos);
  EXPECT_EQ(bodyWith("if (t < 3) {\n" + first + "} else {\n" + second + "}\n").find("let"), std::string::npos);
}

/// What is read may change.
TEST(NamedBounds, ReadNothing) {
  const std::string data = "program f\nsize n\narray c : i32[n] flat written\nkernel k grid () {\n";
  const std::string loop = "for i in [0, min(c[0], n)) step 1 {\nc[i] = 0:i32\n}\n";
  EXPECT_EQ(bodyOf(data + loop + loop + "}\n").find("let"), std::string::npos);
}
