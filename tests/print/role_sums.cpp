// Sums over rows in registers: the threads of a row keep parts of a sum apart only where nothing needs the whole.
#include "../tile/matrix_cases.h"
#include "compiled.h"

#include "polymend/pipeline.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The kernel with roles of a function that adds up squares of products, from `start`.
std::string printed(const std::string &start) {
  const ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  options.target = Target::Cuda;
  options.arch = "sm_90a";
  EXPECT_FALSE(replaceFile(options.file, "void squares(int n, const __bf16 *a, const __bf16 *b, float *o) {\n"
                                         "  for (int i = 0; i < n; i++) {\n"
                                         "    float total = " +
                                             start +
                                             ";\n"
                                             "    for (int j = 0; j < n; j++) {\n"
                                             "      float dot = 0.0f;\n"
                                             "      for (int e = 0; e < 64; e++)\n"
                                             "        dot += float(a[i * 64 + e]) * float(b[j * 64 + e]);\n"
                                             "      total += dot * dot;\n"
                                             "    }\n"
                                             "    o[i] = total;\n"
                                             "  }\n"
                                             "}\n"));
  const std::string text = transform(options).text;
  const std::size_t from = text.find("squares_matrix_kernel("), to = text.find("\n}\n", from);
  return from == std::string::npos ? "" : text.substr(from, to - from);
}

} // namespace

TEST(RoleSums, StayApartFromZero) {
  const std::string text = printed("0.0f");
  EXPECT_THAT(text, HasSubstr("total[r] += part[r] + part[r + 2];"));
  EXPECT_THAT(text, HasSubstr("total[r] = polymend_rt::combineLanes<4>(total[r]"));
}

TEST(RoleSums, AreWholeWhereTheyBeginElsewhere) {
  const std::string text = printed("3.0f");
  EXPECT_THAT(text, HasSubstr("total[r] = 3.0f;"));
  EXPECT_THAT(text, HasSubstr("total[r] += polymend_rt::combineLanes<4>(part[r] + part[r + 2]"));
  EXPECT_THAT(text, Not(HasSubstr("total[r] += part[r] + part[r + 2];")));
}
