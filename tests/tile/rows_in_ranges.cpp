// Rows in ranges that are read from arrays, on matrix units: their tiles are in runs that no size tells the number of.
#include "matrix_run.h"
#include "polymend/interpret.h"
#include "polymend/verify.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

using Lengths = std::vector<std::int64_t>;

MatrixCase caseOf(const std::string &name, const std::string &arch) {
  return {name + "_" + arch, textOf("tests/corpus/" + name + ".cpp"), {}, MatrixCase{}.tiles, arch};
}

/// Memory for ranges of these lengths, one after the other from `first` on: arrays end with the last. Elements that
/// nobody writes stay as they are in both programs.
Memory memoryOf(const TileProgram &program, const Lengths &lengths, std::int64_t first) {
  Memory memory;
  tile::Environment env;
  for (const std::string &size : program.sizes) {
    const bool counts = size == "groups" || size == "batch";
    memory.sizes.emplace_back(size, counts ? static_cast<std::int64_t>(lengths.size()) : 21);
    env.integers[size] = memory.sizes.back().second;
  }
  std::vector<double> begins{static_cast<double>(first)};
  for (const std::int64_t length : lengths) begins.push_back(begins.back() + static_cast<double>(length));
  for (const TileArray &array : program.arrays) {
    if (array.space != Space::Argument) continue;
    std::int64_t count = 1;
    for (const Expr &extent : array.extents)
      count *= extent ? tile::evaluate(extent, env).integer() : static_cast<std::int64_t>(begins.back());
    std::vector<double> values;
    for (std::int64_t at = 0; at < count; ++at)
      values.push_back(roundTo(Type::BFloat16, static_cast<double>((at * 37 + array.name.back()) % 29) / 16 - 1));
    memory.arrays.emplace_back(array.name, isFloating(array.type) ? values : begins);
  }
  return memory;
}

/// Every length of a rest of a tile, empty ranges, none at all.
std::vector<Lengths> severalLengths() { return {{}, {0, 0}, {1}, {0, 5, 64, 0, 65, 0}, {3, 130}, {63, 0, 2}}; }

class RowsInRanges : public testing::TestWithParam<std::pair<const char *, const char *>> {};

} // namespace

TEST_P(RowsInRanges, AgreeWithTheSource) {
  const OnBoth both = lowerBoth(caseOf(GetParam().first, GetParam().second));
  ASSERT_TRUE(hasRoles(both.program)) << writeText(both.program);
  ASSERT_THAT(verify(both.program), IsEmpty());
  const auto again = readText(writeText(both.program));
  ASSERT_TRUE(again) << again.refusal().reason << " at line " << again.refusal().where.line;
  EXPECT_TRUE(equal(*again, both.program));
  for (const Lengths &lengths : severalLengths()) {
    const Memory memory = memoryOf(both.program, lengths, 0);
    EXPECT_THAT(protocolFaults(both.program, memory), IsEmpty());
    EXPECT_EQ(fault(both.program, both.reference, memory), std::nullopt) << lengths.size() << " ranges";
  }
  EXPECT_EQ(fault(both.program, both.reference, memoryOf(both.program, {7, 70}, 4)), std::nullopt);
}

TEST_P(RowsInRanges, AreComputedAgainWhereUnitsAreMissing) {
  const OnBoth both = lowerBoth(caseOf(GetParam().first, GetParam().second));
  const TileProgram marked = withoutRoles(both.program);
  ASSERT_THAT(verify(marked), IsEmpty());
  EXPECT_EQ(fault(marked, both.reference, memoryOf(marked, {0, 5, 64, 0, 65}, 0)), std::nullopt);
}

TEST_P(RowsInRanges, ExceptionalElementsStayInTheirRange) {
  const OnBoth both = lowerBoth(caseOf(GetParam().first, GetParam().second));
  const Memory start = memoryOf(both.program, {3, 0, 66, 9}, 0);
  for (std::size_t a = 0; a < start.arrays.size(); ++a)
    for (const double value : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      Memory memory = start;
      std::vector<double> &values = memory.arrays[a].second;
      if (values.size() < 64) continue; // where ranges begin
      values[values.size() / 2] = value;
      EXPECT_EQ(fault(both.program, both.expected, memory), std::nullopt) << start.arrays[a].first << " " << value;
    }
}

/// A ticket order that leaves out a run, or comes to tiles that are none, is found.
TEST_P(RowsInRanges, TicketsThatMissATileAreFound) {
  const OnBoth both = lowerBoth(caseOf(GetParam().first, GetParam().second));
  for (const std::int64_t wrong : {-1, 1}) {
    TileProgram changed = both.program;
    for (Kernel &kernel : changed.kernels)
      if (kernel.order && kernel.order->runs)
        kernel.order->runs->length = kernel.order->runs->length + Expr::integer(wrong);
    const auto found = fault(changed, both.reference, memoryOf(changed, {3, 70}, 0));
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, HasSubstr("does not visit every grid point once"));
  }
}

INSTANTIATE_TEST_SUITE_P(Tile, RowsInRanges,
                         testing::Values(std::pair("grouped_product", "sm_90a"), std::pair("grouped_product", "sm_80"),
                                         std::pair("causal_in_ranges", "sm_90a"),
                                         std::pair("causal_in_ranges", "sm_80")),
                         [](const auto &info) { return std::string(info.param.first) + "_" + info.param.second; });

/// Elements of rows that the source leaves out may be nobody's: no tile may hold them.
TEST(RangesOnThreads, RowsAreLeftOut) {
  const auto refusalOf = [](const std::string &from, const std::string &to) {
    MatrixCase changed = caseOf("grouped_product", "sm_90a");
    changed.text = replacedAll(changed.text, from, to);
    const TileProgram program = lowerBoth(changed).program;
    EXPECT_FALSE(hasRoles(program)) << writeText(program);
    return program.plain.empty() ? "" : program.plain.front().reason;
  };
  EXPECT_THAT(refusalOf("    for (std::int64_t i = off", "    if (g % 2 == 0) for (std::int64_t i = off"),
              HasSubstr("some rows of a range that is read from arrays are left out"));
  EXPECT_NE(refusalOf("l < p; l++)", "l < offset[g]; l++)"), "");
}
