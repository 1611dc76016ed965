// Which form and which order a region takes.
#include "mapping.h"

using namespace polymend::tests;

namespace {

const std::string interface = R"(program f
size n, m, l
array a : f32[n, l] flat
array b : f32[l, m] flat
array c : f32[n, m] flat written
array s : f32[n] flat written
array h : f16[n] flat written
kernel k grid () {
)";

} // namespace

TEST(Region, OfASumOfProductsIsABlockOfRegisters) {
  const std::string points = R"(points (i in [0, n) parallel, j in [0, m) parallel, p in [0, l) reduced) {
    c[i, j] += a[i, p] * b[p, j]
  } })";
  EXPECT_EQ(bodyOf(interface + points),
            "multiply f32 columns (i in [0, n) parallel, j in [0, m) parallel, p in [0, l) reduced) {\n"
            "c[i, j] += a[i, p] by b[p, j]\n}\n");
}

/// To the bit the sum keeps its order, and the factors are rounded as the source rounds them.
TEST(Region, ToTheBitIsANestOfLoops) {
  const std::string points = R"(points (i in [0, n) parallel, j in [0, m) parallel, p in [0, l) reduced) {
    c[i, j] += a[i, p] * b[p, j]
  } })";
  EXPECT_EQ(bodyOf(interface + points, true),
            "for i in [0, n) step 1 {\nfor p in [0, l) step 1 {\n"
            "for j in [0, m) step 1 vector {\nc[i, j] += a[i, p] * b[p, j]\n}\n}\n}\n");
}

TEST(Region, OfASumAlongMemoryIsAFold) {
  const std::string points = R"(points (i in [0, n) parallel, p in [0, l) reduced) {
    s[i] += a[i, p] where p < i
  } })";
  EXPECT_EQ(bodyOf(interface + points), "for i in [0, n) step 1 {\nfold f32 (p in [0, l) reduced) {\n"
                                        "s[i] += select(p < i, a[i, p], -0.0f32)\n}\n}\n");
}

/// A turn waits for the one before it, and not for those of other rows.
TEST(Region, OfRecurrencesRunsEightBesideOneAnother) {
  const std::string points = R"(points (i in [0, n) parallel, j in [1, m) serial) {
    c[i, j] = c[i, j - 1] * c[i, j]
  } })";
  EXPECT_EQ(bodyOf(interface + points, true),
            "for i_block in [0, n) step 8 {\nif (i_block + 8 <= n) {\n"
            "for j in [1, m) step 1 {\nfor i in [i_block, i_block + 8) step 1 unroll {\n"
            "c[i, j] = c[i, j - 1] * c[i, j]\n}\n}\n} else {\n"
            "for i in [i_block, n) step 1 {\nfor j in [1, m) step 1 {\n"
            "c[i, j] = c[i, j - 1] * c[i, j]\n}\n}\n}\n}\n");
}

/// Rows of other lengths, and one recurrence over all rows, are walked one by one.
TEST(Region, OfARecurrenceThatRowsBoundIsANest) {
  for (const char *const dims :
       {"i in [0, n) parallel, j in [1, i) serial", "i in [1, n) serial, j in [1, m) serial"}) {
    const std::string points = std::string("points (") + dims + ") {\n c[i, j] = c[i, j - 1] * c[i, j]\n } }";
    EXPECT_EQ(bodyOf(interface + points, true).find("unroll"), std::string::npos) << dims;
  }
}

/// A compiler takes its terms in vectors, in any order.
TEST(Region, OfASumOfIntegersIsNoRecurrence) {
  const std::string points = R"(points (i in [0, n) parallel, p in [0, l) serial) {
    t[i] += i32(a[i, p])
  } })";
  const std::string integers =
      std::string(interface).insert(interface.find("array h"), "array t : i32[n] flat written\n");
  EXPECT_EQ(bodyOf(integers + points, true).find("unroll"), std::string::npos);
}

/// It is rounded at every step.
TEST(Region, OfASumInSixteenBitsIsNoFold) {
  const std::string points = R"(points (i in [0, n) parallel, p in [0, l) reduced) {
    h[i] += f16(a[i, p])
  } })";
  EXPECT_EQ(bodyOf(interface + points).find("fold"), std::string::npos);
}

