// Loops in the source's order that were taken for independent although they are not are found out by running them the
// other way round.
#include "polymend/validate.h"

#include "../compilation.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

/// A recurrence in rows, beside rows that are independent: no reduction that could be lifted.
const char *const smoothed = R"(void f(int n, int m, float *x) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++) x[i * m + j] = x[i * m + j] * 0.5f + x[i * m + j - 1] * 0.25f;
})";

} // namespace

TEST(Backwards, IndependentRowsAgree) {
  const auto t = analyse(smoothed);
  ASSERT_TRUE(t.plan().order);
  const auto program = t.lowered();
  ASSERT_TRUE(program);
  const Validation tried = validate(t.trace, *program);
  EXPECT_TRUE(tried.faults.empty());
  EXPECT_FALSE(tried.unrun) << *tried.unrun;
}

TEST(Backwards, ARecurrenceOnAGridIsFoundOut) {
  const auto t = analyse(smoothed);
  auto program = t.lowered();
  ASSERT_TRUE(program);
  ASSERT_EQ(program->kernels.size(), 1U);
  Kernel &kernel = program->kernels[0];
  ASSERT_EQ(kernel.body.size(), 1U);
  const auto &columns = *std::get<std::shared_ptr<const TileLoop>>(kernel.body[0]);
  kernel.grid.push_back({columns.variable, columns.first, columns.limit, PointDim::Kind::Parallel});
  kernel.body = columns.body;
  EXPECT_FALSE(validate(t.trace, *program).faults.empty());
}
