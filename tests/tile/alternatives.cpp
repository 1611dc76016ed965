// Kernels that stand in for each other: large tiles where there are many, smaller ones where few would leave processors
// idle. Each computes what the source does; sizes choose exactly one.
#include "matrix_run.h"
#include "polymend/interpret.h"
#include "polymend/verify.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::IsEmpty;

namespace {

MatrixCase untiled(const std::string &heads) {
  return {"untiled",
          shortened("prefill_causal",
                    {{"heads = 32", "heads = " + heads}, {"dim = 128", "dim = 16"}, {"[32768]", "[256]"}}),
          {},
          {}};
}

/// The kernels with roles that run at these sizes.
std::vector<std::string> running(const TileProgram &program, std::int64_t batch, std::int64_t n) {
  tile::Environment env;
  env.integers = {{"batch", batch}, {"n", n}};
  std::vector<std::string> names;
  for (const Kernel &kernel : program.kernels)
    if (!kernel.roles.empty() && (!kernel.when || tile::evaluate(kernel.when, env).truth()))
      names.push_back(kernel.name);
  EXPECT_EQ(env.fault, std::nullopt);
  return names;
}

} // namespace

TEST(Alternatives, SizesChooseOneKernel) {
  const TileProgram program = lowerBoth(untiled("32")).program;
  const std::vector<std::string> wide{"prefill_causal_matrix"}, small{"prefill_causal_matrix_small"};
  EXPECT_EQ(running(program, 1, 1024), small); // 256 tiles of 128 rows: two rounds of 132, not two of 192 rows
  EXPECT_EQ(running(program, 1, 8192), wide);
  EXPECT_EQ(running(program, 16, 8192), wide);
  for (const std::int64_t n : {0, 1, 63, 129, 193, 2047, 4096, 5000, 32768})
    EXPECT_EQ(running(program, 1, n).size(), 1u) << n;
}

TEST(Alternatives, EachIsTheSource) {
  const OnBoth both = lowerBoth(untiled("2"));
  const std::vector<TileProgram> settled = alternatives(both.program);
  ASSERT_EQ(settled.size(), 2u);
  EXPECT_THAT(verify(both.program), IsEmpty());
  for (const TileProgram &program : settled) {
    EXPECT_THAT(verify(program), IsEmpty());
    ASSERT_EQ(running(program, 1, 0).size(), 1u);
    for (const std::int64_t n : {1, 65, 200}) {
      const Memory memory = memoryAt(program, {{"batch", 1}, {"n", n}}, Slope::Steep);
      EXPECT_THAT(protocolFaults(program, memory), IsEmpty()) << n;
      EXPECT_EQ(fault(program, both.reference, memory), std::nullopt) << program.kernels[0].name << " " << n;
    }
  }
}

/// Few rows: parts of the loop where the rows leave processors idle, with a kernel that combines them; else none.
MatrixCase fewRows(const std::string &heads) {
  return {
      "few_rows",
      shortened("decode_causal", {{"heads = 32", "heads = " + heads}, {"dim = 128", "dim = 16"}, {"[32768]", "[256]"}}),
      {},
      {}};
}

TEST(Alternatives, OnePartIsNoPart) {
  const TileProgram program = lowerBoth(fewRows("32")).program;
  const std::vector<std::string> parts{"decode_causal_matrix"}, whole{"decode_causal_whole_matrix"};
  for (const std::int64_t batch : {0, 1, 2}) EXPECT_EQ(running(program, batch, 200), parts) << batch;
  for (const std::int64_t batch : {3, 4, 16, 1000}) EXPECT_EQ(running(program, batch, 200), whole) << batch;
  ASSERT_EQ(program.kernels.size(), 4U); // each with the general kernel that follows it
  EXPECT_TRUE(equal(program.kernels[0].when, program.kernels[1].when));
  EXPECT_TRUE(equal(program.kernels[2].when, otherwise(program.kernels[0].when)));
  EXPECT_TRUE(equal(program.kernels[2].when, program.kernels[3].when));
  EXPECT_EQ(program.kernels[0].fallback, program.kernels[1].fallback);
  EXPECT_THAT(verify(program), IsEmpty());
}

TEST(Alternatives, EachOfFewRowsIsTheSource) {
  const OnBoth both = lowerBoth(fewRows("2"));
  const std::vector<TileProgram> settled = alternatives(both.program);
  ASSERT_EQ(settled.size(), 2U);
  for (const TileProgram &program : settled) {
    EXPECT_EQ(program.kernels.size(), 2U);
    EXPECT_THAT(verify(program), IsEmpty());
    for (const std::int64_t n : {0, 1, 65, 200}) {
      const Memory memory = memoryAt(program, {{"batch", 2}, {"n", n}}, Slope::Steep);
      EXPECT_THAT(protocolFaults(program, memory), IsEmpty()) << n;
      EXPECT_EQ(fault(program, both.reference, memory), std::nullopt) << program.kernels[0].name << " " << n;
    }
  }
}

TEST(Alternatives, TextKeepsTheCondition) {
  const TileProgram program = lowerBoth(untiled("32")).program;
  const auto again = readText(writeText(program));
  ASSERT_TRUE(again);
  EXPECT_TRUE(equal(*again, program));
  ASSERT_TRUE(again->kernels[0].when);
  TileProgram other = program;
  other.kernels[0].when = other.kernels[1].when;
  EXPECT_FALSE(equal(other, program));
}

/// A tile that was asked for has no other beside it.
TEST(Alternatives, AskedTilesStandAlone) {
  MatrixCase asked = untiled("2");
  asked.tiles = {{"i", 192}};
  EXPECT_EQ(alternatives(lowerBoth(asked).program).size(), 1u);
  EXPECT_FALSE(lowerBoth(asked).program.kernels[0].when);
}
