// The sizes that are run when nobody gives any: around the tiles, within a time, and told.
#include "check/run.h"
#include "polymend/tile.h"
#include "polymend/validate.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace polymend;

namespace {

Array pointer(const char *name, std::vector<Expr> extents) {
  Array array;
  array.name = name;
  array.extents = std::move(extents);
  array.storage = Array::Storage::Parameter;
  array.flat = true;
  return array;
}

/// for b < n, for h < `fixed`, for i < m, for j < m: y[b][i] += exp(x[b][j]).
CheckedFunction described(std::int64_t fixed = 1, const Expr &n = Expr::symbol("n", Type::Int64),
                          const Expr &m = Expr::symbol("m", Type::Int64)) {
  const Expr b = Expr::symbol("b", Type::Int64), i = Expr::symbol("i", Type::Int64), j = Expr::symbol("j", Type::Int64);
  const auto loop = [](const char *variable, const Expr &limit, const Node &body) {
    return std::make_shared<const Loop>(Loop{variable, variable, Expr::integer(0), limit, 1, {body}, {}});
  };
  const auto sum = std::make_shared<const Assign>(
      Assign{"y", {b * m + i}, Expr::make(Op::Exp, {Expr::read("x", {b * m + j}, Type::Float32)}), {}});
  CheckedFunction checked;
  checked.function.name = "f";
  checked.function.parameters = {
      {"n", Type::Int64, false}, {"m", Type::Int64, false}, {"x", Type::Float32, true}, {"y", Type::Float32, true}};
  checked.function.arrays = {pointer("x", {n, m}), pointer("y", {n, m})};
  checked.function.sizes = {"n", "m"};
  checked.function.body = {loop("b", n, loop("h", Expr::integer(fixed), loop("i", m, loop("j", m, sum))))};
  return checked;
}

bool holds(const SizePlan &plan, const Sizes &sizes) {
  return std::any_of(plan.runs.begin(), plan.runs.end(), [&](const SizedRun &run) { return run.sizes == sizes; });
}

/// What the whole plan takes, by estimate, but for what is run whatever it costs.
double secondsOf(const SizePlan &plan, const CheckedFunction &checked) {
  double total = 0;
  for (const auto &[sizes, kinds] : plan.runs) {
    const auto found = shapes(checked, sizes);
    const bool isSmall = sizes.at("n") == sizes.at("m") && sizes.at("n") <= 3;
    if (found && !isSmall)
      total += static_cast<double>(std::min(kinds, dataKinds(*found).size())) * secondsOf(checked, sizes, *found);
  }
  return total;
}

/// The same over one size: for i < n, for j < n.
CheckedFunction ofOneSize() {
  CheckedFunction checked = described(1, Expr::integer(1), Expr::symbol("n", Type::Int64));
  checked.function.sizes = {"n"};
  return checked;
}

double costAt(const CheckedFunction &checked, const Sizes &sizes) {
  const auto found = shapes(checked, sizes);
  EXPECT_TRUE(found);
  return found ? secondsOf(checked, sizes, *found) : 0;
}

} // namespace

TEST(UsualSizes, HoldEachConstantThatAParameterIsComparedWith) {
  CheckedFunction checked = described();
  checked.function.sizes.emplace_back("kind");
  const Expr kind = Expr::symbol("kind", Type::Int64);
  const auto nothing =
      std::make_shared<const Assign>(Assign{"y", {Expr::integer(0)}, Expr::real(0, Type::Float32), {}});
  const Expr isFour = Expr::make(Op::Eq, Type::Bool, {kind, Expr::integer(4)});
  const Expr isBelow = Expr::make(Op::Lt, Type::Bool, {kind, Expr::integer(12)});
  const Expr isAbove = Expr::make(Op::Lt, Type::Bool, {Expr::integer(20), kind});
  for (const Expr &condition : {isFour, isBelow, isAbove})
    checked.function.body.emplace_back(std::make_shared<const Branch>(Branch{condition, {nothing}, {}, {}}));
  const SizePlan plan = usualSizes(checked, 18);
  for (const std::int64_t value : {4, 11, 12, 20, 21})
    EXPECT_TRUE(std::ranges::any_of(plan.runs, [&](const SizedRun &run) { return run.sizes.at("kind") == value; }))
        << value;
}

