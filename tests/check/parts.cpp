// The parts of a check, asked directly: what counts as a difference, what is wrong with errors, which elements an
// assumption covers, where the data of exceptional runs go.
#include "../compilation.h"

#include "check/exceptional.h"
#include "check/run.h"

#include "polymend/request.h"

#include <cmath>
#include <limits>

using namespace polymend;
using namespace polymend::tests;

namespace {

constexpr long double infinite = std::numeric_limits<long double>::infinity();

Shape written(const char *name, Type type, std::int64_t count) {
  Shape shape;
  shape.name = name;
  shape.type = type;
  shape.extents = shape.reach = {count};
  shape.read = shape.written = true;
  return shape;
}

Comparison compared(Type type, const std::vector<long double> &original, const std::vector<long double> &result,
                    bool bitEqual = false) {
  const Effect source{{original}, ""}, ours{{result}, ""};
  return compare({written("y", type, static_cast<std::int64_t>(original.size()))}, Type::Void, source, ours, source,
                 {{source}, {}, {}}, bitEqual);
}

/// What judging says of one run with this error, where the original errs by nothing.
std::string judged(double error, bool hasReference) {
  CheckTable table;
  CheckRun run;
  run.function = "f";
  run.data = "random";
  run.errorResult = error;
  run.elements = 100;
  table.runs = {run};
  judge(table, {}, hasReference);
  EXPECT_EQ(table.runs[0].agrees, table.runs[0].what.empty());
  return table.runs[0].what;
}

Expr whole(std::int64_t value) { return Expr::integer(value); }
Expr first() { return Expr::read("x", {whole(0)}, Type::Float32); }
Expr made(Op op, const Expr &a, const Expr &b) { return Expr::make(op, Type::Int64, {a, b}); }

/// The elements of y that are excused after y[subscript] = value, where x[0] is `x` and ought to be finite.
std::optional<std::vector<bool>> excused(const Expr &subscript, const Expr &value, long double x = infinite) {
  CheckedFunction checked;
  checked.function.name = "f";
  checked.assumed.finite = {"x"};
  checked.function.body = {std::make_shared<const Assign>(Assign{"y", {subscript}, value, {}})};
  const auto all = outsideAssumptions(checked, {written("x", Type::Float32, 1), written("y", Type::Float32, 32)},
                                      {{{x}, std::vector<long double>(32, 0)}, {}}, {});
  return all.excused ? std::optional((*all.excused)[1]) : std::nullopt;
}

/// Which element a store of what is not finite goes to; -1: none, or it cannot be told.
int placeTold(const Expr &subscript) {
  const auto found = excused(subscript, first());
  if (!found) return -1;
  const auto at = std::find(found->begin(), found->end(), true);
  return at == found->end() ? -1 : static_cast<int>(at - found->begin());
}

} // namespace

TEST(Compare, WantsIntegersToBeEqual) {
  EXPECT_EQ(compared(Type::Int32, {3, 4}, {3, 4}).difference, "");
  EXPECT_NE(compared(Type::Int32, {3, 4}, {3, 5}).difference, "");
  EXPECT_EQ(compared(Type::Float32, {3, 4}, {3, 5}).difference, "");
  EXPECT_NE(compared(Type::Float32, {3, 4}, {3, 5}, true).difference, "");
}

TEST(Compare, MeasuresWhatIsFinite) {
  const Comparison both = compared(Type::Float32, {1, infinite}, {1, infinite});
  EXPECT_EQ(both.difference, "");
  EXPECT_EQ(both.elements, 1);
}

/// Inputs that move by a few roundings may leave an element where it is, and by as many as its sums round, far from
/// there.
TEST(Compare, HasNoShareOfWhatRoundingsOfSumsDecide) {
  const std::vector<Shape> shapes{written("y", Type::Float32, 1)};
  const Effect reference{{{1}}, ""}, near{{{1 + 0x1p-20L}}, ""}, off{{{2}}, ""};
  const auto share = [&](const std::vector<Effect> &far) {
    return compare(shapes, Type::Void, reference, off, reference, {{near}, far, {}}, false).shareResult;
  };
  EXPECT_EQ(share({}), 1);
  EXPECT_EQ(share({near}), 1);
  EXPECT_EQ(share({near, off}), 0);
}

TEST(Compare, LeavesClassesOutWhereTheOriginalHasNoRightDigit) {
  const auto difference = [](long double original, long double reference) {
    const Effect source{{{original}}, ""}, ours{{{infinite}}, ""}, wide{{{reference}}, ""};
    return compare({written("y", Type::Float32, 1)}, Type::Void, source, ours, wide, {{wide}, {}, {}}, false)
        .difference;
  };
  EXPECT_NE(difference(3, 3), "");
  EXPECT_NE(difference(3, 4), "");
  EXPECT_EQ(difference(3, -4), "");
  EXPECT_EQ(difference(3, 1e9L), "");
}

