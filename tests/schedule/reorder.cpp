// Another order of loops: every dependence runs forwards, threads share fronts of tiles or loops within a pivot's, the
// innermost loop moves by one element a step; values that are private to an iteration keep the source's order.
#include "../compilation.h"

#include "polymend/order.h"
#include "tile/visit.h"

#include <isl/aff.h>
#include <isl/schedule.h>
#include <isl/union_set.h>

using namespace polymend;
using namespace polymend::tests;

namespace {

const char *const factors = R"(void f(int n, double *a) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
      a[i * n + j] /= a[j * n + j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
  } })";

const char *const sweeps = R"(void f(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i] + a[i + 1];
    for (int i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i] + b[i + 1];
  } })";

const char *const inPlace = R"(void f(int steps, int n, double *a) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) a[i * n + j] = a[(i - 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j];
})";

const char *const paths = R"(void f(int n, float *d) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i * n + j] = d[i * n + j] < d[i * n + k] + d[k * n + j] ? d[i * n + j] : d[i * n + k] + d[k * n + j];
})";

const char *const pivoted = R"(void f(int n, double *a) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (i != k && j != k) a[i * n + j] -= a[i * n + k] * a[k * n + j] / a[k * n + k];
})";

const char *const columns = R"(void f(int m, int n, double *a, double *r) {
  for (int k = 0; k < n; k++)
    for (int j = k + 1; j < n; j++) {
      r[k * n + j] = 0;
      for (int i = 0; i < m; i++) r[k * n + j] += a[i * n + k] * a[i * n + j];
      for (int i = 0; i < m; i++) a[i * n + j] -= a[i * n + k] * r[k * n + j];
    }
})";

const char *const triangular = R"(void f(int m, int n, const double *a, double *b) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int k = i + 1; k < m; k++) b[i * n + j] += a[k * m + i] * b[k * n + j];
})";

const char *const substitution = R"(void f(int n, const double *l, double *x) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) x[i] -= l[i * n + j] * x[j];
    x[i] /= l[i * n + i];
  } })";

const char *const foldings = R"(void f(int n, int *best) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 2; j < n; j++) {
      best[i * n + j] = best[(i + 1) * n + j - 1] + 1;
      for (int k = i + 1; k < j; k++)
        best[i * n + j] = best[i * n + j] < best[i * n + k] + best[(k + 1) * n + j] ? best[i * n + k] + best[(k + 1) * n + j] : best[i * n + j];
    } })";

const char *const subsequence = R"(void f(int n, const int *a, const int *b, int *c) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      c[i * n + j] = a[i] == b[j] ? c[(i - 1) * n + j - 1] + 1
                                  : (c[(i - 1) * n + j] < c[i * n + j - 1] ? c[i * n + j - 1] : c[(i - 1) * n + j]);
})";

const char *const filtered = R"(void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float last = 0;
    for (int j = 0; j < m; j++) {
      y[i * m + j] = x[i * m + j] + 0.5f * last;
      last = y[i * m + j];
    }
  } })";

/// As planned for a host.
Schedule planOf(const Analysed &t, bool reorder = true) {
  ScheduleOptions options;
  options.host = true;
  options.reorder = reorder;
  return schedule(*t.trace.scop, *t.trace.dependences, t.relaxed(), options);
}

Result<TileProgram> loweredOf(const Analysed &t, const Schedule &plan) {
  return lower(t.trace.function, *t.trace.scop, *t.trace.dependences, t.relaxed(), plan, {});
}

bool sharesLoops(const TileBlock &nodes) {
  return any<TileLoop>(nodes, [](const TileLoop &loop) { return loop.kind == TileLoop::Kind::Shared; });
}

std::string innermostOf(const TileProgram &program) {
  std::string variable;
  allNodes(program.kernels.front().body, [&](const TileNode &node) {
    if (const auto *points = as<TilePoints>(node)) {
      const TileAssign &a = points->body.front();
      const PointDim &last = points->dims.back();
      variable = last.kind == PointDim::Kind::Parallel && symbols(a.target.subscripts.back()).contains(last.variable)
                     ? "along the target"
                     : "across it";
    }
    return true;
  });
  return variable;
}

} // namespace

TEST(Reorder, RunsEveryDependenceForwards) {
  for (const char *text : {factors, sweeps, inPlace, paths, columns, substitution, foldings}) {
    const auto t = analyse(text);
    const Schedule plan = planOf(t);
    EXPECT_TRUE(plan.moved) << text;
    EXPECT_TRUE(violations(*t.trace.scop, *t.trace.dependences, plan).empty()) << text;
  }
}

