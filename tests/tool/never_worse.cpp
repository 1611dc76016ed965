// Nothing is printed that is slower than what was given: little work stays on one thread, what results share is
// computed once, and what costs time elsewhere is said.
#include "session.h"

#include <gmock/gmock.h>

using testing::HasSubstr;
using testing::Not;

namespace {

const char *const twoResults = R"(#include <cmath>
void both(const float *x, const float *y, float *a, float *b, int n) {
  for (int i = 0; i < n; ++i) {
    const float t = std::exp(x[i]) / y[i];
    a[i] = t + x[i];
    b[i] = t * y[i];
  }
}
)";

/// The second result replaces what the first one reads.
const char *const twoInPlace = R"(#include <cmath>
void both(float *x, const float *y, float *a, int n) {
  for (int i = 0; i < n; ++i) {
    const float t = std::exp(x[i]) / y[i];
    a[i] = t + x[i];
    x[i] = t * y[i];
  }
}
)";

const char *const helpers = R"(#include <cmath>
static float tail(float d) { return 1.0f / (1.0f + std::exp(-1.6f * d)); }
void price(const float *s, const float *x, const float *t, float *call, float *put, float v, int n) {
  for (int i = 0; i < n; ++i) {
    const float root = v * std::sqrt(t[i]);
    const float d = std::log(s[i] / x[i]) / root;
    call[i] = s[i] * tail(d) - x[i] * tail(d - root);
    put[i] = x[i] * (1.0f - tail(d - root)) - s[i] * (1.0f - tail(d));
  }
}
)";

const char *const few = R"(void scale(const float x[20], float y[20]) {
  for (int i = 0; i < 20; ++i) y[i] = 2.0f * x[i];
}
)";

const char *const many = R"(void square(const float x[700][700], float y[700][700]) {
  for (int i = 0; i < 700; ++i)
    for (int j = 0; j < 700; ++j) y[i][j] = x[i][j] * x[j][i];
}
)";

const char *const columns = R"(void sums(const double *a, double *y, int m, int n) {
  for (int j = 0; j < n; ++j) {
    double s = 0;
    for (int i = 0; i < m; ++i) s += a[i * n + j];
    y[j] = s;
  }
}
)";

const char *const layers = R"(void scale(int n, const float *x, float *y) {
  for (int i = 0; i < n; ++i) y[i] = 2.0f * x[i];
}
void twice(int n, const float *x, float *t, float *y) {
  scale(n, x, t);
  scale(n, t, y);
}
)";

const char *const gradient = R"(void gradient(int m, int n, const _Float16 *p, const _Float16 *q, float *dk) {
  for (int h = 0; h < m; ++h) {
    float kept = 1;
    for (int i = 0; i < n; ++i) {
      kept = kept * 0.5f + float(p[h * n + i]);
      for (int e = 0; e < 64; ++e) dk[h * 64 + e] += kept * (float(p[h * n + i]) * float(q[(h * n + i) * 64 + e]));
    }
  }
}
)";

const char *const halves = R"(void product(int n, const _Float16 *a, const _Float16 *b, _Float16 *c) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      _Float16 s = 0;
      for (int k = 0; k < n; ++k) s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
)";

/// The sum runs over the rows of both factors.
const char *const acrossRows = R"(void gradient(int n, const __bf16 *p, const __bf16 *q, float *dk) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      for (int e = 0; e < 64; ++e) dk[j * 64 + e] += (float)p[i * n + j] * (float)q[i * 64 + e];
}
)";

/// A value returned, and no arguments that may overlap.
const char *const restricted = R"(#include <cmath>
float norm(const float *x, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += std::exp(x[i]) * x[i];
  return sum;
}
)";

const char *const shares = R"(#include <cmath>
void shares(int rows, int columns, const float *x, float *y) {
  for (int i = 0; i < rows; ++i) {
    float sum = 0;
    for (int j = 0; j < columns; ++j) sum += std::fabs(x[i * columns + j]);
    for (int j = 0; j < columns; ++j) y[i * columns + j] = x[i * columns + j] / sum;
  }
}
)";

