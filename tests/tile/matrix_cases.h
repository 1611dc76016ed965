// Functions whose products go to matrix units: the operators of inputs/ with short heads, and the same sums under other
// names, in other orders, over other arrays.
#pragma once

#include "../compilation.h"

#include "polymend/check.h"

#include <algorithm>

namespace polymend::tests {

struct MatrixCase {
  std::string name, text;
  std::vector<Sizes> sizes; // the last is the one that takes more than one tile of rows and several chunks
  std::map<std::string, std::int64_t> tiles{{"i", 64}, {"j", 16}, {"j_1", 16}, {"l", 16}};
  std::string arch = "sm_90a";
  bool approximate = false;
  bool positions = false; // loops over what each row sees run over positions
};

inline LowerOptions onMatrixUnits(const MatrixCase &c) {
  LowerOptions options;
  options.machine = *machineNamed(c.arch);
  options.approximate = c.approximate;
  options.tiles = c.tiles;
  return options;
}

inline std::ostream &operator<<(std::ostream &out, const MatrixCase &c) { return out << c.name; }

inline std::string replacedAll(std::string text, const std::string &from, const std::string &to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// An operator of inputs/ with some of its text replaced.
inline std::string shortened(const std::string &input,
                             const std::vector<std::pair<std::string, std::string>> &changes) {
  std::string text = textOf("inputs/" + input + ".cpp");
  for (const auto &[from, to] : changes) text = replacedAll(text, from, to);
  return text;
}

inline std::string shortPrefill(const std::string &input,
                                std::vector<std::pair<std::string, std::string>> changes = {}) {
  changes.insert(changes.end(), {{"dim = 128", "dim = 16"}, {"[32768]", "[128]"}});
  return shortened(input, changes);
}

inline std::vector<Sizes> lengths(const std::string &name, const Sizes &others = {}) {
  std::vector<Sizes> all;
  for (std::int64_t value : {0, 1, 5, 17, 65}) {
    Sizes sizes = others;
    sizes[name] = value;
    all.push_back(sizes);
  }
  return all;
}

inline std::vector<Sizes> prefillSizes() {
  std::vector<Sizes> all = lengths("n", {{"batch", 1}});
  all.insert(all.begin(), {{{"batch", 0}, {"n", 5}}, {{"batch", 2}, {"n", 3}}});
  return all;
}

inline std::vector<Sizes> productSizes(const Sizes &others = {}) {
  std::vector<Sizes> all;
  for (const auto &[n, m, k] :
       {std::tuple(0, 5, 5), {5, 0, 5}, {5, 5, 0}, {1, 1, 1}, {5, 17, 1}, {17, 1, 65}, {65, 17, 5}, {65, 70, 33}}) {
    Sizes sizes = others;
    sizes.insert({{"n", n}, {"m", m}, {"k", k}});
    all.push_back(sizes);
  }
  return all;
}

/// Names that printers and lowering use themselves.
inline constexpr const char *nastyNames = R"cpp(
#include <cmath>
void taken(int part, const __bf16 *e, const __bf16 *r, const __bf16 *k, __bf16 *best) {
  for (int h1 = 0; h1 < 2; h1++)
    for (int ticket = 0; ticket < part; ticket++) {
      float group[128];
      float points = -INFINITY;
      for (int row = 0; row <= ticket; row++) {
        float other = 0.0f;
        for (int column = 0; column < 16; column++)
          other += float(e[(h1 * part + ticket) * 16 + column]) * float(r[(h1 * part + row) * 16 + column]);
        group[row] = other * 0.25f;
        points = std::fmax(points, group[row]);
      }
      float tickets = 0.0f;
      for (int row = 0; row <= ticket; row++) tickets += std::exp(group[row] - points);
      for (int column = 0; column < 16; column++) {
        float part1 = 0.0f;
        for (int row = 0; row <= ticket; row++) {
          const __bf16 lane = static_cast<__bf16>(std::exp(group[row] - points));
          part1 += float(lane) * float(k[(h1 * part + row) * 16 + column]);
        }
        best[(h1 * part + ticket) * 16 + column] = static_cast<__bf16>(part1 / tickets);
      }
    }
}
)cpp";

/// Arrays with extents, f16, every score computed three times, columns outside of keys.
inline constexpr const char *recomputed = R"cpp(
#include <cmath>
void recomputed(int n, int m, const _Float16 q[][32], const _Float16 k[][32], const _Float16 v[][48], _Float16 o[][48]) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY;
    for (int j = 0; j < m; j++) {
      float s = 0.0f;
      for (int d = 0; d < 32; d++) s += float(q[i][d]) * float(k[j][d]);
      top = std::fmax(top, s);
    }
    float norm = 0.0f;
    for (int j = 0; j < m; j++) {
      float s = 0.0f;
      for (int d = 0; d < 32; d++) s += float(q[i][d]) * float(k[j][d]);
      norm += std::exp(s - top);
    }
    for (int e = 0; e < 48; e++) {
      float sum = 0.0f;
      for (int j = 0; j < m; j++) {
        float s = 0.0f;
        for (int d = 0; d < 32; d++) s += float(q[i][d]) * float(k[j][d]);
        sum += float(static_cast<_Float16>(std::exp(s - top))) * float(v[j][e]);
      }
      o[i][e] = static_cast<_Float16>(sum / norm);
    }
  }
}
)cpp";

