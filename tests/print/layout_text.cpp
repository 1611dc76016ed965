// Laid text follows the layouts of the program: a program read back from its dump is printed the same, one whose
// tiles lie otherwise is refused.
#include "../compilation.h"
#include "mapped.h"

#include "polymend/atoms.h"
#include "polymend/pipeline.h"

#include <gmock/gmock.h>

#include <filesystem>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing_print::mapped;
using testing_print::printMapped;

namespace {

/// A function's text and tile program, and what to print it with.
struct Laid {
  std::string text;
  Nest nest;
  TileProgram program;
  PrintOptions options;
};

Laid printed(const std::string &file, const std::string &arch, bool withText = true) {
  PipelineOptions options;
  options.file = std::string(POLYMEND_SOURCE_DIR) + "/" + file;
  options.target = Target::Cuda;
  options.arch = arch;
  Laid result;
  if (withText) result.text = transform(options).text;
  options.dumpStage = "tile";
  std::vector<TouchedElements> touched; // which the text does not hold
  options.beforeChecks = [&](TileProgram &made) { touched = made.touched; };
  const auto program = readText(transform(options).text);
  const ParseOutcome parsed = parse(options.file, {});
  EXPECT_TRUE(program && parsed.nest) << file;
  if (program) result.program = *program;
  result.program.touched = touched;
  if (parsed.nest) result.nest = *parsed.nest;
  result.options = {Target::Cuda, FloatMode::Algebraic};
  return result;
}

/// The text with all places of a part changed.
std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

class LayoutText : public testing::TestWithParam<std::pair<const char *, const char *>> {};

} // namespace

TEST_P(LayoutText, IsThatOfTheProgramReadBack) {
  const Laid p = printed(GetParam().first, GetParam().second);
  EXPECT_THAT(p.text, HasSubstr("_matrix_kernel"));
  const Printed again = printMapped(p.nest, p.program, p.options);
  EXPECT_THAT(p.text, testing::EndsWith(layOut(again, "file", p.nest.file)->text));
}

TEST_P(LayoutText, IsRefusedWhereATileLiesOtherwise) {
  const Laid p = printed(GetParam().first, GetParam().second);
  std::size_t changed = 0;
  for (std::size_t k = 0; k < p.program.kernels.size(); ++k)
    for (std::size_t t = 0; !p.program.kernels[k].roles.empty() && t < p.program.kernels[k].tiles.size(); ++t) {
      TileProgram other = p.program;
      TileArray &tile = other.kernels[k].tiles[t];
      tile.layout.axes[0].front().stride *= 2;
      const auto left = mapped(p.nest, other, p.options);
      ASSERT_FALSE(left) << tile.name;
      EXPECT_THAT(left.refusal().reason, HasSubstr("which lies as " + show(tile.layout)));
      ++changed;
    }
  EXPECT_GE(changed, 3U);
}

/// One kernel with roles, changed so that no text of roles is right: the reason says which part has none.
TEST(RoleText, IsRefusedWhereThereIsNone) {
  const Laid p = printed("inputs/prefill_causal.cpp", "sm_90a", false);
  const auto reason = [&](const TileProgram &program) {
    const auto left = mapped(p.nest, program, p.options);
    return left ? "" : left.refusal().reason;
  };
  TileProgram twoTypes = p.program;
  for (TileArray &tile : twoTypes.kernels.front().tiles)
    if (tile.name == "k_tile") {
      tile.type = Type::Float32;
      tile.layout = channelLayout(tile.extents[0]->integer, tile.extents[1]->integer, 4);
    }
  EXPECT_EQ(reason(twoTypes), "copied tiles of these types");
  const auto toMemory = readText(replaced(writeText(p.program), " m[i] fmax= ", " o[0, 0, i, 0] fmax= "));
  ASSERT_TRUE(toMemory) << toMemory.refusal().reason;
  EXPECT_EQ(reason(*toMemory), "a reduction that is none of rows");
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, LayoutText,
    testing::Values(std::pair{"inputs/prefill_causal.cpp", "sm_90a"}, std::pair{"inputs/prefill_causal.cpp", "sm_80"},
                    std::pair{"inputs/matmul_prologue.cpp", "sm_90a"}, std::pair{"inputs/matmul_bf16.cpp", "sm_80"},
                    std::pair{"tests/corpus/weighted_doubles.cpp", "sm_80"}),
    [](const auto &info) { return std::filesystem::path(info.param.first).stem().string() + "_" + info.param.second; });
