// Kernels in C++, parsed, modelled and analysed; every read is compared with plain execution on small sizes.
#include "oracle.h"

#include <fstream>

using namespace polymend;
using namespace polymend::test;

namespace {

struct Kernel {
  const char *name;
  const char *source;
  std::vector<std::map<std::string, long>> sizes;
  std::size_t reductions;
};

std::ostream &operator<<(std::ostream &out, const Kernel &kernel) { return out << kernel.name; }

Function parsed(const Kernel &kernel) {
  const std::string file = testing::TempDir() + "deps_" + kernel.name + ".cpp";
  std::ofstream(file) << "#include <algorithm>\n#include <cmath>\n" << kernel.source;
  const ParseOutcome outcome = parse(file, {});
  for (const Diagnostic &one : outcome.diagnostics)
    if (one.severity == Severity::Error) throw std::runtime_error(one.message);
  for (const LeftAlone &left : outcome.nest->left) throw std::runtime_error(left.refusal.reason);
  return outcome.nest->functions.at(0);
}

class Kernels : public testing::TestWithParam<Kernel> {};

TEST_P(Kernels, ReadsSeeWhatExecutionShows) {
  const Function f = parsed(GetParam());
  const Scop scop = modelled(f);
  const Result<Dependences> deps = analyse(scop);
  ASSERT_TRUE(deps) << deps.refusal().reason;
  EXPECT_EQ(deps->reductions.size(), GetParam().reductions) << dump(scop, *deps);
  for (const std::map<std::string, long> &sizes : GetParam().sizes) expectOracleAgrees(f, scop, *deps, sizes);
}

const std::vector<Kernel> kernels{
    {"flat_heads",
     R"(void f(int B, int H, int N, int D, const float *q, const float *k, float *o) {
  for (int b = 0; b < B; b++) for (int h = 0; h < H; h++) for (int i = 0; i < N; i++) {
    float top = -1e30f, s[64];
    for (int j = 0; j <= i; j++) {
      s[j] = 0;
      for (int d = 0; d < D; d++) s[j] += q[((b * H + h) * N + i) * D + d] * k[((b * H + h) * N + j) * D + d];
      top = std::max(top, s[j]);
    }
    float l = 0;
    for (int j = 0; j <= i; j++) l += std::exp(s[j] - top);
    for (int d = 0; d < D; d++) {
      o[((b * H + h) * N + i) * D + d] = 0;
      for (int j = 0; j <= i; j++)
        o[((b * H + h) * N + i) * D + d] += std::exp(s[j] - top) / l * k[((b * H + h) * N + j) * D + d];
    }
  }
})",
     {{{"B", 1}, {"H", 2}, {"N", 3}, {"D", 2}}, {{"B", 1}, {"H", 1}, {"N", 2}, {"D", 0}}},
     4},
    {"grouped_heads",
     R"(void f(int G, int N, const float *k, float *o) {
  for (int g = 0; g < G; g++) for (int r = 0; r < 3; r++) for (int i = 0; i < N; i++) {
    o[(g * 3 + r) * N + i] = 0;
    for (int j = 0; j < N; j++) o[(g * 3 + r) * N + i] += k[((g * 3 + r) / 3) * N + j];
  }
})",
     {{{"G", 2}, {"N", 3}}},
     1},
    {"wavefront_backwards",
     R"(void f(int n, float a[][40]) {
  for (int i = n - 2; i >= 0; i--) for (int j = n - 1; j > 0; j -= 1) a[i][j] = a[i + 1][j] + a[i][j + 1] + a[i][j - 1];
})",
     {{{"n", 5}}},
     0},
    {"every_second",
     R"(void f(int n, float *a) {
  for (int i = 2; i < n; i += 2) { a[i] = a[i - 1] + a[i - 2]; a[i + 1] = a[i] * 2; }
})",
     {{{"n", 9}}, {{"n", 1 + 3}}},
     0},
    {"clamped_in_time",
     R"(void f(int t, int n, float *a, float *b) {
  for (int s = 0; s < t; s++) {
    for (int i = 0; i < n; i++) b[i] = a[std::max(i - 1, 0)] + a[std::min(i + 1, n - 1)];
    for (int i = 0; i < n; i++) a[i] = b[i];
  }
})",
     {{{"t", 3}, {"n", 4}}, {{"t", 2}, {"n", 1}}},
     0},
    {"cholesky",
     R"(void f(int n, float a[][30]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++) a[i][i] -= a[i][k] * a[i][k];
    a[i][i] = std::sqrt(a[i][i]);
  }
})",
     {{{"n", 4}}},
     2},
    {"branches",
     R"(void f(int n, int m, float *a, float *y) {
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    if (i == 0 || j % 3 == 1) a[j] = i; else if (j > i) a[j] += 1; else y[i] = a[j];
    y[i + n] = j < i ? a[j] : a[i];
  }
})",
     {{{"n", 4}, {"m", 5}}},
     1},
    {"prefix",
     R"(void f(int n, const float *x, float *y) {
  float s = 0;
  for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }
})",
     {{{"n", 4}}},
     0},
    {"blocked",
     R"(void f(int n, const float *x, float *y) {
  for (int b = 0; b < n; b += 4) for (int i = b; i < std::min(b + 4, n); i++) {
    y[i / 4] = y[i / 4] + x[i];
  }
})",
     {{{"n", 10}}},
     1},
    {"column_major",
     R"(void f(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j * n + i] = x[i * m + j];
  for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) y[j * n + i] += y[(j - 1) * n + i];
})",
     {{{"n", 3}, {"m", 4}}},
     0},
    {"reflected",
     R"(void f(int n, int m, float *x) {
  for (int i = 0; i < n; i++) for (int j = 0; j < m / 2; j++) x[i * m + j] = x[i * m + m - 1 - j];
  for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) x[(n - i) * m - 1 - j] += x[i * m + j];
})",
     {{{"n", 4}, {"m", 5}}},
     0},
};

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(kernels),
                         [](const testing::TestParamInfo<Kernel> &one) { return one.param.name; });

} // namespace
