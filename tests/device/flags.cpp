// Marks of rows as conditions.
#include "mapping.h"

using namespace polymend::tests;

namespace {

std::string bodyWith(const std::string &nodes) {
  return bodyOf("program f\nsize n\narray x : f32[n] flat\narray y : f32[n] flat written\n"
                "kernel k grid () {\ntile s : i32 written\ns = 0:i32\n" +
                nodes + "y[0] = x[s[]]\n}\n");
}

} // namespace

TEST(Flags, AreRaisedWhereAConditionFails) {
  EXPECT_NE(bodyWith("s max= select(x[0] < x[1], 0:i32, 1:i32)\n").find("s = 1:i32 where !(x[0] < x[1])"),
            std::string::npos);
  EXPECT_NE(bodyWith("s max= select(x[0] < x[1], 1:i32, 0:i32)\n").find("s = 1:i32 where x[0] < x[1]\n"),
            std::string::npos);
  EXPECT_NE(
      bodyWith("s max= select(x[0] < x[1], 1:i32, 0:i32) where 2 < n\n").find("s = 1:i32 where 2 < n && x[0] < x[1]\n"),
      std::string::npos);
}

/// Where it may be 2 already, 1 is no maximum.
TEST(Flags, AreZeroOrOne) {
  EXPECT_EQ(bodyWith("s max= 2:i32\ns max= select(x[0] < x[1], 0:i32, 1:i32)\n").find("where"), std::string::npos);
}
