// Printed kernels with roles go through the toolkit, where it is found: for sm_90a without a product that the assembler
// takes apart, for sm_80 as code that is never started.
#include "../tile/matrix_cases.h"
#include "compiled.h"

#include "polymend/pipeline.h"

#include <gmock/gmock.h>

#include <cstdlib>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Source {
  std::string name, text;
  bool spills = false; // may
};

std::ostream &operator<<(std::ostream &out, const Source &source) { return out << source.name; }

/// What nvcc says about the file printed for a source, with "failed" first where it refuses it.
std::string said(const Source &source, const std::string &flags) {
  const ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  EXPECT_FALSE(replaceFile(options.file, source.text));
  options.target = Target::Cuda;
  options.arch = "sm_90a";
  const PipelineOutcome outcome = transform(options);
  EXPECT_THAT(outcome.text, HasSubstr("_matrix_kernel"));
  EXPECT_FALSE(replaceFile(scratch.file("out.cu"), outcome.text));
  const std::string line = "nvcc -std=c++20 " + flags + " " + scratch.file("out.cu") + " -o " + scratch.file("out") +
                           " > " + scratch.file("log") + " 2>&1";
  const bool ok = std::system(line.c_str()) == 0;
  const auto log = readFile(scratch.file("log"));
  return (ok ? "" : "failed ") + (log ? *log : "");
}

/// The assembler's lines about the kernel with roles.
std::string aboutRoles(const std::string &log) {
  const std::size_t from = log.find("_matrix_kernel"), to = log.find("Compiling entry function", from);
  return from == std::string::npos ? "" : log.substr(from, to - from);
}

std::vector<Source> sources() {
  std::vector<Source> all;
  for (const std::string input : {"prefill_causal", "matmul_epilogue"})
    all.push_back({input, textOf("inputs/" + input + ".cpp")});
  for (const MatrixCase &c : matrixCases())
    for (const char *wanted : {"nasty_names", "recomputed", "outermost_sum"})
      if (c.name == wanted) all.push_back({c.name, c.text, true});
  return all;
}

class RoleText : public testing::TestWithParam<Source> {};

} // namespace

TEST_P(RoleText, CompilesWithoutLoss) {
  if (!testing_print::hasCompiler("nvcc"))
    GTEST_SKIP() << "nvcc was not found: kernels with roles are not compiled here";
  const std::string hopper =
      said(GetParam(), "-gencode=arch=compute_90a,code=sm_90a -Werror all-warnings -Xptxas -v -c");
  EXPECT_THAT(hopper, Not(testing::StartsWith("failed")));
  EXPECT_THAT(hopper, Not(HasSubstr("Potential Performance Loss")));
  if (!GetParam().spills) EXPECT_THAT(aboutRoles(hopper), HasSubstr(" 0 bytes spill stores, 0 bytes spill loads"));
  const std::string older = said(GetParam(), "-arch=sm_80 -Werror all-warnings -c");
  EXPECT_THAT(older, Not(testing::StartsWith("failed")));
}

INSTANTIATE_TEST_SUITE_P(Operators, RoleText, testing::ValuesIn(sources()),
                         [](const auto &info) { return info.param.name; });