/// The sums of all columns grow key by key; the weights' sum starts above zero.
inline constexpr const char *keyByKey = R"cpp(
#include <cmath>
void key_by_key(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int i = 0; i < n; i++) {
    float s[128];
    float m = 0.0f;
    for (int j = 0; j <= i; j++) {
      s[j] = 0.0f;
      for (int d = 0; d < 16; d++) s[j] += float(k[j * 16 + d]) * float(q[i * 16 + d]);
      m = std::fmax(s[j] * 0.25f, m);
    }
    float l = 1.0f;
    float acc[64];
    for (int e = 0; e < 64; e++) acc[e] = 0.0f;
    for (int j = 0; j <= i; j++) {
      l += std::exp(s[j] * 0.25f - m);
      for (int e = 0; e < 64; e++)
        acc[e] += float(v[j * 64 + e]) * float(static_cast<__bf16>(std::exp(s[j] * 0.25f - m)));
    }
    for (int e = 0; e < 64; e++) o[i * 64 + e] = static_cast<__bf16>(acc[e] / l);
  }
}
)cpp";

/// A mask that leaves out keys on both sides, and whole blocks.
inline constexpr const char *banded = R"cpp(
#include <cmath>
void banded(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  for (int i = 0; i < n; i++) {
    float s[128];
    for (int j = 0; j < n; j++) {
      float dot = 0.0f;
      for (int d = 0; d < 16; d++) dot += float(q[i * 16 + d]) * float(k[j * 16 + d]);
      s[j] = j <= i + 2 && i - j <= 20 ? dot * 0.25f : -INFINITY;
    }
    float m = -INFINITY;
    for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);
    float l = 0.0f;
    for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
    for (int e = 0; e < 16; e++) {
      float sum = 0.0f;
      for (int j = 0; j < n; j++) sum += float(static_cast<__bf16>(std::exp(s[j] - m))) * float(v[j * 16 + e]);
      o[i * 16 + e] = static_cast<__bf16>(sum / l);
    }
  }
}
)cpp";

/// The same with another mask, which may read an array.
inline std::string bandedBy(const std::string &name, const std::string &mask, const std::string &array = "") {
  std::string text = replacedAll(banded, "j <= i + 2 && i - j <= 20", mask);
  return replacedAll(replacedAll(text, "banded", name), "int n, const", "int n, " + array + "const");
}

