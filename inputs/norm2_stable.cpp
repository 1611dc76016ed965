// The Euclidean norm of a vector without overflow: the largest magnitude first, then the sum of scaled squares.
// expect: corrected 1 in 1 kernel
// x has n elements; the norm is returned.
#include <cmath>

float norm2_stable(int n, const float *x) {
  float largest = 0.0f;
  for (int i = 0; i < n; i++) largest = std::fmax(largest, std::fabs(x[i]));
  float sum = 0.0f;
  for (int i = 0; i < n; i++) sum += (x[i] / largest) * (x[i] / largest);
  return largest * std::sqrt(sum);
}
