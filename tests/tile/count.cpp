// A mended sum that only counts its elements is not run over them: the count is the extent of the chunk.
#include "../compilation.h"

#include <gmock/gmock.h>

namespace polymend::tests {

namespace {

const std::string deviations = R"(void deviations(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float mean = 0, sum = 0;
    for (int j = 0; j < m; j++) mean += x[i * m + j];
    mean /= m;
    for (int j = 0; j < m; j++) sum += (x[i * m + j] - mean) * (x[i * m + j] - mean);
    y[i] = sum;
  }
}
)";

} // namespace

TEST(Count, IsTheExtentOfTheChunk) {
  const Analysed analysed = analyse(deviations, {RelaxMode::Auto, {{"j", 64}}});
  const auto program = analysed.lowered();
  ASSERT_TRUE(program);
  const std::string text = writeText(*program);
  EXPECT_THAT(text, ::testing::HasSubstr("sum_state2 += 1.0f64 * f64(64)"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("sum_state2 += 1.0f64\n")));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("sum_state2 += 1.0f32")));
}

} // namespace polymend::tests
