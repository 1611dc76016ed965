// Loops of which no equation is known: what of them is a function of numbers, and what is refused.
#include "source.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::test;
using testing::HasSubstr;

namespace {

Function functionOf(const std::string &source) {
  const ParseOutcome outcome = parseText(source);
  EXPECT_TRUE(outcome.nest);
  if (!outcome.nest || outcome.nest->functions.empty()) return {};
  return outcome.nest->functions.back();
}

/// The calls of functions of the source, in order.
std::vector<std::string> callsOf(const Body &body) {
  std::vector<std::string> calls;
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node))
      for (const std::string &call : callsOf((*loop)->body)) calls.push_back(call);
    if (const auto *assign = std::get_if<std::shared_ptr<const Assign>>(&node))
      visit((*assign)->value, [&](const Expr &e) {
        if (isOwnCall(e)) calls.push_back(show(e));
      });
  }
  return calls;
}

/// A loop over y with these statements, which may call the helper.
std::string loopOver(const std::string &statements, const std::string &helper = "") {
  return helper + "void f(int *y, const double *x, double *z, int n, int most) { for (int i = 0; i < n; i++) { " +
         statements + " } }";
}

} // namespace

TEST(Outlined, IsALoopThatEndsByItsData) {
  const Function f =
      functionOf(loopOver("long k = i + 1; int c = 0; while (k != 1) { k = k % 2 ? 3 * k + 1 : k / 2; c++; } "
                          "y[i] = c;"));
  EXPECT_THAT(callsOf(f.body), testing::ElementsAre("::f_c(k, c)"));
  ASSERT_EQ(f.outlined.size(), 1U);
  EXPECT_THAT(f.outlined[0].text,
              HasSubstr("static int f_c(long k, int c) {\n  while (k != 1) { k = k % 2 ? 3 * k + 1 : k / 2; "
                        "c++; }\n  return c;\n}"));
  EXPECT_TRUE(f.mayNotEnd);
}

TEST(Outlined, IsALoopThatIsLeft) {
  const Function f =
      functionOf(loopOver("double a = 0.5 * i; int k; for (k = 0; k < most; k++) { a = a * a - 1; if (a > 2) "
                          "break; } y[i] = k;"));
  EXPECT_THAT(callsOf(f.body), testing::ElementsAre("::f_k(most, a)"));
  EXPECT_THAT(f.outlined.at(0).text, HasSubstr("(int most, double a) {\n  int k;\n"));
}

/// An element that is read whatever data say, and that the loop does not write, goes in as a number.
TEST(Outlined, TakesElementsThatAreReadInAnyCase) {
  const Function f =
      functionOf(loopOver("double s = 1; for (int k = 0; k < 9; k++) { const double d = s - x[i] / s; if (d < "
                          "1e-9) break; s -= 0.5 * d + 0 * x[i]; } z[i] = s;"));
  EXPECT_THAT(callsOf(f.body), testing::ElementsAre("::f_s(x[i], s)"));
  EXPECT_THAT(f.outlined.at(0).text, HasSubstr("const double d = s - x_element / s;"));
  EXPECT_THAT(f.outlined.at(0).text, HasSubstr("0.5 * d + 0 * x_element;"));
}

