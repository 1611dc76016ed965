// Kernels whose rows are fewer than matrix units take: one row, or the rows that share what they stream, in a box of
// 64; the loop over what is streamed is shared out, and the parts are combined.
#include "matrix_run.h"

#include "polymend/interpret.h"
#include "polymend/pipeline.h"
#include "polymend/verify.h"

#include "tile/padding.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::vector<Sizes> fewRowSizes() {
  return {{{"batch", 0}, {"n", 7}},  {{"batch", 1}, {"n", 0}},  {{"batch", 45}, {"n", 1}},
          {{"batch", 2}, {"n", 17}}, {{"batch", 5}, {"n", 33}}, {{"batch", 1}, {"n", 65}}};
}

MatrixCase fewRows(const std::string &input, std::vector<std::pair<std::string, std::string>> changes) {
  changes.insert(changes.end(), {{"dim = 128", "dim = 16"}, {"[32768]", "[256]"}});
  return {input, shortened(input, changes), fewRowSizes(), {{"j", 16}}};
}

/// Lengths of 0, 23 and more than n: entries that see no key, part of a chunk, all keys.
MatrixCase ofLengths() {
  MatrixCase c = fewRows("decode_gqa", {{"heads = 64", "heads = 12"},
                                        {"groups = 8", "groups = 3"},
                                        {"h / 8", "h / 4"},
                                        {"j < n", "j < std::min<std::int64_t>(n, 23 * length[b])"},
                                        {"n, const __bf16 *q", "n, const int *length, const __bf16 *q"},
                                        {"#include <cmath>", "#include <algorithm>\n#include <cmath>"}});
  c.name = "decode_lengths";
  return c;
}

std::vector<MatrixCase> fewRowCases() {
  return {fewRows("decode_causal", {{"heads = 32", "heads = 3"}}),
          fewRows("decode_alibi", {{"heads = 32", "heads = 3"}}),
          fewRows("decode_gqa", {{"heads = 64", "heads = 12"}, {"groups = 8", "groups = 3"}, {"h / 8", "h / 4"}}),
          fewRows("decode_softcap", {{"heads = 32", "heads = 6"}, {"groups = 16", "groups = 3"}}), ofLengths()};
}

/// The tile program that a target is given.
TileProgram programOf(const MatrixCase &c, Target target) {
  const ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  EXPECT_FALSE(replaceFile(options.file, c.text));
  options.target = target;
  options.arch = "sm_90a";
  if (target == Target::Cuda) options.tiles = c.tiles;
  options.dumpStage = "tile";
  const auto program = readText(transform(options).text);
  EXPECT_TRUE(program) << (program ? "" : program.refusal().reason);
  return program ? *program : TileProgram{};
}

/// For matrix units, and for a processor.
struct OnBothTargets {
  TileProgram program, reference;
};

OnBothTargets onBoth(const MatrixCase &c) { return {programOf(c, Target::Cuda), programOf(c, Target::Cpp)}; }

std::string headOf(const std::string &input, const std::string &heads, const std::string &groups,
                   const std::string &share) {
  const MatrixCase c =
      fewRows(input, {{"heads = 64", "heads = " + heads}, {"groups = 8", "groups = " + groups}, {"h / 8", share}});
  const std::string all = writeText(programOf(c, Target::Cuda));
  const std::size_t at = all.find("h_tile in ");
  return at == std::string::npos ? all : all.substr(at, 24);
}

class FewRows : public testing::TestWithParam<MatrixCase> {};

} // namespace

TEST_P(FewRows, AgreeWithTheSource) {
  const OnBothTargets both = onBoth(GetParam());
  ASSERT_FALSE(both.program.kernels.front().roles.empty()) << writeText(both.program);
  ASSERT_THAT(verify(both.program), IsEmpty());
  for (const Sizes &sizes : GetParam().sizes) {
    const Memory memory = memoryAt(both.program, sizes, sizes == GetParam().sizes.back() ? Slope::Steep : Slope::Flat);
    EXPECT_THAT(protocolFaults(both.program, memory), IsEmpty()) << text(sizes);
    EXPECT_EQ(fault(both.program, both.reference, memory), std::nullopt) << text(sizes);
  }
}

/// Rows of a box that belong to other tiles, or to none, leave nothing behind: also where they hold no numbers.
TEST_P(FewRows, ExceptionalRowsAgree) {
  const OnBothTargets both = onBoth(GetParam());
  const Memory start = memoryAt(both.program, {{"batch", 1}, {"n", 33}}, Slope::Flat);
  const double infinite = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t a = 0; a + 1 < start.arrays.size(); ++a)
    for (const double value : {-infinite, infinite, none}) {
      Memory memory = start;
      memory.arrays[a].second[memory.arrays[a].second.size() / 2] = value;
      EXPECT_EQ(fault(both.program, both.reference, memory), std::nullopt) << start.arrays[a].first << " " << value;
    }
}

INSTANTIATE_TEST_SUITE_P(Operators, FewRows, testing::ValuesIn(fewRowCases()),
                         [](const auto &info) { return info.param.name; });

/// As many rows come in a tile as share what is streamed: a power of two, aligned.
TEST(RowsThatShare, MakeATile) {
  EXPECT_THAT(headOf("decode_gqa", "64", "8", "h / 8"), HasSubstr("[0, 8)"));
  EXPECT_THAT(headOf("decode_gqa", "64", "8", "(h + 4) / 16"), HasSubstr("[0, 16)"));
  EXPECT_THAT(headOf("decode_gqa", "12", "2", "h / 6"), HasSubstr("[0, 6)"));
  EXPECT_THAT(headOf("decode_gqa", "12", "4", "h % 4"), HasSubstr("[0, 12)"));
}

/// What one of several loops streams alone counts: rows that have it for themselves share nothing.
TEST(RowsThatShare, ShareWhatAnyLoopStreams) {
  const auto rows = [](const std::string &element) {
    const Analysed t = analyse("void f(const float *x, const float *w, float *y) {\n  for (int i = 0; i < 64; i++) {\n"
                               "    float s = 0;\n    for (int j = 0; j < 16; j++)\n"
                               "      for (int l = 0; l < 32; l++) s += " +
                               element + ";\n    y[i] = s;\n  }\n}\n");
    for (const KernelPlan &plan : t.plan().kernels)
      for (const Phase &phase : plan.phases)
        if (phase.rolled.size() == 2) return rowsThatShare(t.system(), phase, 0);
    return std::int64_t{-1};
  };
  EXPECT_EQ(rows("x[i / 8 * 512 + j * 32 + l] * w[l]"), 8);
  EXPECT_EQ(rows("x[j * 32 + l] * w[i * 32 + l]"), 1);
}
