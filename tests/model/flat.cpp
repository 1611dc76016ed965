// Flat arrays: linear subscripts become dimensions exactly where every touch provably stays within them.
#include "nest.h"

using namespace polymend;
using namespace polymend::test;

namespace {

const Expr i = variable("i"), j = variable("j"), d = variable("d"), h = variable("h"), n = variable("N"),
           m = variable("M");

Function reading(const Expr &subscript, Expr limit, std::vector<std::string> sizes = {"N", "M"}) {
  return function(
      std::move(sizes), {flat("p"), parameter("y", {Expr()})},
      {loop("i", "N", {loop("j", integer(0), std::move(limit), {assign("y", {i}, at("p", {subscript}))})})});
}

TEST(Flat, ParametricStridesBecomeDimensions) {
  const Expr subscript = ((variable("b") * variable("H") + h) * n + i) * variable("D") + d;
  const Scop scop = modelled(function(
      {"B", "H", "N", "D"}, {flat("p")},
      {loop("b", "B", {loop("h", "H", {loop("i", "N", {loop("d", "D", {assign("p", {subscript}, real(0))})})})})}));
  EXPECT_SAME(scop.statements[0].write.relation,
              mapOf(scop, "[B,H,N,D] -> { S0[b,h,i,d] -> p[b,h,i,d] : 0<=b<B and 0<=h<H and 0<=i<N and 0<=d<D }"));
  const Array &p = scop.array("p");
  ASSERT_EQ(p.extents.size(), 4U);
  EXPECT_FALSE(p.extents[0]);
  EXPECT_EQ(show(p.extents[1]), "H");
  EXPECT_EQ(show(p.extents[3]), "D");
  EXPECT_TRUE(p.flat);
}

TEST(Flat, TheValueIsRewrittenToTheDimensions) {
  const Scop scop = modelled(reading(i * m + j, m));
  const Expr &value = scop.statements[0].value;
  ASSERT_EQ(value->args.size(), 2U);
  EXPECT_EQ(show(value), "p[i][j]");
}

TEST(Flat, ConstantStridesSplitOnlyWithinRange) {
  const Scop within = modelled(reading(i * integer(64) + j, integer(64)));
  EXPECT_SAME(within.statements[0].reads[0].relation,
              mapOf(within, "[N,M] -> { S0[i,j] -> p[i,j] : 0<=i<N and 0<=j<64 }"));
  const Scop beyond = modelled(reading(i * integer(64) + j, m));
  EXPECT_SAME(beyond.statements[0].reads[0].relation,
              mapOf(beyond, "[N,M] -> { S0[i,j] -> p[64i+j] : 0<=i<N and 0<=j<M }"));
  EXPECT_EQ(beyond.array("p").extents.size(), 1U);
}

TEST(Flat, PaddedPitchIsAnExtentOfItsOwn) {
  const Scop scop = modelled(reading(i * (n + integer(1)) + j, n));
  EXPECT_SAME(scop.statements[0].reads[0].relation, mapOf(scop, "[N,M] -> { S0[i,j] -> p[i,j] : 0<=i<N and 0<=j<N }"));
  EXPECT_EQ(show(scop.array("p").extents[1]), "N + 1");
}

TEST(Flat, AGivenPitchIsAnExtentWhereRowsDoNotOverlap) {
  const Scop scop =
      modelled(function({"N", "M", "L"}, {flat("p")},
                        {loop("i", "N", {loop("j", integer(0), m, {assign("p", {i * variable("L") + j}, real(0))})})}));
  EXPECT_SAME(scop.statements[0].write.relation, mapOf(scop, "[N,M,L] -> { S0[i,j] -> p[i,j] : 0<=i<N and 0<=j<M }"));
  EXPECT_EQ(show(scop.array("p").extents[1]), "L");
  EXPECT_SAME(scop.assumptions, setOf(scop, "[N,M,L] -> { : M <= L }"));
  EXPECT_SAME(modelled(reading(i * m + j, m)).assumptions, setOf(scop, "[N,M] -> { : }"));
}

TEST(Flat, RowsThatOverlapAreNotSplit) {
  const Result<Scop> read = tryModel(reading(i * n + j, n + integer(1)));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->statements[0].reads[0].exact);
  const Result<Scop> written = tryModel(
      function({"N"}, {flat("p")},
               {loop("i", "N", {loop("j", integer(0), n + integer(1), {assign("p", {i * n + j}, real(0), 3)})})}));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.refusal().where.line, 3U);
}