TEST(Outlined, IsNothingThatReadsWhatOthersMayNot) {
  const auto isRead = [](const std::string &loop) {
    return !functionOf(loopOver("double s = 0; " + loop + " z[i] = s;")).body.empty();
  };
  const auto isOutlined = [](const std::string &loop) {
    return !functionOf(loopOver("double s = 0; " + loop + " z[i] = s;")).outlined.empty();
  };
  EXPECT_TRUE(isRead("while (s < most) s += 1 + i;"));
  EXPECT_TRUE(isRead("do { s += x[i]; } while (s < 3);"));
  EXPECT_TRUE(
      functionOf(loopOver("double s = 0; for (int k = 0; k < most; k++) { s += x[i]; if (s > 3) break; } z[i] = s;"))
          .outlined.empty())
      << "it may have no turn";
  EXPECT_FALSE(isOutlined("while (s < 3) { if (i > 0) s += x[i - 1]; s += 1; }")) << "there may be no such element";
  EXPECT_FALSE(isRead("int k = 0; while (s < 3) s += x[k++];")) << "which elements are read the data say";
  EXPECT_TRUE(isRead("while (s < 3) { s += 1; z[i] = s; }")) << "what is set in any case behind it";
  EXPECT_FALSE(isOutlined("while (s < 3) { s += 1; y[i] = 1; }")) << "it may not set it";
  EXPECT_FALSE(isOutlined("while (s < 3) { s += 1; y[0]++; }"));
  EXPECT_FALSE(isRead("static double t = 0; while (s < 3) { s += 1; t += s; }"));
  EXPECT_TRUE(isRead("double *p = &s; while (*p < 3) *p += 1;")) << "its own memory";
  EXPECT_FALSE(isOutlined("const double *p = &x[i]; while (s < 3) s += p[1];")) << "it leads to other memory";
  EXPECT_FALSE(isRead("volatile double t = 0; while (s < 3) { s += t; }"));
}

/// What another name stands for is not known to be needed no more: all that knows the other name goes along.
TEST(Outlined, SetsNothingThatHasAnotherName) {
  const auto nameOf = [](const std::string &before, const std::string &result) {
    const std::string loop = " int c = 0; while (s < 3) { s += 1; c++; } y[i] = c; z[i] = ";
    const Function f = functionOf(loopOver("double s = 0; " + before + loop + result + ";"));
    return f.outlined.empty() ? "" : f.outlined[0].name;
  };
  EXPECT_EQ(nameOf("", "s"), "::f_s") << "the loop alone";
  EXPECT_EQ(nameOf("double &r = s;", "r"), "::f_y") << "the whole turn";
  EXPECT_EQ(nameOf("double *p = &s;", "*p"), "::f_y");
  EXPECT_EQ(nameOf("auto twice = [&] { return 2 * s; };", "twice()"), "::f_y");
  EXPECT_TRUE(functionOf("void f(int *y, double *z, int n) { double s = 0; double &r = s; for (int i = 0; i < n; i++) "
                         "{ while (s < i) s += 1; z[i] = r; } }")
                  .outlined.empty());
}

/// A turn of a loop becomes a function, where a part of it alone cannot: objects, lambdas and arrays are its own.
TEST(Outlined, MayBeAWholeTurn) {
  const std::string point = "struct V { float a, b; V operator+(V o) const { return {a + o.a, b + o.b}; } }; ";
  const std::string march = "const double limit = x[i]; V p{0, 0}; const V step{1, 2}; int k = 0; for (; k < 9; k++) { "
                            "if (p.a + p.b > limit) break; p "
                            "= p + step; } ";
  const Function f = functionOf(loopOver(march + "z[i] = p.a; y[i] = k;", point));
  EXPECT_THAT(callsOf(f.body), testing::ElementsAre("::f_z(x[i])", "::f_z(x[i])"));
  EXPECT_THAT(f.outlined.at(0).text, HasSubstr("  double z_element{};\n  int y_element{};\n  {"));
  EXPECT_THAT(f.outlined.at(0).text, HasSubstr("z_element = p.a; y_element = k; }\n  return {z_element, y_element};"));
  EXPECT_THAT(f.outlined.at(0).why.reason, HasSubstr("a break statement"));
  EXPECT_TRUE(f.outlined.at(0).turns);
  const Function early = functionOf(loopOver(march + "if (k == 0) { z[i] = 0; continue; } z[i] = k;", point));
  EXPECT_TRUE(early.outlined.empty()) << "whether z[i] is set at its end the data say";
  const Function both = functionOf(loopOver("z[i] = 0; " + march + "if (k == 0) continue; z[i] = k;", point));
  EXPECT_THAT(both.outlined.at(0).text, HasSubstr("do {"));
  EXPECT_THAT(both.outlined.at(0).text, HasSubstr("} while (false);"));
}

