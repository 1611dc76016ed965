// What is a reduction, in which form, and what only looks like one.
#include "../model/nest.h"

#include "polymend/deps.h"

using namespace polymend;
using namespace polymend::test;

namespace {

const Expr i = variable("i"), j = variable("j"), n = variable("N");
const Expr s = at("s"), x = at("x", {i});

/// The Scop keeps the context of the dependences alive.
struct Analysed {
  explicit Analysed(const Function &f) : scop(modelled(f)), result(analyse(scop)) {
    if (!result) throw std::runtime_error(result.refusal().reason);
  }
  [[nodiscard]] const std::vector<Reduction> &reductions() const { return result->reductions; }
  Scop scop;
  Result<Dependences> result;
};

/// What is left of a reduction once the isl objects are gone.
struct Form {
  Monoid monoid = Monoid::Sum;
  bool comparison = false;
  Expr element;
  std::vector<bool> reduced;
};

/// The reduction of `s = value` over a loop i, if it is one; s is returned.
std::optional<Form> accumulated(const Expr &value) {
  const Analysed deps(function({"N"}, {parameter("x", {Expr()}), array("s", {}, Array::Storage::Return)},
                               {assign("s", {}, real(0)), loop("i", "N", {assign("s", {}, value)})}));
  if (deps.reductions().empty()) return std::nullopt;
  const Reduction &first = deps.reductions()[0];
  return Form{first.monoid, first.comparison, first.element, first.reduced};
}

void expectForm(const Expr &value, Monoid monoid, bool comparison, const std::string &element) {
  const std::optional<Form> found = accumulated(value);
  ASSERT_TRUE(found) << show(value);
  EXPECT_EQ(found->monoid, monoid) << show(value);
  EXPECT_EQ(found->comparison, comparison) << show(value);
  EXPECT_EQ(show(found->element), element);
  EXPECT_EQ(found->reduced, std::vector<bool>{true});
}

Expr choose(const Expr &c, const Expr &a, const Expr &b) { return Expr::make(Op::Select, Type::Float32, {c, a, b}); }
Expr lt(const Expr &a, const Expr &b) { return operation(Op::Lt, {a, b}); }
Expr le(const Expr &a, const Expr &b) { return operation(Op::Le, {a, b}); }

TEST(Reduction, SumsInTheirForms) {
  expectForm(s + x, Monoid::Sum, false, "x[i]");
  expectForm(x + s, Monoid::Sum, false, "x[i]");
  expectForm(s - x, Monoid::Sum, false, "-x[i]");
  expectForm(s + x * x - x, Monoid::Sum, false, show(x * x - x));
  expectForm(Expr::make(Op::Cast, Type::Float32, {s + x}), Monoid::Sum, false, "x[i]");
  EXPECT_FALSE(accumulated(x - s));
  EXPECT_FALSE(accumulated(Expr::cast(Type::Float32, Expr::cast(Type::Float64, s) + Expr::cast(Type::Float64, x))));
}

TEST(Reduction, SumsInHalfTakeInWhatHalfHolds) {
  const auto taken = [](const Expr &right, Op op = Op::Add) {
    const Expr half = Expr::read("h", {}, Type::Float16);
    const Expr value = Expr::cast(Type::Float16, operation(op, {Expr::cast(Type::Float32, half), right}));
    Array sum = array("h", {}, Array::Storage::Return);
    Array each = parameter("e", {Expr()});
    sum.type = each.type = Type::Float16;
    const Analysed deps(function(
        {"N"}, {each, sum}, {assign("h", {}, Expr::real(0, Type::Float16)), loop("i", "N", {assign("h", {}, value)})}));
    return deps.reductions().empty() ? std::string() : show(deps.reductions()[0].element);
  };
  const Expr e = Expr::cast(Type::Float32, Expr::read("e", {variable("i")}, Type::Float16));
  EXPECT_EQ(taken(e), "e[i]");
  EXPECT_EQ(taken(e, Op::Sub), "-e[i]");
  EXPECT_EQ(taken(operation(Op::Neg, {e})), "-e[i]");
  EXPECT_EQ(taken(real(0.5)), "0.5");
  EXPECT_EQ(taken(real(0.3)), "") << "half holds another number";
  EXPECT_EQ(taken(e * e), "") << "the product would be rounded before it is taken in";
  EXPECT_EQ(taken(e, Op::Div), "") << "so would the reciprocal";
}

TEST(Reduction, ProductsAndQuotients) {
  expectForm(s * x, Monoid::Product, false, "x[i]");
  const std::optional<Form> quotient = accumulated(operation(Op::Div, {s, x}));
  ASSERT_TRUE(quotient);
  EXPECT_EQ(quotient->monoid, Monoid::Product);
  EXPECT_EQ(quotient->element.op(), Op::Div);
  EXPECT_FALSE(accumulated(operation(Op::Div, {x, s})));
  EXPECT_FALSE(accumulated((s + x) * x));
  EXPECT_FALSE(accumulated(s * s));
}

TEST(Reduction, ExtremaByCallAndByComparison) {
  expectForm(operation(Op::Max, {s, x}), Monoid::Max, true, "x[i]");
  expectForm(operation(Op::FMax, {x, s}), Monoid::Max, false, "x[i]");
  expectForm(operation(Op::FMin, {s, x}), Monoid::Min, false, "x[i]");
  expectForm(choose(lt(s, x), x, s), Monoid::Max, true, "x[i]");
  expectForm(choose(lt(x, s), s, x), Monoid::Max, true, "x[i]");
  expectForm(choose(le(x, s), x, s), Monoid::Min, true, "x[i]");
  expectForm(choose(le(s, x), s, x), Monoid::Min, true, "x[i]");
  EXPECT_FALSE(accumulated(choose(lt(s, x), s + x, s)));
  EXPECT_FALSE(accumulated(choose(lt(s, real(0)), x, s)));
}

TEST(Reduction, GuardedUpdatesTakeTheNeutralElement) {
  const Expr c = lt(x, real(3));
  expectForm(choose(c, s + x, s), Monoid::Sum, false, show(choose(c, x, Expr::real(-0.0))));
  const Expr least = neutral(Monoid::Max, Type::Float32);
  expectForm(choose(c, s, operation(Op::Max, {s, x})), Monoid::Max, true, show(choose(c, least, x)));
  expectForm(choose(operation(Op::And, {c, lt(s, x)}), x, s), Monoid::Max, true, show(choose(c, x, least)));
  EXPECT_FALSE(accumulated(choose(c, s + x, s * x)));
  EXPECT_FALSE(accumulated(choose(c, s + x, x)));
}

TEST(Reduction, AffineGuardStillMakesOneChain) {
  const std::optional<Form> found = accumulated(choose(lt(i, n - integer(2)), s + x, s));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->monoid, Monoid::Sum);
}

