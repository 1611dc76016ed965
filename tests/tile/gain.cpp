// A program that keeps the source's order is printed only where something runs beside something else.
#include "../compilation.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

std::optional<std::string> idleOn(Processor processor, const std::string &text) {
  const Analysed analysed = analyse(text);
  const auto program = analysed.lowered();
  EXPECT_TRUE(program);
  return program ? nothingGained(*program, processor) : std::nullopt;
}

/// Steps of a stencil: the steps keep their order, the points of one do not.
const char *const steps = R"(void f(int t, int n, double *a, double *b) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
    for (int i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i + 1];
  }
})";

const char *const chain = R"(void f(int n, const double *x, double *y) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
  }
})";

/// Chains beside each other.
const char *const chains = R"(void f(int n, int m, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++) {
      s += x[i * m + j];
      y[i * m + j] = s;
    }
  }
})";

/// A row of outer iterations that is parallel before one that is not.
const char *const mixed = R"(void f(int n, const double *x, double *y, double *z) {
  for (int i = 0; i < n; i++) z[i] = x[i] * 2;
  for (int i = 1; i < n; i++) y[i] = y[i - 1] + z[i];
})";

/// Steps of which each has a chain, and points that do not wait for one another.
const char *const chainInSteps = R"(void f(int n, const double *r, double *y, double *z) {
  double alpha = -r[0];
  y[0] = -r[0];
  for (int k = 1; k < n; k++) {
    double sum = 0;
    for (int i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / (1 - alpha * alpha);
    for (int i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++) y[i] = z[i];
    y[k] = alpha;
  }
})";

/// Steps of which each has sums that wait for one another, and points that do not.
const char *const sumsInSteps = R"(void f(int t, int n, double *a, const double *b, double *c) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n; i++)
      for (int j = 0; j < n; j++) c[i] += c[i - 1] * b[j];
    for (int i = 0; i < n; i++) a[i] = a[i] * 0.5 + c[i];
  }
})";

} // namespace

TEST(Gain, TurnsThatWaitOutweighPointsThatDoNot) {
  EXPECT_EQ(idleOn(Processor::Gpu, sumsInSteps), "a GPU would run one of its loops on one thread");
}

TEST(Gain, NothingRunsBesideAnythingInAChain) {
  EXPECT_TRUE(idleOn(Processor::Cpu, chain));
  EXPECT_TRUE(idleOn(Processor::Gpu, chain));
}

TEST(Gain, RowsThatAreChainsRunBesideEachOther) {
  EXPECT_FALSE(idleOn(Processor::Cpu, chains));
  EXPECT_FALSE(idleOn(Processor::Gpu, chains));
}

TEST(Gain, PointsOfAStepAreForTheThreadsOfABlock) {
  EXPECT_TRUE(idleOn(Processor::Cpu, steps));
  EXPECT_FALSE(idleOn(Processor::Gpu, steps));
}

TEST(Gain, OneKernelOfOneThreadIsTooManyForAGpu) {
  EXPECT_FALSE(idleOn(Processor::Cpu, mixed));
  EXPECT_TRUE(idleOn(Processor::Gpu, mixed));
}

/// What threads share is nothing beside a chain in steps.
TEST(Gain, PointsBeforeADeeperChainAreTooFew) {
  const auto idle = idleOn(Processor::Cpu, R"(void f(int n, const double *x, double *v) {
    for (int i = 0; i <= n; i++) v[i] = x[i] * 2;
    for (int t = n - 1; t >= 0; t--)
      for (int i = 1; i <= t; i++) v[i] = v[i - 1] + v[i];
  })");
  ASSERT_TRUE(idle);
  EXPECT_EQ(*idle, "its deepest loops run one after another");
}

TEST(Gain, AChainBetweenRegionsIsTooLongForAThreadOfAGpu) { EXPECT_TRUE(idleOn(Processor::Gpu, chainInSteps)); }