/// Numbers of the turn's own that are known before it say which element it is.
TEST(Outlined, TakesElementsThatItsOwnNumbersSay) {
  const std::string odd = "int left = 0; while (left < 3) left++; ";
  const Function f = functionOf(loopOver("const int at = 2 * i + 1; int *q = &y[0]; (void)q; z[at] = x[at];"));
  EXPECT_TRUE(f.outlined.empty());
  const Function g =
      functionOf(loopOver("const int at = 2 * i + 1; double s = x[at]; double *p = &s; while (*p > 1) *p "
                          "/= 2; z[at] = s;"));
  EXPECT_THAT(callsOf(g.body), testing::ElementsAre("::f_z(x[2 * i + 1], i)"));
  const Function h =
      functionOf(loopOver("double s = i > 0 ? x[i - 1] : 0; double *p = &s; while (*p > 1) *p /= 2; z[i] = "
                          "s;"));
  EXPECT_THAT(callsOf(h.body), testing::ElementsAre("::f_z(0 < i ? x[i - 1] : 0.0, i)")) << "where it may be read";
}

/// Two elements of which one is set may be one.
TEST(Outlined, SetsNoElementThatMayBeAnother) {
  const auto isRead = [](const std::string &element) {
    const std::string turn = "double s = " + element + "; double *p = &s; while (*p > 1) *p /= 2; z[i] = s;";
    return !functionOf(loopOver(turn)).outlined.empty();
  };
  EXPECT_TRUE(isRead("z[i]"));
  EXPECT_TRUE(isRead("z[i + 1]"));
  EXPECT_FALSE(isRead("z[2 * i]"));
  EXPECT_FALSE(isRead("z[most]"));
}

/// Names that the function itself declares are not known outside it.
TEST(Outlined, MeansOutsideWhatItMeansWithin) {
  const auto textOf = [](const std::string &before, const std::string &loop) {
    const Function f =
        functionOf("#define LIMIT 3\nconst double scale = 2; namespace m { double half(double v); }\n"
                   "template <class T> T twice(T v) { T s = 0; while (s < 3) { T t = v; s += t; } return s; }\n" +
                   loopOver("double s = 1; " + before + " " + loop + " z[i] = s;"));
    return f.outlined.empty() ? "" : f.outlined[0].text;
  };
  EXPECT_THAT(
      textOf("constexpr int size = 4;", "while (s < LIMIT) { double a[size] = {scale}; s += a[0]; }"),
      HasSubstr("static double f_s(double s) {\n  constexpr int size = 4;\n  while (s < LIMIT) { double a[size] = "
                "{scale}; s += a[0]; }"));
  EXPECT_THAT(textOf("using T = double;", "while (s < 3) { T t = 1; s += t; }"),
              HasSubstr("static double f_s(double s) {\n  using T = double;\n"));
  EXPECT_EQ(textOf("using namespace m;", "while (s < 3) s += 1;"), "");
  EXPECT_THAT(textOf("static const double step = 1;", "while (s < 3) s += step;"),
              HasSubstr("{ double s = 1; static const double step = 1; while"))
      << "the whole turn";
  EXPECT_THAT(textOf("", "s = twice(s);"), HasSubstr("static double f_twice(double s) {\n  return twice(s);\n}"));
}

