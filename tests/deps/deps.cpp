// Sources, edges, privatisation and live-out sets of known kernels.
#include "../model/nest.h"

#include "polymend/deps.h"

using namespace polymend;
using namespace polymend::test;

namespace {

using Kind = Dependence::Kind;

const Expr i = variable("i"), j = variable("j"), t = variable("t"), n = variable("N");

struct Analysed {
  Scop scop;
  Dependences deps;
  [[nodiscard]] const Dependence *edge(Kind kind, int from, int to, const std::string &array,
                                       const std::string &loop) const {
    for (const Dependence &one : deps.edges)
      if (one.kind == kind && one.from == from && one.to == to && one.array == array && one.loop == loop) return &one;
    return nullptr;
  }
};

Analysed analysed(const Function &f) {
  Scop scop = modelled(f);
  Result<Dependences> result = analyse(scop);
  if (!result) throw std::runtime_error(result.refusal().reason);
  return {std::move(scop), *result};
}

using Distance = std::vector<std::int64_t>;

TEST(Deps, MatrixProduct) {
  const Analysed a = analysed(matrixProduct());
  const Dependence *self = a.edge(Kind::Flow, 1, 1, "c", "k");
  ASSERT_TRUE(self);
  EXPECT_TRUE(self->reduction);
  EXPECT_EQ(self->distance, (Distance{0, 0, 1}));
  EXPECT_SAME(self->relation,
              mapOf(a.scop, "[N,M,K] -> { S1[i,j,k] -> S1[i,j,k+1] : 0<=i<N and 0<=j<M and 0<=k and k+1<K }"));
  const Dependence *start = a.edge(Kind::Flow, 0, 1, "c", "");
  ASSERT_TRUE(start);
  EXPECT_EQ(start->distance, (Distance{0, 0}));
  EXPECT_SAME(a.deps.sourcesOf(1, 1).liveIn, a.scop.statements[1].domain);
  EXPECT_TRUE(a.deps.sourcesOf(1, 0).liveIn.is_empty());
  ASSERT_EQ(a.deps.liveOut.size(), 1U);
  const isl::union_map expected(a.scop.context.get(), "[N,M,K] -> { c[i,j] -> S1[i,j,K-1] : 0<=i<N and 0<=j<M and K>0;"
                                                      "c[i,j] -> S0[i,j] : 0<=i<N and 0<=j<M and K<=0 }");
  EXPECT_SAME(a.deps.liveOut[0].second, expected);
  EXPECT_EQ(a.deps.edges.size(), 5U) << dump(a.scop, a.deps);
}

TEST(Deps, MemoryEdgesAreNotKilledByTheChain) {
  const Analysed a = analysed(function({"N", "M"}, {parameter("a", {Expr()}), parameter("y", {Expr()}), local("s")},
                                       {loop("i", "N",
                                             {assign("y", {i}, at("s")), assign("s", {}, real(0)),
                                              loop("j", "M", {assign("s", {}, at("s") + at("a", {j}))})})}));
  ASSERT_TRUE(a.edge(Kind::Anti, 0, 1, "s", ""));
  const Dependence *behind = a.edge(Kind::Anti, 0, 2, "s", "");
  ASSERT_TRUE(behind);
  EXPECT_SAME(behind->relation, mapOf(a.scop, "[N,M] -> { S0[i] -> S2[i,j] : 0<=i<N and 0<=j<M }"));
}

TEST(Deps, ThreePassesOverARowWithPrivateScalars) {
  const Analysed a = analysed(threePasses());
  ASSERT_EQ(a.deps.reductions.size(), 2U);
  EXPECT_SAME(a.deps.reductions[0].last, setOf(a.scop, "[N,M] -> { S1[i,M-1] : 0<=i<N and M>0 }"));
  EXPECT_EQ(a.deps.reductions[0].monoid, Monoid::Max);
  EXPECT_TRUE(a.deps.reductions[0].comparison);
  EXPECT_EQ(a.deps.reductions[1].monoid, Monoid::Sum);
  const Dependence *anti = a.edge(Kind::Anti, 4, 0, "m", "i");
  ASSERT_TRUE(anti);
  EXPECT_TRUE(anti->privatised);
  EXPECT_TRUE(a.edge(Kind::Output, 1, 1, "m", "i")->privatised);
  EXPECT_FALSE(a.edge(Kind::Output, 1, 1, "m", "i")->reduction);
  EXPECT_FALSE(a.edge(Kind::Output, 1, 1, "m", "j")->privatised);
  EXPECT_TRUE(a.edge(Kind::Output, 1, 1, "m", "j")->reduction);
  EXPECT_TRUE(a.edge(Kind::Anti, 1, 1, "m", "j")->reduction);
  const Dependence *use = a.edge(Kind::Flow, 1, 3, "m", "");
  ASSERT_TRUE(use);
  EXPECT_SAME(use->relation, mapOf(a.scop, "[N,M] -> { S1[i,M-1] -> S3[i,k] : 0<=i<N and 0<=k<M }"));
  EXPECT_FALSE(a.edge(Kind::Flow, 0, 3, "m", "")) << "a row without columns has no sum to enter";
}

TEST(Deps, EmptyRowsKeepTheirEdges) {
  Function f = threePasses();
  Body row = std::get<std::shared_ptr<const Loop>>(f.body[0])->body;
  row.push_back(assign("z", {i}, at("m"), 6));
  f.arrays.push_back(parameter("z", {Expr()}));
  f.body = {loop("i", "N", row)};
  const Analysed a = analysed(f);
  const Dependence *empty = a.edge(Kind::Flow, 0, 5, "m", "");
  ASSERT_TRUE(empty);
  EXPECT_SAME(empty->relation, mapOf(a.scop, "[N,M] -> { S0[i] -> S5[i] : 0<=i<N and M<=0 }"));
  EXPECT_EQ(a.deps.reductions.size(), 2U);
}

TEST(Deps, JacobiInTime) {
  const Expr three = at("a", {i - integer(1)}) + at("a", {i}) + at("a", {i + integer(1)});
  const Analysed a =
      analysed(function({"T", "N"}, {parameter("a", {Expr()}), parameter("b", {Expr()})},
                        {loop("t", "T",
                              {loop("i", integer(1), n - integer(1), {assign("b", {i}, three)}),
                               loop("j", integer(1), n - integer(1), {assign("a", {j}, at("b", {j}))})})}));
  EXPECT_TRUE(a.deps.reductions.empty());
  const Dependence *back = a.edge(Kind::Flow, 1, 0, "a", "t");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->distance, Distance{1});
  EXPECT_SAME(back->relation, mapOf(a.scop, "[T,N] -> { S1[t,j] -> S0[t+1,i] : 0<=t and t+1<T and j-1<=i<=j+1 and "
                                            "0<i and i+1<N and 0<j and j+1<N }"));
  EXPECT_FALSE(a.edge(Kind::Flow, 1, 0, "a", "t")->privatised);
  EXPECT_EQ(a.deps.sourcesOf(0, 0).from.size(), 1U);
  EXPECT_SAME(a.deps.sourcesOf(0, 2).liveIn,
              setOf(a.scop, "[T,N] -> { S0[t,i] : 0<=t<T and 1<=i<N-1 and (t=0 or i=N-2) }"));
}