/// Masks whose chunks are several runs of neighbours, or are listed by what arrays hold.
inline std::vector<MatrixCase> masksByChunks() {
  std::vector<MatrixCase> all;
  const auto add = [&](const std::string &name, const std::string &mask, const std::string &array = "") {
    all.push_back({name, bandedBy(name, mask, array), lengths("n")});
    all.back().sizes.insert(all.back().sizes.end() - 1, {Sizes{{"n", 33}}, Sizes{{"n", 128}}});
  };
  add("first_or_before", "j < 20 || j <= i");
  add("first_and_near", "j <= i && (i - j < 20 || j < 10)");
  add("first_or_near", "(j <= i + 3 && i - j < 20) || j < 17 || i < 3");
  add("two_bands", "(j <= i && i - j < 18) || (40 <= i - j && i - j < 61)");
  add("documents", "j <= i && document[i / 40] == document[j / 40]", "const int *document, ");
  add("unsorted_documents", "document[i] == document[j]", "const int *document, ");
  add("flags", "allowed[i * n + j] != 0", "const int *allowed, ");
  add("flags_of_blocks", "j <= i && allowed[i / 32][j / 16] != 0", "const int allowed[4][8], ");
  add("flags_of_columns", "used[j] != 0", "const int *used, ");
  add("rows_until", "first[i / 16] * 8 <= j && j <= i", "const int *first, ");
  add("ranks", "j < 3 || rank[j / 20] < rank[i / 20]", "const int *rank, ");
  add("other_groups", "!(group[i / 30] == group[j / 30] || j > i)", "const int *group, ");
  add("reach_of_both", "i - j <= reach[i / 40] * 20 + reach[j / 40] && j <= i", "const int *reach, ");
  add("remainders", "group[i / 40] * 3 % 5 == group[j / 40] * 3 % 5", "const int *group, ");
  add("levels", "level[i / 40] <= level[j / 40]", "const float *level, ");
  return all;
}

/// Both factors lie across the sum, the sum's loop is outermost, and results stay in float.
inline constexpr const char *outermostSum = R"cpp(
void outermost_sum(int n, int m, int k, const __bf16 *e, const __bf16 *r, float *best) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) best[i * m + j] = 0.0f;
  for (int l = 0; l < k; l++)
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++) best[i * m + j] += float(e[l * n + i]) * float(r[j * k + l]);
}
)cpp";

/// Columns before rows, the right factor stored by columns.
inline constexpr const char *columnsFirst = R"cpp(
void columns_first(int n, int m, int k, const _Float16 *a, const _Float16 *b, _Float16 *c) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) {
      float sum = 0.0f;
      for (int l = 0; l < k; l++) sum += float(b[j * k + l]) * float(a[i * k + l]);
      c[i * m + j] = static_cast<_Float16>(sum > 0.0f ? sum : 0.0f);
    }
}
)cpp";

/// Two products of the same rows make one chunk's weights; nothing is mended.
inline constexpr const char *gatedPair = R"cpp(
#include <cmath>
void gated_pair(int n, int m, const __bf16 x[][32], const __bf16 g[][32], const __bf16 u[][32], const __bf16 down[][16],
                __bf16 o[][16]) {
  for (int i = 0; i < n; i++) {
    __bf16 h[128];
    for (int j = 0; j < m; j++) {
      float a = 0.0f, b = 0.0f;
      for (int d = 0; d < 32; d++) {
        a += float(x[i][d]) * float(g[j][d]);
        b += float(x[i][d]) * float(u[j][d]);
      }
      h[j] = static_cast<__bf16>(a / (1.0f + std::exp(-a)) * b);
    }
    for (int e = 0; e < 16; e++) {
      float sum = 0.0f;
      for (int j = 0; j < m; j++) sum += float(h[j]) * float(down[j][e]);
      o[i][e] = static_cast<__bf16>(sum);
    }
  }
}
)cpp";

/// A score that every column needs, computed for each of them again in the source.
inline constexpr const char *squaredScores = R"cpp(
void squared_scores(int n, int m, const __bf16 *q, const __bf16 *k, const __bf16 *v, float *o) {
  for (int i = 0; i < n; i++)
    for (int e = 0; e < 32; e++) {
      float sum = 0.0f;
      for (int j = 0; j < m; j++) {
        float s = 0.0f;
        for (int d = 0; d < 16; d++) s += float(q[i * 16 + d]) * float(k[j * 16 + d]);
        const float r = s > 0.0f ? s * s : 0.0f;
        sum += float(static_cast<__bf16>(r)) * float(v[j * 32 + e]);
      }
      o[i * 32 + e] = sum;
    }
}
)cpp";

