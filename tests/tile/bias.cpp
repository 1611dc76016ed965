// A term for the position that is added to a scaled product is where the product's sum begins, where the scale is
// positive; elsewhere it stays an element-wise pass of its own. Either way the results are the source's.
#include "matrix_run.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Score {
  const char *name, *text; // in place of the input's
  bool moves;
};
std::ostream &operator<<(std::ostream &out, const Score &s) { return out << s.name; }

class Bias : public testing::TestWithParam<Score> {};

MatrixCase caseOf(const Score &score) {
  return {score.name,
          shortPrefill("prefill_alibi", {{"dot * scale + slope[h] * float(j - i)", score.text}}),
          {{{"n", 1}, {"batch", 1}}, {{"n", 33}, {"batch", 1}}}};
}

} // namespace

TEST_P(Bias, IsWhereTheSumBegins) {
  const std::string text = writeText(lowerBoth(caseOf(GetParam())).program);
  const std::string roles = text.substr(0, text.find("\nkernel ", text.find("_matrix grid")));
  const auto inPlace = testing::ContainsRegex("dot[0-9]*\\[i, j_?[0-9]*\\] = dot[0-9]*\\[i, j_?[0-9]*\\] \\*");
  const auto cleared = HasSubstr("] = 0.0f32\n      }\n      get k_tile");
  if (GetParam().moves) {
    EXPECT_THAT(roles, Not(inPlace));
    EXPECT_THAT(roles, Not(cleared));
  } else {
    EXPECT_THAT(roles, cleared);
  }
}

TEST_P(Bias, AgreesWithTheSource) {
  const MatrixCase c = caseOf(GetParam());
  const OnBoth both = lowerBoth(c);
  for (const Sizes &sizes : c.sizes)
    EXPECT_EQ(fault(both.program, both.expected, memoryAt(both.program, sizes, Slope::Steep)), std::nullopt)
        << text(sizes);
}

INSTANTIATE_TEST_SUITE_P(Scores, Bias,
                         testing::Values(Score{"positive", "dot * scale + slope[h] * float(j - i)", true},
                                         Score{"subtracted", "dot * scale - slope[h] * float(i - j)", true},
                                         Score{"turned", "slope[h] * float(j - i) + scale * dot", true},
                                         Score{"unscaled", "dot + slope[h] * float(j - i)", true},
                                         Score{"two_terms",
                                               "dot * scale + (slope[h] * float(j - i) + float(j) * 0.01f)", true},
                                         Score{"negative", "dot * -0.25f + slope[h] * float(j - i)", false},
                                         Score{"no_scale_known", "dot * slope[h] + slope[h] * float(j - i)", false}),
                         [](const auto &info) { return std::string(info.param.name); });