TEST(Deps, SeidelInTwoDimensions) {
  const auto neighbour = [&](int di, int dj) { return at("a", {i + integer(di), j + integer(dj)}); };
  const Expr mean = operation(
      Op::Div, {neighbour(-1, 0) + neighbour(0, -1) + neighbour(0, 0) + neighbour(0, 1) + neighbour(1, 0), real(5)});
  const Analysed a = analysed(function(
      {"N"}, {parameter("a", {Expr(), n})},
      {loop("i", integer(1), n - integer(1), {loop("j", integer(1), n - integer(1), {assign("a", {i, j}, mean)})})}));
  EXPECT_TRUE(a.deps.reductions.empty());
  ASSERT_TRUE(a.edge(Kind::Flow, 0, 0, "a", "i"));
  EXPECT_EQ(a.edge(Kind::Flow, 0, 0, "a", "i")->distance, (Distance{1, 0}));
  EXPECT_EQ(a.edge(Kind::Flow, 0, 0, "a", "j")->distance, (Distance{0, 1}));
  EXPECT_EQ(a.edge(Kind::Anti, 0, 0, "a", "j")->distance, (Distance{0, 1}));
  EXPECT_FALSE(a.edge(Kind::Output, 0, 0, "a", "i"));
}

TEST(Deps, ReversedLoopCountsDistanceInItsDirection) {
  const Analysed a =
      analysed(function({"N"}, {parameter("a", {Expr()})},
                        {loop("i", n - integer(2), integer(-1), {assign("a", {i}, at("a", {i + integer(1)}))}, -1)}));
  const Dependence *edge = a.edge(Kind::Flow, 0, 0, "a", "i");
  ASSERT_TRUE(edge);
  EXPECT_EQ(edge->distance, Distance{1});
  EXPECT_SAME(edge->relation, mapOf(a.scop, "[N] -> { S0[i] -> S0[i-1] : 0<i<N-1 }"));
  EXPECT_EQ(a.deps.edges.size(), 1U);
}

