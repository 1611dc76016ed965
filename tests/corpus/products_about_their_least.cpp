// Products with a row about the least of them, over the sum of exponentials: an exact zero where a product is the
// least.
// expect: corrected 2 in 1 kernel
#include <cmath>

void products_about_their_least(int rows, int k, const float *u, const float *table, const float *a, const float *b,
                                float *result, float alpha) {
  for (int j = 0; j < rows; j++) {
    float product[200];
    for (int r = 0; r < k; r++) {
      float dot = 0.0f;
      for (int c = 0; c < k; c++) dot += u[j * k + c] * table[r * k + c];
      product[r] = dot * alpha;
    }
    float least = INFINITY;
    for (int r = 0; r < k; r++) least = std::fmin(least, product[r]);
    float mean = 0.0f;
    for (int r = 0; r < k; r++) mean += a[r] * std::exp(product[r] - least);
    for (int i = 0; i < rows; i++) {
      float sum = 0.0f;
      for (int r = 0; r < k; r++) sum += (product[r] - least) * b[r * rows + i];
      result[j * rows + i] = sum / mean;
    }
  }
}
