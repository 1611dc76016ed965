// For ends that flags of the call choose, and for breaks at the beginning of a turn.
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend::test;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The inner loop's head, in turns of i from 0 to n.
std::string inner(const std::string &head, const std::string &parameters, const std::string &begin = "") {
  const std::string text = bodyOf("#include <algorithm>\n#include <cstdint>\nvoid f(float *a, " + parameters +
                                  ") {\nfor (int i = 0; i < n; ++i) {\n" + begin + head + " a[i * n + j] = 1;\n" +
                                  (head.find('{') == std::string::npos ? "" : "}") + "}\n}\n");
  const std::size_t from = text.find("for j");
  return from == std::string::npos ? text : text.substr(from, text.find('\n', from) - from);
}

TEST(Choices, OfAFlagAreOneEnd) {
  const std::string flagged = "int n, bool whole";
  EXPECT_EQ(inner("for (int j = 0; j < (whole ? n : i + 1); ++j)", flagged), "for j = 0 to min(n, i + far + 1)");
  EXPECT_EQ(inner("for (int j = 0; j < end; ++j)", flagged, "int end = n; if (!whole) end = i + 1;\n"),
            "for j = 0 to min(n, i + far + 1)");
  EXPECT_EQ(inner("for (int j = w > 0 ? std::max(0, i - w + 1) : 0; j <= i; ++j)", "int n, int w"),
            "for j = max(0, max(0, i - w + 1) - far) to i + 1");
  EXPECT_EQ(inner("for (int j = whole ? 0 : i; j < n; ++j)", flagged), "for j = max(0, i - far) to n");
}

TEST(Choices, OfSizesThatNothingOrdersStay) {
  EXPECT_EQ(inner("for (int j = 0; j < (whole ? m : i + 1); ++j)", "int n, int m, bool whole"),
            "for j = 0 to 0 < whole ? m : i + 1");
}

TEST(Choices, OfWideSizesAreAskedToBeNear) {
  const std::string text = bodyOf("#include <cstdint>\nvoid f(float *a, std::int64_t n, bool whole) {\n"
                                  "for (std::int64_t i = 0; i < n; ++i)\n"
                                  "for (std::int64_t j = 0; j < (whole ? n : i + 1); ++j) a[i * n + j] = 1;\n}\n");
  EXPECT_THAT(text, HasSubstr("to min(n, i + far + 1)"));
}

TEST(Choices, ConditionsOnFlagsAreOneComparison) {
  const auto guard = [](const std::string &condition) {
    const std::string text = bodyOf("void f(float *a, int n, int w, bool causal) {\nfor (int i = 0; i < n; ++i)\n"
                                    "for (int j = 0; j < n; ++j) { if (" +
                                    condition + ") continue; a[i * n + j] = 1; }\n}\n");
    const std::size_t from = text.find("if ");
    return text.substr(from, text.find('\n', from) - from);
  };
  EXPECT_EQ(guard("causal && j > i"), "if !(i + far < j)");
  EXPECT_EQ(guard("j > i && causal"), "if !(i + far < j)");
  EXPECT_EQ(guard("w > 0 && i - j >= w"), "if !(w + far <= i - j)");
  EXPECT_THAT(guard("causal && j == i"), Not(HasSubstr("far")));
  EXPECT_THAT(guard("w != 0 && n / w > 3 && j > i"), Not(HasSubstr("far"))) << "the division is not asked before";
}

TEST(Choices, ABreakThatATurnBeginsWithIsTheEnd) {
  EXPECT_EQ(inner("for (int j = 0; j < n; ++j) { if (j > i) break;", "int n"), "for j = 0 to min(n, i + 1)");
  EXPECT_EQ(inner("for (int j = 0; j < n; ++j) { if (j > i) { break; } if (j >= m) break;", "int n, int m"),
            "for j = 0 to min(min(n, i + 1), m)");
  EXPECT_EQ(inner("for (int j = 0; j < n; ++j) { if (causal && i < j) break;", "int n, bool causal"),
            "for j = 0 to min(n, i + far + 1)");
  EXPECT_EQ(inner("for (int j = 0; j < n; ++j) { if (j > i || j >= m) break;", "int n, int m"),
            "for j = 0 to min(n, min(i + 1, m))");
}

} // namespace
