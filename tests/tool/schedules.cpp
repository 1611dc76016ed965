// Orders that people write: what --dump=schedule=FILE tells is taken back by --schedule, changed or not, where it
// breaks no dependence.
#include "session.h"

#include <gmock/gmock.h>

using testing::HasSubstr;
using testing::Not;

namespace {

const char *const smoothing = R"(void smooth(int n, int t, double *a, double *b) {
  for (int s = 0; s < t; ++s) {
    for (int i = 1; i < n - 1; ++i) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; ++i) a[i] = b[i];
  }
}
)";

const char *const product = R"(void product(int n, const double (*a)[200], const double (*b)[200], double (*c)[200]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 200; ++j) {
      c[i][j] = 0;
      for (int k = 0; k < 200; ++k) c[i][j] += a[i][k] * b[k][j];
    }
}
)";

const std::string instances = "domain: \"[n, t] -> { S0[s, i] : 0 <= s < t and 0 < i <= -2 + n; S1[s, i_1] : 0 <= s < "
                              "t and 0 < i_1 <= -2 + n }\"\n";

/// Both statements point by point: the second overwrites what the first of the next point reads.
const std::string fused = "# function smooth\n" + instances +
                          "child:\n"
                          "  schedule: \"[n, t] -> [{ S0[s, i] -> [(s)]; S1[s, i_1] -> [(s)] }, { S0[s, i] -> [(i)]; "
                          "S1[s, i_1] -> [(i_1)] }]\"\n"
                          "  child:\n"
                          "    sequence:\n"
                          "    - filter: \"[n, t] -> { S0[s, i] }\"\n"
                          "    - filter: \"[n, t] -> { S1[s, i_1] }\"\n";

/// As before, the second statement a point behind.
std::string shifted() {
  std::string text = fused;
  const std::string from = "[(i_1)]";
  text.replace(text.find(from), from.size(), "[(1 + i_1)]");
  return text;
}

} // namespace

TEST_F(Tool, TellsTheOrderAndTakesItBack) {
  const std::string file = write("a.cpp", smoothing), tree = scratch.file("a.yaml");
  const auto told = run({file, "--quiet", "--dump=schedule=" + tree});
  ASSERT_EQ(told.exitCode, 0) << told.error;
  const std::string text = *polymend::readFile(tree);
  EXPECT_THAT(text, HasSubstr("# function smooth\n# S0 line 3: b[i] = 0.5 * (a[i - 1] + a[i + 1])\n"));
  EXPECT_THAT(text, HasSubstr("schedule: "));
  const auto back = run({file, "--schedule=" + tree});
  EXPECT_EQ(back.exitCode, 0) << back.error;
  EXPECT_THAT(back.error,
              HasSubstr("the loops of 'smooth' run in the order that was given, which breaks no dependence"));
}

TEST_F(Tool, FollowsAnOrderThatKeepsTheDependences) {
  const std::string file = write("a.cpp", smoothing), tree = write("a.yaml", shifted());
  const auto done = run({file, "--schedule=" + tree});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  const auto checked = run({"check", file, "--schedule=" + tree, "--sizes=n=3,t=1;n=40,t=7;n=0,t=2"});
  EXPECT_EQ(checked.exitCode, 0) << checked.output << checked.error;
}

/// A loop that carries something is the host's, those within it a launch for each statement. An order that breaks a
/// dependence is refused there, too.
TEST_F(Tool, FollowsAnOrderOnAGpu) {
  const std::string file = write("a.cpp", smoothing), tree = scratch.file("a.yaml");
  const auto own = run({file, "--quiet", "--target=cuda", "--dump=schedule=" + tree, "-o", scratch.file("own.cu")});
  ASSERT_EQ(own.exitCode, 0) << own.error;
  const auto given = run({file, "--quiet", "--target=cuda", "--schedule=" + tree, "-o", scratch.file("given.cu")});
  EXPECT_EQ(given.exitCode, 0) << given.error;
  EXPECT_THAT(*polymend::readFile(scratch.file("given.cu")), HasSubstr("__global__"));
  EXPECT_EQ(run({file, "--target=cuda", "--schedule=" + write("b.yaml", fused)}).exitCode, 1);
}