/// Sums begin at what an array holds.
inline constexpr const char *fromBias = R"cpp(
void from_bias(int n, int m, int k, const _Float16 *a, const _Float16 *b, const float *bias, _Float16 *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = bias[j];
      for (int l = 0; l < k; l++) s += float(a[i * k + l]) * float(b[j * k + l]);
      c[i * m + j] = static_cast<_Float16>(s > 0.0f ? s : 0.01f * s);
    }
}
)cpp";

/// Rows of different lengths: the grid of tiles is no box.
inline constexpr const char *lowerHalf = R"cpp(
void lower_half(int n, int k, const __bf16 *a, const __bf16 *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      float s = 0.0f;
      for (int l = 0; l < k; l++) s += float(a[i * k + l]) * float(b[j * k + l]);
      c[i * n + j] = s;
    }
}
)cpp";

/// The left factor is computed from two matrices, one stored across, and values of rows and of the sum's terms.
inline constexpr const char *computedLeft = R"cpp(
#include <cmath>
void computed_left(int n, int m, int k, const _Float16 *p, const _Float16 *r, const float *lane, const float *scale,
                   const float *row, const _Float16 *words, float *part) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) {
      float zero = 0.0f;
      for (int l = 0; l < k; l++) {
        const float x = (float(p[l * n + i]) - lane[i]) * scale[i] * row[l] + std::fmax(float(r[i * k + l]), 0.0f);
        zero += float(words[j * k + l]) * float(static_cast<_Float16>(x));
      }
      part[i * m + j] = zero;
    }
}
)cpp";

/// A batch of left factors, one right factor.
inline constexpr const char *oneRight = R"cpp(
void one_right(int batch, int n, int m, int k, const __bf16 *a, const __bf16 *w, __bf16 *c) {
  for (int b = 0; b < batch; b++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float sum = 0.0f;
        for (int l = 0; l < k; l++) sum += float(a[(b * n + i) * k + l]) * float(w[l * m + j]);
        c[(b * n + i) * m + j] = static_cast<__bf16>(sum);
      }
}
)cpp";

/// One left factor, a batch of right factors.
inline constexpr const char *oneLeft = R"cpp(
void one_left(int batch, int n, int m, int k, const __bf16 *a, const __bf16 *w, __bf16 *c) {
  for (int b = 0; b < batch; b++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float sum = 0.0f;
        for (int l = 0; l < k; l++) sum += float(a[i * k + l]) * float(w[(b * k + l) * m + j]);
        c[(b * n + i) * m + j] = static_cast<__bf16>(sum);
      }
}
)cpp";

/// Values of rows and of columns from memory beside each product.
inline constexpr const char *besideProducts = R"cpp(
#include <cmath>
void beside_products(int n, int m, const __bf16 *q, const __bf16 *k, const float *r, const float *c, float *o) {
  for (int i = 0; i < n; i++) {
    float s = 0.0f;
    for (int j = 0; j < m; j++) {
      float dot = 0.0f;
      for (int d = 0; d < 32; d++) dot += float(q[i * 32 + d]) * float(k[j * 32 + d]);
      s += std::exp(dot * 0.1f * r[i] + c[j]);
    }
    o[i] = s * r[i];
  }
}
)cpp";

/// A matrix of 16-bit numbers is added to the products.
inline constexpr const char *addedMatrix = R"cpp(
#include <cmath>
void added_matrix(int n, const __bf16 *q, const __bf16 *k, const __bf16 *v, const __bf16 *bias, __bf16 *o) {
  for (int i = 0; i < n; i++) {
    float s[128];
    float m = -INFINITY;
    for (int j = 0; j <= i; j++) {
      s[j] = 0.0f;
      for (int d = 0; d < 16; d++) s[j] += float(q[i * 16 + d]) * float(k[j * 16 + d]);
      s[j] = s[j] * 0.25f + float(bias[i * n + j]);
      m = std::fmax(m, s[j]);
    }
    float l = 0.0f;
    for (int j = 0; j <= i; j++) l += std::exp(s[j] - m);
    for (int e = 0; e < 16; e++) {
      float sum = 0.0f;
      for (int j = 0; j <= i; j++) sum += float(static_cast<__bf16>(std::exp(s[j] - m))) * float(v[j * 16 + e]);
      o[i * 16 + e] = static_cast<__bf16>(sum / l);
    }
  }
}
)cpp";

