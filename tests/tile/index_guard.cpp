// What is asked of index arrays: each check as its element, what it leads to, its bounds, loops and condition.
#include "../compilation.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::tests;

namespace {

std::string spelled(const Expr &e) { return e ? show(simplify(e)) : "-"; }

std::string spelled(const IndexCheck &check) {
  std::string text;
  for (const PointDim &dim : check.dims)
    text += "for " + dim.variable + " in [" + spelled(dim.first) + ", " + spelled(dim.limit) + "): ";
  if (check.where) text += "if " + spelled(check.where) + ": ";
  const std::string what = spelled(check.element) + " " + check.why;
  if (check.kind == IndexCheck::Kind::Distinct) return text + what + " unless " + spelled(check.value) + " differs";
  return text + what + " unless " + spelled(check.least) + " <= " + spelled(check.value) + " < " + spelled(check.limit);
}

IndexGuard guardOf(const std::string &text) {
  LowerOptions options;
  options.guardsIndices = true;
  const auto program = analyse(text).lowered(options);
  return program ? program->guard : IndexGuard{{}, {{program.refusal().reason, {}}}};
}

std::vector<std::string> checksOf(const std::string &text) {
  std::vector<std::string> all;
  for (const IndexCheck &check : guardOf(text).checks) all.push_back(spelled(check));
  return all;
}

const std::string rows = "for (int i = 0; i < n; i++) { float s = 0; for (int k = row[i]; k < row[i + 1]; k++) s += ";

TEST(IndexGuard, EndsOfRowsComeFirstAndAreAskedAtTheEnds) {
  const std::vector<std::string> expected{
      "for i in [0, n): row[i + 1] lies before where its range begins unless row[i] <= row[i + 1] < -",
      "for i in [0, n): if 0 < row[i + 1] - row[i]: row[i] leads out of 'a' unless 0 <= row[i] < -"};
  EXPECT_EQ(checksOf("void f(int n, const int *row, const float *__restrict a, float *__restrict y) {" + rows +
                     "a[k]; y[i] = s; } }"),
            expected);
}

TEST(IndexGuard, AnExtentBoundsWhatAnIndexLeadsTo) {
  const std::vector<std::string> expected{"for i in [0, n): at[i] leads out of 'x' unless 0 <= at[i] < 100"};
  EXPECT_EQ(checksOf("static float x[100]; void f(int n, const int *at, float *__restrict y) {"
                     " for (int i = 0; i < n; i++) y[i] = 2 * x[at[i]]; }"),
            expected);
  const std::vector<std::string> declared{"for i in [0, n): at[i] leads out of 'x' unless 0 <= at[i] < 2 * m"};
  EXPECT_EQ(checksOf("#pragma polymend index extent(x, 2 * m)\n"
                     "void f(int n, int m, const int *at, const float *__restrict x, float *__restrict y) {"
                     " for (int i = 0; i < n; i++) y[i] = 2 * x[at[i]]; }"),
            declared);
}

TEST(IndexGuard, AnUnknownExtentIsSaid) {
  const IndexGuard guard = guardOf("void f(int n, const int *at, const float *__restrict x, float *__restrict y) {"
                                   " for (int i = 0; i < n; i++) y[i] = 2 * x[at[i]]; }");
  ASSERT_EQ(guard.open.size(), 1U);
  EXPECT_EQ(guard.open.front().reason,
            "how far 'at[i]' may lead is not checked: nothing says how many elements 'x' has");
}

TEST(IndexGuard, WhatAChoiceLeavesOutIsNotAsked) {
  const std::vector<std::string> expected{
      "for i in [0, n): if 0 <= at[i]: at[i] leads out of 'x' unless 0 <= at[i] < 50"};
  EXPECT_EQ(checksOf("static float x[50]; void f(int n, const int *at, float *__restrict y) {"
                     " for (int i = 0; i < n; i++) y[i] = at[i] >= 0 ? x[at[i]] : 0; }"),
            expected);
}

TEST(IndexGuard, LengthsStayWithinTheirArray) {
  const std::vector<std::string> expected{
      "for b in [0, n): length[b] is no number of elements unless 0 <= length[b] < -",
      "for b in [0, n): if 0 < length[b]: length[b] leads out of 'x' unless - <= length[b] - 1 < 40"};
  EXPECT_EQ(checksOf("static float x[40]; void f(int n, const int *length, float *__restrict y) {"
                     " for (int b = 0; b < n; b++) { float s = 0; for (int j = 0; j < length[b]; j++) s += x[j];"
                     " y[b] = s; } }"),
            expected);
}

TEST(IndexGuard, FactsAreAsked) {
  const std::vector<std::string> injective{
      "for i in [0, n): slot[i] leads out of 'y' unless 0 <= slot[i] < -",
      "for place in [0, n): slot[place] breaks injective(slot) unless slot[place] differs"};
  EXPECT_EQ(checksOf("#pragma polymend index injective(slot)\n"
                     "void f(int n, const int *slot, const float *__restrict x, float *__restrict y) {"
                     " for (int i = 0; i < n; i++) y[slot[i]] = 2 * x[i]; }"),
            injective);
  const std::vector<std::string> diagonal{
      "for i in [0, n): d[i] leads out of 'column' unless 0 <= d[i] < -",
      "for i in [0, n): d[i] leads out of 'a' unless 0 <= d[i] < -",
      "for place in [0, n): d[place] breaks diagonal(d, column) unless place <= column[d[place]] < place + 1"};
  EXPECT_EQ(checksOf("#pragma polymend index diagonal(d, column)\n"
                     "void f(int n, const int *d, const int *column, const float *__restrict a, float *__restrict x) {"
                     " for (int i = 0; i < n; i++) x[i] = x[column[d[i]]] / a[d[i]]; }"),
            diagonal);
}

TEST(IndexGuard, NothingIsAskedWithoutIndexArrays) {
  EXPECT_TRUE(checksOf("void f(int n, const float *__restrict x, float *__restrict y) {"
                       " for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }")
                  .empty());
}

} // namespace