TEST(UsualSizes, HoldTheEdgesOfATile) {
  const SizePlan plan = usualSizes(described(), 100);
  for (std::int64_t value : {0, 1, 63, 64, 65, 97, 129}) {
    EXPECT_TRUE(holds(plan, {{"n", value}, {"m", 5}})) << value;
    EXPECT_TRUE(holds(plan, {{"n", 3}, {"m", value}})) << value;
  }
  for (std::int64_t value : {0, 1, 3, 63, 64, 65, 97, 129})
    EXPECT_TRUE(holds(plan, {{"n", value}, {"m", value}})) << value;
  EXPECT_TRUE(plan.tooLong.empty());
}

/// A loop to n - m runs where m is smaller; one whose ends data decide may run as often as the largest size.
TEST(Cost, FollowsTheEndsOfLoops) {
  const Expr n = Expr::symbol("n", Type::Int64), m = Expr::symbol("m", Type::Int64);
  const auto cost = [](const Expr &first, const Expr &limit) {
    CheckedFunction checked = described();
    checked.function.body = {std::make_shared<const Loop>(Loop{"r", "r", first, limit, 1, checked.function.body, {}})};
    const Sizes sizes = {{"n", 300}, {"m", 30}};
    const auto found = shapes(checked, sizes);
    EXPECT_TRUE(found);
    return found ? secondsOf(checked, sizes, *found) : 0;
  };
  const double none = cost(n, n);
  EXPECT_GT(cost(Expr::integer(0), n - m), 2 * none);
  EXPECT_EQ(cost(Expr::integer(0), m - n), none);
  const Expr end = Expr::cast(Type::Int64, Expr::read("x", {Expr::integer(0)}, Type::Float32));
  EXPECT_GT(cost(end, end), 2 * none);
}

TEST(UsualSizes, FollowTheTilesOfTheResult) {
  CheckedFunction checked = described();
  checked.tiles = {{"m", {16, 40}}};
  const SizePlan plan = usualSizes(checked, 100);
  for (std::int64_t value : {0, 1, 15, 16, 17, 39, 40, 41, 81, 97})
    EXPECT_TRUE(holds(plan, {{"n", 3}, {"m", value}})) << value;
  EXPECT_FALSE(holds(plan, {{"n", 129}, {"m", 5}}));
}

TEST(UsualSizes, EndWithinTheTimeAndStillCrossTiles) {
  CheckedFunction checked = described(400);
  checked.tiles = {{"m", {64}}};
  const SizePlan plan = usualSizes(checked, 6);
  EXPECT_LE(secondsOf(plan, checked), 6);
  EXPECT_TRUE(holds(plan, {{"n", 0}, {"m", 0}}));
  EXPECT_TRUE(holds(plan, {{"n", 1}, {"m", 1}}));
  EXPECT_TRUE(holds(plan, {{"n", 1}, {"m", 129}}) || holds(plan, {{"n", 3}, {"m", 129}}));
  EXPECT_FALSE(holds(plan, {{"n", 97}, {"m", 97}}));
  EXPECT_NE(std::find(plan.tooLong.begin(), plan.tooLong.end(), Sizes{{"n", 97}, {"m", 97}}), plan.tooLong.end());
}

/// Without time only what always runs does, and of that nothing is told to be too long.
TEST(UsualSizes, WhatRunsIsNotTooLong) {
  const SizePlan plan = usualSizes(ofOneSize(), 0);
  for (std::int64_t value : {0, 1, 3}) {
    EXPECT_TRUE(holds(plan, {{"n", value}})) << value;
    EXPECT_EQ(std::count(plan.tooLong.begin(), plan.tooLong.end(), Sizes{{"n", value}}), 0) << value;
  }
  EXPECT_EQ(std::count(plan.tooLong.begin(), plan.tooLong.end(), Sizes{{"n", 129}}), 1);
}

