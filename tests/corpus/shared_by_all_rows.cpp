// What all rows of a sum share is computed once: a layer's gates, and weights that the source stores or does not.
// expect: corrected 0 in 5 kernels
#include <cmath>

void gated_layer(int n, int h, const float *x, const float *w1, const float *w3, const float *w2, float *a, float *b,
                 float *y) {
  for (int i = 0; i < h; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) s += w1[i * n + j] * x[j];
    a[i] = s;
  }
  for (int i = 0; i < h; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) s += w3[i * n + j] * x[j];
    b[i] = s;
  }
  for (int i = 0; i < h; i++) a[i] = a[i] / (1.0f + std::exp(-a[i])) * b[i];
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < h; j++) s += w2[i * h + j] * a[j];
    y[i] = s;
  }
}

void stored_weights(int n, int m, const double *x, const double *a, double *w, double *y) {
  for (int j = 0; j < m; j++) w[j] = std::exp(-x[j] * x[j]);
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++) s += w[j] * a[i * m + j];
    y[i] = s;
  }
}

void chosen_weights(int n, int m, const float *x, const float *a, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      if (x[j] > 0) s += std::log(x[j]) * a[i * m + j] + std::sqrt(x[j] + 1.0f);
    y[i] = s;
  }
}
