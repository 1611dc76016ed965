// Matrix units sum in float: what the source sums in another type is not theirs.
#include "matrix_run.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::SizeIs;

namespace {

/// A product of matrices summed in `type`.
TileProgram summedIn(const std::string &type) {
  const Analysed t = analyse("void f(int n, int m, int k, " + type + " x, const __bf16 *a, const __bf16 *b, " + type +
                             " *c) {\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) {\n      " + type +
                             " sum = 0;\n      for (int l = 0; l < k; l++) sum += x * a[i * k + l] * b[l * m + j];\n" +
                             "      c[i * m + j] = sum;\n    }\n}\n");
  const auto program =
      lower(t.trace.function, *t.trace.scop, *t.trace.dependences, t.relaxed(), t.plan(), onMatrixUnits({"f", "", {}}));
  EXPECT_TRUE(program);
  return *program;
}

} // namespace

TEST(SumType, FloatIsForMatrixUnits) { EXPECT_TRUE(hasRoles(summedIn("float"))); }

TEST(SumType, DoubleStaysWithThreads) {
  const TileProgram program = summedIn("double");
  EXPECT_FALSE(hasRoles(program));
  EXPECT_THAT(program.plain, SizeIs(1)); // says why
}
