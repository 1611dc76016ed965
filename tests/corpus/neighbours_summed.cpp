// The features of a node's neighbours, weighted: rows of another array, gathered.
// expect: corrected 0 in 2 kernels
#include <cmath>
#include <cstdint>

void neighbours_summed(const std::int64_t *begin, const std::int64_t *to, const float *degree, const float *h,
                       float *out, std::int64_t nodes, std::int64_t features) {
  for (std::int64_t v = 0; v < nodes; ++v) {
    for (std::int64_t f = 0; f < features; ++f) out[v * features + f] = 0.0f;
    for (std::int64_t e = begin[v]; e < begin[v + 1]; ++e) {
      const float norm = 1.0f / std::sqrt(degree[v] * degree[to[e]]);
      for (std::int64_t f = 0; f < features; ++f) out[v * features + f] += norm * h[to[e] * features + f];
    }
  }
}

void table_rows_added(int n, int d, int count, const int *at, const float *table, float *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++) {
      float s = 0;
      for (int k = 0; k < count; k++) s += table[at[i * count + k] * d + j];
      out[i * d + j] = s;
    }
}