/// What is used behind it, or by its next run, is a member each of what the call gives.
TEST(Outlined, MayHaveSeveralResults) {
  const Function f =
      functionOf(loopOver("double s = 0; int c = 0; while (s < 3) { s += 1; c++; } z[i] = s; y[i] = c;"));
  EXPECT_THAT(callsOf(f.body), testing::ElementsAre("::f_s(s, c)", "::f_s(s, c)")) << "the same call";
  EXPECT_THAT(f.outlined.at(0).text, HasSubstr("struct f_s_results {\n  double s;\n  int c;\n};\n"));
  EXPECT_THAT(f.outlined.at(0).text, HasSubstr("return {s, c};"));
  const Function carried =
      functionOf("void f(int *y, int n) { int c = 0; double s = 0; for (int i = 0; i < n; i++) { while "
                 "(s < i) { s += 1; c++; } y[i] = c; } }");
  EXPECT_THAT(callsOf(carried.body), testing::SizeIs(2)) << "the next turn goes on with what this one left in s";
}

TEST(Outlined, HelpersAreCalledAsTheyStand) {
  const std::string helper =
      "namespace deep { namespace { inline double root(double v) { double x = v; do { x = 0.5 * (x + v "
      "/ x); } while (x * x - v > 1e-9 * v); return x; } } } ";
  const Function f = functionOf(loopOver("z[i] = deep::root(2 + x[i]);", helper));
  EXPECT_THAT(callsOf(f.body), testing::ElementsAre("::f_x(x_1, 2.0 + x[i])")) << "its loop alone";
  const std::string recursive = "static int common(int a, int b) { return b == 0 ? a : common(b, a % b); } ";
  EXPECT_THAT(callsOf(functionOf(loopOver("y[i] = common(i, most);", recursive)).body),
              testing::ElementsAre("::common(i, most)"));
  const std::string early =
      "namespace deep { int first(int v) { for (int k = 2; k < v; k++) { if (v % k == 0) return k; } "
      "return v; } } ";
  EXPECT_THAT(callsOf(functionOf(loopOver("y[i] = deep::first(i);", early)).body),
              testing::ElementsAre("::deep::first(i)"));
}

TEST(Outlined, StandsInTheNamespaceOfItsFunction) {
  const std::string loop = loopOver("int c = 0, v = i; while (v > 1) { v /= 2; c++; } y[i] = c;");
  EXPECT_THAT(callsOf(functionOf("namespace a { inline namespace b { namespace { " + loop + " } } }").body),
              testing::ElementsAre("::a::f_c(v, c)"));
}

/// A while loop that counts at its end is read as a for loop, if it can be.
TEST(Outlined, MayCountAtItsEnd) {
  const std::string turn = "{ s = s * 0.5; k++; } z[i] = s;";
  EXPECT_THAT(callsOf(functionOf(loopOver("double s = x[i]; int k = 0; while (s > 1 && k < most) " + turn)).body),
              testing::ElementsAre("::f_s(s, 0, most)"));
  EXPECT_THAT(functionOf(loopOver("double s = x[i]; int k = 0; do " + turn.substr(0, turn.find('}') + 1) +
                                  " while (s > 1 && k < most); z[i] = s;"))
                  .outlined.at(0)
                  .text,
              HasSubstr("do { s = s * 0.5; k++; } while (s > 1 && k < most);"));
}

TEST(Outlined, MayCallHelpersOfItsOwn) {
  const std::string prime =
      "static bool is_prime(int n) { for (int k = 2; k * k <= n; k++) if (n % k == 0) return false; "
      "return true; } ";
  const Function f = functionOf(loopOver("int q = i + 2; while (!is_prime(q)) q++; y[i] = q;", prime));
  EXPECT_THAT(callsOf(f.body), testing::ElementsAre("::f_q(i + 2)"));
}