TEST(Deps, ALoopThatAGuardFixesIsStillACommonLoop) {
  const Node first = branch(operation(Op::Eq, {i, integer(0)}), {assign("a", {integer(0)}, real(0))});
  const Analysed a = analysed(function({"N"}, {parameter("a", {Expr()}), parameter("y", {Expr()})},
                                       {loop("i", "N", {first, assign("y", {i}, at("a", {integer(0)}))})}));
  ASSERT_TRUE(a.edge(Kind::Flow, 0, 1, "a", ""));
  EXPECT_EQ(a.edge(Kind::Flow, 0, 1, "a", "")->distance, Distance{0});
  ASSERT_TRUE(a.edge(Kind::Flow, 0, 1, "a", "i"));
  EXPECT_SAME(a.edge(Kind::Flow, 0, 1, "a", "i")->relation, mapOf(a.scop, "[N] -> { S0[0] -> S1[i] : 0<i<N }"));
}

TEST(Deps, StepOfTwoConnectsEverySecondIteration) {
  const Analysed a = analysed(function(
      {"N"}, {parameter("a", {Expr()})},
      {loop("i", integer(2), n, {assign("a", {i}, at("a", {i - integer(2)}) + at("a", {i - integer(1)}))}, 2)}));
  EXPECT_SAME(a.edge(Kind::Flow, 0, 0, "a", "i")->relation,
              mapOf(a.scop, "[N] -> { S0[i] -> S0[i+2] : 2<=i and i+2<N and i mod 2 = 0 }"));
  EXPECT_SAME(a.deps.sourcesOf(0, 1).liveIn, a.scop.statements[0].domain);
}

TEST(Deps, ClampedStencilInPlaceIsNotPrivate) {
  const Expr left = operation(Op::Max, {i - integer(1), integer(0)});
  const Analysed a =
      analysed(function({"N"}, {parameter("a", {Expr()})}, {loop("i", "N", {assign("a", {i}, at("a", {left}))})}));
  const Dependence *edge = a.edge(Kind::Flow, 0, 0, "a", "i");
  ASSERT_TRUE(edge);
  EXPECT_SAME(edge->relation, mapOf(a.scop, "[N] -> { S0[i] -> S0[i+1] : 0<=i and i+1<N }"));
  EXPECT_SAME(a.deps.sourcesOf(0, 0).liveIn, setOf(a.scop, "[N] -> { S0[0] : N>0 }"));
}

