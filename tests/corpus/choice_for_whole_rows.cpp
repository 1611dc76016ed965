// The first rows read nothing of v: the choice for whole rows becomes a factor of the result, and stays around what a
// term of the sum reads. Below five rows v may be empty.
// expect: corrected 1
#include <cmath>

void choice_for_whole_rows(int n, const float *x, const float *v, float *out) {
  for (int i = 1; i < n; ++i) {
    float sum = 0.0f;
    for (int j = 0; j < n; ++j) sum += i > 3 ? std::exp(x[i * n + j]) : 0.0f;
    for (int e = 0; e < n; ++e) {
      float den = 0.0f;
      for (int j = 0; j < n; ++j) den += (i > 3 ? x[i * n + j] / sum * v[j * n + e] : 0.0f) - x[i * n + j] * 0.5f;
      out[i * n + e] = den;
    }
  }
}
