// Objects: what of an argument becomes a parameter, under which name, in which order; local objects, members,
// instances.
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::StartsWith;

namespace {

/// The parameters of the only function, each with what it is taken from.
std::vector<std::pair<std::string, std::string>> takenOf(const std::string &source) {
  const ParseOutcome outcome = parseText(source);
  std::vector<std::pair<std::string, std::string>> taken;
  if (!outcome.nest || outcome.nest->functions.empty()) return taken;
  for (const Parameter &parameter : outcome.nest->functions.front().parameters)
    taken.emplace_back(parameter.name, parameter.taken);
  return taken;
}

TEST(Objects, ArraysAreSetElementByElement) {
  const auto body = [](const std::string &statements) {
    return dumped(
        "#include <array>\nvoid f(std::array<float, 8> &a, const std::array<float, 8> &b, const float *x, int n) { "
        "for (int i = 0; i < n; i++) { " +
        statements + " } }");
  };
  EXPECT_THAT(body("a = b;"), HasSubstr("a_data[at] = b_data[at]"));
  EXPECT_THAT(body("a.fill(2);"), HasSubstr("a_data[at] = 2.0"));
  EXPECT_THAT(body("a.fill(x[i]);"), HasSubstr("an array is filled with data"));
}

TEST(Objects, MembersOfAUnionAreNotApart) {
  const auto body = [](const std::string &declared) {
    return dumped(declared + " void f(unsigned *y, const float *x, int n) { for (int i = 0; i < n; i++) { U v; v.f = "
                             "x[i]; y[i] = v.u & 7u; } }");
  };
  EXPECT_THAT(body("union U { float f; unsigned u; };"), HasSubstr("::f_y(x[i])")) << "a function of its own";
  EXPECT_THAT(body("struct U { union { float f; unsigned u; }; };"), HasSubstr("::f_y(x[i])"));
}

TEST(Objects, RowsOfAFixedLengthLieBehindEachOther) {
  const std::string text = dumped("#include <array>\n#include <vector>\nvoid f(const "
                                  "std::vector<std::array<std::array<float, 2>, 3>> &x, float *y) "
                                  "{ for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i][2][1]; }");
  EXPECT_NE(text.find("y[i] = x_rows[i][2][1]"), std::string::npos) << text;
}

TEST(Objects, ContainersArePointersAndCounts) {
  const std::string loop = " { for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i]; }";
  EXPECT_THAT(takenOf("#include <vector>\nvoid f(const std::vector<float> &x, std::vector<float> &y)" + loop),
              ElementsAre(Pair("x_data", "x.data()"), Pair("x_size", "static_cast<std::int64_t>(x.size())"),
                          Pair("y_data", "y.data()")));
  EXPECT_THAT(
      takenOf("#include <span>\nvoid f(std::span<const float> x, float *y)" + loop),
      ElementsAre(Pair("x_data", "x.data()"), Pair("x_size", "static_cast<std::int64_t>(x.size())"), Pair("y", "")));
  EXPECT_THAT(takenOf("#include <array>\nvoid f(const std::array<float, 8> &x, float *y)" + loop),
              ElementsAre(Pair("x_data", "x.data()"), Pair("y", "")));
  EXPECT_THAT(takenOf("#include <memory>\nvoid f(std::unique_ptr<float[]> &y, int n) {"
                      " for (int i = 0; i < n; ++i) y[i] = 1; }"),
              ElementsAre(Pair("y_data", "y.get()"), Pair("n", "")));
}

TEST(Objects, RangesAreLoops) {
  EXPECT_EQ(bodyOf("#include <vector>\nvoid f(std::vector<float> &x) { for (float &v : x) v *= 2; }"),
            "for at_v = 0 to x_size\n  x_data[at_v] = x_data[at_v] * 2.0\n");
  EXPECT_EQ(bodyOf("#include <vector>\nfloat f(const std::vector<float> &x) { float s = 0;\n"
                   "for (float v : x) s += v;\nreturn s; }"),
            "s = 0.0\nfor at_v = 0 to x_size\n  v = x_data[at_v]\n  s = s + v\nreturn = s\n");
}

TEST(Objects, MembersOfStructures) {
  const std::string type = "struct M { int rows; float *data; float scale; };\n";
  const std::string loop = "{ for (int i = 0; i < m.rows; ++i) m.data[i] = m.scale; }";
  EXPECT_THAT(
      takenOf(type + "void f(M m, int n)" + loop),
      ElementsAre(Pair("m_rows", "m.rows"), Pair("m_data", "m.data"), Pair("m_scale", "m.scale"), Pair("n", "")));
  EXPECT_EQ(bodyOf(type + "void f(M m)" + loop), "for i = 0 to m_rows\n  m_data[i] = m_scale\n");
  EXPECT_THAT(dumped(type + "void f(const M &m)" + loop), HasSubstr("array const float m_scale: parameter"));
}

TEST(Objects, ViewsAreTheirOperators) {
  const std::string view =
      "class V { float *p; long n;\npublic:\n V(float *q, long m) : p(q), n(m) {}\n"
      " float &operator()(long i, long j) const { return p[i * n + j]; }\n long size() const { return n; } };\n";
  EXPECT_THAT(bodyOf(view + "void f(V v, V w) { for (long i = 0; i < v.size(); ++i) v(i, 2) = w(2, i); }"),
              StartsWith("for i = 0 to v_n\n  v_p[i * v_n + 2] = w_p[2 * w_n + i]\n"));
  EXPECT_THAT(bodyOf(view + "void f(float *a, long n) { V v(a, n); for (long i = 0; i < n; ++i) v(i, i) = 1; }"),
              StartsWith("for i = 0 to n\n  a[i * n + i] = 1.0\n"));
  EXPECT_THAT(takenOf(view + "void f(V v) { for (long i = 0; i < v.size(); ++i) v(i, i) = 1; }"),
              ElementsAre(Pair("v_p", "(v.*memberOf(f_p_member()))"), Pair("v_n", "(v.*memberOf(f_n_member()))")));
}

TEST(Objects, MembersTakeFromThis) {
  EXPECT_THAT(takenOf("#include <vector>\nclass L { std::vector<float> w; int n;\n"
                      "void f(float *y) const { for (int i = 0; i < n; ++i) y[i] = w[i]; } };"),
              ElementsAre(Pair("y", ""), Pair("w_data", "this->w.data()"), Pair("n", "this->n")));
}

TEST(Objects, EachInstanceOfATemplate) {
  const std::string text =
      "template <class T, int D> void f(T *y, int n) { for (int i = 0; i < n * D; ++i) y[i] = D; }\n"
      "template void f<float, 2>(float *, int);\ntemplate void f<double, 3>(double *, int);\n";
  const ParseOutcome outcome = parseText(text);
  ASSERT_TRUE(outcome.nest);
  ASSERT_EQ(outcome.nest->functions.size(), 2U);
  EXPECT_EQ(outcome.nest->functions[0].name, "f_float_2");
  EXPECT_EQ(outcome.nest->functions[1].instance, "std::is_same_v<T, double> && D == 3");
}

TEST(Objects, AnInstanceIsNamedWhereItsTemplateStands) {
  const std::string sum = "template <class F> float sum(const float *x, int n, F f) {"
                          " float s = 0; for (int i = 0; i < n; ++i) s += f(x[i]); return s; }\n";
  const std::string twice = "{ float operator()(float v) const { return 2 * v; } };\n";
  const auto conditionOf = [](const std::string &text) {
    const ParseOutcome outcome = parseText(text);
    return outcome.nest && outcome.nest->functions.size() == 1 ? outcome.nest->functions[0].instance : "left";
  };
  const std::string call = "float g(const float *x, int n) { return sum(x, n, Twice()); }";
  EXPECT_EQ(conditionOf("namespace { struct Twice " + twice + "}\n" + sum + call), "std::is_same_v<F, Twice>");
  EXPECT_EQ(conditionOf(sum + "struct Twice " + twice + call), "left");
  EXPECT_EQ(conditionOf("struct Twice;\n" + sum + "struct Twice " + twice + call), "std::is_same_v<F, Twice>");
  EXPECT_EQ(
      conditionOf("template <class T> struct Box { T v; };\n"
                  "template <class B> void f(float *y, int n, B b) { for (int i = 0; i < n; ++i) y[i] = b.v.v; }\n"
                  "void g(float *y, int n) { struct L { float v; }; f(y, n, Box<L>{{1}}); }"),
      "left");
  EXPECT_EQ(conditionOf("struct { float operator()(float v) const { return v; } } same;\n" + sum +
                        "float g(const float *x, int n) { return sum(x, n, same); }"),
            "left");
}

TEST(Objects, ATemplateThatRunsALambdaIsReadWhereItIsCalled) {
  const ParseOutcome outcome = parseText("template <class F> void each(float *y, int n, F f) {"
                                         " for (int i = 0; i < n; ++i) y[i] = f(y[i]); }\n"
                                         "void g(float *y, int n, float a) {"
                                         " each(y, n, [a](float v) { return a * v; });"
                                         " each(y, n, [](float v) { return v + 1; }); }");
  ASSERT_TRUE(outcome.nest);
  ASSERT_EQ(outcome.nest->functions.size(), 1U);
  EXPECT_EQ(outcome.nest->functions[0].name, "g");
  ASSERT_EQ(outcome.nest->left.size(), 2U);
  EXPECT_EQ(outcome.nest->left[0].name, "each_lambda") << "not where it stands on this machine";
  EXPECT_THAT(outcome.nest->left[0].refusal.reason, HasSubstr("no types that have a name where the template stands"));
}

TEST(Objects, ScopedEnumsAreNumbers) {
  EXPECT_THAT(takenOf("enum class A { no, yes };\nvoid f(float *y, int n, A a) {"
                      " for (int i = 0; i < n; ++i) y[i] = a == A::yes ? 1 : 0; }"),
              ElementsAre(Pair("y", ""), Pair("n", ""), Pair("a_value", "static_cast<int>(a)")));
}

TEST(Objects, LeftAlone) {
  const std::string vectors = "#include <vector>\nvoid f(std::vector<float> &x, int n) { ";
  EXPECT_THAT(whyLeft(vectors + "x.resize(n); for (int i = 0; i < n; ++i) x[i] = 1; }"),
              HasSubstr("'resize' changes a container or throws: do so outside"));
  EXPECT_THAT(whyLeft(vectors + "for (int i = 0; i < n; ++i) x.at(i) = 1; }"), HasSubstr("'at' may throw: write []"));
  EXPECT_THAT(whyLeft(vectors + "for (auto p = x.begin(); p != x.end(); ++p) *p++ = n; }"), HasSubstr("2: "));
  EXPECT_THAT(whyLeft("#include <algorithm>\n#include <vector>\nlong f(const std::vector<bool> &x) {"
                      " return std::count(x.begin(), x.end(), true); }"),
              HasSubstr("iterators of a std::vector<bool> are not supported"));
  const std::string rows = "#include <vector>\nvoid f(std::vector<std::vector<float>> &x, int n) { ";
  EXPECT_THAT(whyLeft(rows + "for (auto row : x) row[0] = 1; }"), HasSubstr("a copy of a row is not supported"));
  EXPECT_THAT(whyLeft(rows + "for (int i = 0; i < n; ++i) x[i].push_back(1); }"),
              HasSubstr("'push_back' changes a container or throws"));
  EXPECT_THAT(whyLeft(rows + "for (auto row = x.begin(); row != x.end(); ++row) (*row)[0] = 1; }"),
              HasSubstr("supported where each is named: m[i]"));
  const std::string type = "struct M { float *data; int n; };\n";
  EXPECT_THAT(whyLeft(type + "void f(M &m, float *y) { m.data = y; for (int i = 0; i < m.n; ++i) m.data[i] = 1; }"),
              HasSubstr("an assignment moves a pointer"));
  EXPECT_THAT(whyLeft(type + "void f(M &m) { for (int i = 0; i < 9; ++i) m.data[m.n] = 1; m.n = 3; }"),
              HasSubstr("'m_n' changes, and is a subscript"));
  EXPECT_THAT(dumped("struct A { float s; void twice() { s *= 2; } };\n"
                     "void f(A a, float *y) { for (int i = 0; i < 9; ++i) y[i] = a.s; a.twice(); }"),
              HasSubstr("member 's' is changed by a function that is called here"));
  EXPECT_THAT(dumped("struct V { virtual float at(int i) const; };\n"
                     "float V::at(int i) const { return i; }\nvoid f(const V &v, float *y) { for (int i = 0; i < 9; "
                     "++i) y[i] = v.at(i); }"),
              HasSubstr("the virtual function 'at'"));
}

} // namespace
