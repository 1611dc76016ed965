// Printed text follows the layouts of the program: a program read back from its dump is printed the same, one whose
// tiles lie otherwise is refused.
#include "../journey.h"

#include "polymend/pipeline.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::SizeIs;

namespace {

/// A function's text and tile program, and what to print it with.
struct Printed {
  std::string text;
  Nest nest;
  TileProgram program;
  PrintOptions options;
};

Printed printed(const std::string &file, const std::string &arch) {
  PipelineOptions options;
  options.file = std::string(POLYMEND_SOURCE_DIR) + "/" + file;
  options.target = Target::Cuda;
  options.arch = arch;
  Printed result;
  result.text = transform(options).text;
  options.dumpStage = "tile";
  const auto program = readText(transform(options).text);
  const ParseOutcome parsed = parse(options.file, {});
  EXPECT_TRUE(program && parsed.nest) << file;
  if (program) result.program = *program;
  if (parsed.nest) result.nest = *parsed.nest;
  result.options = {Target::Cuda, FloatMode::Algebraic, matrixUnitsOf(arch)->instructions};
  return result;
}

class LayoutText : public testing::TestWithParam<std::pair<const char *, const char *>> {};

} // namespace

TEST_P(LayoutText, IsThatOfTheProgramReadBack) {
  const Printed p = printed(GetParam().first, GetParam().second);
  EXPECT_THAT(p.text, HasSubstr("_matrix_kernel"));
  EXPECT_EQ(print(p.nest, {p.program}, p.options), p.text);
}

TEST_P(LayoutText, IsRefusedWhereATileLiesOtherwise) {
  const Printed p = printed(GetParam().first, GetParam().second);
  std::size_t changed = 0;
  for (std::size_t k = 0; k < p.program.kernels.size(); ++k)
    for (std::size_t t = 0; !p.program.kernels[k].roles.empty() && t < p.program.kernels[k].tiles.size(); ++t) {
      TileProgram other = p.program;
      TileArray &tile = other.kernels[k].tiles[t];
      tile.layout.axes[0].front().stride *= 2;
      const std::vector<LeftAlone> left = unprintable(p.nest, {other}, p.options);
      ASSERT_THAT(left, SizeIs(1)) << tile.name;
      EXPECT_THAT(left[0].refusal.reason, HasSubstr("which lies as " + show(tile.layout)));
      ++changed;
    }
  EXPECT_GE(changed, 3U);
}

INSTANTIATE_TEST_SUITE_P(Kernels, LayoutText,
                         testing::Values(std::pair{"inputs/prefill_causal.cpp", "sm_90a"},
                                         std::pair{"inputs/prefill_causal.cpp", "sm_80"},
                                         std::pair{"inputs/matmul_prologue.cpp", "sm_90a"},
                                         std::pair{"inputs/matmul_bf16.cpp", "sm_80"},
                                         std::pair{"tests/corpus/weighted_doubles.cpp", "sm_80"}));
