// The planned order against the dependences: a plan that breaks one is told which.
#include "../journey.h"

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

} // namespace

TEST(Order, IsLegalAsPlanned) {
  const auto t = travel(logSum);
  EXPECT_TRUE(violations(t.relaxed(), t.plan()).empty());
}

TEST(Order, FindsAMendThatThePlanForgot) {
  const auto t = travel(logSum);
  Schedule torn = t.plan();
  for (KernelPlan &plan : torn.kernels)
    for (Phase &phase : plan.phases)
      for (Member &member : phase.members) member.mended = -1;
  const auto found = violations(t.relaxed(), torn);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.front().find("nothing mends it"), std::string::npos) << found.front();
}

TEST(Order, FindsAConsumerThatRunsTooEarly) {
  const auto t = travel(logSum);
  Schedule swapped = t.plan();
  auto &members = swapped.kernels[0].phases[0].members;
  ASSERT_EQ(members.size(), 2U);
  std::swap(members[0], members[1]);
  EXPECT_FALSE(violations(t.relaxed(), swapped).empty());
}

TEST(Order, FindsRowsThatDoNotMatch) {
  const auto t = travel(logSum);
  Schedule shifted = t.plan();
  for (KernelPlan &plan : shifted.kernels)
    for (Phase &phase : plan.phases)
      for (Member &member : phase.members)
        if (member.mended >= 0) member.rows.clear();
  EXPECT_FALSE(violations(t.relaxed(), shifted).empty());
}
