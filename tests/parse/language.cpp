// What is read of C++, by samples: docs/language.md is what this test makes of them and of the allow-list's rows.
// POLYMEND_ACCEPT=1 writes it anew.
#include "parse/kinds.h"
#include "source.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace polymend;
using namespace polymend::test;

namespace {

struct Section {
  const char *title;
  const char *before; // declarations that its samples use
  std::vector<const char *> samples;
};

const std::vector<Section> &sections() {
  static const std::vector<Section> all = {
      {"Containers and views",
       "#include <algorithm>\n#include <array>\n#include <complex>\n#include <functional>\n#include <memory>\n#include "
       "<numeric>\n#include "
       "<span>\n#include "
       "<vector>\n"
       "struct Matrix { float *data; int rows, cols; float &operator()(int i, int j) const { return data[i * cols + "
       "j]; } "
       "};\n",
       {"void f(std::vector<float> &y, const std::vector<float> &x) { for (size_t i = 0; i < x.size(); i++) y[i] = "
        "x[i]; }",
        "void f(std::span<float> y, std::span<const float, 64> x) { for (int i = 0; i < 64; i++) y[i] = x[i]; }",
        "void f(std::array<float, 16> &y) { for (float &v : y) v = 1; }",
        "void f(std::unique_ptr<float[]> &y, int n) { for (int i = 0; i < n; i++) y[i] = 1; }",
        "void f(Matrix m) { for (int i = 0; i < m.rows; i++) for (int j = 0; j < m.cols; j++) m(i, j) = 1; }",
        "void f(const Matrix &m) { for (int i = 0; i < m.rows; i++) m.data[i * m.cols] = 1; }",
        "void f(float (*a)[8], int n) { for (int i = 0; i < n; i++) a[i][3] = 1; }",
        "void f(float &best, const float *x, int n) { for (int i = 0; i < n; i++) best = best < x[i] ? x[i] : best; }",
        "void f(std::vector<float> &y) { y.push_back(1); for (size_t i = 0; i < y.size(); i++) y[i] = 1; }",
        "void f(std::vector<float> &y, int n) { for (int i = 0; i < n; i++) y.at(i) = 1; }",
        "void f(std::vector<float> &y) { for (auto p = y.begin(); p != y.end(); ++p) *p = 1; }",
        "void f(std::vector<float> &y, const std::vector<float> &x) { auto p = y.begin(); for (float v : x) *p++ = v; "
        "}",
        "struct P { float x, y; }; void f(std::vector<P> &y, const std::vector<float> &x) { auto p = y.begin(); for "
        "(float v : x) { p->x = v; ++p; } }",
        "void f(const float *x, float *y, int n) { for (const float *p = x; p != x + n; ++p) y[p - x] = 2 * *p; }",
        "float f(const std::vector<float> &x) { return std::accumulate(x.begin(), x.end(), 0.0f); }",
        "float f(const std::vector<float> &x) { return *std::max_element(x.begin(), x.end()); }",
        "void f(std::vector<float> &y, const std::vector<float> &x) { std::copy(x.begin(), x.end(), y.begin()); }",
        "void f(std::vector<float> &y, const std::vector<float> &x) { std::transform(x.begin(), x.end(), y.begin(), "
        "[](float v) { return v > 0 ? v : 0; }); }",
        "void f(std::vector<float> &y, float k) { std::for_each(y.begin(), y.end(), [&](float &v) { v *= k; }); }",
        "float f(const float *x, int n) { return std::accumulate(x, x + n, 0.0f, [](float s, float v) { return s + v * "
        "v; }); }",
        "float f(const float *x, const float *y, int n) { return std::inner_product(x, x + n, y, 0.0f, std::plus<>(), "
        "[](float a, float b) { return (a - b) * (a - b); }); }",
        "long f(const float *x, int n) { return std::count_if(x, x + n, [](float v) { return v > 0; }); }",
        "bool f(const float *x, int n) { return std::any_of(x, x + n, [](float v) { return v < 0; }); }",
        "long f(const float *x, int n) { return std::max_element(x, x + n) - x; }",
        "void f(long *y, float *z, const std::vector<float> &x) { auto found = std::max_element(x.begin(), x.end()); "
        "*y = found - x.begin(); *z = *found; }",
        "void f(long *y, const std::vector<float> &x, const std::vector<float> &sought) { for (std::size_t i = 0; i < "
        "sought.size(); i++) y[i] = std::lower_bound(x.begin(), x.end(), sought[i]) - x.begin(); }",
        "void f(long *y, const std::vector<int> &x, const std::vector<int> &sought) { for (std::size_t i = 0; i < "
        "sought.size(); i++) { auto it = std::find(x.begin(), x.end(), sought[i]); y[i] = it == x.end() ? -1 : it - "
        "x.begin(); } }",
        "void f(float *y, const float *x, int n) { std::partial_sum(x, x + n, y); }",
        "void f(float *y, int n) { std::reverse(y, y + n); }",
        "void f(std::vector<int> &y) { std::iota(y.begin(), y.end(), 0); }",
        "void f(std::vector<unsigned long> &y) { std::iota(y.begin(), y.end(), 2ul); }",
        "void f(float *y, const float *x, int n) { for (int i = 0; i < n; i++) std::fill(y + 8 * i, y + 8 * i + 8, "
        "x[i]); }",
        "void f(std::vector<float> &y, std::vector<float> &x) { for (float &v : y) v *= 2; y.swap(x); }",
        "void f(float *y, int n) { std::sort(y, y + n); }",
        "void f(std::array<std::array<float, 8>, 4> &y) { for (auto &row : y) for (float &v : row) v *= 2; }",
        "struct P { float x, y; }; void f(P *p, int n) { for (P *end = p + n; p != end; ++p) p->x += p->y; }",
        "void f(std::span<float> y, int n, int d) { for (int i = 0; i < n; i++) { auto row = y.subspan(i * d, d); for "
        "(int j = 0; j < d; j++) row[j] = 1; } }",
        "struct View { float *p; long ext[2], str[2]; }; void f(View v) { for (long i = 0; i < v.ext[0]; i++) for "
        "(long j "
        "= 0; j < v.ext[1]; j++) v.p[i * v.str[0] + j] = 1; }",
        "struct P { float x, y; }; void f(P *p, int n) { for (int i = 0; i < n; i++) { auto [x, y] = p[i]; x += y; "
        "p[i] "
        "= {x, y}; } }",
        "struct P { float x, y; }; P g(float v) { if (v < 0) return {0, 0}; return {v, v * v}; } void f(P *p, int n) { "
        "for (int i = 0; i < n; i++) p[i] = g(p[i].x); }",
        "std::array<float, 2> g(float v) { return {v, v * v}; } void f(float *y, int n) { for (int i = 0; i < n; i++) "
        "{ "
        "const auto p = g(y[i]); y[i] = p[0] + p[1]; } }",
        "struct P { float x, y; P operator+(P o) const { return {x + o.x, y + o.y}; } }; void f(P *r, const P *a, int "
        "n) "
        "{ for (int i = 0; i < n; i++) r[i] = a[i] + a[i]; }",
        "struct Block { float scale; signed char q[32]; }; void f(const Block *a, float *y, int n) { for (int i = 0; i "
        "< n; i++) { float s = 0; for (int k = 0; k < 32; k++) s += a[i].q[k]; y[i] = a[i].scale * s; } }",
        "struct V { float x, y; }; struct Body { V at, speed; int hits; }; void f(Body *all, int first, int n) { Body "
        "*some = all + first; for (int i = 0; i < n; i++) { Body &b = some[i]; b.at.x += b.speed.x; b.hits++; } }",
        "void f(std::vector<std::vector<float>> &y, int n) { for (int i = 0; i < n; i++) y[i][0] = 1; }",
        "void f(std::vector<std::vector<float>> &y) { for (auto &row : y) for (float &v : row) v *= 2; }",
        "void f(std::vector<std::vector<float>> &y, int n) { for (int i = 0; i < n; i++) y[i].push_back(1); }",
        "float f(const std::vector<float> &x, const std::vector<bool> &on) { float s = 0; for (size_t i = 0; i < "
        "x.size(); i++) if (on[i]) s += x[i]; return s; }",
        "void f(std::vector<bool> &on, int n) { for (int i = 0; i < n; i++) on[i] = true; }",
        "void f(float **y, int n) { for (int i = 0; i < n; i++) y[i][0] = 1; }",
        "void f(std::complex<float> *y, const std::vector<std::complex<float>> &x) { for (size_t i = 0; i < x.size(); "
        "i++) y[i] += x[i] * std::conj(x[i]); }",
        "void f(std::complex<double> *y, int n) { for (int i = 0; i < n; i++) y[i] = std::exp(y[i]); }"}},
      {"Scratch",
       "#include <array>\n#include <cstdlib>\n#include <cstring>\n#include <memory>\n#include <vector>\n",
       {"void f(float *y, int n) { float t[8]; for (int i = 0; i < n; i++) { t[i % 8] = y[i]; y[i] = t[i % 8]; } }",
        "void f(float *y, int n, int m) { std::vector<float> t(n * (m + 1)); for (int i = 0; i < n; i++) for (int j = "
        "0; j "
        "<= m; j++) y[i] += t[i * (m + 1) + j]; }",
        "void f(float *y, int n) { std::vector<float> t(n); for (int i = 0; i < n; i++) y[i] = t[i]; }",
        "void f(float *y, int n) { float *t = new float[n]; for (int i = 0; i < n; i++) t[i] = y[i]; for (int i = 0; i "
        "< "
        "n; i++) y[i] = t[n - 1 - i]; delete[] t; }",
        "void f(float *y, int n) { float *t = (float *)malloc(n * sizeof(float)); for (int i = 0; i < n; i++) t[i] = "
        "y[i]; for (int i = 0; i < n; i++) y[i] = t[n - 1 - i]; free(t); }",
        "void f(float *y, int n) { auto t = std::make_unique<float[]>(n); for (int i = 0; i < n; i++) y[i] = t[i]; }",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) { std::array<float, 3> t = {1, 2}; y[i] = t[i % 3]; } }",
        "struct P { float x, y; }; void f(float *y, int n) { std::vector<P> p(n); for (int i = 0; i < n; i++) p[i] = "
        "{y[i], "
        "1}; for (int i = 0; i < n; i++) y[i] = p[n - 1 - i].x + p[i].y; }",
        "void f(float *y, int n) { std::memset(y, 0, n * sizeof(float)); for (int i = 0; i < n; i++) y[i] += i; }",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) { std::vector<float> t(n - 1); y[i] = t[0]; } }",
        "void f(float *y, int n) { std::vector<std::vector<float>> t(n, std::vector<float>(8, 1.0f)); for (int i = 0; "
        "i "
        "< n; i++) y[i] = t[i][3]; }",
        "void f(float *y, int n) { std::vector<float> t; for (int i = 0; i < n; i++) y[i] = t[i]; }",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; free(y); }"}},
      {"Functions",
       "#include <algorithm>\n#include <cassert>\n",
       {"void f(float *y, int n) { if (n <= 0) return; for (int i = 0; i < n; i++) y[i] = 1; }",
        "constexpr void f(float *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; }",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) if (const float v = 2 * y[i]; v > 1) y[i] = v; }",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) do { y[i] = 1; } while (0); }",
        "void f(float *y, int n, float s) { s *= 2; for (int i = 0; i < n; i++) y[i] = s; }",
        "void f(float *a, float *b, int n, int t) { for (int k = 0; k < t; k++) { for (int i = 0; i < n; i++) b[i] = "
        "a[i] "
        "+ 1; std::swap(a, b); } }",
        "unsigned g(unsigned &s) { return s *= 7u; } void f(unsigned *y, int n) { for (int i = 0; i < n; i++) { "
        "unsigned s "
        "= y[i]; const unsigned v = g(s); y[i] = v ^ s; } }",
        "void f(float *y, int n) { auto of = [k = n * 2](float v) { return v * k; }; for (int i = 0; i < n; i++) y[i] "
        "= "
        "of(y[i]); }",
        "void f(float *y, int n) { auto at = [&](int i) { return y[2 * i]; }; for (int i = 0; i < n; i++) y[i] = "
        "at(i); "
        "}",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) y[i] = std::max({y[i], 1.0f, 2.0f}); }",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) y[i] = std::clamp(y[i], 0.0f, 6.0f); }",
        "void f(float *y, int n, int m) { for (int i = 0; i < n; i++) { assert(i < m); "
        "y[i] = 1; } }",
        "struct D { int n, m; }; void f(int *y, const D &d) { for (int i = 0; i < d.n; i++) y[i] = d.m; }",
        "void f(float *y, int n, int kind) { for (int i = 0; i < n; i++) switch (kind) { case 0: y[i] = 1; break; "
        "default: "
        "y[i] = 2; } }",
        "void f(float *y, const float *b, int n) { for (int i = 0; i < n; i++) y[i] = b != nullptr ? b[i] : 0; }",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) y[i] = y[n + i] = 1; }",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) if (y[i] > y[n + i]) std::swap(y[i], y[n + i]); }",
        "struct S { int n; void f(float *y) const { for (int i = 0; i < n; i++) y[i] = 1; } };",
        "template <class T> struct S { void f(T *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; } }; template "
        "struct "
        "S<float>;",
        "template <class T> void f(T *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; } template void f(float *, "
        "int);",
        "template <class T> void f(T *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; }",
        "void g(float *); void f(float *y, int n) { for (int i = 0; i < n; i++) g(y + i); }",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) { if (y[i] > 1) return; y[i] = 1; } }"}},
      {"Integers",
       "#include <array>\n#include <bit>\n#include <utility>\nenum class Kind { plain, doubled };\n",
       {"void f(float *y, const float *x, int n) { for (int i = 0; i < n; i++) y[i] = x[i << 1]; }",
        "void f(float *y, const float *x, int n) { for (int i = 0; i < n; i++) y[i] = x[i >> 3] + x[i & 7]; }",
        "void f(float *y, const float *x, int n) { for (int i = 0; i < (n & ~7); i++) y[i] = x[i ^ 1] + x[i | 4]; }",
        "void f(unsigned *y, const unsigned *x, int n) { for (int i = 0; i < n; i++) y[i] = (x[i] ^ x[i] >> 16) * "
        "0x85ebca6bu; }",
        "void f(int *y, const int *x, int n) { for (int i = 0; i < n; i++) y[i] |= ~x[i] << (x[i] & 3); }",
        "void f(int *y, const unsigned long *x, int n) { for (int i = 0; i < n; i++) y[i] = std::popcount(x[i]) + "
        "std::countl_zero(x[i]); }",
        "void f(unsigned *y, const unsigned *x, int n) { for (int i = 0; i < n; i++) y[i] = std::rotl(x[i], 5) ^ "
        "std::bit_ceil(x[i]); }",
        "void f(int *y, const unsigned *x, int n) { for (int i = 0; i < n; i++) y[i] = __builtin_popcount(x[i]) + "
        "__builtin_ctz(x[i] | 1); }",
        "void f(unsigned long *y, const unsigned long *x, int n) { for (int i = 0; i < n; i++) y[i] = (x[i] ^ x[i] >> "
        "33) * 0xff51afd7ed558ccdul; }",
        "void f(unsigned long *y, const unsigned long *x, int n) { for (int i = 0; i < n; i++) y[i] = x[i] < y[i] ? "
        "x[i] / 3 : ~y[i]; }",
        "void f(double *y, const unsigned long *x, int n) { for (int i = 0; i < n; i++) y[i] = double(x[i]); }",
        "int f(const float *x, int n, unsigned long *last) { int c = 0; for (int i = 0; i < n; i++) last[i] = "
        "std::exchange(c, i); return c; }",
        "void f(float *y, int n, Kind kind) { for (int i = 0; i < n; i++) y[i] = kind == Kind::doubled ? 2 : 1; }",
        "void f(float *y, const Kind *kind, int n) { for (int i = 0; i < n; i++) y[i] = kind[i] == Kind::doubled ? 2 : "
        "1; }",
        "void f(float *y, const float *x, int n, float s) { for (int i = 0; i < n; i++) y[i] = x[(int)(s * i)]; }",
        "void f(float *y, const float *t, int n) { for (int i = 0; i < n; i++) y[i] = t[(int)(y[i] * 8)]; }",
        "void f(float *y, const float *t, int n) { float s = 0; for (int i = 0; i < n; i++) { s += y[i]; y[i] = "
        "t[(int)s]; } }",
        "void f(float *y, float t, int n) { for (int i = 0; i < (int)t; i++) y[i] = 1; }",
        "void f(int *y, const int *x, int n) { for (int i = 0; i < n; i++) y[i] += x[i]; }",
        "int f(const float *x, int n) { int c = 0; for (int i = 0; i < n; i++) if (x[i] > 0) c++; return c; }",
        "void f(bool *y, const float *x, int n) { for (int i = 0; i < n; i++) y[i] = x[i] > 0; }",
        "void f(int *y, float *z, int n) { for (int i = 0; i < n; i++) { y[i] = i; z[y[i]] = 1; } }",
        "void f(unsigned *y, int n) { for (int i = 0; i < n; i++) y[i] = 1; }",
        "void f(unsigned char *y, const signed char *x, int n) { for (short i = 0; i < n; i++) y[i] = x[i] * 3; }",
        "void f(float *y, int n, int s) { for (int i = 0; i < n; i += s) y[i] = 1; }",
        "void f(float *y, int n, int s) { for (int i = 0; i * s + 3 < n; i++) y[i] = 1; }",
        "void f(float *y, unsigned long n, unsigned long m, unsigned long k) { for (unsigned long i = 0; i < n * m * "
        "k; "
        "i++) y[i] = 1; }",
        "void f(float *y, int n, int d) { for (int i = 0; i < (n + 1) / d; i++) y[i] = 1; }",
        "void f(float *y, const float *b, int n, int m) { for (int i = 0; i < n * m; i++) y[i] = b[i % m]; }",
        "void f(float *y, int n, int c, int g, int w) { for (int i = 0; i < c / g * w; i++) y[i] = 1; }",
        "void f(float *y, long p, long q, int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i "
        "* "
        "p + j * q] = 1; }",
        "void f(float *y, int n, int c, int heads) { int d = c / heads; for (int h = 0; h < heads; h++) for (int i = "
        "0; "
        "i < n; i++) for (int k = 0; k < d; k++) y[i * c + h * d + k] = 1; }",
        "void f(float *y, int n) { int i = 0; while (i < n) { y[i] = 1; ++i; } }",
        "void f(float *y, int n) { int i = 0; while (i < n) y[i++] = 1; }",
        "void f(float *y, int n) { int i = 0; do y[i] = 1; while (++i < n); }",
        "void f(float *y, const float *x, int n) { for (int i = 0; i < n; i++) { float v = x[i]; while (v > 1) v *= "
        "0.5f; "
        "y[i] = v; } }",
        "void f(double *y, int n, double h) { for (int i = 0; i < n; i++) for (double t = 0; t < 1; t += h + 1) y[i] "
        "+= t; "
        "}",
        "void f(float *y, int n) { for (int i = 0; i < n; i++) for (;;) { if (y[i] < 1) break; y[i] *= 0.5f; } }",
        "struct M { float a[2][2]; }; M square(const M &m) { M r; for (int i = 0; i < 2; i++) for (int j = 0; j < 2; "
        "j++) "
        "r.a[i][j] = m.a[i][0] * m.a[0][j] + m.a[i][1] * m.a[1][j]; return r; } void f(M *m, int n) { for (int i = 0; "
        "i < "
        "n; i++) m[i] = square(m[i]); }",
        "struct P { std::array<float, 2> at; }; void f(P *p, const float *x, int n) { for (int i = 0; i < n; i++) "
        "p[i].at = "
        "{x[i], -x[i]}; }",
        "void f(int *y, int n) { for (int i = 0; i < n; i++) { int v = i, c = 0; while (v > 1) { v = v % 2 ? 3 * v + 1 "
        ": v / 2; c++; } y[i] = c; } }",
        "void f(float *y, const float *x, int n) { for (int i = 0; i < n; i++) { float a = x[i]; for (int k = 0; k < "
        "20; k++) { const float d = a * a - x[i]; if (d < 1) break; a -= d / (2 * a); } y[i] = a; } }",
        "void f(int *y, const float (*x)[16], int n) { for (int i = 0; i < n; i++) { int k = 0; while (k < 16 && "
        "x[i][k] > 0) k++; y[i] = k; } }",
        "void f(int *y, const float *x, int n, int m) { for (int i = 0; i < n; i++) { int k = 0; while (k < m && "
        "x[i * m + k] > 0) k++; y[i] = k; } }",
        "int least(int v) { for (int k = 2; k < v; k++) if (v % k == 0) return k; return v; } void f(int *y, int n) { "
        "for (int i = 0; i < n; i++) y[i] = least(i); }",
        "struct V { float a, b; }; V step(V v) { return {v.b, v.a + v.b}; } void f(float *y, const float *x, int n) { "
        "for "
        "(int i = 0; i < n; i++) { V v{0, x[i]}; for (int k = 0; k < 9; k++) { if (v.b > 99) break; v = step(v); } "
        "y[i] = "
        "v.b; } }",
        "unsigned long common(unsigned long a, unsigned long b) { while (b) { unsigned long r = a % b; a = b; b = r; } "
        "return a; } void f(unsigned long *y, const unsigned long *x, int n) { for (int i = 0; i < n; i++) y[i] = "
        "common(x[i], 60); }",
        "void f(int *y, int n) { for (int i = 0; i < n; i++) { int v = i; while (v > 1) { v /= 2; y[i] = v; } } }",
        "void f(float *y, const float *x, int n) { while (n-- > 0) *y++ += *x++; }",
        "void f(float *y, const float *x, int n) { for (const float *p = x, *end = x + n; p != end; ++p) *y++ = *p; }",
        "void f(float *y, const float *x, int n, int m) { int k = 0; for (int i = 0; i < n; i++) for (int j = 0; j < "
        "m; "
        "j++) y[k++] = x[j * n + i]; }",
        "void f(float *y, int n) { int i = 0; for (; i + 2 <= n; i += 2) { y[i] = 1; y[i + 1] = 2; } for (; i < n; "
        "i++) "
        "y[i] = 1; }",
        "void f(float *y, const float *x, int n) { for (int i = 0, j = n - 1; i < n; i++, j--) y[i] = x[j]; }",
        "void f(float *y, const float *x, int n) { int k = 0; for (int i = 0; i < n; i++) if (x[i] > 0) y[k++] = x[i]; "
        "}",
        "void f(float *y, const float *x, int n) { int k = 0; for (int i = 0; i < n; i++) { y[i] = x[k]; k += i; } }"}},
  };
  return all;
}

