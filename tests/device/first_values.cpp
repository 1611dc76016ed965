// Which scalars are declared by an assignment.
#include "mapping.h"

using namespace polymend::tests;

namespace {

std::string bodyWith(const std::string &nodes) {
  return bodyOf("program f\nsize n\narray x : f32[n] flat\narray y : f32[n] flat written\n"
                "kernel k grid () {\ntile s : f32 written\n" +
                nodes + "}\n");
}

} // namespace

TEST(FirstValues, DeclareWhatIsSetFirst) {
  EXPECT_EQ(bodyWith("s = x[0]\ny[0] = s[]\n"), "new s = x[0]\ny[0] = s[]\n");
  EXPECT_EQ(bodyWith("s = x[0]\ns = x[1]\ny[0] = s[]\n"), "new s = x[0]\ns = x[1]\ny[0] = s[]\n");
}

TEST(FirstValues, DeclareItInEachBlockThatSetsItFirst) {
  const std::string loop = "for i in [0, n) step 1 {\ns = x[i]\ny[i] = s[]\n}\n";
  EXPECT_EQ(bodyWith(loop + "s = x[0]\ny[0] = s[]\n"),
            "for i in [0, n) step 1 {\nnew s = x[i]\ny[i] = s[]\n}\nnew s = x[0]\ny[0] = s[]\n");
}

/// A value that goes from one iteration, or out of a block, to the next needs a variable around.
TEST(FirstValues, LeaveWhatIsCarried) {
  for (const std::string nodes :
       {"for i in [0, n) step 1 {\ny[i] = s[]\ns = x[i]\n}\n", "for i in [0, n) step 1 {\ns = x[i]\n}\ny[0] = s[]\n",
        "s += x[0]\ny[0] = s[]\n", "s = x[0] where 0 < n\ny[0] = s[]\n", "s = s[] + x[0]\ny[0] = s[]\n",
        "if (0 < n) {\ns = x[0]\n} else {\ny[0] = s[]\n}\n"})
    EXPECT_EQ(bodyWith(nodes).find("new"), std::string::npos) << nodes;
}