TEST(Outlined, HelpersThatDoMoreAreNotCalled) {
  const auto isRead = [](const std::string &helper) {
    return !functionOf(loopOver("y[i] = g(i);", "int total = 0; int say(int); " + helper)).body.empty();
  };
  EXPECT_TRUE(isRead("int g(int v) { int c = 0; while (v > 1) { v /= 2; c++; } return c; }"));
  EXPECT_FALSE(isRead("int g(int v) { while (v > 1) { v /= 2; total++; } return v; }"));
  EXPECT_FALSE(isRead("int g(int v) { while (v > total) v /= 2; return v; }")) << "others may change it";
  EXPECT_FALSE(isRead("int g(int v) { static int c = 0; while (v > 1) { v /= 2; c++; } return c; }"));
  EXPECT_FALSE(isRead("int g(int v) { while (v > 1) v = say(v); return v; }"));
  EXPECT_TRUE(
      isRead("long g(long v); int g(int v) { for (int k = 2; k < v; k++) if (v % k == 0) return k; return v; }"))
      << "which one is called its arguments' types say";
  EXPECT_FALSE(isRead("int g(int v) { int *c = new int(0); while (v > 1) { v /= 2; ++*c; } return *c; }"));
}

/// A structure goes in and comes out number by number.
TEST(Outlined, TakesStructuresApart) {
  const std::string colour =
      "#include <vector>\nstruct C { float r; int k; }; struct Two { C a, b; }; C less(C c) { if (c.r > 1) "
      "return less({c.r - 1, c.k}); c.k++; return c; } ";
  const Function f = functionOf(colour + "void f(std::vector<C> &v, float by) { for (auto &c : v) { c.r *= by; c = "
                                         "less(c); } }");
  ASSERT_EQ(f.outlined.size(), 1U);
  EXPECT_THAT(f.outlined[0].text,
              HasSubstr("static f_c_results f_c(float c_element_r, int c_element_k, float by) {\n  C "
                        "c_element{c_element_r, c_element_k};\n"));
  EXPECT_THAT(f.outlined[0].text, HasSubstr("return {c_element.r, c_element.k};"));
  const Function g = functionOf(colour + "void f(const Two *v, float *y, int n) { for (int i = 0; i < n; i++) y[i] = "
                                         "less(v[i].b).r; }");
  EXPECT_THAT(g.outlined.at(0).text, HasSubstr("Two v_element{{v_element_a_r, v_element_a_k}, {v_element_b_r, "
                                               "v_element_b_k}};"));
  EXPECT_THAT(g.outlined.at(0).text, HasSubstr("y_element = less(v_element.b).r")) << "no copy is set";
  const auto isRead = [&](const std::string &kind) {
    return !functionOf(colour + kind +
                       " M less(const M &m) { if (m.c.r > 1) return less(M{}); return m; } void f(const M *v, float "
                       "*y, int n) { for (int i = 0; i < n; i++) y[i] = less(v[i]).c.r; }")
                .outlined.empty();
  };
  EXPECT_TRUE(isRead("struct M { C c; };"));
  EXPECT_FALSE(isRead("struct M { C c; float *p; };")) << "it leads to other memory";
  EXPECT_FALSE(isRead("struct M { C c; M() : c{} {} };")) << "no list makes it";
}

/// 64 bits without a sign go in and come out as the same bits.
TEST(Outlined, CarriesBits) {
  const Function f =
      functionOf("unsigned long mixed(unsigned long v) { while (v >> 60 == 0) v = v * 3 + 1; return v; } void "
                 "f(unsigned long *y, const unsigned long *x, int n) { for (int i = 0; i < n; i++) y[i] = "
                 "mixed(x[i]); }");
  EXPECT_THAT(callsOf(f.body), testing::ElementsAre("::f_v(v)"));
  EXPECT_THAT(f.outlined.at(0).text,
              HasSubstr("static std::int64_t f_v(unsigned long v) {\n  while (v >> 60 == 0) v = v * "
                        "3 + 1;\n  return static_cast<std::int64_t>(v);"));
  const auto nameOf = [](const std::string &turn) {
    return functionOf("unsigned long mixed(unsigned long v) { while (v >> 60 == 0) v = v * 3 + 1; return v; } void "
                      "f(double *y, "
                      "const unsigned long *x, int n) { for (int i = 0; i < n; i++) { " +
                      turn + " } }")
        .outlined.at(0)
        .name;
  };
  for (const char *turn : {"y[i] = mixed(x[i]) / 2;", "y[i] = mixed(x[i]) > 5 ? 1 : 0;",
                           "unsigned long v = x[i]; while (v >> 60 == 0) v = v * 3 + 1; y[i] = v % 10;"})
    EXPECT_EQ(nameOf(turn), "::f_v") << "what becomes of the number is read";
}

