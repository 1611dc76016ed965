// Ranges that are read from arrays: what stands for them, and what one number in their place would hide.
#include "nest.h"

using namespace polymend;
using namespace polymend::test;

namespace {

const Expr i = variable("i"), k = variable("k");

Expr end(const Expr &row) { return Expr::read("row", {row}, Type::Int32); }

/// for (k = row[i]; k < row[i + 1]; ++k), as the parser leaves it.
Node range(const std::string &name, Body body) {
  Loop result{name, name, integer(0), Expr::symbol("L", Type::Int64), 1, std::move(body), line(1)};
  result.origin = end(i);
  return std::make_shared<const Loop>(result);
}

Function rows(Body body, const Array &sum = parameter("sum", {})) {
  Array row = flat("row");
  row.type = Type::Int32;
  Function result = function({"N"}, {row, flat("x"), parameter("y", {Expr()}), sum}, {loop("i", "N", std::move(body))});
  result.dataSizes = {{"L", end(i + integer(1)) - end(i), line(2)}};
  return result;
}

Node add(const std::string &array, const std::vector<Expr> &subscripts, const std::string &variableOfRange) {
  return assign(array, subscripts, at(array, subscripts) + at("x", {end(i) + variable(variableOfRange)}), 3);
}

std::string whyNot(const Function &function) {
  const auto scop = tryModel(function);
  return scop ? "" : scop.refusal().reason;
}

TEST(DataSizes, AreParametersThatReadArrays) {
  const Scop scop = modelled(rows({assign("y", {i}, real(0)), range("k", {add("y", {i}, "k")})}));
  EXPECT_EQ(scop.parameters, (std::vector<std::string>{"N", "L"}));
  EXPECT_SAME(scop.statements[1].domain, setOf(scop, "[N, L] -> { S1[i, k] : 0 <= i < N and 0 <= k < L }"));
  ASSERT_EQ(scop.bounds.size(), 1U);
  ASSERT_EQ(scop.bounds[0].reads.size(), 2U);
  EXPECT_SAME(scop.bounds[0].reads[0].relation, mapOf(scop, "[N] -> { L[i] -> row[i + 1] : 0 <= i < N }"));
  EXPECT_EQ(loopsOf(scop.dataSizes[0], scop), std::set<std::string>{"i"});
  EXPECT_TRUE(dependsOnData(scop.statements[1].domain, scop));
  EXPECT_SAME(withoutDataSizes(scop.statements[1].domain, scop),
              setOf(scop, "[N] -> { S1[i, k] : 0 <= i < N and 0 <= k }"));
}

TEST(DataSizes, OfOneTurnHideNothingOfOthers) {
  const std::string shared = "ranges read from arrays decide which turns of 'i' share elements of ";
  EXPECT_EQ(whyNot(rows({range("k", {add("sum", {}, "k")})})), shared + "'sum', which is known at run time alone");
  EXPECT_EQ(whyNot(rows({range("k", {assign("y", {k}, real(0))})})), shared + "'y', which is known at run time alone");
  EXPECT_EQ(whyNot(rows({range("k", {add("y", {i}, "k")})})), "");
}

TEST(DataSizes, AScalarThatIsSetInEachTurnIsOfThatTurn) {
  const Node set = assign("sum", {}, real(0)), use = range("k", {add("sum", {}, "k")});
  const Node store = assign("y", {i}, at("sum")), early = range("j", {assign("y", {i}, at("y", {i}) + at("sum"))});
  EXPECT_EQ(whyNot(rows({set, use, store})), "");
  EXPECT_EQ(whyNot(rows({set, use, store}, local("sum"))), "");
  EXPECT_NE(whyNot(rows({early, set, use})), "") << "the turn before decides what is read";
  EXPECT_NE(whyNot(rows({branch(operation(Op::Lt, {integer(3), i}), {set}), use})), "") << "not in each turn";
}

} // namespace