TEST(Reduction, FirstAndLastOfAChain) {
  const Scop scop = modelled(matrixProduct());
  const Dependences deps = *analyse(scop);
  ASSERT_EQ(deps.reductions.size(), 1U);
  const Reduction &sum = deps.reductions[0];
  EXPECT_EQ(sum.reduced, (std::vector<bool>{false, false, true}));
  EXPECT_SAME(sum.first, setOf(scop, "[N,M,K] -> { S1[i,j,0] : 0<=i<N and 0<=j<M and K>0 }"));
  EXPECT_SAME(sum.last, setOf(scop, "[N,M,K] -> { S1[i,j,K-1] : 0<=i<N and 0<=j<M and K>0 }"));
  EXPECT_EQ(deps.reductionOf(1), &deps.reductions[0]);
  EXPECT_EQ(deps.reductionOf(0), nullptr);
}

TEST(Reduction, AlongTwoLoops) {
  const Scop scop = modelled(function(
      {"N", "M", "K"}, {parameter("x", {Expr(), variable("K")}), parameter("y", {Expr()})},
      {loop("i", "N",
            {loop("j", "M", {loop("k", "K", {assign("y", {i}, at("y", {i}) + at("x", {j, variable("k")}))})})})}));
  const Dependences deps = *analyse(scop);
  ASSERT_EQ(deps.reductions.size(), 1U);
  EXPECT_EQ(deps.reductions[0].reduced, (std::vector<bool>{false, true, true}));
  EXPECT_SAME(deps.reductions[0].first, setOf(scop, "[N,M,K] -> { S0[i,0,0] : 0<=i<N and M>0 and K>0 }"));
}