/// A source that is exact by luck, where rounding what it stores moves the element by 1e-3.
TEST(Compare, CountsWhatRoundingsOfTheSourcesOwnValuesDo) {
  const std::vector<Shape> shapes{written("y", Type::Float32, 1)};
  const Effect source{{{1e-20L}}, ""}, ours{{{1e-3L}}, ""};
  const auto error = [&](const std::optional<Roundings> &own) {
    return compare(shapes, Type::Void, source, ours, source, {{source}, {}, own}, false).result;
  };
  EXPECT_GT(error({}), 1e20);
  EXPECT_GT(error(Roundings{{{false}}, {{1e-9}}, {{false}}}), 1e5);
  EXPECT_LT(error(Roundings{{{false}}, {{1e-3}}, {{false}}}), 2);
}

TEST(Compare, TakesTheExactClassWhereRoundingsLeaveNoDigit) {
  const std::vector<Shape> shapes{written("y", Type::Float32, 1)};
  const long double nan = std::numeric_limits<long double>::quiet_NaN();
  const auto difference = [&](long double result, long double reference, long double moved, bool isLost) {
    const Effect source{{{-1}}, ""}, ours{{{result}}, ""}, wide{{{reference}}, ""}, near{{{moved}}, ""};
    const Roundings own{{{false}}, {{0}}, {{isLost}}};
    return compare(shapes, Type::Void, source, ours, wide, {{near}, {}, own}, false).difference;
  };
  EXPECT_NE(difference(nan, nan, nan, false), "");
  EXPECT_EQ(difference(nan, nan, nan, true), "");
  EXPECT_NE(difference(infinite, nan, nan, true), "");
  EXPECT_EQ(difference(nan, nan, -1, false), ""); // what moved inputs decide
  EXPECT_NE(difference(infinite, nan, -1, false), "");
  EXPECT_NE(difference(nan, -1, -1, true), "");
}

/// y[0] = value, where x[0] is `x`.
std::optional<Roundings> roundings(const Expr &value, long double x) {
  CheckedFunction checked;
  checked.function.name = "f";
  checked.function.body = {std::make_shared<const Assign>(Assign{"y", {whole(0)}, value, {}})};
  return roundingsOf(checked, {written("x", Type::Float32, 1), written("y", Type::Float32, 1)}, {{{x}, {0}}, {}}, {});
}

TEST(Roundings, DecideTheClassOfProductsOfThreeThatOverflow) {
  const auto decided = [](const Expr &value) { return bool(roundings(value, 1e30L)->decided[1][0]); };
  EXPECT_FALSE(decided(first() * first()));
  EXPECT_TRUE(decided(first() * first() * first()));
  EXPECT_FALSE(decided(first() + first()));
  EXPECT_TRUE(decided(first() * Expr::real(3e8, Type::Float32) + first() * Expr::real(3e8, Type::Float32)));
}

TEST(Roundings, MoveWhatIsStoredByAboutOne) {
  const auto found = roundings(first() + Expr::real(1, Type::Float32), 2);
  ASSERT_TRUE(found);
  EXPECT_GT(found->moved[1][0], 0);
  EXPECT_LT(found->moved[1][0], 3 * 0x1p-23);
  EXPECT_FALSE(found->lost[1][0]);
}

TEST(Compare, LeavesClassesOutThatTheOriginalChanges) {
  const Effect original{{{1, infinite, 2}}, ""}, near{{{1, -infinite, 3}}, ""};
  EXPECT_EQ(unsettled(original, {original, near}), (Excused{{false, true, false}}));
}

TEST(Judge, AllowsAFewUnitsBeyondALuckyOriginal) {
  EXPECT_EQ(judged(15, true), "");
  EXPECT_NE(judged(20, true), "");
  EXPECT_EQ(judged(20, false), "");
  EXPECT_NE(judged(40, false), "");
}

TEST(Excused, SubscriptsAreThoseOfTheSource) {
  EXPECT_EQ(placeTold(made(Op::Max, whole(3), whole(5))), 5);
  EXPECT_EQ(placeTold(made(Op::Min, whole(3), whole(5))), 3);
  EXPECT_EQ(placeTold(made(Op::Div, whole(-7), whole(2)) + whole(10)), 7);
  EXPECT_EQ(placeTold(made(Op::FloorDiv, whole(-7), whole(2)) + whole(10)), 6);
  EXPECT_EQ(placeTold(made(Op::Mod, whole(-7), whole(2)) + whole(10)), 9);
  EXPECT_EQ(placeTold(made(Op::FloorMod, whole(-7), whole(2)) + whole(10)), 11);
  EXPECT_EQ(placeTold(made(Op::Div, whole(7), whole(-1)) + whole(10)), 3);
  EXPECT_EQ(placeTold(made(Op::Mod, whole(7), whole(-1)) + whole(10)), 10);
  EXPECT_EQ(placeTold(made(Op::Div, whole(7), whole(0))), -1);
  EXPECT_EQ(placeTold(Expr::cast(Type::Int64, Expr::real(7.5, Type::Float32))), 7);
}