TEST(Region, ThatCopiesAcrossMemoryIsATransposition) {
  const std::string points = R"(points (i in [0, n) parallel, j in [0, m) parallel) {
    c[i, j] = b[j, i]
  } })";
  EXPECT_EQ(bodyOf(interface + points),
            "transpose (i in [0, n) parallel, j in [0, m) parallel) {\nc[i, j] = b[j, i]\n}\n");
}

/// One exponential for both; what one side of a choice computes stays there.
TEST(Region, NamesWhatAPointComputesTwice) {
  const std::string head = interface + "points (i in [0, n) parallel) {\n";
  const std::string twice = bodyOf(head + "s[i] = exp(a[i, 0]) + 1.0f32\n c[i, 0] = exp(a[i, 0]) * 2.0f32\n } }");
  EXPECT_EQ(twice.substr(0, twice.find('\n', twice.find("let"))),
            "for i in [0, n) step 1 vector {\nlet common = exp(a[i, 0])");
  const std::string chosen =
      bodyOf(head + "s[i] = select(i < 3, exp(a[i, 0]), 1.0f32)\n c[i, 0] = select(i < 3, 0.0f32, exp(a[i, 0]))\n } }");
  EXPECT_EQ(chosen.find("let"), std::string::npos);
}

namespace {

const std::string doubles = R"(program f
size n, l
array x : f64[n, l] flat
array w : f64[l] flat
array s : f64[n] flat written
array t : f64[n] flat written
array u : f64[n] flat written
kernel k grid () {
)";

const std::string sums = "points (i in [0, n) parallel, j in [0, l) reduced) {\n";

/// Two sums of exponentials, and what stands between them.
std::string exponentials(const std::string &between, const std::string &second = "w[j] * exp(x[i, j])") {
  return doubles + sums + "s[i] += exp(x[i, j])\n }\n" + between + sums + "t[i] += " + second + "\n } }";
}

} // namespace

/// No vectors hold exponentials of doubles: that of a point is computed once for both sums.
TEST(Region, CallsOnceWhatTwoSumsOfDoublesTake) {
  const std::string joined = "for i in [0, n) step 1 {\nfor j in [0, l) step 1 {\nlet common = exp(x[i, j])\n"
                             "s[i] += common\nfused t[i] += w[j] * common\n}\n}\n";
  EXPECT_EQ(bodyOf(exponentials("")), joined);
  EXPECT_EQ(bodyOf(exponentials("u[0] = w[0]\n")), "u[0] = w[0]\n" + joined);
}

/// The first cannot pass these: the second moves to it.
TEST(Region, TakesTheLaterSumToTheEarlierOne) {
  for (const std::string between : {"u[0] = s[0]\n", "s[0] = w[0]\n"}) {
    const std::string body = bodyOf(exponentials(between));
    EXPECT_LT(body.find("fused t[i]"), body.find(between)) << body;
    EXPECT_LT(body.find(between), body.size()) << body;
  }
}

TEST(Region, CallsTwiceWhatMayHaveChangedBetweenSums) {
  const std::vector<std::string> between{"x[0, 0] = w[0]\n", "t[0] = s[0]\n", "s[0] = t[0]\n", "u[0] = t[0] + s[0]\n"};
  for (const std::string &one : between) EXPECT_EQ(bodyOf(exponentials(one)).find("let"), std::string::npos) << one;
  EXPECT_EQ(bodyOf(exponentials("", "s[i] * exp(x[i, j])")).find("let"), std::string::npos);
  EXPECT_EQ(bodyOf(exponentials("", "w[j] * sqrt(x[i, j])")).find("let"), std::string::npos);
}

/// A product that is added is not rounded; one that is subtracted from may be the very one that was rounded elsewhere.
TEST(Region, FusesWhatItAdds) {
  const std::string loop = "for p in [0, l) step 1 {\n s[0] += a[0, p] * a[1, p]\n } }";
  EXPECT_NE(bodyOf(interface + loop).find("fused s[0] +="), std::string::npos);
  EXPECT_EQ(bodyOf(interface + loop, true).find("fused"), std::string::npos);
  const std::string set = "for p in [0, l) step 1 {\n s[0] = s[0] - a[0, p] * a[1, p]\n } }";
  EXPECT_EQ(bodyOf(interface + set).find("fused"), std::string::npos);
}