TEST(Flat, NeighboursCarryIntoTheNextDimension) {
  const Expr above = (i - integer(1)) * m + j, last = i * m + m - integer(1) - j;
  const Scop scop = modelled(function(
      {"N", "M"}, {flat("p"), flat("q")},
      {loop("i", integer(1), n, {loop("j", "M", {assign("q", {i * m + j}, at("p", {above}) + at("p", {last}))})})}));
  EXPECT_SAME(scop.statements[0].reads[0].relation,
              mapOf(scop, "[N,M] -> { S0[i,j] -> p[i-1,j] : 1<=i<N and 0<=j<M }"));
  EXPECT_SAME(scop.statements[0].reads[1].relation,
              mapOf(scop, "[N,M] -> { S0[i,j] -> p[i,M-1-j] : 1<=i<N and 0<=j<M }"));
}

TEST(Flat, RowsThatAreWrittenBackwardsCarryWhereTheyDoNotOverlap) {
  const Expr pitch = variable("L");
  const auto written = [&](const Expr &subscript) {
    return tryModel(function({"N", "M", "L"}, {flat("p")},
                             {loop("i", "N", {loop("j", integer(0), m, {assign("p", {subscript}, real(0))})})}));
  };
  const Result<Scop> scop = written(i * pitch + pitch - integer(1) - j);
  ASSERT_TRUE(scop);
  EXPECT_SAME(scop->statements[0].write.relation,
              mapOf(*scop, "[N,M,L] -> { S0[i,j] -> p[i,L-1-j] : 0<=i<N and 0<=j<M }"));
  EXPECT_SAME(scop->assumptions, setOf(*scop, "[N,M,L] -> { : M <= L }"));
  EXPECT_FALSE(written(i * m + j + integer(5))) << "rows of at most five elements are none to wait for";
}

TEST(Flat, ShapesOfTwoArraysHoldForSomeSizesTogether) {
  const auto model = [](const Expr &last) {
    return tryModel(function({"N", "M", "L"}, {flat("p"), flat("q")},
                             {loop("i", "N",
                                   {loop("j", integer(0), m, {assign("p", {i * variable("L") + j}, real(0))}),
                                    loop("d", integer(0), last, {assign("q", {i * m + d}, real(0))})})}));
  };
  const Result<Scop> equal = model(variable("L"));
  ASSERT_TRUE(equal);
  EXPECT_SAME(equal->assumptions, setOf(*equal, "[N,M,L] -> { : M = L }"));
  EXPECT_FALSE(model(variable("L") + integer(1))) << "M <= L for p, L < M for q";
}

TEST(Flat, ConstantFactorsBetweenParameters) {
  const Expr head = h * integer(4) + variable("g");
  const Expr subscript = (variable("b") * integer(4) * variable("H") + head) * variable("D") + d;
  const Scop scop = modelled(function(
      {"B", "H", "D"}, {flat("p")},
      {loop("b", "B",
            {loop("h", "H",
                  {loop("g", integer(0), integer(4), {loop("d", "D", {assign("p", {subscript}, real(0))})})})})}));
  EXPECT_SAME(scop.statements[0].write.relation,
              mapOf(scop, "[B,H,D] -> { S0[b,h,g,d] -> p[b,h,g,d] : 0<=b<B and 0<=h<H and 0<=g<4 and 0<=d<D }"));
}

TEST(Flat, StridedWindowStaysWithinItsRow) {
  const Expr column = integer(2) * j + d, row = integer(2) * i + h;
  const Expr limit = operation(Op::FloorDiv, {m - integer(3), integer(2)}) + integer(1);
  const Scop scop = modelled(function(
      {"N", "M"}, {flat("p"), parameter("y", {Expr()})},
      {loop("i", "N",
            {loop("j", integer(0), limit,
                  {loop("h", integer(0), integer(3),
                        {loop("d", integer(0), integer(3), {assign("y", {i}, at("p", {row * m + column}))})})})})}));
  EXPECT_SAME(scop.statements[0].reads[0].relation.range(),
              scop.statements[0].domain.apply(mapOf(scop, "[N,M] -> { S0[i,j,h,d] -> p[2i+h,2j+d] }")));
}