/// Cases whose products are of doubles, or of floats that may be rounded.
inline std::vector<MatrixCase> wideCases() {
  const std::map<std::string, std::int64_t> tiles{{"i", 64}, {"j", 16}, {"j_1", 16}, {"l", 16}, {"k", 16}, {"e", 16}};
  const auto wide = [](const std::string &text) {
    return replacedAll(replacedAll(text, "_Float16", "double"), "float", "double");
  };
  std::vector<Sizes> both = lengths("n", {{"m", 19}});
  both.insert(both.begin(), {{{"n", 5}, {"m", 0}}, {{"n", 3}, {"m", 1}}});
  std::vector<MatrixCase> all;
  all.push_back({"matmul_f64", textOf("inputs/matmul_f64.cpp"), productSizes(), tiles, "sm_80"});
  all.push_back({"matmul_f64_sm_90a", textOf("inputs/matmul_f64.cpp"), productSizes(), tiles});
  all.push_back({"columns_first_f64", wide(columnsFirst), productSizes(), {{"j", 64}, {"i", 16}, {"l", 16}}, "sm_80"});
  all.push_back({"from_bias_f64", wide(fromBias), productSizes(), tiles, "sm_80"});
  all.push_back({"weighted_doubles", textOf("tests/corpus/weighted_doubles.cpp"), both, tiles, "sm_80"});
  for (const char *type : {"f64", "bf16"}) // warps beside each other
    all.push_back({std::string("matmul_beside_") + type,
                   textOf(std::string("inputs/matmul_") + type + ".cpp"),
                   productSizes(),
                   {{"i", 64}, {"j", 64}, {"l", 16}},
                   "sm_80"});
  all.push_back({"matmul_tf32",
                 textOf("inputs/matmul.cpp"),
                 {{{"n", 0}, {"m", 5}, {"p", 5}},
                  {{"n", 5}, {"m", 5}, {"p", 0}},
                  {{"n", 1}, {"m", 1}, {"p", 1}},
                  {{"n", 65}, {"m", 17}, {"p", 33}},
                  {{"n", 70}, {"m", 33}, {"p", 20}}},
                 tiles,
                 "sm_80",
                 true});
  all.push_back(
      {"weighted_tf32",
       replacedAll(replacedAll(textOf("tests/corpus/weighted_doubles.cpp"), "double", "float"), "0.25", "0.25f"), both,
       tiles, "sm_90a", true});
  return all;
}

/// All elements of a sum share a sign, a factor and a divisor.
inline constexpr const char *sharedSign = R"cpp(
void shared_sign(int n, int m, int k, const __bf16 *a, const __bf16 *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0.25f;
      for (int l = 0; l < k; l++) sum -= 0.75f * float(a[i * k + l]) * (float(b[l * m + j]) / 3.0f);
      c[i * m + j] = sum;
    }
}
)cpp";

/// What is stored of a row has as many columns as the caller says: it is made of the sum of the parts.
inline constexpr const char *columnsAfterParts = R"cpp(
#include <cmath>
void columns_after_parts(int n, int m, int d, const __bf16 *q, const __bf16 *k, const float *w, float *y) {
  for (int i = 0; i < n; i++) {
    float l = 0;
    for (int j = 0; j < m; j++) {
      float t = 0;
      for (int c = 0; c < 64; c++) t += (float)q[i * 64 + c] * (float)k[j * 64 + c];
      l += std::exp(t * 0.0625f);
    }
    for (int c = 0; c < d; c++) y[i * d + c] = l * w[c];
  }
}
)cpp";

