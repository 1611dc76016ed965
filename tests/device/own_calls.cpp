// Functions of the source that values call: what they cost differs from point to point.
#include "mapping.h"

using namespace polymend::tests;

/// Shares that shrink even it out.
TEST(OwnCalls, AreSharedOutInSharesThatShrink) {
  const auto sharingOf = [](const std::string &value) {
    const std::string text = writeText(mapped("program f\nsize n\narray y : f32[n] flat written\n"
                                              "kernel k grid (t in [0, floordiv(n - 1, 64) + 1) parallel) {\n"
                                              "points (i in [0, min(64, n - 64 * t)) parallel) {\n y[64 * t + i] = " +
                                              value + "\n}\n}\n"));
    return text.substr(text.find(") parallel)"), text.find('{', text.find("kernel")) - text.find(") parallel)"));
  };
  EXPECT_NE(sharingOf("@`::g`(f32(i))").find("guided"), std::string::npos);
  EXPECT_EQ(sharingOf("@erf(f32(i))").find("guided"), std::string::npos);
}
