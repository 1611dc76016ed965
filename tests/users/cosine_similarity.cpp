// Similarities of all pairs of two sets of embeddings.
#include <cmath>
#include <vector>

static float norm(const float *v, int dim) {
  float s = 0;
  for (int i = 0; i < dim; i++) s += v[i] * v[i];
  return std::sqrt(s);
}

void cosine_similarity(const std::vector<float> &a, const std::vector<float> &b, std::vector<float> &sim, int dim) {
  const int n = a.size() / dim, m = b.size() / dim;
  for (int i = 0; i < n; i++) {
    const float na = norm(&a[i * dim], dim);
    for (int j = 0; j < m; j++) {
      float dot = 0;
      for (int k = 0; k < dim; k++) dot += a[i * dim + k] * b[j * dim + k];
      sim[i * m + j] = dot / (na * norm(&b[j * dim], dim) + 1e-8f);
    }
  }
}
