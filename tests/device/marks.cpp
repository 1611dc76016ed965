// Small laws that a map to a GPU rests on: bounds of extremes, which rows are never marked.
#include "device/marks.h"
#include "device/bounds.h"
#include "device/points_in_tile.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::device_room;

namespace {

Expr symbol(const std::string &name) { return Expr::symbol(name, Type::Int64); }

TileAssign marking(Update update, std::int64_t value) {
  return {{"odd", {symbol("i")}}, update, Expr::integer(value, Type::Int32), {}};
}

bool neverMarked(const std::vector<TileAssign> &assigned) {
  TileProgram program;
  Kernel kernel;
  kernel.fallback = "odd";
  kernel.roles.push_back({"compute", 1, 0, {assigned.begin(), assigned.end()}});
  program.kernels = {kernel};
  return isNeverMarked(program, "odd");
}

PointDim dim(const std::string &name, PointDim::Kind kind) { return {name, Expr::integer(0), symbol("n"), kind}; }

/// Marks at 64 I + i for rows i of a tile where a condition bounds `bounded`, and a general kernel of single rows.
bool marksWholeTiles(std::int64_t rows, const std::string &bounded) {
  TilePoints points;
  points.dims = {{"i", Expr::integer(0), Expr::integer(rows), PointDim::Kind::Parallel},
                 {"j", Expr::integer(0), Expr::integer(256), PointDim::Kind::Reduced}};
  points.body = {marking(Update::Max, 1)};
  points.body[0].target.subscripts = {Expr::integer(64) * symbol("I") + symbol("i")};
  points.body[0].where = Expr::make(Op::Lt, {symbol(bounded), Expr::integer(64)});
  Kernel roles, general;
  roles.fallback = general.fallback = "odd";
  roles.grid = {dim("I", PointDim::Kind::Parallel)};
  roles.roles.push_back({"compute", 1, 0, {std::make_shared<const TilePoints>(points)}});
  general.grid = {dim("i", PointDim::Kind::Parallel)};
  general.body = {TileAssign{{"y", {symbol("i")}}, Update::Set, Expr::read("odd", {symbol("i")}, Type::Int32), {}}};
  return pointsInTile(roles, general).has_value();
}

} // namespace

TEST(GpuBounds, AMaximumIsBoundedByBothSides) {
  const std::map<std::string, Interval> known = {{"i", {0, 10}}, {"j", {5, 7}}};
  const Interval most = boundsOf(Expr::make(Op::Max, {symbol("i"), symbol("j")}), known);
  EXPECT_EQ(most.low(), 5);
  EXPECT_EQ(most.high(), 10);
  const Interval least = boundsOf(Expr::make(Op::Min, {symbol("i"), symbol("j")}), known);
  EXPECT_EQ(least.low(), 0);
  EXPECT_EQ(least.high(), 7);
}

TEST(NeverMarked, MeansThatNothingButZeroIsSet) {
  EXPECT_TRUE(neverMarked({marking(Update::Set, 0), marking(Update::Set, 0)}));
  EXPECT_FALSE(neverMarked({marking(Update::Set, 1), marking(Update::Set, 0)}));
  EXPECT_FALSE(neverMarked({marking(Update::Set, 0), marking(Update::Max, 1)}));
  EXPECT_FALSE(neverMarked({marking(Update::Max, 0)}));
  EXPECT_FALSE(isNeverMarked({}, "odd"));
}

/// Rows of a tile are its own as far as a condition on them lets them run; one on columns does not.
TEST(PointsInTile, AreThoseThatAConditionOnRowsLeaves) {
  EXPECT_TRUE(marksWholeTiles(64, "j"));
  EXPECT_TRUE(marksWholeTiles(128, "i"));
  EXPECT_FALSE(marksWholeTiles(128, "j"));
}
