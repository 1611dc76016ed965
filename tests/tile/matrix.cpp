// Kernels with roles that lowering makes: every wait ends, every value is that of the source's order, rows that are
// exceptional or marked are computed again, and whatever is left out or changed is found.
#include "matrix_run.h"
#include "polymend/interpret.h"
#include "polymend/verify.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::IsEmpty;

namespace {

/// The place of the kernel with roles among all.
std::size_t withRoles(const TileProgram &program) {
  std::size_t k = 0;
  while (k < program.kernels.size() && program.kernels[k].roles.empty()) ++k;
  return k;
}

class OnMatrixUnits : public testing::TestWithParam<MatrixCase> {};

} // namespace

TEST_P(OnMatrixUnits, AgreesWithTheSource) {
  const OnBoth both = lowerBoth(GetParam());
  const std::size_t at = withRoles(both.program);
  ASSERT_LT(at, both.program.kernels.size()) << writeText(both.program);
  EXPECT_FALSE(both.program.kernels[at].fallback.empty());
  ASSERT_THAT(verify(both.program), IsEmpty());
  const auto again = readText(writeText(both.program));
  ASSERT_TRUE(again) << again.refusal().reason << " at line " << again.refusal().where.line;
  EXPECT_TRUE(equal(*again, both.program));
  for (const Sizes &sizes : GetParam().sizes) {
    const bool last = sizes == GetParam().sizes.back();
    const Memory memory = memoryAt(both.program, sizes, last ? Slope::Steep : Slope::Flat);
    EXPECT_THAT(protocolFaults(both.program, memory), IsEmpty()) << text(sizes);
    EXPECT_EQ(fault(both.program, both.reference, memory), std::nullopt) << text(sizes);
  }
}

TEST_P(OnMatrixUnits, MarkedRowsAreComputedAgain) {
  const OnBoth both = lowerBoth(GetParam());
  ASSERT_LT(withRoles(both.program), both.program.kernels.size());
  const TileProgram marked = withoutRoles(both.program);
  ASSERT_THAT(verify(marked), IsEmpty());
  EXPECT_EQ(withRoles(marked), marked.kernels.size());
  for (const Sizes &sizes : GetParam().sizes)
    if (sizes != GetParam().sizes.back())
      EXPECT_EQ(fault(marked, both.reference, memoryAt(marked, sizes, Slope::Flat)), std::nullopt) << text(sizes);
}

/// One element of each input in turn is infinite or no number: at the start, in the middle and at the end.
TEST_P(OnMatrixUnits, ExceptionalRowsAgree) {
  const OnBoth both = lowerBoth(GetParam());
  const Sizes sizes = GetParam().sizes[GetParam().sizes.size() - 2];
  const Memory start = memoryAt(both.program, sizes, Slope::Flat);
  const double infinite = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t a = 0; a < start.arrays.size(); ++a) {
    const std::size_t count = start.arrays[a].second.size();
    const bool input = std::none_of(both.program.arrays.begin(), both.program.arrays.end(), [&](const TileArray &x) {
      return x.name == start.arrays[a].first && (x.written || !isFloating(x.type));
    });
    if (both.program.finiteWhereMasked.contains(start.arrays[a].first)) continue;
    if (!input || count == 0) continue;
    for (const auto &[at, value] : {std::pair(std::size_t{0}, -infinite), {count / 2, infinite}, {count - 1, none}}) {
      Memory memory = start;
      memory.arrays[a].second[at] = value;
      EXPECT_EQ(fault(both.program, both.expected, memory), std::nullopt)
          << start.arrays[a].first << "[" << at << "] = " << value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, OnMatrixUnits, testing::ValuesIn(matrixCases()),
                         [](const auto &info) { return info.param.name; });

/// Every second element of a row counts: so it does where the row is computed again, as one of its sums overflows.
TEST(RowsAgain, TakeInWhatTheMaskLeaves) {
  const Analysed t =
      analyse("#include <cmath>\nvoid f(int n, const float x[9][9], const float v[9][2], float y[9][2]) {\n"
              "  for (int i = 0; i < n; i++) {\n    float s[9], m = -INFINITY;\n"
              "    for (int j = 0; j < n; j++) s[j] = (i + j) % 2 == 0 ? x[i][j] : -INFINITY;\n"
              "    for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);\n"
              "    for (int d = 0; d < 2; d++) {\n      float l = 0;\n"
              "      for (int j = 0; j < n; j++) l += std::exp(s[j] - m) * v[j][d];\n"
              "      y[i][d] = l;\n    }\n  }\n}\n");
  const auto program = t.lowered();
  ASSERT_TRUE(program);
  Memory memory = memoryAt(*program, {{"n", 6}}, Slope::Flat);
  for (auto &[name, values] : memory.arrays)
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = name != "v" ? 0 : k % 2 == 1 ? static_cast<double>(k / 2) : 3e38;
  ASSERT_EQ(interpret(*program, memory), std::nullopt);
  for (const auto &[name, values] : memory.arrays) {
    if (name != "y") continue;
    EXPECT_EQ(values[0], std::numeric_limits<double>::infinity());
    EXPECT_EQ(values[1], 0 + 2 + 4);
    EXPECT_EQ(values[3], 1 + 3 + 5);
  }
}
