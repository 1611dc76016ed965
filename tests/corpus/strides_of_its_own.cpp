// Rows of a view: strides that are numbers of their own, those of the result multiples of each other where it runs.
// expect: corrected 1 in 1 kernel
#include <cmath>

void strides_of_its_own(float *y, const float *x, int b, int n, int m, long s0, long s1, long s2, long t0, long t1) {
  for (int i = 0; i < b; i++)
    for (int j = 0; j < n; j++) {
      float top = -INFINITY;
      for (int k = 0; k < m; k++) top = fmaxf(top, x[i * t0 + j * t1 + k]);
      float sum = 0;
      for (int k = 0; k < m; k++) sum += expf(x[i * t0 + j * t1 + k] - top);
      for (int k = 0; k < m; k++) y[i * s0 + j * s1 + k * s2] = expf(x[i * t0 + j * t1 + k] - top) / sum;
    }
}
