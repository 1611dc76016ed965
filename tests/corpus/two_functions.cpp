// Two functions that share an array of the file.
// expect: corrected 1
#include <cmath>
static float shared_weights[64];

void prepare(int n, const float *a) {
  for (int i = 0; i < n; i++) shared_weights[i] = a[i] * a[i];
}

void apply(int rows, int n, const float x[50][64], float *y) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY, s = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, x[i][j]);
    for (int j = 0; j < n; j++) s += shared_weights[j] * std::exp(x[i][j] - m);
    y[i] = s;
  }
}
