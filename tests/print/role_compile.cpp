// Printed kernels with roles go through the toolkit, where it is found: for sm_90a without a product that the assembler
// takes apart, for sm_80 also as code that is never started; texts for sm_80 for that architecture, without spills.
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
  FloatMode fp = FloatMode::Algebraic;
};

std::ostream &operator<<(std::ostream &out, const Source &source) { return out << source.name; }

/// What nvcc says about the file printed for a source, with "failed" first where it refuses it.
std::string said(const Source &source, const std::string &flags, const std::string &arch = "sm_90a") {
  const ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  EXPECT_FALSE(replaceFile(options.file, source.text));
  options.target = Target::Cuda;
  options.arch = arch;
  options.fp = source.fp;
  const PipelineOutcome outcome = transform(options);
  EXPECT_THAT(outcome.text, HasSubstr("_matrix_kernel"));
  EXPECT_FALSE(replaceFile(scratch.file("out.cu"), outcome.text));
  const std::string line = "nvcc -std=c++20 " + flags + " " + scratch.file("out.cu") + " -o " + scratch.file("out") +
                           " > " + scratch.file("log") + " 2>&1";
  const bool ok = std::system(line.c_str()) == 0;
  const auto log = readFile(scratch.file("log"));
  return (ok ? "" : "failed ") + (log ? *log : "");
}

/// The assembler's lines about the kernel with roles, for an architecture.
std::string aboutRoles(const std::string &log, const std::string &arch) {
  const std::string entry = "Compiling entry function";
  for (std::size_t from = log.find(entry); from != std::string::npos;) {
    const std::size_t to = log.find(entry, from + entry.size());
    const std::string lines = log.substr(from, to - from), head = lines.substr(0, lines.find('\n'));
    if (head.find("_matrix_kernel") != std::string::npos && head.find("'" + arch + "'") != std::string::npos)
      return lines;
    from = to;
  }
  return "";
}

/// Products of doubles and of floats, alone and one after the other.
std::vector<Source> wideSources() {
  const std::string chain = textOf("tests/corpus/weighted_doubles.cpp");
  return {
      {"matmul_f64", textOf("inputs/matmul_f64.cpp")},
      {"matmul_tf32", textOf("inputs/matmul.cpp"), false, FloatMode::Approx},
      {"weighted_doubles", chain},
      {"weighted_tf32", replacedAll(replacedAll(chain, "double", "float"), "0.25", "0.25f"), false, FloatMode::Approx},
      {"weighted_doubles_128", replacedAll(replacedAll(chain, "32", "128"), "48", "128")}};
}

std::vector<Source> sources() {
  std::vector<Source> all;
  for (const std::string input : {"prefill_causal", "matmul_epilogue", "matmul_prologue", "rmsnorm_matmul_bf16",
                                  "layernorm_matmul_bf16", "linear_cross_entropy_bf16"})
    all.push_back({input, textOf("inputs/" + input + ".cpp")});
  for (const Source &wide : wideSources()) all.push_back(wide);
  for (const MatrixCase &c : matrixCases())
    for (const char *wanted :
         {"nasty_names", "recomputed", "outermost_sum", "computed_left", "shared_keys", "added_matrix"})
      if (c.name == wanted) all.push_back({c.name, c.text, true});
  return all;
}

/// Operators of several head dimensions.
std::vector<Source> warpSources() {
  std::vector<Source> all;
  for (const std::string input : {"prefill_causal", "prefill_alibi", "prefill_softcap", "prefill_masked", "prefill_gqa",
                                  "matmul_bf16", "matmul_epilogue", "batched_matmul", "decode_gqa", "decode_softcap"})
    all.push_back({input, textOf("inputs/" + input + ".cpp")});
  for (const std::string dim : {"64", "256"})
    all.push_back({"prefill_causal_" + dim,
                   shortened("prefill_causal", {{"dim = 128", "dim = " + dim}, {"[128]", "[" + dim + "]"}})});
  for (const Source &wide : wideSources()) all.push_back(wide);
  all.push_back({"prefill_window", textOf("inputs/prefill_window.cpp"), true});
  for (const MatrixCase &c : matrixCases())
    if (c.name == "outermost_sum" || c.name == "columns_first") all.push_back({c.name, c.text, true});
  return all;
}

class RoleText : public testing::TestWithParam<Source> {};

} // namespace

TEST_P(RoleText, CompilesWithoutLoss) {
  if (!testing_print::hasCompiler("nvcc"))
    GTEST_SKIP() << "nvcc was not found: kernels with roles are not compiled here";
  const std::string log = said(GetParam(), "-gencode=arch=compute_90a,code=sm_90a -gencode=arch=compute_80,code=sm_80 "
                                           "-Werror all-warnings -Xptxas -v -c");
  EXPECT_THAT(log, Not(testing::StartsWith("failed")));
  EXPECT_THAT(log, Not(HasSubstr("Potential Performance Loss")));
  EXPECT_THAT(log, HasSubstr("for 'sm_80'"));
  if (!GetParam().spills)
    EXPECT_THAT(aboutRoles(log, "sm_90a"), HasSubstr(" 0 bytes spill stores, 0 bytes spill loads"));
}

INSTANTIATE_TEST_SUITE_P(Operators, RoleText, testing::ValuesIn(sources()),
                         [](const auto &info) { return info.param.name; });

class WarpRoleText : public testing::TestWithParam<Source> {};

TEST_P(WarpRoleText, CompilesWithoutSpills) {
  if (!testing_print::hasCompiler("nvcc"))
    GTEST_SKIP() << "nvcc was not found: kernels with roles are not compiled here";
  const std::string log = said(GetParam(), "-arch=sm_80 -Werror all-warnings -Xptxas -v -cubin", "sm_80");
  EXPECT_THAT(log, Not(testing::StartsWith("failed")));
  if (!GetParam().spills)
    EXPECT_THAT(aboutRoles(log, "sm_80"), HasSubstr(" 0 bytes spill stores, 0 bytes spill loads"));
}

INSTANTIATE_TEST_SUITE_P(Operators, WarpRoleText, testing::ValuesIn(warpSources()),
                         [](const auto &info) { return info.param.name; });
