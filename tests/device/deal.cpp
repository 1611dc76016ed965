#include "device/map/groups.h"

#include "device/depends.h"

#include <gtest/gtest.h>

namespace polymend::device_room {
namespace {

/// A sum over elements [first, 64) of a row in shared memory, by a block of so many threads.
struct RowSum {
  TileArray row, sum;
  TilePoints points;
  Memory memory;
  Scope scope;

  RowSum(const Expr &first, int threads) : scope({}, false) {
    row.name = "row";
    row.type = sum.type = Type::Float32;
    row.extents = {Expr::integer(64)};
    sum.name = "sum";
    scope.enter(row);
    scope.enter(sum);
    memory.tiles = {"row"};
    memory.replicated = {"sum"};
    memory.threads = threads;
    points.dims = {{"j", first, Expr::integer(64), PointDim::Kind::Reduced}};
    points.body = {{{"sum", {}}, Update::Sum, Expr::read("row", {Expr::symbol("j", Type::Int64)}, Type::Float32), {}}};
  }
  std::string owner() {
    const DeviceDeal deal = dealOf(points, memory, scope);
    EXPECT_EQ(deal.form, DeviceDeal::Form::Whole);
    return ownerOf("row", deal, memory.threads);
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

/// At each i, for j: y[i] = max(y[i], `read`).
DeviceDeal choosing(const Expr &read, std::vector<TileAssign> more = {}) {
  const Expr i = Expr::symbol("i", Type::Int64), n = Expr::symbol("n", Type::Int64);
  DeviceDeal deal;
  deal.points.dims = {{"i", Expr::integer(0), n, PointDim::Kind::Parallel},
                      {"j", Expr::integer(0), n, PointDim::Kind::Serial}};
  const Expr soFar = Expr::read("y", {i}, Type::Float32);
  deal.points.body = {{{"y", {i}}, Update::Set, Expr::make(Op::Max, Type::Float32, {soFar, read}), {}}};
  deal.points.body.insert(deal.points.body.end(), more.begin(), more.end());
  DealtDim dealt;
  dealt.dim = 0;
  dealt.first = Expr::integer(0);
  dealt.limit = n;
  deal.dealt = {dealt};
  return deal;
}

TEST(Turns, SetTheSameElementsWhereNothingElseOfTheirArraysIsMet) {
  const Expr i = Expr::symbol("i", Type::Int64), j = Expr::symbol("j", Type::Int64);
  const Expr other = Expr::read("x", {j}, Type::Float32);
  EXPECT_TRUE(setsTheSame(choosing(other)));
  EXPECT_TRUE(setsTheSame(choosing(Expr::read("y", {i + Expr::integer(1)}, Type::Float32))));
  EXPECT_FALSE(setsTheSame(choosing(Expr::read("y", {j}, Type::Float32))));
  EXPECT_TRUE(setsTheSame(choosing(other, {{{"at", {i}}, Update::Set, j, {}}})));
  EXPECT_FALSE(setsTheSame(choosing(other, {{{"at", {j}}, Update::Set, j, {}}})));
  EXPECT_FALSE(setsTheSame(choosing(other, {{{"y", {i}}, Update::Set, other, {}}})));
  DeviceDeal all = choosing(other);
  all.dealt.clear();
  EXPECT_FALSE(setsTheSame(all)) << "two dimensions are not dealt out";
}

/// A group's thread rounds no product that it adds, but for the source's own bits.
TEST(Deals, SayWhichProductsAreAddedUnrounded) {
  RowSum squares(Expr::integer(0), 256);
  const Expr element = squares.points.body.front().value;
  EXPECT_TRUE(dealOf(squares.points, squares.memory, squares.scope).fused.empty());
  squares.points.body.front().value = element * element;
  EXPECT_EQ(dealOf(squares.points, squares.memory, squares.scope).fused, std::set<std::size_t>{0});
  Scope strict({}, true);
  strict.enter(squares.row);
  strict.enter(squares.sum);
  EXPECT_TRUE(dealOf(squares.points, squares.memory, strict).fused.empty());
}

/// { s += x[j]; x[j] = s } for j < n, and what follows it: is x steady while a group runs it?
bool staysAsRead(const std::vector<TileNode> &then) {
  Scope scope({}, false);
  TileArray x, y, s;
  x.name = "x";
  y.name = "y";
  x.extents = y.extents = {Expr::symbol("n", Type::Int64)};
  s.name = "s";
  for (const TileArray *a : {&x, &y, &s}) scope.enter(*a);
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
  const auto plan = planGroups(body, {}, {"s"}, scope, true);
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
} // namespace polymend::device_room
