// Assignments that wait for one condition.
#include "mapping.h"

#include <gmock/gmock.h>

using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string bodyWith(const std::string &nodes) {
  return bodyOf("program f\nsize n\narray x : f32[n] flat\narray y : f32[n] flat written\n"
                "kernel k grid () {\ntile p : f32 written\ntile q : f32 written\ntile f : f32 written\n"
                "tile s : f32 written\ns = 0.0f32\np = x[0]\nq = x[1]\n" +
                nodes + "y[0] = s[]\n}\n");
}

const std::string mend = "f = select(p[] != q[], exp(p[] - q[]), 1.0f32)\ns = s[] * f[] where p[] != q[]\n";

} // namespace

TEST(OneCondition, HoldsTheFactorAndTheState) {
  EXPECT_THAT(bodyWith(mend), HasSubstr("if (p[] != q[]) {\nnew f = exp(p[] - q[])\ns = s[] * f[]\n}\n"));
}

/// The factor of 1 is read where nothing moves.
TEST(OneCondition, LeavesWhatIsReadElsewhere) {
  EXPECT_THAT(bodyWith(mend + "s += f[]\n"), HasSubstr("f = select(p[] != q[], exp(p[] - q[]), 1.0f32)\n"));
  EXPECT_THAT(bodyWith(mend + "s += 1.0f32 where f[] < 2.0f32\n"), HasSubstr("f = select("));
  EXPECT_THAT(bodyWith("s = s[] * f[] where p[] != q[]\n" + mend), HasSubstr("f = select("));
}

/// What moves the pivot ends the run.
TEST(OneCondition, EndsWhereItChanges) {
  const std::string text =
      bodyWith("s += 1.0f32 where p[] != q[]\np = q[] where p[] != q[]\ns += 2.0f32 where p[] != q[]\n");
  EXPECT_THAT(text, HasSubstr("if (p[] != q[]) {\ns += 1.0f32\np = q[]\n}\ns += 2.0f32 where p[] != q[]\n"));
}

TEST(OneCondition, IsNoBranchOfOneAssignment) {
  EXPECT_THAT(bodyWith("s += 1.0f32 where p[] != q[]\n"), Not(HasSubstr("if (")));
}
