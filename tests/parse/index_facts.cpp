// The pragma that declares facts about index arrays: which function it is of, and what is wrong with it.
#include "polymend/parse.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

using namespace polymend;

namespace {

ParseOutcome parsed(const std::string &text) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("input.cpp");
  EXPECT_FALSE(replaceFile(file, text));
  return parse(file, {});
}

/// "line:column: what" of the first error.
std::string errorOf(const std::string &text) {
  const ParseOutcome outcome = parsed(text);
  if (outcome.diagnostics.empty()) return "";
  const Diagnostic &first = outcome.diagnostics.front();
  return std::to_string(first.where.line) + ":" + std::to_string(first.where.column) + ": " + first.message;
}

/// How many facts each function has, in order.
std::vector<std::size_t> factsOf(const std::string &text) {
  std::vector<std::size_t> counts;
  const ParseOutcome outcome = parsed(text);
  if (outcome.nest)
    for (const Function &function : outcome.nest->functions) counts.push_back(function.facts.size());
  return counts;
}

const std::string body =
    "(int n, const int *at, const float *x, float *y) { for (int i = 0; i < n; i++) y[at[i]] = x[i]; }\n";

TEST(IndexFacts, BelongToTheNextFunctionOrTheOneAround) {
  EXPECT_EQ(factsOf("#pragma polymend index injective(at) monotone(at)\nvoid f" + body + "void g" + body),
            (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(factsOf("void f" + body + "#pragma polymend index injective(at)\nvoid g" + body),
            (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(factsOf("void f(int n, const int *at, float *y) {\n#pragma polymend index injective(at)\n"
                    "for (int i = 0; i < n; i++) y[at[i]] = 1; }\nvoid g" +
                    body),
            (std::vector<std::size_t>{1, 0}));
}

TEST(IndexFacts, AreOfContainersToo) {
  EXPECT_EQ(factsOf("#include <vector>\n#pragma polymend index injective(at)\n"
                    "void f(const std::vector<int> &at, std::vector<float> &y) {"
                    " for (unsigned long i = 0; i < at.size(); i++) y[at[i]] = 1; }"),
            (std::vector<std::size_t>{1}));
}

TEST(IndexFacts, SayWhereTheyAreWrong) {
  const std::string known = "known are monotone, injective, lower, diagonal, extent";
  EXPECT_EQ(errorOf("#pragma polymend index sorted(at)\nvoid f" + body),
            "1:24: 'sorted' is no fact about index arrays: " + known);
  EXPECT_EQ(errorOf("#pragma polymend indices injective(at)\nvoid f" + body),
            "1:18: '#pragma polymend' is followed by 'index'");
  EXPECT_EQ(errorOf("#pragma polymend index injective(ta)\nvoid f" + body), "1:34: 'ta' is no array that 'f' uses");
  EXPECT_EQ(errorOf("#pragma polymend index injective(x)\nvoid f" + body), "1:34: 'x' is no array of integers");
  EXPECT_EQ(errorOf("#pragma polymend index injective at\nvoid f" + body), "1:34: '(' is missing here");
  EXPECT_EQ(errorOf("#pragma polymend index lower(at)\nvoid f" + body),
            "1:32: 'lower' is about two: the second is missing");
  EXPECT_EQ(errorOf("#pragma polymend index diagonal(at)\nvoid f" + body),
            "1:24: 'diagonal' wants the array whose element it leads to, or a 'lower'");
  EXPECT_EQ(errorOf("#pragma polymend index extent(y, n / 2)\nvoid f" + body),
            "1:34: the number of elements is a sum of products of integers and of integer parameters");
  EXPECT_EQ(errorOf("#pragma polymend index extent(y, 2 * n + 1)\nvoid f" + body), "");
}

} // namespace
