// Rows of a product at their running extreme: scaled in loops of their own, and where data let a row take part.
// expect: corrected 4
#include <algorithm>
#include <cmath>
#include <vector>

void two_steps(const float *q, const float *k, const float *v, float *o, int n, int d) {
  for (int i = 0; i < n; i++) {
    std::vector<float> acc(d, 0.0f);
    float m = -INFINITY, l = 0;
    for (int j = 0; j <= i; j++) {
      float s = 0;
      for (int c = 0; c < d; c++) s += q[i * d + c] * k[j * d + c];
      float mn = s > m ? s : m;
      float alpha = std::isinf(m) ? 0.0f : std::exp(m - mn);
      float p = std::exp(s - mn);
      l *= alpha;
      l += p;
      for (int c = 0; c < d; c++) acc[c] *= alpha;
      for (int c = 0; c < d; c++) acc[c] += p * v[j * d + c];
      m = mn;
    }
    for (int c = 0; c < d; c++) o[i * d + c] = acc[c] / l;
  }
}

void masked(const float *q, const float *k, const float *v, const int *len, float *o, int n) {
  constexpr int D = 32;
  for (int i = 0; i < n; i++) {
    float acc[D] = {}, m = -1e30f, l = 0;
    for (int j = 0; j < n; j++) {
      if (j > i) continue;
      float s = 0;
      for (int c = 0; c < D; c++) s += q[i * D + c] * k[j * D + c];
      if (len[j] == 0) continue;
      float mn = std::fmax(m, s);
      const float corr = std::exp(m - mn), p = std::exp(s - mn);
      l = l * corr + p;
      for (int c = 0; c < D; c++) acc[c] = acc[c] * corr + p * v[j * D + c];
      m = mn;
    }
    for (int c = 0; c < D; c++) o[i * D + c] = acc[c] / l;
  }
}