TEST(Flat, ClampedRowsOfAFlatImage) {
  const Expr row = operation(Op::Min, {operation(Op::Max, {i - integer(1), integer(0)}), n - integer(1)});
  const Scop scop = modelled(reading(row * m + j, m));
  EXPECT_SAME(scop.statements[0].reads[0].relation,
              mapOf(scop, "[N,M] -> { S0[i,j] -> p[i-1,j] : 1<=i<N and 0<=j<M; S0[0,j] -> p[0,j] : N>0 and 0<=j<M }"));
}

TEST(Flat, GatheredRowsKeepTheirColumns) {
  const Expr index = Expr::read("t", {i}, Type::Int32);
  Function f = reading(index * m + j, m);
  f.arrays.push_back(parameter("t", {Expr()}));
  const Scop scop = modelled(f);
  EXPECT_FALSE(scop.statements[0].reads[0].exact);
  EXPECT_SAME(scop.statements[0].reads[0].relation, mapOf(scop, "[N,M] -> { S0[i,j] -> p[r,j] : 0<=i<N and 0<=j<M }"));
  EXPECT_EQ(show(scop.statements[0].value), "p[t[i]][j]");
}

TEST(Flat, AnIndexIsNumberedWithinItsOwnStatement) {
  const Expr index = Expr::read("t", {i}, Type::Int32), w = Expr::read("w", {j}, Type::Int32);
  const Expr row = at("p", {index * m + j});
  Function f = function({"N", "M"}, {flat("p"), parameter("t", {Expr()}), parameter("w", {Expr()}), local("s")},
                        {loop("i", "N", {loop("j", "M", {assign("s", {}, row), assign("s", {}, w * row)})})});
  const Scop scop = modelled(f);
  EXPECT_EQ(show(scop.statements[0].value), "p[t[i]][j]");
  EXPECT_EQ(show(scop.statements[1].value), "w[j] * p[t[i]][j]");
}

TEST(Flat, AGatherThatMayLeaveItsRowReachesAllRows) {
  const Expr index = Expr::read("t", {i}, Type::Int32);
  Function f = function(
      {"N", "M"}, {flat("p"), parameter("t", {Expr()}), parameter("y", {Expr()})},
      {loop("i", "N",
            {loop("j", "M", {assign("p", {i * m + j}, real(1))}), assign("y", {i}, at("p", {i * m + index}))})});
  const Scop scop = modelled(f);
  EXPECT_SAME(scop.statements[1].reads[0].relation, mapOf(scop, "[N,M] -> { S1[i] -> p[r,c] : 0<=i<N and 0<=c<M }"));
}

/// For sizes at which a row ends before the next begins, which are asked at entry.
TEST(Flat, RowsAreToldApartWhereSizesKeepThemSo) {
  const Expr row = variable("b") * variable("K") + operation(Op::Div, {h, integer(4)});
  const Scop scop = modelled(function(
      {"B", "H", "K", "D"}, {flat("p"), parameter("y", {Expr()})},
      {loop("b", "B", {loop("h", "H", {loop("d", "D", {assign("y", {d}, at("p", {row * variable("D") + d}))})})})}));
  EXPECT_TRUE(scop.statements[0].reads[0].exact);
  EXPECT_SAME(scop.statements[0].reads[0].relation,
              mapOf(scop, "[B,H,K,D] -> { S0[b,h,d] -> p[b,r,d] : 0<=b<B and 0<=h<H and 0<=d<D and 4r<=h<4r+4 }"));
}

TEST(Flat, ALocalArrayKeepsItsSize) {
  Array buffer = local("p", {n * m});
  buffer.flat = true;
  const Scop scop =
      modelled(function({"N", "M"}, {buffer}, {loop("i", "N", {loop("j", "M", {assign("p", {i * m + j}, real(1))})})}));
  ASSERT_EQ(scop.array("p").extents.size(), 2U);
  EXPECT_EQ(show(scop.array("p").extents[0]), "N");
}

} // namespace
