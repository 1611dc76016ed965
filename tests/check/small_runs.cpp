// Sizes on which a program and its source are interpreted: around each tile, of the plan and of kernels with roles.
#include "check/small_runs.h"

#include <gmock/gmock.h>

using namespace polymend;
using testing::IsSubsetOf;
using testing::Not;

namespace {

/// A program of one size with a tile of so many elements.
TileProgram withTile(Space space, const Expr &extent) {
  TileArray tile;
  tile.name = "t";
  tile.space = space;
  tile.extents = {extent};
  Kernel kernel;
  kernel.tiles = {tile};
  TileProgram program;
  program.sizes = {"n"};
  program.kernels = {kernel};
  return program;
}

std::vector<std::int64_t> valuesOf(const TileProgram &program, const Schedule &schedule = {}) {
  std::vector<std::int64_t> result;
  for (const Values &sizes : sizesToRun(program, schedule)) result.push_back(sizes.at("n"));
  return result;
}

const std::vector<std::int64_t> around{95, 96, 97, 289};

} // namespace

TEST(SmallRuns, StandAroundTilesOfRoles) {
  EXPECT_THAT(around, IsSubsetOf(valuesOf(withTile(Space::Shared, Expr::integer(96)))));
  EXPECT_THAT(around, IsSubsetOf(valuesOf(withTile(Space::Fragment, Expr::integer(96)))));
  EXPECT_THAT(around, Not(IsSubsetOf(valuesOf(withTile(Space::Thread, Expr::integer(96))))));
  EXPECT_THAT(around, Not(IsSubsetOf(valuesOf(withTile(Space::Shared, Expr::symbol("n", Type::Int64))))));
}

TEST(SmallRuns, StandAroundTilesAndChunksOfThePlan) {
  Schedule tiled, chunked;
  tiled.kernels.emplace_back().tiles = {96};
  KernelPlan &inTwo = chunked.kernels.emplace_back();
  inTwo.phases.emplace_back().chunks = {48};
  inTwo.parts = 2;
  EXPECT_THAT(around, IsSubsetOf(valuesOf(withTile(Space::Thread, Expr::integer(1)), tiled)));
  EXPECT_THAT(around, IsSubsetOf(valuesOf(withTile(Space::Thread, Expr::integer(1)), chunked)));
}

TEST(SmallRuns, AreSuchAsTheProgramRestsOn) {
  const Expr n = Expr::symbol("n", Type::Int64);
  TileProgram program = withTile(Space::Shared, Expr::integer(96));
  program.given = Expr::make(Op::Eq, {Expr::make(Op::Mod, {n, Expr::integer(3)}), Expr::integer(0)});
  const std::vector<std::int64_t> values = valuesOf(program);
  EXPECT_THAT(values, testing::Each(testing::ResultOf([](std::int64_t n) { return n % 3; }, 0)));
  EXPECT_THAT((std::vector<std::int64_t>{0, 3, 96, 99}), IsSubsetOf(values));
}

TEST(SmallRuns, AreNoneWhereTheProgramNeverRuns) {
  TileProgram program = withTile(Space::Shared, Expr::integer(96));
  program.given = Expr::make(Op::Lt, {Expr::symbol("n", Type::Int64), Expr::integer(0)});
  EXPECT_THAT(valuesOf(program), testing::IsEmpty());
}

namespace {

/// y[i] = x[t[i] * step] for the rows of one kernel, where x has no extent.
TileProgram gathering(std::int64_t step) {
  const Expr n = Expr::symbol("n", Type::Int64), i = Expr::symbol("i", Type::Int64);
  const auto argument = [](const std::string &name, Type type, const Expr &extent, bool written) {
    TileArray array;
    array.name = name;
    array.type = type;
    array.space = Space::Argument;
    array.extents = {extent};
    array.written = written;
    return array;
  };
  const Expr index = Expr::make(Op::Mul, {Expr::read("t", {i}, Type::Int32), Expr::integer(step)});
  Kernel kernel;
  kernel.name = "kernel";
  kernel.grid = {{"i", Expr::integer(0), n}};
  TileAssign assign;
  assign.target = {"y", {i}};
  assign.value = Expr::read("x", {index}, Type::Float32);
  kernel.body = {assign};
  TileProgram program;
  program.function = "gathering";
  program.sizes = {"n"};
  program.arrays = {argument("y", Type::Float32, n, true), argument("t", Type::Int32, n, false),
                    argument("x", Type::Float32, Expr(), false)};
  program.kernels = {kernel};
  return program;
}

} // namespace

TEST(SmallRuns, HaveRoomWhereverTheSourceReadsAnArrayOfUnknownExtent) {
  for (const std::int64_t step : {1, 100, -100}) {
    const TileProgram program = gathering(step);
    Result<Memory> memory = memoryFor(program, program, {{"n", 30}});
    ASSERT_TRUE(memory) << memory.refusal().reason;
    const std::vector<double> indices = memory->arrays[1].second;
    EXPECT_EQ(interpret(program, *memory), std::nullopt);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      const auto at = static_cast<std::int64_t>(indices[k]) * step + memory->origins["x"];
      EXPECT_EQ(memory->arrays[0].second[k], memory->arrays[2].second[static_cast<std::size_t>(at)]);
    }
    EXPECT_EQ(memory->origins["x"] > 0, step < 0);
  }
}

TEST(SmallRuns, AreRefusedWhereAnArrayOfUnknownExtentIsReadFarAway) {
  const TileProgram program = gathering(std::int64_t{1} << 40);
  EXPECT_FALSE(memoryFor(program, program, {{"n", 30}}));
}
