// Constant tables: their entries as numbers, loops that lead through them turn by turn, and tables of other scopes.
#include "source.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::test;
using testing::HasSubstr;
using testing::Not;

TEST(Tables, ALoopThatLeadsThroughOneIsReadTurnByTurn) {
  const std::string read =
      bodyOf("void f(float *y, const float *x, int n) { static const int at[3] = {-1, 0, 2}; for (int i = 1; i < n; "
             "i++) { float s = 0; for (int k = 0; k < 3; k++) s += x[i + at[k]]; y[i] = s; } }");
  EXPECT_THAT(read, HasSubstr("s = s + x[i - 1] + x[i] + x[i + 2]\n"));
}

TEST(Tables, DownwardsToo) {
  const std::string read =
      bodyOf("void f(float *y, const float *x, int n) { constexpr int at[2] = {4, 7}; for (int i = 1; i < n; i++) { "
             "float s = 0; for (int k = 1; k >= 0; k--) s = 2 * s + x[i + at[k]]; y[i] = s; } }");
  EXPECT_LT(read.find("x[i + 7]"), read.find("x[i + 4]")) << read;
}

TEST(Tables, EntriesMayBeRowsAndStructures) {
  const std::string head = "#include <array>\nstruct Step { int dx, dy; float w; };\n"
                           "constexpr Step steps[2] = {{1, 0, 0.5f}, {0, -1, 0.25f}};\n"
                           "constexpr std::array<std::array<int, 2>, 2> sides{{{1, 0}, {-1, 0}}};\n";
  const std::string named = bodyOf(
      head +
      "void f(float *y, const float (*x)[9], int n) { for (int i = 1; i < n; i++) { float s = 0; for (const Step "
      "&one : steps) s += one.w * x[i + one.dy][4 + one.dx]; y[i] = s; } }");
  EXPECT_THAT(named, HasSubstr("0.5 * x[i][5]"));
  EXPECT_THAT(named, HasSubstr("0.25 * x[i - 1][4]"));
  const std::string parts = bodyOf(
      head +
      "void f(float *y, const float (*x)[9], int n) { for (int i = 1; i < n; i++) { float s = 0; for (auto [a, b] "
      ": sides) s += x[i + a][b]; y[i] = s; } }");
  EXPECT_THAT(parts, HasSubstr("s = s + x[i + 1][0] + x[i - 1][0]\n"));
}

TEST(Tables, WeightsKeepTheirLoop) {
  EXPECT_THAT(bodyOf("void f(float *y, const float *x, int n) { constexpr int w[3] = {1, 2, 1}; for (int i = 1; i < n; "
                     "i++) { float s = 0; for (int k = 0; k < 3; k++) s += w[k] * x[i + k]; y[i] = s; } }"),
              HasSubstr("for k = 0 to 3"));
}

TEST(Tables, TheirClassMayBeAnother) {
  const std::string read = bodyOf(
      "struct W { static constexpr float w[3] = {1, 2, 4}; }; void f(float *y, const float *x, int n) { for (int "
      "i = 0; i < n; i++) { float s = 0; for (int k = 0; k < 3; k++) s += W::w[k] * x[i + k]; y[i] = s; } }");
  EXPECT_THAT(read, HasSubstr("w_1[2] = 4.0\n"));
  EXPECT_THAT(read, HasSubstr("w_1[k] * x[i + k]"));
}

TEST(Tables, WhatMayChangeIsNone) {
  EXPECT_THAT(bodyOf("void f(float *y, const float *x, int n) { int at[2] = {4, 7}; at[1] = n; for (int i = 1; i < n; "
                     "i++) { float s = 0; for (int k = 0; k < 2; k++) s += x[i] * at[k]; y[i] = s; } }"),
              Not(HasSubstr("7.0")));
}

TEST(Tables, LongLoopsStay) {
  EXPECT_THAT(bodyOf("constexpr int at[20] = {1, 2}; void f(float *y, const float *x, int n) { for (int i = 1; i < n; "
                     "i++) { float s = 0; for (int k = 0; k < 20; k++) s += x[i + at[k]]; y[i] = s; } }"),
              HasSubstr("for k = 0 to 20"));
}

TEST(Tables, ABaseHasItsOwnFields) {
  EXPECT_THAT(bodyOf("struct Base { int d; }; struct Der : Base { int e; }; constexpr Der steps[2] = {{{1}, 10}, {{2}, "
                     "20}}; void f(float *y, const float *x, int n) { for (int i = 0; i < n; i++) { float s = 0; for "
                     "(const Der &one : steps) s += x[i + one.d]; y[i] = s; } }"),
              Not(HasSubstr("x[i + 10]")));
}

TEST(Tables, AClassHasABeginOfItsOwn) {
  EXPECT_THAT(bodyOf("struct P { int a, b; }; struct Some { P p[4]; constexpr const P *begin() const { return p + 1; } "
                     "constexpr const P *end() const { return p + 3; } }; constexpr Some some{{{1, 2}, {3, 4}, {5, 6}, "
                     "{7, 8}}}; void f(float *y, const float *x, int n) { for (int i = 0; i < n; i++) { float s = 0; "
                     "for (const P &one : some) s += x[i + one.a]; y[i] = s; } }"),
              Not(HasSubstr("x[i + 7]")));
}
