// Steps of three reach two elements further: only where rows are whole steps does each stay in its row. At other sizes
// the source's own body runs, and a mask on data may leave out the element that our validation would read there.
// expect: corrected 1
#include <cmath>

void steps_beyond_a_row(long n, const float *v, const float *b, const float *a, float *o) {
  for (long l = 0; l < n; l++) {
    float top = 0;
    for (long k = 0; k < n; k += 3)
      if (v[k] > 0) top = std::fmax(top, b[l * n + k + 2]);
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long k = 0; k < n; k += 3) sum += v[k] > 0 ? std::exp(b[l * n + k + 2] - top) * a[k * n + j] : 0.0f;
      o[l * n + j] = sum;
    }
  }
}