TEST(Reduction, AScanIsNone) {
  const Analysed deps(
      function({"N"}, {parameter("x", {Expr()}), parameter("y", {Expr()}), local("s")},
               {assign("s", {}, real(0)), loop("i", "N", {assign("s", {}, s + x), assign("y", {i}, s)})}));
  EXPECT_TRUE(deps.reductions().empty());
}

TEST(Reduction, AWatchedMaximumIsNone) {
  const Analysed deps(
      function({"N"}, {parameter("x", {Expr()}), local("s"), array("l", {}, Array::Storage::Return)},
               {assign("s", {}, real(0)), assign("l", {}, real(0)),
                loop("i", "N", {assign("s", {}, operation(Op::Max, {s, x})), assign("l", {}, at("l") + (x - s))})}));
  ASSERT_EQ(deps.reductions().size(), 1U);
  EXPECT_EQ(deps.reductions()[0].statement, 3);
}

TEST(Reduction, TriangularSolveReadsOnlyFinishedElements) {
  const Scop scop = modelled(
      function({"N"}, {parameter("a", {Expr(), n}), parameter("x", {Expr()}), parameter("b", {Expr()})},
               {loop("i", "N",
                     {assign("x", {i}, at("b", {i})),
                      loop("j", integer(0), i, {assign("x", {i}, at("x", {i}) - at("a", {i, j}) * at("x", {j}))}),
                      assign("x", {i}, operation(Op::Div, {at("x", {i}), at("a", {i, i})}))})}));
  const Dependences deps = *analyse(scop);
  ASSERT_EQ(deps.reductions.size(), 1U);
  EXPECT_EQ(deps.reductions[0].statement, 1);
  EXPECT_EQ(deps.reductions[0].reduced, (std::vector<bool>{false, true}));
  for (const Dependence &edge : deps.edges)
    if (edge.from == 1 && edge.to == 1) EXPECT_EQ(edge.reduction, edge.loop == "j") << edge.array;
}

TEST(Reduction, TriangularSolveWithUnitDiagonal) {
  const Scop scop = modelled(function(
      {"N"}, {parameter("a", {Expr(), n}), parameter("x", {Expr()})},
      {loop("i", "N", {loop("j", integer(0), i, {assign("x", {i}, at("x", {i}) - at("a", {i, j}) * at("x", {j}))})})}));
  const Dependences deps = *analyse(scop);
  ASSERT_EQ(deps.reductions.size(), 1U);
  EXPECT_SAME(deps.reductions[0].last, setOf(scop, "[N] -> { S0[i,i-1] : 0<i<N }"));
}

TEST(Reduction, InPlaceUpdateReadsItsOwnNeighbours) {
  const Expr shifted = at("x", {i}) + at("x", {i + integer(1)});
  const Analysed deps(function({"N", "T"}, {parameter("x", {Expr()})},
                               {loop("t", "T", {loop("i", integer(0), n - integer(1), {assign("x", {i}, shifted)})})}));
  EXPECT_TRUE(deps.reductions().empty());
}

TEST(Reduction, TwoPassVarianceWithScalarsInTheRow) {
  const Expr element = at("x", {i, j}), deviation = at("x", {i, variable("k")}) - at("m");
  const Analysed deps(
      function({"N", "M"}, {parameter("x", {Expr(), variable("M")}), parameter("y", {Expr()}), local("m"), local("v")},
               {loop("i", "N",
                     {assign("m", {}, real(0)), loop("j", "M", {assign("m", {}, at("m") + element)}),
                      assign("m", {}, operation(Op::Div, {at("m"), Expr::cast(Type::Float32, variable("M"))})),
                      assign("v", {}, real(0)), loop("k", "M", {assign("v", {}, at("v") + deviation * deviation)}),
                      assign("y", {i}, at("v"))})}));
  ASSERT_EQ(deps.reductions().size(), 2U);
  EXPECT_EQ(deps.reductions()[0].statement, 1);
  EXPECT_EQ(deps.reductions()[1].statement, 4);
  EXPECT_EQ(deps.reductions()[1].reduced, (std::vector<bool>{false, true}));
}

} // namespace