TEST_F(Tool, RefusesAnOrderThatBreaksADependence) {
  const std::string file = write("a.cpp", smoothing), tree = write("a.yaml", fused), out = scratch.file("out.cpp");
  const auto done = run({file, "--schedule=" + tree, "-o", out});
  EXPECT_EQ(done.exitCode, 1);
  EXPECT_FALSE(exists("out.cpp"));
  EXPECT_THAT(done.error, HasSubstr("a.cpp:4:"));
  EXPECT_THAT(done.error, HasSubstr("is not followed: it breaks the anti dependence through 'a': line 4 runs before "
                                    "line 3, on which it depends"));
}

TEST_F(Tool, FollowsAnOrderInPlaceOfItsOwnPlan) {
  const std::string file = write("a.cpp", product);
  const auto told = run({file, "--quiet", "--dump=schedule=" + scratch.file("a.yaml"), "-o", "/dev/null"});
  ASSERT_EQ(told.exitCode, 0) << told.error;
  std::string text = *polymend::readFile(scratch.file("a.yaml"));
  EXPECT_THAT(text, HasSubstr("This is the source's order"));
  const auto domain = text.find("domain:"), child = text.find("\nchild:");
  text = "# function product\n" + text.substr(domain, child - domain) +
         "\nchild:\n"
         "  schedule: \"[n] -> [{ S0[i, j] -> [(i)]; S1[i, j, k] -> [(i)] }]\"\n"
         "  child:\n"
         "    sequence:\n"
         "    - filter: \"[n] -> { S0[i, j] }\"\n"
         "      child:\n"
         "        schedule: \"[n] -> [{ S0[i, j] -> [(j)] }]\"\n"
         "    - filter: \"[n] -> { S1[i, j, k] }\"\n"
         "      child:\n"
         "        schedule: \"[n] -> [{ S1[i, j, k] -> [(k)] }, { S1[i, j, k] -> [(j)] }]\"\n";
  const std::string tree = write("b.yaml", text);
  const auto done = run({file, "--style=none", "--schedule=" + tree});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("#pragma omp parallel for"));
  const auto checked = run({"check", file, "--schedule=" + tree, "--sizes=n=3;n=40"});
  EXPECT_EQ(checked.exitCode, 0) << checked.output << checked.error;
}

TEST_F(Tool, SaysWhatIsWrongWithAnOrder) {
  const std::string file = write("a.cpp", smoothing);
  const std::string half = "# function smooth\ndomain: \"[n, t] -> { S0[s, i] : 0 <= s < t and 0 < i <= -2 + n }\"\n"
                           "child:\n  schedule: \"[n, t] -> [{ S0[s, i] -> [(s)] }]\"\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"# function smooth\ndomain: \"[n, t] -> { S0[s, i : }\"\n", "isl cannot read the schedule"},
      {half, "the schedule's domain is not the function's: S1 differ"},
      {"# function other\n" + instances, "'other' is no function that is read here"},
      {instances, "has no document that begins with '# function NAME'"},
      {"# function smooth\n" + instances +
           "child:\n  context: \"[n, t] -> { [] : n > 5 }\"\n  child:\n"
           "    schedule: \"[n, t] -> [{ S0[s, i] -> [(s)]; S1[s, i_1] -> [(s)] }]\"\n",
       "nodes that do more than to order"},
      {"# function smooth\n" + instances +
           "child:\n  schedule: \"[n, t] -> [{ S0[s, i] -> [(5s + i)]; S1[s, i_1] -> [(1 + 5s + i_1)] }]\"\n",
       "coefficient in the schedule is greater than 4"},
  };
  for (const auto &[text, message] : cases) {
    const auto done = run({file, "--quiet", "--schedule=" + write("a.yaml", text)});
    EXPECT_EQ(done.exitCode, 1) << message;
    EXPECT_EQ(done.output, "") << message;
    EXPECT_THAT(done.error, HasSubstr(message));
    EXPECT_THAT(done.error, Not(HasSubstr("internal"))) << message;
  }
  EXPECT_THAT(run({file, "--schedule=" + scratch.file("none.yaml")}).error, HasSubstr("none.yaml"));
}
