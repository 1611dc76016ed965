// Domains, accesses and order of hand-written functions, compared as sets and maps.
#include "nest.h"

#include "polymend/about.h"

#include <isl/ctx.h>
#include <isl/version.h>

using namespace polymend;
using namespace polymend::test;

namespace {

const Expr i = variable("i"), j = variable("j"), n = variable("N");

Function single(const Node &node) { return function({"N"}, {parameter("a", {Expr()})}, {node}); }

TEST(Isl, IsTheOneWithGmpNotTheCopyInsideLlvm) { EXPECT_NE(std::string(isl_version()).find("GMP"), std::string::npos); }

TEST(Isl, GivesUpAtTheCapAndStaysUsable) {
  const IslContext context = makeIslContext();
  std::string what;
  const auto heavy = [&] {
    isl::set set(context.get(), "{ [a,b,c,d] : (exists e, f: a = 17e + 5f + 3b and 0 <= e,f,b,c,d <= 1000) }");
    for (int round = 0; round < 100000; ++round) set = set.subtract(set.lexmin()).coalesce();
  };
  EXPECT_FALSE(capped(context, heavy, what));
  EXPECT_NE(what.find("gave up"), std::string::npos) << what;
  EXPECT_TRUE(capped(context, [&] { EXPECT_FALSE(isl::set(context.get(), "{ [a] : 0 <= a < 5 }").is_empty()); }, what));
  EXPECT_THROW(capped(context, [&] { const isl::set bad(context.get(), "{ [a"); }, what), std::runtime_error);
  const auto read = [&] {
    const isl::set points(context.get(), "[n, m] -> { [a] : 0 <= a < min(n, (floor((m - 1) / 2)) + 1) }");
  };
  unsigned long most = 1;
  while (!capped(context, read, what, most)) EXPECT_LT(++most, 10'000U);
  EXPECT_GT(most, 1U);
}

TEST(Isl, KeepsBoundsThatStandInAQuotientAlone) {
  const IslContext context = makeIslContext();
  const auto aboutOf = [&](const std::string &text) { return aboutDimensions(isl::set(context.get(), text)); };
  const isl::set quotient(context.get(), "[m] -> { [i, k] : exists (e: 0 <= k <= 63 and i < m and e >= 0 and "
                                         "64i + k - m < 64e <= 64i + k) }");
  EXPECT_TRUE(aboutDimensions(quotient).is_subset(isl::set(context.get(), "[m] -> { [i, k] : i >= 0 }")));
  EXPECT_TRUE(aboutOf("[m] -> { [i] : m > 3 and 0 <= i < m }").is_equal(aboutOf("[m] -> { [i] : 0 <= i < m }")));
  const isl::set even = aboutOf("[m] -> { [i] : m > 3 and 0 <= i and i mod 2 = 0 }");
  EXPECT_TRUE(even.is_equal(isl::set(context.get(), "[m] -> { [i] : 0 <= i and i mod 2 = 0 }")));
}

TEST(Model, DomainsAndAccessesOfAMatrixProduct) {
  const Scop scop = modelled(matrixProduct());
  ASSERT_EQ(scop.statements.size(), 2U);
  const Statement &update = scop.statements[1];
  EXPECT_EQ(update.id, "S1");
  EXPECT_EQ(update.iterators, (std::vector<std::string>{"i", "j", "k"}));
  EXPECT_SAME(update.domain, setOf(scop, "[N,M,K] -> { S1[i,j,k] : 0<=i<N and 0<=j<M and 0<=k<K }"));
  EXPECT_SAME(update.write.relation, mapOf(scop, "[N,M,K] -> { S1[i,j,k] -> c[i,j] : 0<=i<N and 0<=j<M and 0<=k<K }"));
  ASSERT_EQ(update.reads.size(), 3U);
  EXPECT_SAME(update.reads[2].relation,
              mapOf(scop, "[N,M,K] -> { S1[i,j,k] -> b[k,j] : 0<=i<N and 0<=j<M and 0<=k<K }"));
  std::vector<int> numbers;
  visit(update.value, [&](const Expr &e) {
    if (e.op() == Op::Read) numbers.push_back(e->access);
  });
  EXPECT_EQ(numbers, (std::vector<int>{0, 1, 2}));
}

TEST(Model, ScheduleIsTheSourceOrder) {
  const Scop scop = modelled(matrixProduct());
  const isl::union_map expected(scop.context.get(), "[N,M,K] -> { S0[i,j] -> [i,j,0,0]; S1[i,j,k] -> [i,j,1,k] }");
  EXPECT_SAME(scop.schedule.map().intersect_domain(scop.schedule.domain()),
              expected.intersect_domain(scop.schedule.domain()));
}

TEST(Model, LoopThatCountsDownHasANegatedBand) {
  const Scop scop = modelled(single(loop("i", n - integer(1), integer(-1), {assign("a", {i}, real(0))}, -1)));
  EXPECT_SAME(scop.statements[0].domain, setOf(scop, "[N] -> { S0[i] : 0 <= i < N }"));
  EXPECT_SAME(scop.schedule.map().intersect_domain(scop.schedule.domain()),
              isl::union_map(scop.context.get(), "[N] -> { S0[i] -> [-i] : 0 <= i < N }"));
}

TEST(Model, StepsBecomeCongruences) {
  const Scop scop = modelled(single(loop("i", integer(1), n, {assign("a", {i}, real(0))}, 2)));
  EXPECT_SAME(scop.statements[0].domain, setOf(scop, "[N] -> { S0[i] : 1 <= i < N and i mod 2 = 1 }"));
  const Scop down = modelled(single(loop("i", n, integer(0), {assign("a", {i}, real(0))}, -3)));
  EXPECT_SAME(down.statements[0].domain, setOf(down, "[N] -> { S0[i] : 0 < i <= N and (N - i) mod 3 = 0 }"));
}

TEST(Model, BoundsWithMinimumMaximumAndDivision) {
  const Expr first = operation(Op::Max, {integer(0), i - integer(4)});
  const Expr limit = operation(Op::Min, {n, operation(Op::Div, {i, integer(2)}) + integer(1)});
  const Scop scop = modelled(single(loop("i", "N", {loop("j", first, limit, {assign("a", {j}, real(0))})})));
  EXPECT_SAME(scop.statements[0].domain,
              setOf(scop, "[N] -> { S0[i,j] : 0<=i<N and 0<=j and i-4<=j and j<N and j <= floor(i/2) }"));
}

TEST(Model, DivisionTruncatesAsInC) {
  const Expr quotient = operation(Op::Div, {i, integer(2)}), remainder = operation(Op::Mod, {i, integer(-3)});
  const Scop scop =
      modelled(function({"N"}, {parameter("a", {Expr(), integer(9)})},
                        {loop("i", integer(-3), integer(4), {assign("a", {quotient, remainder}, real(0))})}));
  EXPECT_SAME(scop.statements[0].write.relation,
              mapOf(scop, "[N] -> { S0[-3] -> a[-1,0]; S0[-2] -> a[-1,-2]; S0[-1] -> a[0,-1]; S0[0] -> a[0,0];"
                          "S0[1] -> a[0,1]; S0[2] -> a[1,2]; S0[3] -> a[1,0] }"));
}

TEST(Model, ConditionsWithAndOrNotAndRemainder) {
  const Expr even = operation(Op::Eq, {operation(Op::Mod, {i, integer(2)}), integer(0)});
  const Expr border = operation(
      Op::Or, {operation(Op::Eq, {i, integer(0)}), operation(Op::Not, {operation(Op::Lt, {i, n - integer(1)})})});
  const Scop scop = modelled(single(
      loop("i", "N",
           {branch(operation(Op::And, {even, border}), {assign("a", {i}, real(1))}, {assign("a", {i}, real(2))})})));
  const isl::set then = setOf(scop, "[N] -> { S0[i] : 0<=i<N and i mod 2 = 0 and (i = 0 or i = N-1) }");
  EXPECT_SAME(scop.statements[0].domain, then);
  EXPECT_SAME(scop.statements[1].domain, setOf(scop, "[N] -> { S1[i] : 0<=i<N }").subtract(setTuple(then, "S1")));
}

TEST(Model, ClampedSubscriptsArePiecewise) {
  const Expr left = operation(Op::Max, {i - integer(1), integer(0)});
  const Scop scop = modelled(function({"N"}, {parameter("a", {Expr()}), parameter("b", {Expr()})},
                                      {loop("i", "N", {assign("b", {i}, at("a", {left}))})}));
  EXPECT_SAME(scop.statements[0].reads[0].relation,
              mapOf(scop, "[N] -> { S0[i] -> a[i-1] : 1<=i<N; S0[0] -> a[0] : N > 0 }"));
  EXPECT_TRUE(scop.statements[0].reads[0].exact);
}

TEST(Model, ReadBelowAChoiceIsReachedOnlyThere) {
  const Expr guarded =
      Expr::make(Op::Select, Type::Float32, {operation(Op::Lt, {integer(0), i}), at("a", {i - integer(1)}), real(0)});
  const Scop scop = modelled(function({"N"}, {parameter("a", {Expr()}), parameter("b", {Expr()})},
                                      {loop("i", "N", {assign("b", {i}, guarded)})}));
  EXPECT_SAME(scop.statements[0].reads[0].relation, mapOf(scop, "[N] -> { S0[i] -> a[i-1] : 1<=i<N }"));
}

TEST(Model, GatherIsASupersetWithinItsDimension) {
  const Expr index = Expr::read("t", {i}, Type::Int32);
  const Scop scop = modelled(function(
      {"N", "M"}, {parameter("z", {Expr(), variable("M")}), parameter("t", {Expr()}), parameter("b", {Expr()})},
      {loop("i", "N", {assign("b", {i}, at("z", {i, index}))})}));
  ASSERT_EQ(scop.statements[0].reads.size(), 2U);
  EXPECT_FALSE(scop.statements[0].reads[0].exact);
  EXPECT_SAME(scop.statements[0].reads[0].relation, mapOf(scop, "[N,M] -> { S0[i] -> z[i,k] : 0<=i<N and 0<=k<M }"));
  EXPECT_TRUE(scop.statements[0].reads[1].exact);
}

TEST(Model, RefusesWhatIsNotAffineWithItsPlace) {
  const Expr index = Expr::read("t", {i}, Type::Int32);
  const Result<Scop> scatter = tryModel(function({"N"}, {parameter("a", {Expr()}), parameter("t", {Expr()})},
                                                 {loop("i", "N", {assign("a", {index}, real(0), 7)})}));
  ASSERT_TRUE(scatter) << "data say where it writes: there is a graph, but no more";
  ASSERT_TRUE(scatter->scattered);
  EXPECT_EQ(scatter->scattered->where.line, 7U);
  EXPECT_FALSE(scatter->statements[0].write.exact);
  const Result<Scop> bound =
      tryModel(single(loop("i", "N", {loop("j", integer(0), i * i, {assign("a", {j}, real(0))})})));
  ASSERT_FALSE(bound);
  EXPECT_TRUE(bound.refusal().where.valid());
  EXPECT_FALSE(tryModel(
      single(loop("i", "N", {branch(operation(Op::Lt, {at("a", {i}), real(0)}), {assign("a", {i}, real(0))})}))));
  EXPECT_FALSE(tryModel(single(loop("i", "N", {assign("a", {operation(Op::Div, {i, integer(0)})}, real(0))}))));
  EXPECT_FALSE(tryModel(single(loop("i", integer(0), n, {assign("a", {i}, real(0))}, 0))));
  EXPECT_FALSE(tryModel(single(loop("i", "N", {assign("unknown", {i}, real(0))}))));
  EXPECT_FALSE(tryModel(single(loop("i", "N", {assign("a", {}, real(0))}))));
  EXPECT_FALSE(tryModel(function({"N"}, {}, {})));
}

TEST(Model, StatementsThatNeverRunAreLeftOut) {
  const Scop scop = modelled(single(loop(
      "i", "N", {branch(operation(Op::Lt, {i, integer(0)}), {assign("a", {i}, real(1))}), assign("a", {i}, real(2))})));
  ASSERT_EQ(scop.statements.size(), 1U);
  EXPECT_EQ(scop.statements[0].id, "S0");
}

TEST(Model, DumpNamesLoopsAndArrays) {
  const std::string text = dump(modelled(matrixProduct()));
  EXPECT_NE(text.find("S1[i, j, k] -> c[i, j]"), std::string::npos) << text;
}

} // namespace
