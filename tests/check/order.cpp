// The planned order against the dependences: a plan that breaks one is told which.
#include "../compilation.h"

#include "polymend/order.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

const char *const logSum = R"(#include <cmath>
void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY, sum = 0;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
    for (int j = 0; j < m; j++) sum += std::exp(x[i * m + j] - top);
    y[i] = top + std::log(sum);
  } })";

bool tells(const std::vector<std::string> &found, const std::string &what) {
  return std::any_of(found.begin(), found.end(),
                     [&](const std::string &one) { return one.find(what) != std::string::npos; });
}

} // namespace

TEST(Order, FindsKernelsThatAreExchanged) {
  const auto t = analyse(logSum);
  Schedule apart = t.plan();
  ASSERT_EQ(apart.kernels[0].phases.size(), 2U);
  KernelPlan first = apart.kernels[0], second = apart.kernels[0];
  first.phases.pop_back();
  second.phases.erase(second.phases.begin());
  apart.kernels = {first, second};
  EXPECT_TRUE(violations(t.relaxed(), apart).empty());
  apart.kernels = {second, first};
  EXPECT_TRUE(tells(violations(t.relaxed(), apart), "is computed by a later kernel"));
}

TEST(Order, FindsAMendAtOtherPositions) {
  const auto t = analyse(logSum);
  for (const bool ofRows : {false, true}) {
    Schedule elsewhere = t.plan();
    for (KernelPlan &plan : elsewhere.kernels)
      for (Phase &phase : plan.phases)
        for (Member &member : phase.members)
          if (member.mended >= 0) (ofRows ? member.rows : member.rolled).clear();
    EXPECT_TRUE(tells(violations(t.relaxed(), elsewhere), "does not run at the positions of")) << ofRows;
  }
}

TEST(Order, IsLegalAsPlanned) {
  const auto t = analyse(logSum);
  EXPECT_TRUE(violations(t.relaxed(), t.plan()).empty());
}

TEST(Order, FindsAMendThatThePlanForgot) {
  const auto t = analyse(logSum);
  Schedule torn = t.plan();
  for (KernelPlan &plan : torn.kernels)
    for (Phase &phase : plan.phases)
      for (Member &member : phase.members) member.mended = -1;
  const auto found = violations(t.relaxed(), torn);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.front().find("nothing mends it"), std::string::npos) << found.front();
}

TEST(Order, FindsAConsumerThatRunsTooEarly) {
  const auto t = analyse(logSum);
  Schedule swapped = t.plan();
  auto &members = swapped.kernels[0].phases[0].members;
  ASSERT_EQ(members.size(), 2U);
  std::swap(members[0], members[1]);
  EXPECT_FALSE(violations(t.relaxed(), swapped).empty());
}

TEST(Order, FindsRowsThatDoNotMatch) {
  const auto t = analyse(logSum);
  Schedule shifted = t.plan();
  for (KernelPlan &plan : shifted.kernels)
    for (Phase &phase : plan.phases)
      for (Member &member : phase.members)
        if (member.mended >= 0) member.rows.clear();
  EXPECT_FALSE(violations(t.relaxed(), shifted).empty());
}

TEST(Order, FindsSumsWhoseLoopsChange) {
  const auto t = analyse(R"(
void f(int n, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 2; k++) sum += x[(i + j) * n + k];
    y[i] = sum;
  } })");
  EXPECT_TRUE(outOfOrder(t.relaxed(), t.plan()).empty());
  Schedule chunked = t.plan(), swapped = t.plan();
  Phase &phase = chunked.kernels[0].phases[0];
  ASSERT_EQ(phase.rolled.size(), 2U);
  phase.chunks[0] = 2;
  EXPECT_TRUE(tells(outOfOrder(t.relaxed(), chunked), "in another order than the source"));
  auto &rolled = swapped.kernels[0].phases[0].members[0].rolled;
  std::swap(rolled[0], rolled[1]);
  EXPECT_FALSE(outOfOrder(t.relaxed(), swapped).empty());
}
