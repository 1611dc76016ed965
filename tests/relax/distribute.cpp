// Factors that go out of sums: which do, what is left, and what is taken for granted; and the bounds that tell whether
// a factor can be infinite.
#include "../compilation.h"

#include "relax/finite.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

namespace {

/// The product of two matrices with this element and these arguments besides.
Analysed product(const std::string &element, const std::string &arguments = "", const std::string &start = "0.0f",
                 const std::string &type = "__bf16", const std::string &before = "") {
  return analyse("#include <cmath>\nvoid f(int n, int m, int k, const " + type + " *a, const " + type +
                 " *b, float *c" + arguments +
                 ") {\n for (int i = 0; i < n; i++)\n  for (int j = 0; j < m; j++) {\n   " + before +
                 "\n   float sum = " + start + ";\n   for (int l = 0; l < k; l++) sum += " + element +
                 ";\n   c[i * m + j] = sum;\n  }\n}\n");
}

/// What is summed, with the names of dimensions as in the source.
std::string summed(const Analysed &t) {
  const int sum = t.equation("sum", true);
  if (sum < 0) return "no sum";
  return show(t.system().equations[static_cast<std::size_t>(sum)].value);
}

/// What is stored.
std::string stored(const Analysed &t) {
  for (const Equation &e : t.system().equations)
    if (!e.stores.empty()) return show(e.value);
  return "nothing";
}

std::string bare() { return summed(product("float(a[i * k + l]) * float(b[l * m + j])")); }

Expr number(double value) { return Expr::real(value); }

Expr over(const Expr &a, const Expr &b) { return Expr::make(Op::Div, {a, b}); }

} // namespace

TEST(Distribute, TakesWhatIsSharedOutOfASum) {
  const std::pair<const char *, const char *> cases[] = {
      {"0.125f * float(a[i * k + l]) * float(b[l * m + j])", ""},
      {"(float(a[i * k + l]) / 8.0f) * float(b[l * m + j])", ""},
      {"float(a[i * k + l]) * (float(b[l * m + j]) * alpha)", ", float alpha"},
      {"-(float(a[i * k + l]) * float(b[l * m + j]))", ""},
      {"x[i] * float(a[i * k + l]) * float(b[l * m + j]) / y[j]", ", const float *x, const float *y"},
      {"float(a[i * k + l]) * float(b[l * m + j]) * float(i + 2 * j)", ""},
      {"float(a[i * k + l]) * std::sqrt(alpha) * float(b[l * m + j]) * std::sqrt(alpha)", ", float alpha"},
      {"float(a[i * k + l]) * float(b[l * m + j]) * (1.0f / std::sqrt(float(k)))", ""}};
  for (const auto &[element, arguments] : cases) {
    const Analysed t = product(element, arguments);
    EXPECT_EQ(summed(t), bare()) << element;
    EXPECT_NE(stored(t), stored(product("float(a[i * k + l]) * float(b[l * m + j])"))) << element;
  }
}

TEST(Distribute, LeavesWhatVariesOrMayBeInfiniteOrIsRounded) {
  const std::pair<const char *, const char *> cases[] = {
      {"static_cast<float>(alpha * a[i * k + l] * b[l * m + j])", ", double alpha"},
      {"float(a[i * k + l]) * x[l] * float(b[l * m + j])", ", const float *x"},
      {"float(a[i * k + l]) * x[l / 32] * float(b[l * m + j])", ", const float *x"},
      {"float(a[i * k + l]) * (1.0f / (x[i] + 1.0f)) * float(b[l * m + j])", ", const float *x"},
      {"float(a[i * k + l]) * std::exp(x[i]) * float(b[l * m + j])", ", const float *x"},
      {"alpha * (float(a[i * k + l]) + float(b[l * m + j]))", ", float alpha"},
      {"alpha * float(a[i * k + l])", ", float alpha"}};
  for (const auto &[element, arguments] : cases) {
    const Analysed t = product(element, arguments);
    EXPECT_NE(summed(t), bare()) << element;
    EXPECT_THAT(t.relaxed().assumptions, IsEmpty()) << element;
  }
}

TEST(Distribute, WideElementsKeepTheirFactor) {
  const Analysed t = product("alpha * a[i * k + l] * b[l * m + j]", ", float alpha", "0.0f", "float");
  EXPECT_THAT(summed(t), HasSubstr("alpha"));
}