TEST(Excused, ConditionsEndWhereTheyAreDecided) {
  const Expr yes = Expr::make(Op::Lt, Type::Bool, {whole(0), whole(1)}),
             no = Expr::make(Op::Lt, Type::Bool, {whole(1), whole(0)});
  const auto chosen = [&](Op op, const Expr &a, const Expr &b) {
    return placeTold(Expr::make(Op::Select, Type::Int64, {Expr::make(op, Type::Bool, {a, b}), whole(9), whole(4)}));
  };
  EXPECT_EQ(chosen(Op::And, no, yes), 4);
  EXPECT_EQ(chosen(Op::And, yes, yes), 9);
  EXPECT_EQ(chosen(Op::Or, yes, no), 9);
  EXPECT_EQ(chosen(Op::Or, no, no), 4);
}

TEST(Excused, AChoiceByWhatIsNotFiniteIs) {
  const auto isExcused = [](long double x) {
    const Expr below = Expr::make(Op::Lt, Type::Bool, {first(), Expr::real(1, Type::Float32)});
    const auto found = excused(
        whole(0),
        Expr::make(Op::Select, Type::Float32, {below, Expr::real(1, Type::Float32), Expr::real(2, Type::Float32)}), x);
    return found && (*found)[0];
  };
  EXPECT_TRUE(isExcused(infinite));
  EXPECT_FALSE(isExcused(3));
}

TEST(Conditions, OfTwoChangesTheLesserIsMade) {
  const Expr a = Expr::symbol("a", Type::Int64), b = Expr::symbol("b", Type::Int64);
  const Expr many = Expr::make(Op::Le, {whole(100), made(Op::FloorDiv, a, whole(2)) + b});
  EXPECT_EQ(repaired(many, {{"a", 0}, {"b", 0}}), (Sizes{{"a", 0}, {"b", 100}}));
  const Expr yes = Expr::make(Op::Lt, {whole(0), a}), no = Expr::make(Op::Lt, {a, whole(0)});
  EXPECT_EQ(holds(Expr::make(Op::Or, Type::Bool, {no, yes}), {{"a", 1}}), true);
  EXPECT_EQ(holds(Expr::make(Op::And, Type::Bool, {no, yes}), {{"a", 1}}), false);
}

TEST(ExceptionalRuns, PutNothingIntoIntegers) {
  const auto t =
      analyse("void f(int n, const int *t, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[t[i]]; }");
  const auto program = t.lowered();
  ASSERT_TRUE(program);
  Memory start;
  start.sizes = {{"n", 3}};
  start.arrays = {{"t", {0, 1, 2}}, {"x", {1, 2, 3}}, {"y", {0, 0, 0}}};
  const auto runs = exceptionalRuns(*program, t.relaxed(), start);
  EXPECT_FALSE(runs.empty());
  for (const ExceptionalRun &run : runs) EXPECT_FALSE(run.what.starts_with("t[")) << run.what;
}

TEST(AssumptionsOf, AFunctionThatIsLeftAreNone) {
  FunctionTrace trace = analyse(R"(void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float top = x[i * m];
    for (int j = 0; j < m; j++) top = top < x[i * m + j] ? x[i * m + j] : top;
    y[i] = top;
  } })")
                            .trace;
  ASSERT_FALSE(assumptionsOf(trace).empty());
  trace.left = Refusal{"it is left", {}};
  EXPECT_TRUE(assumptionsOf(trace).empty());
  EXPECT_TRUE(assumptionsOf(FunctionTrace()).empty());
}

TEST(Requests, NameTheConditionsOfKernels) {
  const auto t = analyse("void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }");
  const auto lowered = t.lowered();
  ASSERT_TRUE(lowered);
  TileProgram program = *lowered;
  ASSERT_EQ(program.kernels.size(), 1U);
  EXPECT_TRUE(checkedOf(t.trace, program).choices.empty());
  program.kernels[0].when = Expr::make(Op::Lt, {Expr::integer(64), Expr::symbol("n", Type::Int64)});
  ASSERT_EQ(checkedOf(t.trace, program).choices.size(), 1U);
  EXPECT_TRUE(equal(checkedOf(t.trace, program).choices[0], program.kernels[0].when));
}
