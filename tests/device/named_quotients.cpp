// Which quotients get a name, and where; and loops that are in blocks, as a collapsed one divides at each point.
#include "mapping.h"

using namespace polymend::tests;

namespace {

const std::string head = "program f\nsize n, m, l, s\narray x : f32[l] flat\narray y : f32[n, m] flat written\n";

std::string bodyWith(const std::string &nodes) {
  return bodyOf(head + "kernel k grid (t in [0, n) parallel) {\n" + nodes + "}\n");
}

} // namespace

/// A bound that divides does so whatever else holds.
TEST(NamedQuotients, OfBoundsStandWhereTheyAreAskedFirst) {
  const std::string window = "for p in [t * l / s, (t + 1) * l / s) step 1 {\ny[t, 0] += x[p - t * l / s]\n}\n";
  EXPECT_EQ(bodyWith("y[t, 0] = 0.0f32\n" + window),
            "y[t, 0] = 0.0f32\nlet t_quotient = t * l / s\n"
            "for p in [t_quotient, (t + 1) * l / s) step 1 {\ny[t, 0] += x[p - t_quotient]\n}\n");
}

/// By what may be 0 no more is divided than the source does.
TEST(NamedQuotients, OfABranchStayThere) {
  const std::string branch = "if (0 < s) {\nfor p in [t / s, 2 * (t / s)) step 1 {\ny[t, 0] += x[p]\n}\n}\n";
  EXPECT_EQ(bodyWith(branch), "if (0 < s) {\nlet t_quotient = t / s\n"
                              "for p in [t_quotient, 2 * t_quotient) step 1 {\ny[t, 0] += x[p]\n}\n}\n");
  EXPECT_EQ(bodyWith("for p in [0, l) step 1 {\nif (0 < s) {\ny[t, 0] += x[t / s]\n}\n}\n").find("let"),
            std::string::npos);
}

/// The end of a loop around is positive.
TEST(NamedQuotients, ByTheEndOfALoopAroundLeaveLoops) {
  const std::string loop = "for p in [0, l) step 1 {\nif (p < 3) {\ny[t, 0] += x[t * s / n]\n}\n}\n";
  EXPECT_EQ(bodyWith(loop),
            "let t_quotient = t * s / n\nfor p in [0, l) step 1 {\nif (p < 3) {\ny[t, 0] += x[t_quotient]\n}\n}\n");
}

TEST(NamedQuotients, ReadNothing) {
  const std::string data = "program f\nsize n\narray c : i32[n] flat written\nkernel k grid () {\n";
  const std::string loop = "for i in [0, n / c[0]) step 1 {\nc[i] = 0:i32\n}\n";
  EXPECT_EQ(bodyOf(data + loop + loop + "}\n").find("let"), std::string::npos);
}

namespace {

const std::string sum =
    " {\n tile a : f32 written\n a = 0.0f32\n for p in [0, l) step 1 {\n a += x[p]\n }\n y[i, j] = a\n}\n";

} // namespace

TEST(CollapsedGrid, RunsAlongItsLastLoopInBlocks) {
  const std::string text = writeText(mapped(head + "kernel k grid (i in [0, n) parallel, j in [0, m) parallel)" + sum));
  EXPECT_NE(text.find("grid (i in [0, n) parallel, j_block in [0, floordiv(m - 1, 64) + 1) parallel)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("for j in [64 * j_block, min(m, 64 * j_block + 64)) step 1 {"), std::string::npos) << text;
}

/// A single loop finds its variable without a division, and few points are worth a turn each.
TEST(CollapsedGrid, OfOneLoopOrAShortOneStays) {
  const std::string one =
      " {\n tile a : f32 written\n a = 0.0f32\n for p in [0, l) step 1 {\n a += x[p]\n }\n y[i, 0] = a\n}\n";
  EXPECT_EQ(writeText(mapped(head + "kernel k grid (i in [0, n) parallel)" + one)).find("block"), std::string::npos);
  EXPECT_EQ(writeText(mapped(head + "kernel k grid (i in [0, n) parallel, j in [0, 8) parallel)" + sum)).find("block"),
            std::string::npos);
}