TEST(Distribute, ASumBeginsWhereItDid) {
  const Analysed t =
      product("alpha * float(a[i * k + l]) * float(b[l * m + j])", ", float alpha, const float *x", "x[j]");
  EXPECT_EQ(summed(t), bare());
  EXPECT_THAT(stored(t), HasSubstr("x["));
  EXPECT_EQ(t.relaxed().assumptions.size(), 1U);
}

TEST(Distribute, WhereNothingIsSummedNoFactorIsRead) {
  EXPECT_THAT(stored(product("x[i] * float(a[i * k + l]) * float(b[l * m + j])", ", const float *x")),
              HasSubstr(" ? "));
  EXPECT_THAT(stored(product("0.5f * float(a[i * k + l]) * float(b[l * m + j])")), Not(HasSubstr(" ? ")));
}

TEST(Distribute, SeveralFactorsThatMayBeFarFromOneStayWithinAFloat) {
  const std::string element = "float(a[i * k + l]) * x[i] * float(b[l * m + j])";
  const std::string two = stored(product(element + " / y[j]", ", const float *x, const float *y"));
  EXPECT_THAT(two, HasSubstr("double")) << two;
  EXPECT_THAT(two, HasSubstr(" / ")) << two;
  const std::pair<const char *, const char *> near[] = {
      {"float(a[i * k + l]) * x[i] * float(b[l * m + j])", ", const float *x"},
      {"float(a[i * k + l]) * x[i] * float(b[l * m + j]) * 0.3f", ", const float *x"},
      {"float(a[i * k + l]) * x[i] * float(b[l * m + j]) * (1.0f / std::sqrt(float(k)))", ", const float *x"}};
  for (const auto &[one, arguments] : near)
    EXPECT_THAT(stored(product(one, arguments)), Not(HasSubstr("double"))) << one;
}

TEST(Distribute, SaysWhatItTakesForGranted) {
  const Analysed t =
      product("float(a[i * k + l]) * x[i] * float(b[l * m + j]) / alpha", ", const float *x, float alpha");
  EXPECT_THAT(t.relaxed().assumptions, ElementsAre(StartsWith("x is finite where the sum 'sum' shares it"),
                                                   StartsWith("alpha is finite and not zero")));
  EXPECT_THAT(product("float(a[i * k + l]) * 0.3f * float(b[l * m + j])").relaxed().assumptions, IsEmpty());
}

TEST(Distribute, AFactorThatWaitsIsLeftToAlgebra) {
  const Analysed t = analyse(R"(void f(int n, const __bf16 *x, const __bf16 *w, float y[][64]) {
    for (int i = 0; i < n; i++) {
      float total = 0;
      for (int c = 0; c < 128; c++) total += float(x[i * 128 + c]) * float(x[i * 128 + c]);
      for (int o = 0; o < 64; o++) {
        float acc = 0;
        for (int c = 0; c < 128; c++) acc += float(x[i * 128 + c]) * total * float(w[c * 64 + o]);
        y[i][o] = acc;
      }
    } })");
  EXPECT_EQ(t.relaxed().mended.size(), 1U);
}

TEST(FiniteBounds, HoldWhatAnExpressionCanBe) {
  const Expr k = Expr::symbol("k", Type::Int64), x = Expr::symbol("x", Type::Float32);
  const Expr root = Expr::make(Op::Sqrt, {Expr::cast(Type::Float32, k)});
  const auto scale = finiteBounds(over(number(1), root), {"k"});
  ASSERT_TRUE(scale);
  EXPECT_GE(scale->low, 0);
  EXPECT_EQ(scale->high, 1);
  EXPECT_FALSE(finiteBounds(over(number(1), root), {})) << "k may be 0";
  EXPECT_TRUE(finiteBounds(x, {}));
  EXPECT_FALSE(finiteBounds(x * x, {})) << "it may overflow";
  EXPECT_FALSE(finiteBounds(Expr::make(Op::Exp, {x}), {}));
  EXPECT_FALSE(finiteBounds(number(std::numeric_limits<double>::infinity()), {}));
  const auto tiny = finiteBounds(number(1e-30) * number(1e-30), {});
  ASSERT_TRUE(tiny);
  EXPECT_EQ(tiny->low, 0) << "it underflows";
}
