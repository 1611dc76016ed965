#include "print/gpu/gpu_group.h"

#include <gtest/gtest.h>

namespace polymend::print_room {
namespace {

/// A sum over elements [first, 64) of a row in shared memory, by a block of so many threads.
struct RowSum {
  PrintOptions options;
  TileArray row, sum;
  TilePoints points;
  Memory memory;
  Context context;

  RowSum(const Expr &first, int threads) : context{options, tableOf(Target::Cuda), Names(""), {}, {}, {}, {}, {}, {}} {
    row.name = "row";
    row.type = sum.type = Type::Float32;
    row.extents = {Expr::integer(64)};
    sum.name = "sum";
    context.places["row"] = {&row, Shape::Native};
    context.places["sum"] = {&sum, Shape::Native};
    memory.tiles = {"row"};
    memory.replicated = {"sum"};
    memory.threads = threads;
    points.dims = {{"j", first, Expr::integer(64), PointDim::Kind::Reduced}};
    points.body = {{{"sum", {}}, Update::Sum, Expr::read("row", {Expr::symbol("j", Type::Int64)}, Type::Float32), {}}};
  }
  std::string owner() {
    const RegionPlan plan = planRegion(points, memory, context);
    EXPECT_EQ(plan.form, RegionPlan::Form::Whole);
    return ownerOf("row", points, plan);
  }
};

TEST(Owners, ElementsOfASumOfAllThreadsAreTheThreadsOwn) {
  EXPECT_EQ(RowSum(Expr::integer(0), 256).owner(), "by 0:0+64");
  EXPECT_EQ(RowSum(Expr::integer(0), 64).owner(), "by 0:0+64");
}

TEST(Owners, AreUnknownWhereThreadsGoOnWithOtherElements) { EXPECT_EQ(RowSum(Expr::integer(0), 32).owner(), ""); }

TEST(Owners, AreUnknownWhereTheFirstElementIsNotThatOfTheFirstThread) {
  EXPECT_EQ(RowSum(Expr::integer(2), 256).owner(), "");
  // At least zero, and no more is known.
  EXPECT_EQ(RowSum(Expr::make(Op::Max, Type::Int64, {Expr::symbol("i", Type::Int64), Expr::integer(0)}), 256).owner(),
            "");
}

/// { s += x[j]; x[j] = s } for j < n, and what follows it: is x steady while a group runs it?
bool staysAsRead(const std::vector<TileNode> &then) {
  const PrintOptions options;
  Context context{options, tableOf(Target::Cuda), Names(""), {}, {}, {}, {}, {}, {}};
  TileArray x, y, s;
  x.name = "x";
  y.name = "y";
  x.extents = y.extents = {Expr::symbol("n", Type::Int64)};
  s.name = "s";
  for (const TileArray *a : {&x, &y}) context.places[a->name] = {a, Shape::Linear};
  context.places["s"] = {&s, Shape::Native};
  const auto region = [](PointDim::Kind kind, const TileAssign &assign) {
    TilePoints points;
    points.dims = {{"j", Expr::integer(0), Expr::symbol("n", Type::Int64), kind}};
    points.body = {assign};
    return std::make_shared<const TilePoints>(points);
  };
  const std::vector<Expr> j = {Expr::symbol("j", Type::Int64)};
  const Expr sum = Expr::read("s", {}, Type::Float32);
  TileBlock body = {
      region(PointDim::Kind::Reduced, {{"s", {}}, Update::Sum, Expr::read("x", j, Type::Float32), {}}),
      region(PointDim::Kind::Parallel, {{"x", j}, Update::Set, Expr::read("x", j, Type::Float32) * sum, {}})};
  body.insert(body.end(), then.begin(), then.end());
  const auto plan = planGroups(body, {}, {"s"}, context);
  return plan && plan->memory.readOnly.contains("x");
}

TEST(Groups, HoldWhatTheLastRegionAloneWrites) {
  const Expr first = Expr::read("x", {Expr::integer(0)}, Type::Float32);
  EXPECT_TRUE(staysAsRead({}));
  EXPECT_TRUE(
      staysAsRead({TileAssign{{"y", {Expr::integer(0)}}, Update::Set, Expr::read("s", {}, Type::Float32), {}}}));
  EXPECT_FALSE(staysAsRead({TileAssign{{"y", {Expr::integer(0)}}, Update::Set, first, {}}}));
}

} // namespace
} // namespace polymend::print_room
