// Sums over several loops on matrix units: loops that become one, and loops that turn beside the one over chunks.
#include "matrix_run.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;

namespace {

struct Case {
  const char *name;
  std::vector<Sizes> sizes;
};
std::ostream &operator<<(std::ostream &out, const Case &c) { return out << c.name; }

class SeveralLoops : public testing::TestWithParam<Case> {};

MatrixCase fileCase(const std::string &name) { return {name, textOf("tests/corpus/" + name + ".cpp"), {}, {}}; }

} // namespace

TEST_P(SeveralLoops, AgreeOnMatrixUnits) {
  const OnBoth both = lowerBoth(fileCase(GetParam().name));
  ASSERT_TRUE(hasRoles(both.program)) << writeText(both.program);
  for (const Sizes &sizes : GetParam().sizes)
    EXPECT_EQ(fault(both.program, both.expected, memoryAt(both.program, sizes, Slope::Steep)), std::nullopt)
        << text(sizes);
}

INSTANTIATE_TEST_SUITE_P(Sums, SeveralLoops,
                         testing::Values(Case{"image_scores",
                                              {{{"h", 3}, {"w", 5}, {"r", 1}},
                                               {{"h", 2}, {"w", 66}, {"r", 0}},
                                               {{"h", 0}, {"w", 3}, {"r", 2}},
                                               {{"h", 1}, {"w", 1}, {"r", 2}},
                                               {{"h", 4}, {"w", 3}, {"r", 9}}}},
                                         Case{"image_in_order", {{{"h", 0}}, {{"h", 1}}, {{"h", 12}}}},
                                         Case{"patches",
                                              {{{"h", 4}, {"w", 5}, {"ci", 3}, {"co", 2}},
                                               {{"h", 3}, {"w", 3}, {"ci", 66}, {"co", 1}},
                                               {{"h", 5}, {"w", 4}, {"ci", 0}, {"co", 3}},
                                               {{"h", 2}, {"w", 4}, {"ci", 1}, {"co", 1}}}},
                                         Case{"product_in_groups",
                                              {{{"m", 3}, {"n", 5}, {"groups", 3}, {"length", 7}},
                                               {{"m", 2}, {"n", 2}, {"groups", 2}, {"length", 66}},
                                               {{"m", 2}, {"n", 3}, {"groups", 0}, {"length", 4}},
                                               {{"m", 2}, {"n", 3}, {"groups", 4}, {"length", 0}}}},
                                         Case{"heads_out",
                                              {{{"heads", 3}, {"time", 5}, {"out", 7}},
                                               {{"heads", 0}, {"time", 2}, {"out", 3}},
                                               {{"heads", 1}, {"time", 66}, {"out", 1}}}}),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(OneLoopASum, IsAskedOfScoresMadeInAChunk) {
  const std::string apart = R"cpp(
#include <cmath>
void apart(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, float *o) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, l = 0, s[70];
    for (int j = 0; j < n; j++) {
      float t = 0;
      for (int c = 0; c < 4; c++)
        for (int e = 0; e < 16; e++) t += (float)q[(c * n + i) * 16 + e] * (float)k[(c * n + j) * 16 + e];
      s[j] = t;
      m = std::fmax(m, s[j]);
    }
    for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
    for (int e = 0; e < 16; e++) {
      float a = 0;
      for (int j = 0; j < n; j++) a += (float)(__bf16)std::exp(s[j] - m) * (float)v[j * 16 + e];
      o[i * 16 + e] = a / l;
    }
  }
}
)cpp";
  const TileProgram program = lowerBoth({"apart", apart, {}, {}}).program;
  EXPECT_FALSE(hasRoles(program));
  EXPECT_THAT(program.plain,
              testing::ElementsAre(testing::Field(
                  &Refusal::reason, "'t' is summed over several loops that are not one over neighbours in memory")));
}
