// Rows whose length is no multiple of what matrix units take, or known at run time alone.
#include "polymend/fixed_sizes.h"
#include "polymend/pipeline.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

using namespace polymend;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string sourceOf(const std::string &name) {
  std::ifstream file(std::string(POLYMEND_SOURCE_DIR) + "/tests/corpus/" + name + ".cpp");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What becomes of a corpus file in which `from` is `to`, for Hopper's units.
PipelineOutcome transformed(const std::string &name, const std::string &from = "", const std::string &to = "",
                            const std::string &stage = "", FloatMode fp = FloatMode::Algebraic) {
  std::string text = sourceOf(name);
  EXPECT_NE(text, "") << name;
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = text.find(from); !from.empty() && at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("widths_" + name + ".cpp");
  std::ofstream(file) << text;
  PipelineOptions options;
  options.file = file;
  options.target = Target::Cuda;
  options.arch = "sm_90a";
  options.fp = fp;
  options.dumpStage = stage;
  return transform(options);
}

} // namespace

TEST(Widths, RowsAreFilledUpToWholeUnits) {
  const std::string tile = transformed("rows_short_of_units", "", "", "tile").text;
  EXPECT_THAT(tile, HasSubstr("fragment sum : f32[192, 48]")) << tile;
  EXPECT_THAT(tile, HasSubstr("shared k_tile : bf16[128, 48]"));
  EXPECT_THAT(tile, HasSubstr("< 40")); // what is added is not stored
}

TEST(Widths, RowsThatChunksOfACopyDoNotFillStay) {
  const std::string tile = transformed("rows_short_of_units", "d = 40", "d = 36", "tile").text;
  EXPECT_THAT(tile, Not(HasSubstr("fragment")));
  EXPECT_THAT(tile, HasSubstr("do not fill matrix units"));
}

TEST(Widths, RowsThatArePartsOfWiderOnesEndWhereTheyAreRead) {
  EXPECT_THAT(transformed("rows_short_of_units", "* d + e]", "* 64 + e]", "tile").text,
              HasSubstr("fragment sum : f32[192, 48]"));
  // The next elements of a row are read by others: they are no zeros.
  const std::string later =
      transformed("rows_short_of_units", "q[(h * n + i) * d + e]", "q[(h * n + i) * 64 + e + 8]", "tile").text;
  EXPECT_THAT(later, Not(HasSubstr("fragment"))) << later;
}

TEST(Widths, CallsWithUsualLengthsRunVersionsOfTheirOwn) {
  const std::string text = transformed("width_of_heads").text;
  for (const std::string width : {"64", "128", "256"}) {
    EXPECT_THAT(text, HasSubstr("static cudaError_t width_of_heads_on_d" + width + "(cudaStream_t stream, int n,"));
    EXPECT_THAT(text,
                HasSubstr("if (d64 == " + width + ") return width_of_heads_on_d" + width + "(stream, n, m, d, heads"));
  }
  EXPECT_THAT(text, Not(HasSubstr("width_of_heads_on_d64(cudaStream_t stream, std::int64_t")));
  const std::string strict = transformed("width_of_heads", "", "", "", FloatMode::Strict).text;
  EXPECT_THAT(strict, HasSubstr("width_of_heads_on("));
  EXPECT_THAT(strict, Not(HasSubstr("width_of_heads_on_d")));
}

TEST(Widths, ARatioOfHeadsThatIsNotKnownLeavesSlicesKnown) {
  EXPECT_THAT(transformed("ratio_of_heads", "", "", "tile").text, HasSubstr("fragment"));
  // Points of the grid that are none of the source's would name slices that need not exist.
  const std::string some =
      transformed("ratio_of_heads", "for (int i = 0; i < n; i++) {", "for (int i = 0; i < n - h; i++) {", "tile").text;
  EXPECT_THAT(some, HasSubstr("how many elements")) << some;
}

TEST(Widths, ASizeOfOneValueStandsEverywhere) {
  Function function;
  function.sizes = {"n", "d"};
  const Expr d = Expr::symbol("d", Type::Int64);
  Array &array = function.arrays.emplace_back();
  array.name = "a";
  array.extents = {Expr::symbol("n", Type::Int64), d};
  function.derived = {{"nd", Expr::symbol("n", Type::Int64) * d}};
  const Function fixed = withSize(function, "d", 64);
  EXPECT_EQ(show(fixed.arrays.front().extents[1]), "64");
  EXPECT_EQ(show(fixed.derived.front().second), "64 * n");
  ASSERT_EQ(fixed.given.size(), 1U);
  EXPECT_EQ(show(fixed.given.front()), "d == 64");
}