/// More than two tiles are worth more of the time than any other size.
TEST(UsualSizes, SeveralTilesMayTakeHalfTheTime) {
  const CheckedFunction checked = ofOneSize();
  const double most = costAt(checked, {{"n", 129}}), ofRandomData = 1.0 / 3;
  EXPECT_TRUE(holds(usualSizes(checked, 2 * most / ofRandomData), {{"n", 129}}));
  EXPECT_FALSE(holds(usualSizes(checked, most / ofRandomData), {{"n", 129}}));
}

/// Several tiles in every size come before one tile in a single one.
TEST(UsualSizes, SeveralTilesTogetherComeEarly) {
  const CheckedFunction checked = described();
  const auto at = [&](std::int64_t n, std::int64_t m) { return costAt(checked, {{"n", n}, {"m", m}}); };
  const double before = at(129, 5) + at(3, 129), after = at(65, 5) + at(3, 65);
  const double share = 1.0 / 3, left = before + at(129, 129) / share + after / 2;
  EXPECT_TRUE(holds(usualSizes(checked, left / share), {{"n", 129}, {"m", 129}}));
}

/// Where all sizes beyond a tile take too long for every kind of data, each alone has them.
TEST(UsualSizes, EachSizeBeyondATileHasAllKindsOfData) {
  const CheckedFunction checked = described(400);
  const std::vector<Sizes> alone{{{"n", 65}, {"m", 5}}, {{"n", 3}, {"m", 65}}};
  double seconds = 0;
  for (const Sizes &sizes : alone) {
    const auto found = shapes(checked, sizes);
    ASSERT_TRUE(found);
    seconds += secondsOf(checked, sizes, *found) * static_cast<double>(dataKinds(*found).size());
  }
  const SizePlan plan = usualSizes(checked, 4 * seconds);
  for (const Sizes &sizes : alone) {
    const auto run =
        std::find_if(plan.runs.begin(), plan.runs.end(), [&](const SizedRun &one) { return one.sizes == sizes; });
    ASSERT_NE(run, plan.runs.end());
    EXPECT_EQ(run->kinds, dataKinds(*shapes(checked, sizes)).size());
  }
}

TEST(UsualSizes, OfAFunctionWithoutSizesAreItsOwn) {
  CheckedFunction checked = described(1, Expr::integer(6), Expr::integer(5));
  checked.function.sizes.clear();
  const SizePlan plan = usualSizes(checked, 6);
  ASSERT_EQ(plan.runs.size(), 1U);
  EXPECT_TRUE(plan.runs[0].sizes.empty());
  EXPECT_GE(plan.runs[0].kinds, 4U);
}

TEST(TileExtents, AreReadFromGridsAndLoops) {
  const auto program = readText(R"(program f
size n, m, k
array x : f32[n] written
kernel f grid (i in [0, floordiv(n - 1, 32) + 1) parallel, part in [0, 8) parallel) {
  for j in [64 * part, m) step 512 {
    x[i] = 0:f32
  }
  for l in [0, k) step 1 {
    x[i] = 0:f32
  }
}
)");
  ASSERT_TRUE(program) << program.refusal().reason;
  const std::map<std::string, std::set<std::int64_t>> wanted{{"n", {32}}, {"m", {64, 512}}};
  EXPECT_EQ(tileExtents(*program), wanted);
}

TEST(Table, TellsWhichSizesWereRun) {
  CheckTable table;
  for (const char *sizes : {"m=0,n=0", "m=1,n=1", "m=1,n=1"}) {
    CheckRun run;
    run.function = "f";
    run.sizes = sizes;
    run.data = "random";
    run.agrees = true;
    table.runs.push_back(run);
  }
  table.tooLong.emplace_back("f", "m=97,n=97");
  const std::string text = show(table);
  EXPECT_NE(text.find("f at m,n = 0,0  1,1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("f: these would take too long: 97,97\n"), std::string::npos) << text;
}