TEST(Deps, ALocalRowLargerThanUsedIsPrivate) {
  const Analysed a = analysed(function(
      {"N", "M"}, {parameter("x", {Expr(), variable("M")}), parameter("y", {Expr()}), local("row", {integer(4096)})},
      {loop("i", "N",
            {loop("j", "M", {assign("row", {j}, at("x", {i, j}))}),
             loop("k", "M", {assign("y", {i}, at("row", {variable("k")}))})})}));
  EXPECT_TRUE(a.edge(Kind::Output, 0, 0, "row", "i")->privatised);
  EXPECT_TRUE(a.edge(Kind::Anti, 1, 0, "row", "i")->privatised);
  EXPECT_FALSE(a.edge(Kind::Output, 1, 1, "y", "k")->privatised);
  EXPECT_EQ(a.deps.liveOut.size(), 1U);
}

TEST(Deps, AValueThatCrossesTheRowIsNotPrivate) {
  const Analysed a = analysed(
      function({"N"}, {parameter("y", {Expr()}), local("s")},
               {assign("s", {}, real(0)), loop("i", "N", {assign("y", {i}, at("s")), assign("s", {}, at("y", {i}))})}));
  for (const Dependence &edge : a.deps.edges) EXPECT_FALSE(edge.privatised);
}

TEST(Deps, FunctionStaticThatIsWrittenFirstDoesNotOutlive) {
  Array counter = array("s", {}, Array::Storage::Static);
  counter.functionStatic = true;
  EXPECT_ANY_THROW(analysed(function({}, {counter}, {assign("s", {}, at("s") + real(1))}))); // its value is kept
  const Analysed dropped = analysed(function({}, {counter, parameter("y", {Expr()})},
                                             {assign("s", {}, real(1)), assign("y", {integer(0)}, at("s"))}));
  ASSERT_EQ(dropped.deps.liveOut.size(), 1U);
  EXPECT_EQ(dropped.deps.liveOut[0].first, "y");
}

TEST(Deps, GatherIsInexactAndEntersLive) {
  const Expr index = Expr::read("t", {i}, Type::Int32);
  const Analysed a = analysed(function(
      {"N", "M"}, {local("z", {n, variable("M")}), parameter("t", {Expr()}), parameter("y", {Expr()})},
      {loop("i", "N", {loop("j", "M", {assign("z", {i, j}, real(1))}), assign("y", {i}, at("z", {i, index}))})}));
  const Dependence *edge = a.edge(Kind::Flow, 0, 1, "z", "");
  ASSERT_TRUE(edge);
  EXPECT_FALSE(edge->exact);
  EXPECT_SAME(a.deps.sourcesOf(1, 0).liveIn, a.scop.statements[1].domain);
}

TEST(Deps, TheTableNamesStatementsAndDistances) {
  const Analysed a = analysed(matrixProduct());
  const std::string table = graphText(a.scop, a.deps);
  EXPECT_NE(table.find("S1:2  S1:2  c      flow    k           (0, 0, 1)    reduction"), std::string::npos) << table;
  EXPECT_NE(table.find("S1:2  S1:2  c      anti    k           (0, 0, >=1)  reduction"), std::string::npos) << table;
  EXPECT_EQ(table.find("varies"), std::string::npos) << table;
}

TEST(Deps, StepsAreBoundedPerLoopInTheDirectionInWhichItRuns) {
  const Expr up = operation(Op::Add, {i, integer(1)}), right = operation(Op::Add, {j, integer(1)});
  const Analysed a =
      analysed(function({"N", "M"}, {parameter("a", {Expr(), variable("M")})},
                        {loop("i", "N", {loop("j", "M", {assign("a", {up, j}, at("a", {i, right}))})})}));
  const Dependence *flow = a.edge(Kind::Flow, 0, 0, "a", "i");
  ASSERT_TRUE(flow);
  const auto steps = stepsOf(a.scop, a.deps).at(static_cast<std::size_t>(flow - a.deps.edges.data()));
  EXPECT_EQ(spellDistance(steps), "(1, -1)");
  EXPECT_EQ(spellDirection(steps), "(<, >)");
  EXPECT_EQ(spellDistance({{0, 2}, {std::nullopt, -1}, {std::nullopt, std::nullopt}}), "(0..2, <=-1, any)");
  EXPECT_EQ(spellDirection({{0, 2}, {std::nullopt, -1}, {std::nullopt, std::nullopt}}), "(<=, >, *)");
}

} // namespace
