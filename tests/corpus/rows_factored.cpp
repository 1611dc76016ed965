// Small matrices factored in place until a pivot is not positive; which one it was is kept. Linear subscripts.
// expect: kept
#include <cmath>

constexpr int order = 4;

void rows_factored(double *all, int *failed, int count) {
  for (int b = 0; b < count; ++b) {
    double *a = all + b * order * order;
    failed[b] = 0;
    for (int j = 0; j < order; ++j) {
      double rest = a[j * order + j];
      for (int k = 0; k < j; ++k) rest -= a[j * order + k] * a[j * order + k];
      if (rest <= 0) {
        failed[b] = j + 1;
        break;
      }
      a[j * order + j] = std::sqrt(rest);
      for (int i = j + 1; i < order; ++i) {
        double s = a[i * order + j];
        for (int k = 0; k < j; ++k) s -= a[i * order + k] * a[j * order + k];
        a[i * order + j] = s / a[j * order + j];
      }
    }
  }
}
