// Reductions by groups that walk over the same points walk once.
#include "mapping.h"

#include "device/joined_sums.h"

using namespace polymend;

namespace {

/// The kernel's body in the text form, after the rewrite: a group for each i, with what stands in `nodes`.
std::string joinedIn(const std::string &nodes) {
  const auto program =
      readDeviceText("device f\nsize n, m\narray x : f32[n, m] flat\narray y : f32[n] flat written\nentry {}\nqueue {\n"
                     "  copy x of n * m\n  copy y back\n}\nstep {\n  launch 0\n}\n"
                     "kernel f grid (i in [0, n) parallel) group of 256 box ([0, n)) bytes 0 fours 1 length m {\n"
                     "  tile s : f32 written on held\n  tile q : f32 written on held\n" +
                     nodes + "}\n");
  EXPECT_TRUE(program) << program.refusal().reason;
  if (!program) return "";
  DeviceProgram result = *program;
  result.kernels.front() = device_room::withJoinedSums(result.kernels.front());
  const std::string text = writeText(result);
  return text.substr(text.find("  tile q"));
}

std::string sum(const std::string &target, const std::string &variable, const std::string &value,
                const std::string &limit = "m") {
  return "deal whole " + variable + " (" + variable + " in [0, " + limit + ") reduced) by () aside {\n" + target +
         " += " + value + "\n}\n";
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

const std::string both = "deal whole j (j in [0, m) reduced) by () aside {";

} // namespace

TEST(JoinedSums, WalkOnceOverThePoints) {
  const std::string text = joinedIn("s = 0.0f32\n" + sum("s", "j", "x[i, j]") + "q = 0.0f32\n" +
                                    sum("q", "k", "x[i, k] * x[i, k]") + "one {\ny[i] = s[] / q[]\n}\n");
  EXPECT_TRUE(has(text, "q = 0.0f32\n  " + both + "\n    s += x[i, j]\n    q += x[i, j] * x[i, j]\n  }\n")) << text;
}

TEST(JoinedSums, TakeLoopsAroundThem) {
  const auto turns = [](const std::string &variable, const std::string &inner) {
    return "for " + variable + " in [0, m) step 1 {\n" + inner + "}\n";
  };
  const std::string text = joinedIn("s = 0.0f32\n" + turns("a", sum("s", "j", "x[a, j]")) + "q = 0.0f32\n" +
                                    turns("b", sum("q", "j", "x[b, j]")));
  EXPECT_TRUE(has(text, "for a in [0, m) step 1 {\n    " + both + "\n      s += x[a, j]\n      q += x[a, j]\n"))
      << text;
  EXPECT_FALSE(has(text, "for b"));
}

/// The second needs the first, or sets what it reads; the ranges are others.
TEST(JoinedSums, StayApart) {
  const std::string first = sum("s", "j", "x[i, j]");
  for (const std::string &second : {sum("q", "k", "x[i, k] - s[]"), sum("s", "k", "x[i, k]"),
                                    sum("q", "k", "x[i, k]", "n"), "s = 0.0f32\n" + first}) {
    const std::string text = joinedIn("s = 0.0f32\nq = 0.0f32\n" + first + second);
    EXPECT_EQ(text.find("deal"), text.find(both)) << text;
    EXPECT_NE(text.find("deal"), text.rfind("deal")) << text;
  }
}
