// What the tool tells about itself: what a result rests on, what each exit code means, and that nothing but one of them
// ends a run, whatever the source.
#include "session.h"

#include <gmock/gmock.h>

using testing::HasSubstr;
using testing::Not;

namespace {

/// As logSum, with a maximum by comparison.
const char *const compared = R"(#include <cmath>
void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY;
    for (int j = 0; j < m; j++)
      top = x[i * m + j] > top ? x[i * m + j] : top;
    float sum = 0.0f;
    for (int j = 0; j < m; j++)
      sum += std::exp(x[i * m + j] - top);
    y[i] = top + std::log(sum);
  }
}
)";

std::size_t count(const std::string &text, const std::string &part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

} // namespace

TEST_F(Tool, SaysWhatAResultRestsOn) {
  const std::string file = write("a.cpp", compared);
  for (const char *target : {"--target=cpp", "--target=cuda", "--target=hip"}) {
    const auto done = run({file, target});
    EXPECT_EQ(done.exitCode, 0) << done.error;
    EXPECT_EQ(count(done.error, "remark: 'f' assumes no NaN in top"), 1U) << done.error;
    EXPECT_EQ(count(done.error, "assumes"), 1U) << done.error;
    EXPECT_THAT(done.output, HasSubstr("// Assumed: no NaN in top (comparison-based maximum at a.cpp:6:")) << target;
    EXPECT_THAT(done.output, Not(HasSubstr(file))) << "a text does not depend on where its source lies";
  }
  EXPECT_THAT(run({"explain", file}).output, HasSubstr("assumes no NaN in top"));
  const auto strict = run({file, "--fp=strict"});
  EXPECT_THAT(strict.error + strict.output, Not(HasSubstr("no NaN in top")));
  EXPECT_THAT(run({write("b.cpp", logSum)}).error, Not(HasSubstr("assumes")));
}

TEST_F(Tool, SaysWhatItsExitCodesMean) {
  const std::string help = run({"--help"}).output, page = *polymend::readFile(POLYMEND_SOURCE_DIR "/docs/cpu.md");
  for (const char *words :
       {"gained nothing", "our own validation failed", "ran nothing, or time ran", "output not writable"}) {
    EXPECT_THAT(help, HasSubstr(words));
    EXPECT_THAT(page, HasSubstr(words));
  }
}

TEST_F(Tool, SurvivesSumsOfVeryManyTerms) {
  std::string sum = "x[i]";
  for (int k = 1; k < 3000; ++k) sum += " + x[i + " + std::to_string(k) + "]";
  const auto done = run({write("a.cpp", "void f(int n, float *y, const float *x) {\n"
                                        "  for (int i = 0; i < n; i++) y[i] = " +
                                            sum + ";\n}\n")});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("void f("));
}

TEST_F(Tool, SurvivesDeepNests) {
  std::string choices, loops, body = "y[0] += 1;";
  for (int k = 0; k < 200; ++k)
    choices += "if (i == " + std::to_string(k) + ") y[i] = " + std::to_string(k) + "; else ";
  for (int k = 0; k < 60; ++k)
    loops += "for (int i" + std::to_string(k) + " = 0; i" + std::to_string(k) + " < n; i" + std::to_string(k) + "++) ";
  const auto done =
      run({write("a.cpp", "void f(int n, float *y) {\n  for (int i = 0; i < n; i++) " + choices + "y[i] = 0;\n}\n" +
                              "void g(int n, float *y) {\n  " + loops + body + "\n}\n")});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("void g("));
}

TEST_F(Tool, SurvivesAbsurdSizes) {
  const auto done = run({write("a.cpp", R"(static float big[2000000000];
void f(float *y) {
  for (long i = 0; i < 4000000000000000000; i++) y[i % 7] = 1;
}
void g() {
  for (long i = 0; i < 2000000000; i++) big[i] = 2 * big[i];
}
void h(int n, float (*y)[1048576][1024]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 1048576; j++)
      for (int k = 0; k < 1024; k++) y[i][j][k] = i + j + k;
}
)")});
  EXPECT_EQ(done.exitCode, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("'h' is not validated: "));
}
