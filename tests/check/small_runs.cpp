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