/// Tiles of rows, of which none may have anything to do.
const char *const emptyRanges = R"(#include <algorithm>
void sums(int n, int lo, int hi, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 7.0f;
    for (int j = std::max(lo, i); j < std::min(hi, n); j++) s += x[j];
    y[i] = s;
  }
}
)";

/// Tiles of a triangle, which are listed.
const char *const triangularTiles = R"(void products(int n, int m, const double *a, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = 0;
      for (int k = 0; k < m; k++) s += a[i * m + k] * a[j * m + k];
      c[i * n + j] = s;
    }
}
)";

/// Only some rows take part in the sum.
const char *const chosenRows = R"(#include <cmath>
void sums(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 1.0f;
    for (int j = 0; j < m; j++)
      if (i >= 3 && i < 7) s += x[i * m + j] * x[i * m + j];
    y[i] = std::sqrt(s);
  }
}
)";

/// Five cells of each line around a cell.
const char *const neighbours = R"(#include <algorithm>
#include <cmath>
void f(int h, int w, const float s[64][64], const float v[64][64], float out[64][64]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float m = -INFINITY;
      for (int a = std::max(0, y - 2); a < std::min(h, y + 3); a++)
        for (int b = std::max(0, x - 2); b < std::min(w, x + 3); b++) m = std::fmax(m, s[a][b]);
      float l = 0;
      for (int a = std::max(0, y - 2); a < std::min(h, y + 3); a++)
        for (int b = std::max(0, x - 2); b < std::min(w, x + 3); b++) l += std::exp(s[a][b] - m) * v[a][b];
      out[y][x] = l;
    }
}
)";

/// Rows of three dimensions share what they read.
const char *const groups = R"(
void f(int heads, int rep, int n, int m, const __bf16 *q, const __bf16 *k, float *out) {
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float s = 0;
        for (int c = 0; c < 64; c++) s += (float)q[(h * n + i) * 64 + c] * (float)k[((h / rep) * m + j) * 64 + c];
        out[(h * n + i) * m + j] = s;
      }
}
)";

const char *const triangular = R"(void means(int n, double *y) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j <= i; ++j) s += (double)j / (i + 1);
    y[i] = s;
  }
}
)";

/// In place, so that loops keep their order.
const char *const triangularProducts = R"(void products(int n, int m, double *x, double *mean, double *c) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++) mean[j] += x[i * m + j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) x[i * m + j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      c[i * m + j] = 0;
      for (int k = 0; k < n; k++) c[i * m + j] += x[k * m + i] * x[k * m + j];
      c[j * m + i] = c[i * m + j];
    }
}
)";

std::size_t count(const std::string &text, const std::string &part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// The text behind the source's own body.
std::string fastPath(const std::string &text) { return text.substr(text.find("// Kernel")); }

} // namespace

TEST_F(Tool, LeavesLittleWorkToOneThread) {
  const auto done = run({write("a.cpp", twoResults)});
  EXPECT_THAT(done.output, HasSubstr("#define POLYMEND_LEAST_WORK 400000"));
  EXPECT_THAT(done.output, HasSubstr("* static_cast<double>(n64);"));
  EXPECT_THAT(done.output, HasSubstr("if (work < POLYMEND_LEAST_WORK) return "));
}

TEST_F(Tool, KeepsWhatStartsThreadsOutOfACallWithLittleWork) {
  const std::string text = run({write("a.cpp", twoResults)}).output;
  const std::size_t entry = text.find("if (work < POLYMEND_LEAST_WORK)"),
                    beside = text.find("__attribute__((noinline))");
  ASSERT_NE(beside, std::string::npos) << text;
  EXPECT_LT(beside, entry);
  EXPECT_LT(beside, text.find("if (polymend_rt::overlap<"));
  EXPECT_LT(beside, text.find("omp parallel"));
  EXPECT_EQ(count(text, "a[i] = t + x[i];"), 1U) << text;
  const std::string apart = run({write("b.cpp", restricted)}).output;
  EXPECT_THAT(apart, Not(HasSubstr("polymend_rt::overlap"))) << apart;
}