/// Code of others that a declaration or a call runs unseen may do anything.
TEST(Outlined, RunsNothingUnseen) {
  const auto isRead = [](const std::string &before, const std::string &turn) {
    return !functionOf("#include <vector>\nint made = 0; int next() { return ++made; } " + before +
                       " void f(std::vector<float> &z, int n) { for (int i = 0; i < n; i++) { " + turn + " } }")
                .outlined.empty();
  };
  const std::string turn = "V v{z[i]}; while (v.a > 1) v.a /= 2; ";
  EXPECT_TRUE(isRead("struct V { float a; };", turn + "z[i] = v.a;"));
  EXPECT_TRUE(isRead("struct V { float a; int b = 3; };", turn + "z[i] = v.a;"));
  EXPECT_FALSE(isRead("struct V { float a; int id = next(); };", turn + "z[i] = v.a;"));
  EXPECT_FALSE(isRead("struct W { int id = next(); }; struct V { float a; };", turn + "W w; z[i] = v.a + w.id;"));
  EXPECT_FALSE(isRead("struct V { float a; ~V() { ++made; } };", turn + "z[i] = v.a;"));
  EXPECT_FALSE(isRead("struct V { float a; V(float g) : a(g + next()) {} };", turn + "z[i] = v.a;"));
  const std::string whole = "V v{z[i]}; float *p = &v.a; while (*p > 1) *p /= 2; ";
  EXPECT_TRUE(isRead("struct V { float a; };", whole + "z[i] = v.a;"));
  EXPECT_FALSE(isRead("struct V { float a; };", whole + "z[i] = v.a + z.front();")) << "which it may have set";
  EXPECT_FALSE(isRead("struct V { float a; };", turn + "z[i] = z.at(0);")) << "it may throw";
}

/// The text stands in front of the function, and of its class: names mean there what they mean within.
TEST(Outlined, NamesOthersOnlyWhereTheyAreKnown) {
  const auto isRead = [](const std::string &source) {
    const ParseOutcome outcome = parseText("#include <algorithm>\n" + source);
    return outcome.nest && !outcome.nest->functions.empty() && !outcome.nest->functions.front().outlined.empty();
  };
  const auto turn = [](const std::string &before, const std::string &next) {
    return "void f(int *y, const int *x, int n) { " + before +
           " for (int i = 0; i < n; i++) { int v = x[i]; int *p = &v; while (*p > 9) { " + next + " } y[i] = v; } }";
  };
  EXPECT_TRUE(isRead(turn("", "*p = std::max(v / 2, 1);")));
  EXPECT_TRUE(isRead("using namespace std; " + turn("", "*p = max(v / 2, 1);")));
  EXPECT_FALSE(isRead(turn("using std::max;", "*p = max(v / 2, 1);")));
  EXPECT_FALSE(isRead(turn("using namespace std;", "*p = max(v / 2, 1);")));
  EXPECT_FALSE(isRead(turn("namespace S = std;", "*p = S::max(v / 2, 1);")));
  EXPECT_TRUE(isRead("struct D { static constexpr int least = 3; }; " + turn("", "*p = v - D::least;")));
  EXPECT_FALSE(isRead("struct C { static constexpr int least = 3; " + turn("", "*p = v - least;") + " };"));
  EXPECT_FALSE(isRead("struct C { enum Kind { one = 1 }; " + turn("", "*p = v - one;") + " };"));
  EXPECT_FALSE(isRead("struct C { static int half(int v) { return v / 2; } " + turn("", "*p = half(v);") + " };"));
}