inline std::vector<MatrixCase> matrixCases() {
  const std::pair<std::string, std::string> two{"heads = 32", "heads = 2"};
  std::vector<MatrixCase> all;
  for (const std::string input : {"prefill_global", "prefill_causal", "prefill_masked", "prefill_alibi"})
    all.push_back({input, shortPrefill(input, {two}), prefillSizes()});
  all.push_back(
      {"prefill_gqa",
       shortPrefill("prefill_gqa", {{"heads = 64", "heads = 4"}, {"groups = 8", "groups = 2"}, {"h / 8", "h / 2"}}),
       prefillSizes()});
  all.push_back({"prefill_softcap",
                 shortPrefill("prefill_softcap", {{"heads = 32", "heads = 4"}, {"groups = 16", "groups = 2"}}),
                 prefillSizes()});
  // Lengths of 0, 23 and more than n: rows that see no key, part of a chunk, all keys.
  all.push_back({"prefill_lengths",
                 shortPrefill("prefill_lengths", {{"heads = 32", "heads = 2"}, {"length[b])", "23 * length[b])"}}),
                 prefillSizes()});
  all.push_back({"prefill_lengths_sm_80",
                 shortPrefill("prefill_lengths", {{"heads = 32", "heads = 2"}, {"length[b])", "23 * length[b])"}}),
                 prefillSizes(), MatrixCase{}.tiles, "sm_80"});
  all.push_back({"prefill_window",
                 shortPrefill("prefill_window", {{"heads = 32", "heads = 4"},
                                                 {"groups = 8", "groups = 2"},
                                                 {"h / 4", "h / 2"},
                                                 {"window = 4096", "window = 20"}}),
                 prefillSizes()});
  for (const std::string name : {"windows_at_borders", "windows_by_position"})
    all.push_back({name,
                   textOf("tests/corpus/" + name + ".cpp"),
                   {{{"heads", 1}, {"n", 37}}, {{"heads", 1}, {"n", 38}}, {{"heads", 2}, {"n", 150}}},
                   {{"i", 64}, {"j", 16}, {"j_1", 16}},
                   "sm_90a",
                   false,
                   true});
  all.push_back({"windows_of_pixels",
                 textOf("tests/corpus/windows_of_pixels.cpp"),
                 {{{"height", 5}, {"width", 7}}, {{"height", 6}, {"width", 8}}, {{"height", 6}, {"width", 70}}},
                 {{"x", 64}, {"b", 16}},
                 "sm_90a",
                 false,
                 true});
  for (const std::string name : {"windows_of_pixels", "windows_cut"}) // in boxes of rows and keys
    all.push_back({name + "_in_boxes",
                   textOf("tests/corpus/" + name + ".cpp"),
                   {{{"height", 6}, {"width", 8}}, {{"height", 19}, {"width", 21}}},
                   {},
                   "sm_90a",
                   false,
                   true});
  all.push_back({"matmul_bf16", textOf("inputs/matmul_bf16.cpp"), productSizes()});
  all.push_back({"matmul_epilogue", textOf("inputs/matmul_epilogue.cpp"), productSizes()});
  all.push_back({"batched_matmul", textOf("inputs/batched_matmul.cpp"), productSizes({{"batch", 2}})});
  all.push_back({"nasty_names", nastyNames, lengths("part"), {{"ticket", 64}, {"row", 16}, {"row_1", 16}}});
  std::vector<Sizes> both = lengths("n", {{"m", 19}});
  both.insert(both.begin(), {{{"n", 5}, {"m", 0}}, {{"n", 3}, {"m", 1}}});
  all.push_back({"recomputed", recomputed, both});
  all.push_back({"key_by_key", keyByKey, lengths("n")});
  all.push_back({"banded", banded, lengths("n")});
  for (const MatrixCase &c : masksByChunks()) all.push_back(c);
  all.push_back(
      {"outermost_sum", outermostSum, productSizes(), {{"j", 64}, {"i", 16}, {"i_1", 16}, {"j_1", 64}, {"l", 16}}});
  all.push_back({"columns_first", columnsFirst, productSizes(), {{"j", 64}, {"i", 16}, {"l", 16}}});
  all.push_back({"gated_pair", gatedPair, both});
  all.push_back({"squared_scores", squaredScores, both});
  all.push_back({"from_bias", fromBias, productSizes()});
  all.push_back({"lower_half",
                 lowerHalf,
                 {{{"n", 0}, {"k", 5}}, {{"n", 5}, {"k", 0}}, {{"n", 17}, {"k", 3}}, {{"n", 70}, {"k", 20}}}});
  all.push_back({"matmul_prologue", textOf("inputs/matmul_prologue.cpp"), productSizes()});
  all.push_back(
      {"computed_left", computedLeft, productSizes(), {{"j", 16}, {"j_1", 16}, {"i", 64}, {"i_1", 64}, {"l", 16}}});
  all.push_back({"rmsnorm_matmul_bf16",
                 textOf("inputs/rmsnorm_matmul_bf16.cpp"),
                 {{{"rows", 0}, {"width", 5}, {"outputs", 5}},
                  {{"rows", 5}, {"width", 5}, {"outputs", 0}},
                  {{"rows", 1}, {"width", 1}, {"outputs", 1}},
                  {{"rows", 17}, {"width", 33}, {"outputs", 5}},
                  {{"rows", 65}, {"width", 5}, {"outputs", 17}},
                  {{"rows", 65}, {"width", 33}, {"outputs", 70}}},
                 {{"i", 64}, {"c", 16}, {"c_1", 16}, {"o", 16}}});
  all.push_back({"layernorm_matmul_bf16",
                 textOf("inputs/layernorm_matmul_bf16.cpp"),
                 {{{"rows", 0}, {"width", 5}, {"outputs", 5}},
                  {{"rows", 5}, {"width", 5}, {"outputs", 0}},
                  {{"rows", 1}, {"width", 1}, {"outputs", 1}},
                  {{"rows", 17}, {"width", 33}, {"outputs", 5}},
                  {{"rows", 65}, {"width", 33}, {"outputs", 70}}},
                 {{"i", 64}, {"c", 16}, {"c_1", 16}, {"c_2", 16}, {"o", 16}}});
  all.push_back({"scale_inside", textOf("tests/corpus/scale_inside.cpp"), lengths("n")});
  all.push_back({"shared_sign", sharedSign, productSizes()});
  all.push_back({"linear_cross_entropy_bf16",
                 textOf("inputs/linear_cross_entropy_bf16.cpp"),
                 lengths("n", {{"classes", 19}}),
                 {{"i", 64}, {"c", 16}, {"c_1", 16}, {"c_2", 16}}});
  const std::map<std::string, std::int64_t> longTiles{{"i", 64}, {"c", 16}, {"f", 16}, {"j", 16}, {"l", 16}};
  std::vector<Sizes> longSums;
  for (const auto &[items, labels, features] :
       {std::tuple(0, 5, 5), {5, 1, 0}, {1, 1, 1}, {5, 17, 3}, {65, 5, 17}, {17, 33, 20}, {70, 40, 33}})
    longSums.push_back({{"items", items}, {"labels", labels}, {"features", features}});
  all.push_back({"likelihood_of_labels", textOf("tests/corpus/likelihood_of_labels.cpp"), longSums, longTiles});
  all.push_back(
      {"likelihood_of_labels_sm_80", textOf("tests/corpus/likelihood_of_labels.cpp"), longSums, longTiles, "sm_80"});
  all.push_back(
      {"farthest_apart", textOf("tests/corpus/farthest_apart.cpp"), productSizes({{"groups", 2}}), longTiles});
  all.push_back({"shared_keys",
                 shortPrefill("prefill_gqa", {{"heads = 64", "heads = 4"},
                                              {"constexpr int groups = 8;\n", ""},
                                              {"((b * groups + h / 8) * n + j)", "(b * n + j)"}}),
                 prefillSizes()});
  all.push_back({"one_right", oneRight, productSizes({{"batch", 3}})});
  all.push_back({"one_left", oneLeft, productSizes({{"batch", 3}})});
  all.push_back({"beside_products", besideProducts, both, {{"i", 64}, {"j", 16}}});
  all.push_back({"added_matrix", addedMatrix, lengths("n")});
  for (const MatrixCase &c : wideCases()) all.push_back(c);
  for (const std::string name : {"prefill_causal", "matmul_epilogue", "banded", "outermost_sum"}) {
    MatrixCase warps = *std::find_if(all.begin(), all.end(), [&](const MatrixCase &c) { return c.name == name; });
    warps.name += "_sm_80";
    warps.arch = "sm_80";
    all.push_back(warps);
  }
  return all;
}

} // namespace polymend::tests