/// Why f is left; empty: it is read.
std::string reasonFor(const std::string &source) {
  ParseOptions options;
  options.entries = {"f"};
  const ParseOutcome outcome = parseText(source, options);
  for (const Diagnostic &diagnostic : outcome.diagnostics) ADD_FAILURE() << diagnostic.message << "\n" << source;
  return outcome.nest && !outcome.nest->left.empty() ? outcome.nest->left.front().refusal.reason : std::string();
}

std::string escaped(const std::string &code) {
  std::string text;
  for (const char c : code) text += c == '|' ? std::string("\\|") : std::string(1, c);
  return text;
}

std::string listed(const std::vector<Kind> &kinds, Reading reading) {
  std::string text;
  for (const Kind &kind : kinds)
    if (kind.reading == reading) text += (text.empty() ? "`" : ", `") + escaped(kind.name) + "`";
  return text;
}

std::string document() {
  std::string text =
      "# What is read of C++\n\nA function is read whole or left as it is, with a remark at the place. What "
      "follows is made by a test from samples\nthat it gives to the reader, and from the reader's "
      "allow-list.\n";
  for (const Section &section : sections()) {
    text += "\n## " + std::string(section.title) + "\n\n| function | |\n|---|---|\n";
    for (const char *sample : section.samples) {
      const std::string why = reasonFor(std::string(section.before) + sample);
      const std::string reason = why.empty() ? "read" : "left: " + why;
      text += "| `" + escaped(sample) + "` | " + escaped(reason) + " |\n";
    }
  }
  text += "\n## By Clang's kinds\n\nStatements and expressions that are read where their parts are: " +
          listed(statementKinds(), Reading::Modelled) +
          ".\n\nWhere Clang can compute them: " + listed(statementKinds(), Reading::Constant) +
          ".\n\nOperators: " + listed(operatorKinds(), Reading::Modelled) +
          ".\n\nDeclarations within a function: " + listed(declarationKinds(), Reading::Modelled) +
          ".\n\nBuiltin types, as values: " + listed(typeKinds(), Reading::Modelled) + ".\n";
  return text;
}

TEST(Language, TheDocumentIsWhatTheReaderDoes) {
  const std::string file = std::string(POLYMEND_SOURCE_DIR) + "/docs/language.md", text = document();
  if (std::getenv("POLYMEND_ACCEPT") != nullptr) std::ofstream(file) << text;
  std::ostringstream held;
  held << std::ifstream(file).rdbuf();
  EXPECT_EQ(held.str(), text) << "POLYMEND_ACCEPT=1 writes docs/language.md anew";
}

} // namespace
