// Which element each register holds, as printed kernels spell it, beside an enumeration of the layout of warpgroup
// products (PTX ISA, "wgmma.mma_async: register fragments").
#include "../compilation.h"
#include "../fragments.h"

#include "polymend/pipeline.h"

#include <cctype>
#include <regex>

using namespace polymend;
using namespace polymend::tests;

namespace {

/// The value of +, -, *, / and % over non-negative numbers and names.
class Arithmetic {
public:
  Arithmetic(std::string expression, std::map<std::string, int> all)
      : text(std::move(expression)), values(std::move(all)) {}
  int value() {
    const int result = sum();
    EXPECT_EQ(at, text.size()) << text;
    return result;
  }

private:
  std::string text;
  std::map<std::string, int> values;
  std::size_t at = 0;

  char next() {
    while (at < text.size() && text[at] == ' ') ++at;
    return at < text.size() ? text[at] : '\0';
  }
  int sum() {
    int result = product();
    for (char op = next(); op == '+' || op == '-'; op = next()) {
      ++at;
      const int other = product();
      result = op == '+' ? result + other : result - other;
    }
    return result;
  }
  int product() {
    int result = atom();
    for (char op = next(); op == '*' || op == '/' || op == '%'; op = next()) {
      ++at;
      const int other = atom();
      result = op == '*' ? result * other : op == '/' ? result / other : result % other;
    }
    return result;
  }
  int atom() {
    if (next() == '(') {
      ++at;
      const int result = sum();
      EXPECT_EQ(next(), ')') << text;
      ++at;
      return result;
    }
    std::string word;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      word += text[at++];
    if (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0]))) return std::stoi(word);
    EXPECT_TRUE(values.count(word)) << "'" << word << "' in " << text;
    return values[word];
  }
};

int valueOf(const std::string &text, const std::map<std::string, int> &values) {
  return Arithmetic(text, values).value();
}

std::string kernelText() {
  PipelineOptions options;
  options.file = std::string(POLYMEND_SOURCE_DIR) + "/inputs/prefill_causal.cpp";
  options.target = Target::Cuda;
  options.arch = "sm_90a";
  const std::string text = transform(options).text;
  const std::size_t from = text.find("prefill_causal_matrix_kernel(");
  const std::string joined = std::regex_replace(text.substr(from), std::regex("\\s+"), " ");
  return std::regex_replace(joined, std::regex("\\b(lane|row|column|warp|warpGroup|e|r)_\\d+\\b"),
                            "$1"); // as the text names them
}

std::string found(const std::string &text, const std::string &pattern) {
  std::smatch match;
  const bool any = std::regex_search(text, match, std::regex(pattern));
  EXPECT_TRUE(any) << pattern;
  return any ? match[1].str() : "0";
}

} // namespace

TEST(RegisterMap, IsThatOfTheProducts) {
  const std::string text = kernelText();
  const std::string row = found(text, "const int row = ([^;]*);"), column = found(text, "const int column = ([^;]*);");
  const std::string along = found(text, "= (\\([^;?]*\\)) <= h\\d+\\[[^;]*\\] \\?"),
                    half = found(text, "<= h\\d+\\[([^;\\]]*)\\] \\?"), below = found(text, "\\((row \\+ [^)]*)\\)");
  const auto held = accumulators(80);
  for (int thread = 0; thread < 128; ++thread) {
    const std::map<std::string, int> at{{"lane", thread % 32}, {"warp", thread / 32}, {"warpGroup", 1}};
    ASSERT_EQ(held.at(thread).size(), 40U);
    for (int e = 0; e < 40; ++e) {
      const int r = valueOf(half, {{"e", e}});
      const Element element{valueOf(below, {{"row", valueOf(row, at)}, {"r", r}}),
                            valueOf(column, at) + valueOf(along, {{"e", e}})};
      EXPECT_EQ(element, held.at(thread)[static_cast<std::size_t>(e)]) << "thread " << thread << ", register " << e;
    }
  }
  EXPECT_EQ(valueOf(row, {{"lane", 5}, {"warp", 2}, {"warpGroup", 3}}), 128 + 32 + 1);
}

/// Words of the next product's left factor are pairs of accumulators in order: 16 columns are 8 accumulators are 4
/// words.
TEST(RegisterMap, PairsAreTheLeftFactor) {
  const std::string text = kernelText();
  const std::string low = found(text, "packBrain\\(at\\(([^)]*)\\), at\\("),
                    high = found(text, "packBrain\\(at\\([^)]*\\), at\\(([^)]*)\\)\\)");
  const std::string first = found(text, "_rs_tb\\(sum, &\\w+\\[([^\\]]*)\\]");
  const std::string step = first.substr(first.find_last_of("* ") + 1);
  const auto sums = accumulators(80), factor = accumulators(16);
  for (int k = 0; k < 5; ++k)
    for (int word = 0; word < 4; ++word)
      for (int part = 0; part < 2; ++part) {
        const int e = valueOf(part == 0 ? low : high, {{"p", valueOf(first, {{step, k}}) + word}});
        for (int thread = 0; thread < 128; ++thread) {
          const Element held = sums.at(thread)[static_cast<std::size_t>(e)],
                        wanted = factor.at(thread)[static_cast<std::size_t>(2 * word + part)];
          EXPECT_EQ(held, (Element{wanted.row, 16 * k + wanted.column}));
        }
      }
}
