// Left factors of products that are computed in registers: taken from shared memory in the layout of the instruction,
// made beside the product before, moved to their place when it is done.
#include "../tile/matrix_cases.h"

#include "polymend/pipeline.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The kernel with roles that is printed for a source, or nothing.
std::string printed(const std::string &source) {
  const ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  options.target = Target::Cuda;
  options.arch = "sm_90a";
  EXPECT_FALSE(replaceFile(options.file, source));
  const std::string text = transform(options).text;
  const std::size_t from = text.find("_matrix_kernel("), to = text.find("\n}\n", from);
  return from == std::string::npos ? "" : text.substr(from, to - from);
}

/// The places of the texts in the kernel's first loop over chunks, each after the one before; empty: not in this order.
std::vector<std::size_t> inOrder(const std::string &kernel, const std::vector<std::string> &wanted) {
  std::vector<std::size_t> places;
  std::size_t at = kernel.find("raiseRegisters");
  at = kernel.find("for (int l_block", at);
  for (const std::string &text : wanted) {
    at = kernel.find(text, at);
    if (at == std::string::npos) return {};
    places.push_back(at++);
  }
  return places;
}

} // namespace

TEST(RoleOperand, IsMadeBesideTheProductBefore) {
  const std::string kernel = printed(textOf("inputs/matmul_prologue.cpp"));
  EXPECT_FALSE(inOrder(kernel, {"wgmma_n256_bf16_rs_tb(sum, &u_factor[", "loadBlock(&u_copy_words",
                                "u_factor_ahead[p] =", "__syncwarp();", "barrierArrive(", "wgmmaWait<0>()",
                                "u_factor[p] = u_factor_ahead[p] ^ zero"})
                   .empty())
      << kernel;
  EXPECT_THAT(kernel, HasSubstr("const std::uint32_t zero = static_cast<std::uint32_t>(points >> 62);"));
  EXPECT_THAT(kernel, HasSubstr("divideFull("));
}

TEST(RoleOperand, IsTakenAcrossWhereItsRowsAreStoredAcross) {
  const std::string kernel = printed(computedLeft);
  EXPECT_THAT(kernel, HasSubstr("loadBlockAcross(&p_copy_words"));
  EXPECT_THAT(kernel, HasSubstr("loadBlock(&r_copy_words"));
  EXPECT_THAT(kernel, HasSubstr("widenHalf("));
}

TEST(RoleOperand, ProductsOfCopiedTilesMoveNothing) {
  const std::string kernel = printed(textOf("inputs/matmul_bf16.cpp"));
  EXPECT_THAT(kernel, HasSubstr("wgmma"));
  EXPECT_THAT(kernel, Not(HasSubstr("loadBlock")));
  EXPECT_THAT(kernel, Not(HasSubstr("points >> 62")));
  EXPECT_THAT(kernel, Not(HasSubstr("__syncwarp")));
}
