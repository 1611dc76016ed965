// Every kernel of the corpus and every input goes through the whole tool: the verdict is the one that its first lines
// expect, and the result agrees with the original. "// expect: " is followed by what holds, apart by "; ": `corrected
// N` dependences, maybe `in N kernels`; `refused: why` for each that is not mended; `kept`: the loops keep their order;
// `moved`: they run in another, by dependences alone; `left: why`.
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

/// What the file expects; empty: it does not say.
std::string expectation(const std::string &file) {
  const std::string text = *readFile(file);
  const std::string mark = "// expect: ";
  const auto at = text.find(mark);
  return at == std::string::npos ? "" : text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

std::vector<std::string> itemsOf(const std::string &expected) {
  std::vector<std::string> items;
  for (std::size_t at = 0; at < expected.size();) {
    const std::size_t end = std::min(expected.find("; ", at), expected.size());
    items.push_back(expected.substr(at, end - at));
    at = end + 2;
  }
  return items;
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
  if (stem == "decode_paged") return {{{"batch", 2}, {"most", 3}}};
  if (stem.starts_with("prefill_") || stem.starts_with("decode_")) return {{{"batch", 2}, {"n", 3}}};
  std::set<std::string> names;
  const ParseOutcome parsed = parse(file, {});
  if (parsed.nest)
    for (const Function &function : parsed.nest->functions) names.insert(function.sizes.begin(), function.sizes.end());
  if (parsed.nest && parsed.nest->functions.empty())
    for (const auto &[whole, part] : parsed.nest->parts) names.insert(part.sizes.begin(), part.sizes.end());
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
  const std::vector<std::string> items = itemsOf(expectation(GetParam()));
  ASSERT_FALSE(items.empty()) << "the first lines of " << GetParam() << " say no verdict";
  const PipelineOutcome told = explain(optionsFor(GetParam()));
  EXPECT_EQ(told.exitCode, ExitCode::Done);
  PipelineOptions strict = optionsFor(GetParam());
  strict.require = true;
  const ExitCode required = transform(strict).exitCode;
  std::size_t corrected = 0;
  bool isRefused = false, isLeft = false, isKept = false, isMoved = false;
  for (const std::string &item : items) {
    const std::string kind = item.substr(0, item.find_first_of(": "));
    const std::string why = item.find(": ") == std::string::npos ? "" : item.substr(item.find(": ") + 2);
    ASSERT_TRUE(kind == "corrected" || kind == "refused" || kind == "kept" || kind == "moved" || kind == "left")
        << item;
    if (kind == "corrected") corrected = std::stoul(item.substr(kind.size()));
    if (const auto in = item.find(" in "); kind == "corrected" && in != std::string::npos)
      EXPECT_EQ(count(told.text, "\n  kernel "), std::stoul(item.substr(in + 4))) << told.text;
    isRefused = isRefused || kind == "refused";
    isKept = isKept || kind == "kept";
    isMoved = isMoved || kind == "moved";
    isLeft = isLeft || kind == "left";
    EXPECT_NE(told.text.find(why), std::string::npos) << told.text;
  }
  EXPECT_EQ(count(told.text, "and finishes with"), corrected) << told.text;
  EXPECT_EQ(count(told.text, "its loops keep their order: ") > 0, isKept) << told.text;
  EXPECT_EQ(count(told.text, "its loops run in another order") > 0, isMoved) << told.text;
  EXPECT_EQ(count(told.text, "left as it is") > 0, isLeft) << told.text;
  if (!isKept && !isMoved) EXPECT_EQ(count(told.text, "is kept: ") > 0, isRefused) << told.text;
  if (!isKept && !isMoved) EXPECT_EQ(required, isRefused || isLeft ? ExitCode::Refused : ExitCode::Done) << told.text;
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
