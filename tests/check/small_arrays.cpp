// Arrays of constant extents at small sizes: as large as what the source touches of them, where that is known.
#include "../compilation.h"

#include "check/small_arrays.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;

namespace {

/// The extents of x at these sizes; empty: it is taken as it is.
std::vector<std::int64_t> extentsOfX(const std::string &arguments, const std::string &body, const Values &sizes) {
  const Analysed t =
      analyse("void f(int n, " + arguments + ", float *y) {\n for (int i = 0; i < n; i++)\n" + body + "}\n");
  const auto program = t.lowered();
  EXPECT_TRUE(program) << (program ? "" : program.refusal().reason);
  if (!program) return {};
  const Extents extents = extentsTouched(*t.trace.scop, *program, sizes);
  std::vector<std::int64_t> result;
  if (const auto x = extents.find("x"); x != extents.end())
    for (const Expr &extent : x->second) result.push_back(extent->integer);
  for (const TileArray &array : withExtents(*program, extents).arrays)
    if (array.name == "x" && !result.empty()) EXPECT_TRUE(equal(array.extents[0], Expr::integer(result[0])));
  return result;
}

} // namespace

TEST(SmallArrays, HoldWhatIsTouchedAndAnElementMore) {
  const std::string sum = "  for (int j = 0; j < 7; j++) y[i] += x[i + 1][2 * j];\n";
  EXPECT_THAT(extentsOfX("const float (&x)[512][512]", sum, {{"n", 5}}), testing::ElementsAre(7, 14));
  EXPECT_THAT(extentsOfX("const float (&x)[512][512]", sum, {{"n", 511}}), testing::ElementsAre(512, 14));
  EXPECT_THAT(extentsOfX("const float (&x)[512][512]", sum, {{"n", 0}}), testing::ElementsAre(1, 1)) << "nothing";
}

TEST(SmallArrays, StayAsTheyAreWhereTheyAreSmallOrDataChoose) {
  EXPECT_THAT(extentsOfX("const float x[8][16]", "  y[i] = x[i][3];\n", {{"n", 5}}), testing::IsEmpty());
  EXPECT_THAT(extentsOfX("const int *t, const float x[512][512]", "  y[i] = x[t[i]][3];\n", {{"n", 5}}),
              testing::IsEmpty());
  EXPECT_THAT(extentsOfX("const float *x", "  for (int j = 0; j < 7; j++) y[i] += x[i * 512 + j];\n", {{"n", 5}}),
              testing::IsEmpty());
}
