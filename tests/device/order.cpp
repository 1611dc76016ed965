// How the points of a region are walked: which of its assignments have loops of their own.
#include "device/order.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::device_room;

namespace {

Expr variable(const char *name) { return Expr::symbol(name, Type::Int64); }

Expr element(const char *array, const char *first, const char *second) {
  return Expr::read(array, {variable(first), variable(second)}, Type::Float32);
}

/// for i < n, for j < m: p[i][j] = `value`, q[j][i] = `other`: no order runs along both targets.
std::size_t partsOf(const Expr &value, const Expr &other) {
  const TilePoints points{{{"i", Expr::integer(0), variable("n")}, {"j", Expr::integer(0), variable("m")}},
                          {{{"p", {variable("i"), variable("j")}}, Update::Set, value, {}},
                           {{"q", {variable("j"), variable("i")}}, Update::Set, other, {}}}};
  return distribute(points, false).size();
}

} // namespace

TEST(Order, GivesAssignmentsThatReadOtherArraysLoopsOfTheirOwn) {
  EXPECT_EQ(partsOf(element("x", "i", "j"), element("y", "j", "i")), 2U);
  EXPECT_EQ(partsOf(element("x", "i", "j"), element("x", "j", "i")), 2U);
  EXPECT_EQ(partsOf(Expr::symbol("q", Type::Float32), element("y", "j", "i")), 2U);
}

TEST(Order, KeepsAssignmentsTogetherOfWhichOneReadsTheOther) {
  EXPECT_EQ(partsOf(element("x", "i", "j"), element("p", "i", "j")), 1U);
  EXPECT_EQ(partsOf(element("q", "j", "i"), element("y", "j", "i")), 1U);
}

/// What strides through its target stays outside of what runs along a row, also where that keeps its order.
TEST(Order, TheLastDimensionMayBeTheInnermost) {
  const Expr i = variable("i"), j = variable("j");
  const TileAssign sum{{"y", {Expr::integer(2) * i}}, Update::Sum, Expr::read("x", {i, j}, Type::Float32), {}};
  for (const PointDim::Kind kind : {PointDim::Kind::Serial, PointDim::Kind::Reduced}) {
    const TilePoints points{{PointDim{"i", Expr::integer(0), variable("n"), PointDim::Kind::Parallel},
                             PointDim{"j", Expr::integer(0), variable("n"), kind}},
                            {sum}};
    EXPECT_EQ(chooseOrder(points, true), (std::vector<std::size_t>{0, 1}));
  }
}
