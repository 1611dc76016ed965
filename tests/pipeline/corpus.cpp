// Every kernel of the corpus and every input goes through the whole tool: the verdict is the one its second line
// expects (`// expect: corrected N`, `kept`, `refused`, `left: reason`, `any`), and the result agrees with the
// original.
#include "polymend/pipeline.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace polymend;

namespace {

std::vector<std::string> filesIn(const std::string &folder) {
  std::vector<std::string> result;
  for (const auto &entry : std::filesystem::directory_iterator(std::string(POLYMEND_SOURCE_DIR) + "/" + folder))
    if (entry.path().extension() == ".cpp") result.push_back(entry.path().string());
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> allFiles() {
  std::vector<std::string> all = filesIn("tests/corpus");
  for (const std::string &file : filesIn("inputs")) all.push_back(file);
  return all;
}

/// Verdicts on inputs, which carry no comment about them: `corrected N` in one kernel.
const std::map<std::string, std::string> &inputVerdicts() {
  static const std::map<std::string, std::string> table = {
      {"prefill_global", "corrected 2"},    {"prefill_causal", "corrected 2"},  {"prefill_gqa", "corrected 2"},
      {"prefill_alibi", "corrected 2"},     {"prefill_softcap", "corrected 2"}, {"prefill_window", "corrected 2"},
      {"prefill_masked", "corrected 2"},    {"decode_causal", "corrected 2"},   {"decode_alibi", "corrected 2"},
      {"decode_gqa", "corrected 2"},        {"decode_softcap", "corrected 2"},  {"layernorm_matmul", "corrected 2"},
      {"matmul_f64", "corrected 0"},        {"matmul_bf16", "corrected 0"},     {"matmul_epilogue", "corrected 0"},
      {"matmul_prologue", "corrected 0"},   {"batched_matmul", "corrected 0"},  {"jacobi2d", "left: nothing gained"},
      {"seidel2d", "left: nothing gained"}, {"trisolv", "left: nothing gained"}};
  return table;
}

std::string stemOf(const std::string &file) { return std::filesystem::path(file).stem().string(); }

/// Without the inputs whose fixed arrays take minutes to run on every kind of data.
std::vector<std::string> quickFiles() {
  std::vector<std::string> all = allFiles();
  std::erase_if(all, [](const std::string &file) {
    const std::string stem = stemOf(file);
    return stem == "attention_global" || stem == "attention_stored" || stem == "attention_window";
  });
  return all;
}

std::string nameOf(const std::string &file) {
  const std::filesystem::path path(file);
  return (path.parent_path().filename() == "inputs" ? "input_" : "") + path.stem().string();
}

std::string expectation(const std::string &file) {
  const auto input = inputVerdicts().find(stemOf(file));
  if (input != inputVerdicts().end()) return input->second;
  const std::string text = *readFile(file);
  const std::string mark = "// expect: ";
  const auto at = text.find(mark);
  return at == std::string::npos ? "any" : text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

std::size_t count(const std::string &text, const std::string &part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

PipelineOptions optionsFor(const std::string &file) {
  PipelineOptions options;
  options.file = file;
  options.seed = 7;
  options.faultsAreErrors = true;
  return options;
}

/// Each size small, and each in turn beyond a tile; 32 heads of 128 elements are enough for one short row each.
std::vector<Sizes> fewSizes(const std::string &file) {
  const std::string stem = stemOf(file);
  if (stem.starts_with("prefill_") || stem.starts_with("decode_")) return {{{"batch", 2}, {"n", 3}}};
  std::set<std::string> names;
  const ParseOutcome parsed = parse(file, {});
  if (parsed.nest)
    for (const Function &function : parsed.nest->functions) names.insert(function.sizes.begin(), function.sizes.end());
  Sizes one, mixed, long_;
  std::int64_t k = 0;
  for (const std::string &name : names) {
    one[name] = 1;
    mixed[name] = k % 2 == 0 ? 9 : 0;
    long_[name] = k++ % 2 == 0 ? 7 : 66;
  }
  if (names.empty()) return {one};
  return {one, mixed, long_};
}

class Verdicts : public testing::TestWithParam<std::string> {};
class Results : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(Verdicts, AreTheExpectedOnes) {
  const std::string expected = expectation(GetParam());
  const PipelineOutcome told = explain(optionsFor(GetParam()));
  EXPECT_EQ(told.exitCode, ExitCode::Done);
  if (expected == "any") return;
  PipelineOptions strict = optionsFor(GetParam());
  strict.require = true;
  const ExitCode required = transform(strict).exitCode;
  const std::size_t corrected = count(told.text, "and finishes with");
  if (expected.rfind("corrected", 0) == 0) {
    EXPECT_EQ(corrected, std::stoul(expected.substr(9))) << told.text;
    EXPECT_EQ(count(told.text, "left as it is"), 0U) << told.text;
    EXPECT_EQ(count(told.text, "is kept: "), 0U) << told.text;
    EXPECT_EQ(required, ExitCode::Done);
    if (inputVerdicts().contains(stemOf(GetParam()))) EXPECT_EQ(count(told.text, "\n  kernel "), 1U) << told.text;
  } else if (expected == "kept") {
    EXPECT_GT(count(told.text, "the order of its loops is kept: "), 0U) << told.text;
    EXPECT_EQ(count(told.text, "left as it is"), 0U) << told.text;
  } else {
    EXPECT_EQ(required, ExitCode::Refused) << told.text;
    EXPECT_EQ(corrected, 0U) << told.text;
    const std::string kind = expected.substr(0, expected.find(':'));
    EXPECT_NE(told.text.find(kind == "left" ? "left as it is" : "is kept: "), std::string::npos) << told.text;
    if (expected.size() > kind.size() + 2)
      EXPECT_NE(told.text.find(expected.substr(kind.size() + 2)), std::string::npos) << told.text;
  }
}

TEST_P(Results, AgreeWithTheOriginal) {
  PipelineOptions options = optionsFor(GetParam());
  options.sizes = fewSizes(GetParam());
  PipelineOutcome outcome = check(options);
  const bool isLeft = expectation(GetParam()).starts_with("left");
  if (!isLeft && outcome.exitCode == ExitCode::Untested) { // sizes at which the entry takes the source's own body
    options.sizes.clear();
    outcome = check(options);
  }
  EXPECT_EQ(outcome.exitCode, isLeft ? ExitCode::Untested : ExitCode::Done) << outcome.text;
}

INSTANTIATE_TEST_SUITE_P(Corpus, Verdicts, testing::ValuesIn(allFiles()),
                         [](const auto &info) { return nameOf(info.param); });
INSTANTIATE_TEST_SUITE_P(Corpus, Results, testing::ValuesIn(quickFiles()),
                         [](const auto &info) { return nameOf(info.param); });