TEST(Reorder, IsToldOfADependenceThatRunsBackwards) {
  const auto t = analyse("void f(int n, double *x) { for (int i = 1; i < n; i++) x[i] += x[i - 1]; }");
  const isl::set instances = t.trace.scop->statements.front().domain;
  isl_aff *up = isl_aff_var_on_domain(isl_local_space_from_space(isl_set_get_space(instances.get())), isl_dim_set, 0);
  isl_pw_aff *down = isl_pw_aff_from_aff(isl_aff_neg(up));
  isl_multi_union_pw_aff *row = isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_from_pw_aff(down));
  Schedule wrong;
  wrong.moved = true;
  wrong.order = isl::manage(
      isl_schedule_insert_partial_schedule(isl_schedule_from_domain(isl_union_set_from_set(instances.copy())), row));
  const auto found = violations(*t.trace.scop, *t.trace.dependences, wrong);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.front().find("on which it depends"), std::string::npos);
}

TEST(Reorder, SharesFrontsOfTilesAndLoopsWithinAPivots) {
  for (const char *text : {factors, sweeps, inPlace, columns, paths, substitution, foldings}) {
    const auto t = analyse(text);
    const auto program = loweredOf(t, planOf(t));
    ASSERT_TRUE(program) << program.refusal().reason;
    EXPECT_FALSE(nothingGained(*program, Processor::Cpu)) << text;
    EXPECT_TRUE(std::any_of(program->kernels.begin(), program->kernels.end(), [](const Kernel &kernel) {
      return sharesLoops(kernel.body);
    })) << text;
  }
}

TEST(Reorder, TurnsTheLoopInwardsThatMovesByOneElement) {
  const auto t = analyse(triangular);
  for (const bool reorder : {true, false}) {
    const auto program = loweredOf(t, planOf(t, reorder));
    ASSERT_TRUE(program) << program.refusal().reason;
    EXPECT_FALSE(program->kernels.front().grid.empty());
    EXPECT_EQ(innermostOf(*program), "along the target");
  }
}

/// What one turn hands to the next in a register would go through memory between tiles.
TEST(Reorder, CutsNoPairOfLoopsThatGathersNothing) {
  const auto t = analyse(subsequence);
  const auto program = loweredOf(t, planOf(t));
  ASSERT_TRUE(program) << program.refusal().reason;
  EXPECT_FALSE(sharesLoops(program->kernels.front().body));
}

TEST(Reorder, LeavesAloneWhatIsPrivateToAnIteration) { EXPECT_FALSE(planOf(analyse(filtered)).moved); }

/// On a GPU one loop of a factorisation is the host's, around launches whose points are independent.
TEST(Spread, CarriesInAsFewLoopsAsCanBe) {
  for (const char *text : {factors, columns}) {
    const auto t = analyse(text);
    const Schedule plan = t.plan();
    ASSERT_TRUE(plan.moved) << text;
    EXPECT_TRUE(violations(*t.trace.scop, *t.trace.dependences, plan).empty()) << text;
    LowerOptions onDevice;
    onDevice.machine = Machine();
    const auto program = lower(t.trace.function, *t.trace.scop, *t.trace.dependences, t.relaxed(), plan, onDevice);
    ASSERT_TRUE(program) << program.refusal().reason;
    EXPECT_FALSE(nothingGained(*program, Processor::Gpu)) << text;
    std::size_t loops = 0, wide = 0;
    allNodes(program->kernels.front().body, [&](const TileNode &node) {
      loops += as<TileLoop>(node) ? 1 : 0;
      const auto *points = as<TilePoints>(node);
      wide += points && points->dims.front().kind == PointDim::Kind::Parallel ? 1 : 0;
      return true;
    });
    EXPECT_LE(loops, 1U) << text;
    EXPECT_GE(wide, 2U) << text;
  }
}

/// Within one turn of the pivot's loop, before its row, on it and behind it are pieces that hold no dependence.
TEST(Spread, CutsAStatementWhereItsDependencesBegin) {
  for (const char *text : {paths, pivoted}) {
    const auto t = analyse(text);
    const Schedule plan = t.plan();
    ASSERT_TRUE(plan.moved) << text;
    EXPECT_TRUE(violations(*t.trace.scop, *t.trace.dependences, plan).empty()) << text;
    LowerOptions onDevice;
    onDevice.machine = Machine();
    const auto program = lower(t.trace.function, *t.trace.scop, *t.trace.dependences, t.relaxed(), plan, onDevice);
    ASSERT_TRUE(program) << program.refusal().reason;
    EXPECT_FALSE(nothingGained(*program, Processor::Gpu)) << text;
    std::size_t loops = 0, regions = 0;
    allNodes(program->kernels.front().body, [&](const TileNode &node) {
      loops += as<TileLoop>(node) ? 1 : 0;
      const auto *points = as<TilePoints>(node);
      regions += points && std::ranges::all_of(
                               points->dims, [](const PointDim &dim) { return dim.kind == PointDim::Kind::Parallel; });
      return true;
    });
    EXPECT_EQ(loops, 1U) << text;
    EXPECT_EQ(regions, text == paths ? 8U : 4U) << text;
  }
}

TEST(Spread, LeavesWhatLaunchesWouldSlowDown) {
  EXPECT_FALSE(analyse(substitution).plan().moved) << "a launch an element takes longer than the host";
}
