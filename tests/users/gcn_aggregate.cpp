// Neighbours' features summed with symmetric normalisation.
#include <cmath>
#include <cstdint>

void gcn_aggregate(const int64_t *indptr, const int64_t *indices, const float *deg, const float *h, float *out,
                   int64_t nodes, int64_t feat) {
  for (int64_t v = 0; v < nodes; ++v) {
    for (int64_t f = 0; f < feat; ++f) out[v * feat + f] = 0.0f;
    for (int64_t e = indptr[v]; e < indptr[v + 1]; ++e) {
      const int64_t u = indices[e];
      const float norm = 1.0f / std::sqrt(deg[v] * deg[u]);
      for (int64_t f = 0; f < feat; ++f) out[v * feat + f] += norm * h[u * feat + f];
    }
  }
}
