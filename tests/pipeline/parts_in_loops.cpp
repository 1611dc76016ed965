// Parts of a function that a loop of the host runs again and again: each turn would copy their arrays to a device.
#include "polymend/pipeline.h"
#include "polymend/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend;
using testing::HasSubstr;
using testing::Not;

namespace {

const char *const steps =
    R"(void steps(int count, int n, const int *t, const float *a, const float *b, float *c, float *d) {
  for (int s = 0; s < count; s++) {
    if (t[s] < 0) break;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
      }
    t += 1;
    for (int i = 0; i < n; i++) d[i] += c[i * n + s];
  }
}
)";

PipelineOutcome transformed(Target target) {
  ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  EXPECT_FALSE(replaceFile(options.file, steps));
  options.target = target;
  return transform(options);
}

} // namespace

TEST(PartsInLoops, GoToAGpuWhereTheyComputeMoreThanIsCopied) {
  EXPECT_THAT(transformed(Target::Cuda).text, HasSubstr("steps_part_1_kernel"));
}

TEST(PartsInLoops, StayOnTheHostWhereEachTurnWouldCopyAsMuchAsItComputes) {
  const PipelineOutcome outcome = transformed(Target::Cuda);
  EXPECT_THAT(outcome.text, Not(HasSubstr("steps_part_2")));
  ASSERT_EQ(outcome.diagnostics.size(), 2U);
  EXPECT_THAT(render(outcome.diagnostics[1], ""),
              HasSubstr("input.cpp:2:3: remark: 'steps_part_2' is left as it is: nothing gained: each turn of the loop "
                        "around it would copy its arrays to a device and back"));
  EXPECT_THAT(transformed(Target::Cpp).text, HasSubstr("steps_part_2"));
}
