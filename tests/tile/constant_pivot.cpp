// Kernels with a constant for the maximum of bounded scores: no maximum and no mend in a loop, and the source's results
// also where sums leave the range that the constant gives them.
#include "matrix_run.h"

#include "polymend/interpret.h"
#include "polymend/pipeline.h"
#include "polymend/verify.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

constexpr const char *means = R"cpp(#include <cmath>
void means(int n, const float *x, const float *v, float *y) {
  for (int i = 0; i < n; i++) {
    float s[512];
    for (int j = 0; j < n; j++) s[j] = 50.0f * std::tanh(x[i * n + j] / 50.0f);
    float m = -INFINITY;
    for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);
    float l = 0.0f;
    for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
    for (int d = 0; d < 8; d++) {
      float o = 0.0f;
      for (int j = 0; j < n; j++) o += std::exp(s[j] - m) * v[j * 8 + d];
      y[i * 8 + d] = o / l;
    }
  }
}
)cpp";

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Data {
  const char *name;
  double score, other, value;
};
std::ostream &operator<<(std::ostream &out, const Data &d) { return out << d.name; }

class FarOff : public testing::TestWithParam<Data> {};

Memory memoryOf(const Data &data, std::int64_t n) {
  Memory memory;
  memory.sizes = {{"n", n}};
  std::vector<double> x(static_cast<std::size_t>(n * n)), v(static_cast<std::size_t>(n * 8));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = k % 7 == 3 ? data.other : data.score;
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = data.value * static_cast<double>(k % 5 + 1) / 5;
  memory.arrays = {{"x", x}, {"v", v}, {"y", std::vector<double>(v.size(), 77)}};
  return memory;
}

/// The loop's part of a program in text form, before rows are computed again.
std::string loopsOf(const std::string &text) { return text.substr(0, text.find("_fallback[i] =")); }

} // namespace

TEST_P(FarOff, RowsAreThoseOfTheSource) {
  const Analysed t = analyse(means);
  Schedule inOrder;
  inOrder.order = t.trace.scop->schedule;
  const auto reference = lower(t.trace.function, *t.trace.scop, *t.trace.dependences, t.relaxed(), inOrder, {});
  const auto program = t.lowered();
  ASSERT_TRUE(reference && program);
  ASSERT_THAT(writeText(*program), HasSubstr("m is taken to be 0"));
  for (const std::int64_t n : {0, 1, 5, 70}) {
    Memory wanted = memoryOf(GetParam(), n), got = wanted;
    ASSERT_EQ(interpret(*reference, wanted), std::nullopt);
    ASSERT_EQ(interpret(*program, got), std::nullopt);
    for (std::size_t k = 0; k < got.arrays[2].second.size(); ++k) {
      const double a = wanted.arrays[2].second[k], b = got.arrays[2].second[k];
      if (std::isfinite(a))
        EXPECT_NEAR(b / a, 1, 1e-4) << a << " at " << k << " of " << n;
      else
        EXPECT_EQ(std::isnan(a) ? 0 : a, std::isnan(b) ? 0 : b) << "at " << k << " of " << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tile, FarOff,
                         testing::Values(Data{"usual", 1, -2, 1}, Data{"low", -400, -400, 1},
                                         Data{"low_and_tiny", -400, -400, 1e-30},
                                         Data{"low_and_large", -400, -400, 2e38}, Data{"high", 400, 380, 1},
                                         Data{"high_and_large", 400, 400, 1e30}, Data{"apart", 400, -400, 1},
                                         Data{"infinite_scores", infinity, -infinity, 1},
                                         Data{"no_number", 1, std::numeric_limits<double>::quiet_NaN(), 1},
                                         Data{"infinite_values", 1, 2, infinity}, Data{"zero", 0, 0, 1e-36}),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(ConstantPivot, LoopsHoldNoMaximumAndNoMend) {
  const auto program = analyse(means).lowered();
  ASSERT_TRUE(program);
  const std::string loops = loopsOf(writeText(*program));
  EXPECT_THAT(loops, HasSubstr("m is taken to be 0: its elements lie in"));
  EXPECT_THAT(loops, Not(HasSubstr("max= ")));
  EXPECT_THAT(loops, Not(HasSubstr("mend")));
  EXPECT_THAT(loops, Not(HasSubstr("m_pivot")));
}

TEST(ConstantPivot, RowsAreComputedAgainAboutTheirOwnMaximum) {
  const std::string text = writeText(*analyse(means).lowered());
  EXPECT_THAT(text.substr(text.find("_fallback[i] =")), HasSubstr("fmax= "));
}

/// On matrix units: one region of exponentials a chunk, masked once, and nothing that moves.
TEST(ConstantPivot, MatrixKernelsHoldNoMaximum) {
  const MatrixCase c{"softcap", shortPrefill("prefill_softcap"), prefillSizes()};
  const OnBoth both = lowerBoth(c);
  ASSERT_FALSE(both.program.kernels.front().roles.empty());
  TileProgram fast = both.program;
  fast.kernels.resize(1);
  const std::string text = writeText(fast);
  EXPECT_THAT(text, Not(HasSubstr("fmax=")));
  EXPECT_THAT(text, Not(HasSubstr("_pivot")));
  EXPECT_THAT(text, Not(HasSubstr("_mend")));
}

/// Parts are sums at one constant: nothing brings them to a common pivot.
TEST(ConstantPivot, PartsAreAddedUp) {
  Analysed t = analyse(means, {RelaxMode::SplitK, {}, 0});
  const auto program = t.lowered();
  ASSERT_TRUE(program);
  const std::string text = writeText(*program);
  EXPECT_THAT(text, HasSubstr("_part"));
  EXPECT_THAT(text, Not(HasSubstr("final pivot")));
  EXPECT_THAT(verify(*program), IsEmpty());
}