TEST_F(Tool, AsksForOverlapsOfWhatIsMadeOfARestrictedPointer) {
  const std::string text = run({write("a.cpp", R"(struct Lines {
  double *data;
  long pitch;
  double &operator()(long line, long place) const { return data[line * pitch + place]; }
};
void f(long rows, long columns, double *__restrict y) {
  Lines lines{y, columns};
  for (long j = 0; j < columns; ++j)
    for (long i = 0; i < rows; ++i) {
      lines(i, 0) = lines(i, j);
      y[i * columns] += 1.0;
    }
  for (long i = 0; i < rows; ++i) y[i * i % columns] -= 1.0;
}
)")})
                               .output;
  EXPECT_THAT(text, testing::ContainsRegex("(overlap|meets)[^;]*lines_data[^;]*return f_part_1_reference")) << text;
}

TEST_F(Tool, SaysForWhichSizesAResultIsMade) {
  const std::string source =
      "void f(int m, int n, int off, const float *x, float *y) {\n  for (int i = 0; i < m; i++)\n"
      "    for (int j = 0; j < n; j++) y[i * n + j + off] = x[i * n + j];\n}\n";
  EXPECT_THAT(run({write("a.cpp", source)}).error, HasSubstr("only where off <= 0, else in the source's order"));
}

TEST_F(Tool, HandsOutShortRowsInShares) {
  const std::string rows = run({write("a.cpp", shares)}).output;
  EXPECT_THAT(rows, HasSubstr("omp parallel for schedule(guided)"));
  EXPECT_THAT(rows, Not(HasSubstr("dynamic")));
  const std::string triangle = run({write("b.cpp", triangular)}).output;
  EXPECT_THAT(triangle, HasSubstr("omp parallel for schedule(guided)"));
  EXPECT_THAT(triangle, Not(HasSubstr("dynamic")));
}

TEST_F(Tool, HandsOutManyTilesInAThousandTurns) {
  for (const char *source : {emptyRanges, triangularTiles}) {
    const std::string text = run({write("a.cpp", source)}).output;
    EXPECT_THAT(text, HasSubstr("const std::int64_t pointsPerTurn ="));
    EXPECT_THAT(
        text, testing::ContainsRegex("omp parallel for schedule\\(dynamic, pointsPerTurn\\) if \\(.*points.* > 1\\)"));
  }
}

TEST_F(Tool, AsksBeforeALoopWhatItsChunksDoNotSay) {
  const std::string text = fastPath(run({write("a.cpp", chosenRows)}).output);
  const std::size_t asked = text.find("if (3 <= i && i <= 6)"), loop = text.find("for (std::int64_t j_block");
  ASSERT_NE(asked, std::string::npos) << text;
  EXPECT_LT(asked, loop);
  EXPECT_EQ(count(text, "3 <= i"), 1U) << text;
}

TEST_F(Tool, KeepsTheOrderOfShortWindows) {
  const auto done = run({write("a.cpp", neighbours)});
  EXPECT_THAT(done.error, HasSubstr("nothing gained: a mend for each 5 elements takes longer than they do"));
  EXPECT_THAT(fastPath(done.output), HasSubstr("omp parallel for"));
  EXPECT_THAT(fastPath(done.output), Not(HasSubstr("m_pivot")));
  EXPECT_THAT(run({write("a.cpp", neighbours), "--target=cuda"}).output, HasSubstr("m_pivot"));
}

TEST_F(Tool, KeepsTilesOfThreeDimensionsSmall) {
  const std::string text = fastPath(run({write("a.cpp", groups)}).output);
  EXPECT_THAT(text, HasSubstr("s[4][64][64]"));
  EXPECT_THAT(text, Not(HasSubstr("[64][64][64]")));
}

TEST_F(Tool, RunsTheInnerLoopsOfATriangleWithinAThread) {
  const std::string text = run({write("a.cpp", triangularProducts)}).output;
  EXPECT_THAT(text, HasSubstr("omp parallel for schedule(dynamic"));
  const std::size_t listed = text.find("points.push_back("); // of tiles, not of single elements
  if (listed != std::string::npos) EXPECT_THAT(text.substr(0, listed), HasSubstr("ceilDiv(m64, 128)"));
  EXPECT_THAT(text, HasSubstr("] = c_tile[i][j]")); // along the rows of the result
}

TEST_F(Tool, DecidesOnConstantWorkItself) {
  const auto left = run({write("few.cpp", few)});
  EXPECT_EQ(left.output, few);
  EXPECT_THAT(left.error, HasSubstr("'scale' is left as it is: nothing gained"));
  EXPECT_THAT(run({write("few.cpp", few), "--target=cuda"}).output, HasSubstr("scale_on"));
  const auto done = run({write("many.cpp", many)});
  EXPECT_THAT(done.output, HasSubstr("omp parallel"));
  EXPECT_THAT(done.output, Not(HasSubstr("LEAST_WORK")));
}

TEST_F(Tool, KeepsTheResultsOfOneLoopTogether) {
  const std::string text = fastPath(run({write("a.cpp", twoResults)}).output);
  EXPECT_EQ(count(text, "omp parallel for"), 1U) << text;
  EXPECT_EQ(count(text, "polymend_rt::exp("), 1U) << text;
  const std::string price = fastPath(run({write("b.cpp", helpers)}).output);
  EXPECT_EQ(count(price, "omp parallel for"), 1U) << price;
  EXPECT_EQ(count(price, "polymend_rt::exp("), 2U) << price;
  EXPECT_EQ(count(price, "polymend_rt::log("), 1U) << price;
}

TEST_F(Tool, KeepsResultsApartWhereOneReplacesWhatTheOtherReads) {
  const std::string text = fastPath(run({write("a.cpp", twoInPlace)}).output);
  EXPECT_EQ(count(text, "omp parallel for"), 2U) << text;
}

TEST_F(Tool, TakesNeighbouringColumnsTogether) {
  EXPECT_THAT(fastPath(run({write("a.cpp", columns)}).output), HasSubstr("double s[256]"));
}

TEST_F(Tool, SaysWhatCallsCostOnADevice) {
  for (const char *target : {"--target=cuda", "--target=hip"}) {
    const auto done = run({write("a.cpp", layers), target});
    EXPECT_EQ(count(done.error, "remark: 'twice' calls 'scale', which copies"), 2U) << done.error;
    EXPECT_THAT(done.error, HasSubstr("a.cpp:5:3: remark: 'twice'"));
    EXPECT_THAT(done.error, HasSubstr("a.cpp:6:3: remark: 'twice'"));
  }
  EXPECT_THAT(run({write("a.cpp", layers)}).error, Not(HasSubstr("calls 'scale'")));
}

TEST_F(Tool, SaysWhyNarrowProductsAreNotOnMatrixUnits) {
  const auto said = [&](const char *text, std::vector<std::string> words) {
    words.insert(words.begin(), write("a.cpp", text));
    return run(words).error;
  };
  const std::string off = "does not use matrix units: ";
  EXPECT_THAT(said(gradient, {"--target=cuda", "--arch=sm_90a"}),
              HasSubstr(off + "the accumulator of 'dk' is updated in a loop that is not innermost"));
  EXPECT_THAT(said(acrossRows, {"--target=cuda", "--arch=sm_90a"}), HasSubstr(off + "'p' is used elsewhere than in"));
  EXPECT_THAT(said(halves, {"--target=cuda", "--arch=sm_80"}), HasSubstr(off));
  EXPECT_THAT(said(halves, {"--target=cuda", "--arch=sm_80", "--fp=strict"}), HasSubstr(off + "--fp=strict keeps"));
  EXPECT_THAT(said(halves, {"--target=hip"}), HasSubstr(off + "polymend does not use them on this target yet"));
  EXPECT_THAT(said(halves, {"--target=cpp"}), Not(HasSubstr(off)));
}
