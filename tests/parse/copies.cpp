// Copies of objects, and forms whose order, width or shape counts: read as what they are, or left with a reason.
#include "source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace polymend::test;
using testing::HasSubstr;

namespace {

struct Form {
  std::string source, expected;
};

void areLeft(const std::string &before, const std::vector<Form> &forms) {
  for (const Form &form : forms)
    EXPECT_THAT(dumped(before + "\nvoid f(const float *x, float *y, int n" + form.source), HasSubstr(form.expected))
        << form.source;
}

void areRead(const std::string &before, const std::vector<Form> &forms) {
  for (const Form &form : forms)
    EXPECT_THAT(bodyOf(before + "\nvoid f(const float *x, float *y, int n" + form.source), HasSubstr(form.expected))
        << form.source;
}

const char *const Each = "for (int i = 0; i < n; ++i) ";

TEST(Copies, OfArgumentsAreLeftWhereOneOfBothChanges) {
  const std::string type = "struct P { float k; float w[4]; int m; };";
  const std::string changes = "would change with it";
  areLeft(type, {{std::string(", P *p) { P q = *p; q.k *= 2; ") + Each + "y[i] = q.k + p->k; }", changes},
                 {std::string(", P *p) { const P q = *p; p->k = 2; ") + Each + "y[i] = q.k; }", changes},
                 {std::string(", P *p) { P q = *p; q.w[1] = 7; ") + Each + "y[i] = q.w[1] + p->w[1]; }", changes}});
  areRead(type, {{std::string(", P *p) { const P q = *p; ") + Each + "y[i] = q.k + q.w[2]; }", "y[i] = p_k + p_w[2]"}});
}

TEST(Copies, OfArgumentsByValueAreTheCallees) {
  const std::string type = "struct S { float k; };\n"
                           "static void add(S s, float *y, int i) { s.k *= 2; y[i] = s.k; }\n"
                           "static void keep(S s, float *y, int i) { y[i] = 1; y[i + 1] = s.k; }";
  areRead(type,
          {{std::string(") { S s{2}; ") + Each + "{ add(s, y, i); y[i] += s.k; } }", "s_k_1 = s_k_1 * 2.0"},
           {std::string(") { ") + Each + "keep(S{y[i]}, y, i); }", "s_k = y[i]\n  y[i] = 1.0\n  y[i + 1] = s_k"}});
}

TEST(Copies, OfWhatCallsReturn) {
  const std::string type =
      "struct S { float k; S next() { k += 1; return *this; } S plain() const { return {k * 2}; } };\n"
      "struct H { S s; S &get() { return s; } };";
  areRead(type, {{std::string(") { S s{0}; ") + Each + "{ S t = s.next(); y[i] = s.k + t.k; } }",
                  "s_k = s_k + 1.0\n  made_k = s_k\n  y[i] = s_k + made_k"},
                 {std::string(", float k) { ") + Each + "{ H h{{k}}; S &r = h.get(); r.k = x[i]; y[i] = h.s.k; } }",
                  "h_s_k = x[i]\n  y[i] = h_s_k"},
                 {std::string(", float k) { ") + Each + "{ H h{{x[i]}}; S c = h.get(); h.s.k = k; y[i] = c.k; } }",
                  "c_k = h_s_k\n  h_s_k = k\n  y[i] = c_k"}});
}

TEST(Copies, OfObjectsWithPointers) {
  const std::string type = "struct V { float *p; float k; };";
  areLeft(type, {{std::string(", float *z) { V v{y, 1}, w{z, 2}; v = w; ") + Each + "v.p[i] = x[i]; }",
                  "member 'p' of a local object is changed"}});
  areRead(type, {{std::string(") { V v{y, 1}; ") + Each + "v.p[i] = v.k; }", "y[i] = v_k"}});
}

TEST(Copies, OfStandardArrays) {
  areRead("#include <array>", {{std::string(", std::array<float, 4> &a) { std::array<float, 4> b = a; b[0] = 1; ") +
                                    Each + "y[i] = a[0] + b[0]; }",
                                "for at = 0 to 4\n  b[at] = a_data[at]\nb[0] = 1.0\n"}});
}

TEST(Copies, OfLambdas) {
  const std::string type = "struct P { float k; };";
  areLeft(type, {{std::string(") { P p{2}; auto f = [p](float v) { return v * p.k; }; p.k = 5; ") + Each +
                      "y[i] = f(x[i]); }",
                  "a lambda copies 'p', which changes"},
                 {std::string(") { float &r = y[0]; auto f = [r](float v) { return v * r; }; y[0] = 5; ") + Each +
                      "y[i] = f(2); }",
                  "a lambda copies what 'r' refers to"}});
  areRead(type, {{std::string(", float k) { P p{k}; auto f = [p](float v) { return v * p.k; }; ") + Each +
                      "y[i] = f(x[i]); }",
                  "y[i] = x[i] * p_k"}});
}

TEST(Copies, OfWhatALambdaRefersTo) {
  const std::string row = ", int m) { auto row = [&](int i, int j) -> float & { return y[i * m + j]; }; ";
  areRead("#include <array>",
          {{row + Each + "for (int j = 0; j < m; ++j) row(i, j) = x[i]; }", "y[i * m + j] = x[i]"},
           {row + Each + "for (int j = 0; j < m; ++j) row(i, j) += x[i]; }", "y[i * m + j] = y[i * m + j] + x[i]"},
           {std::string(", std::array<float, 4> &a) { std::array<float, 4> b = a; "
                        "auto at = [&](int k) -> float & { return b[k]; }; at(0) = 1; ") +
                Each + "y[i] = a[0] + b[0]; }",
            "for at = 0 to 4\n  b[at] = a_data[at]\nb[0] = 1.0\n"},
           {std::string(") { int k = 2; auto last = [&]() -> int & { return k; }; last() = 3; ") + Each + "y[i] = k; }",
            "k = 2\nk = 3\n"}});
}

TEST(Forms, PlacesThatAreSteppedToWithinCountingLoops) {
  areRead("", {{") { int i = 0; while (i < n) { int at = 2 * i; at += 1; y[at] = x[i]; i += 1; } }",
                "y[2 * i + 1] = x[i]"}});
}

TEST(Forms, LabelsWithinWhatIsNeverReached) {
  areLeft("", {{std::string(", const int *m) { ") + Each +
                    "switch (m[i]) { case 0: y[i] = 1; break; if (x[i] > 0) { case 2: y[i] = 2; } break; } }",
                "run into each other"}});
}

TEST(Forms, SumsInOtherTypesThanTheirElements) {
  const std::string headers = "#include <algorithm>\n#include <numeric>";
  const std::string converts = "converted to one by one";
  areLeft(
      headers,
      {{std::string(", const int *c) { ") + Each + "y[i] = std::accumulate(c, c + n, 0u); }", converts},
       {std::string(") { ") + Each + "y[i] = std::accumulate(x, x + n, 0); }", converts},
       {std::string(", const unsigned char *c) { ") + Each + "y[i] = std::accumulate(c, c + n, (unsigned char)0); }",
        converts},
       {std::string(", const unsigned *c) { ") + Each + "y[i] = std::inner_product(c, c + n, c, 0.0f); }", converts},
       {std::string(", const unsigned long *c) { ") + Each + "y[i] = *std::max_element(c, c + n) > 5 ? 1 : 0; }",
        "elements of this type"},
       {std::string(", const int *a, unsigned char *c) { std::copy(a, a + n, c); ") + Each + "y[i] = c[i]; }",
        "may wrap around"}});
  areRead(headers,
          {{std::string(", const unsigned char *c) { ") + Each + "y[i] = std::accumulate(c, c + n, 0); }",
            "total = total + int(c[at])"},
           {std::string(") { ") + Each + "y[i] = std::accumulate(x, x + n, 0.0); }", "total = total + double(x[at])"}});
}

TEST(Forms, FunctionsThatAlgorithmsAreGiven) {
  const std::string headers = "#include <algorithm>\n#include <functional>\n#include <numeric>\n"
                              "float half(float v) { return v / 2; }\n"
                              "struct Line { float m, b; float operator()(float v) const { return m * v + b; } };";
  areRead(headers,
          {{") { std::transform(x, x + n, y, [](auto v) { return v * v; }); }", "y[at] = x[at] * x[at]"},
           {") { std::transform(x, x + n, y, half); }", "y[at] = x[at] / 2.0"},
           {") { std::transform(x, x + n, y, Line{2, 3}); }", "y[at] = 2.0 * x[at] + 3.0"},
           {") { std::transform(x, x + n, y, y, std::minus<float>()); }", "y[at] = x[at] - y[at]"},
           {") { y[0] = std::accumulate(x, x + n, 1.0f, std::multiplies<>()); }", "total = total * x[at]"},
           {", unsigned char *c) { std::transform(x, x + n, c, [](float v) { return int(v); }); }",
            "c[at] = std::uint8_t(int(x[at]))"},
           {") { y[0] = std::count(x, x + n, 0.0f); }", "count = count + (x[at] == 0.0 ? 1 : 0)"},
           {", int *a) { std::iota(a, a + n, 3); }", "a[at] = int(at + 3)"},
           {") { float k = 2; k += n; std::for_each(y, y + n, [k](float &v) { v *= k; }); }", "y[at] = y[at] * k"}});
  areLeft(headers,
          {{") { std::transform(x, x + n, y, [k = 2.0f](float v) { return k * v; }); }", "y[at] = 2.0 * x[at]"},
           {") { float s = 0; std::transform(x, x + n, y, [&](float v) { s += v; return s; }); }",
            "changes what is not its own"},
           {", int *a) { std::transform(x, x + n, a, half); }", "is stored as 'int'"},
           {", const int *a, int *b) { std::transform(a, a + n, b, half); }", "is stored as 'int'"},
           {", const int *a) { y[0] = std::accumulate(a, a + n, 0, std::plus<>()); }", "this operation on elements"},
           {") { y[0] = std::count(x, x + n, 0); }", "another type"},
           {") { std::iota(y, y + n, 0.5f); }", "may wrap around or round"},
           {") { auto g = &half; std::transform(x, x + n, y, g); }", "neither a variable"},
           {", const float *z) { for (int i = 0; i < n; ++i) y[i] = z - x; }", "how far these are from each other"}});
}

TEST(Forms, CountingFromWhatIsWrittenBetween) {
  areLeft("", {{", int *m) { int i = m[0]; m[0] = 7; while (i < n) { y[i] = 1; ++i; } }", "data that may change"}});
  areRead("", {{") { int i = 0; y[0] = 5; while (i < n) { y[i] = 1; ++i; } }", "for i = 0 to n\n  y[i] = 1.0"}});
}

TEST(Forms, PartsOfSpans) {
  areRead("#include <span>", {{std::string(", std::span<const float> s, int o) { ") + Each +
                                   "{ auto p = s.subspan(o, std::dynamic_extent); for (float v : p) y[i] += v; } }",
                               "for at_v = 0 to s_size - o"}});
}

TEST(Forms, PointersToStructuresThatMayBeNull) {
  areLeft("struct P { float k; };",
          {{std::string(", const P *p) { ") + Each + "y[i] = p != nullptr ? p->k : 1; }", "pointer to a structure"}});
}

TEST(Forms, NumbersOfObjectsThatAreReadFromWhatChanges) {
  areRead("struct R { int first; float k; };",
          {{std::string(", int *t) { R r{t[0] + 1, 2}; ") + Each + "t[i] = i; " + Each + "y[i] = r.first; }",
            "r_first = t[0] + 1"}});
  areLeft(
      "struct R { int first; float k; };",
      {{std::string(", int *t) { R r{t[0] + 1, 2}; ") + Each + "t[i] = i; " + Each + "y[r.first] = i; }", "changes"}});
}

TEST(Forms, IteratorsThatRunBackwards) {
  const std::string headers = "#include <algorithm>\n#include <iterator>\n#include <vector>";
  areLeft(headers,
          {{", const std::vector<float> &v, std::vector<float> &w) { std::copy(std::reverse_iterator(v.end()), "
            "std::reverse_iterator(v.begin()), w.begin()); for (int i = 0; i < n; ++i) y[i] = w[i]; }",
            "are not known"}});
}

TEST(Forms, RangesThatLeaveTheirRow) {
  areLeft("#include <algorithm>",
          {{std::string(") { ") + Each + "{ float a[4][8]; std::fill(a[1], a[1] + 24, 2.0f); y[i] = a[3][7]; } }",
            "may leave its row"}});
  areRead("#include <algorithm>",
          {{std::string(") { ") + Each +
                "{ float a[4][8]; for (int k = 0; k < 4; ++k) std::fill(a[k], a[k] + 8, 2.0f); y[i] = a[3][7]; } }",
            "a[k][at] = 2.0"}});
}

TEST(Forms, LabelsThatNoNumberHolds) {
  areLeft("", {{std::string(", const unsigned long *m) { ") + Each +
                    "switch (m[i]) { case 0xffffffffffffffffUL: y[i] = 1; break; default: y[i] = 2; } }",
                "64 bits without a sign"}});
}

} // namespace
