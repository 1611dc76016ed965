// Edges that an index array decides on: which, and what would disprove them; and what declared facts leave of them.
#include "polymend/deps.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

using namespace polymend;

namespace {

/// "anti i: why" for each edge of the only function of the text that goes through the array.
std::vector<std::string> edgesOf(const std::string &text, const std::string &array) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("input.cpp");
  EXPECT_FALSE(replaceFile(file, text));
  const ParseOutcome parsed = parse(file, {});
  if (!parsed.nest || parsed.nest->functions.size() != 1) return {"no function"};
  const IslContext context = makeIslContext();
  const auto scop = model(parsed.nest->functions.front(), context);
  if (!scop) return {scop.refusal().reason};
  const auto dependences = analyse(*scop);
  if (!dependences) return {dependences.refusal().reason};
  std::vector<std::string> all;
  for (const Dependence &edge : dependences->edges)
    if (edge.array == array) all.push_back(spell(edge.kind) + " " + edge.loop + ": " + edge.runtime);
  return all;
}

const std::string scatter = "void f(int n, const int *at, const float *__restrict x, float *__restrict y) {"
                            " for (int i = 0; i < n; i++) y[at[i]] += x[i]; }";

const std::string triangle = "void f(int n, const int *row, const int *column, const double *a, double *__restrict x) {"
                             " for (int i = 0; i < n; i++) { double t = 0;"
                             " for (int k = row[i]; k < row[i + 1]; k++) t += a[k] * x[column[k]]; x[i] = t; } }";

TEST(Runtime, AScatterSaysWhatWouldDisproveIt) {
  const std::string why = "'at' says at run time whether it holds; injective(at) would disprove it";
  EXPECT_EQ(edgesOf(scatter, "y"), (std::vector<std::string>{"flow i: " + why, "anti i: " + why, "output i: " + why}));
}

TEST(Runtime, AnInjectiveArrayDisprovesIt) {
  EXPECT_TRUE(edgesOf("#pragma polymend index injective(at)\n" + scatter, "y").empty());
}

TEST(Runtime, ALowerTriangleHasNoAntiDependence) {
  const std::string known = "'column' says at run time whether it holds";
  const std::vector<std::string> open = edgesOf(triangle, "x");
  EXPECT_EQ(open, (std::vector<std::string>{"anti i: " + known + "; lower(column, row) would disprove it",
                                            "anti : " + known + "; lower(column, row) would disprove it",
                                            "flow i: " + known}));
  EXPECT_EQ(edgesOf("#pragma polymend index lower(column, row)\n" + triangle, "x"),
            (std::vector<std::string>{"flow i: " + known}));
}

TEST(Runtime, AFactOfOtherRowsDisprovesNothing) {
  std::string other = triangle;
  other.insert(other.find("const int *column"), "const int *base, ");
  EXPECT_EQ(edgesOf("#pragma polymend index lower(column, base)\n" + other, "x").size(), 3U);
}

TEST(Runtime, ADiagonalIsItsRow) {
  const std::string text = "void f(int n, const int *d, const int *column, double *x) {"
                           " for (int i = 0; i < n; i++) x[i] = 2 * x[column[d[i]]]; }";
  EXPECT_FALSE(edgesOf(text, "x").empty());
  for (const std::string &edge : edgesOf("#pragma polymend index diagonal(d, column)\n" + text, "x"))
    EXPECT_EQ(edge, "anti : ");
}

} // namespace
