// The shortest distance through a middle point, and a sum of what each way exceeds it by.
// expect: corrected 1
#include <cmath>

void min_plus(int n, const double a[128][128], const double b[128][128], double best[128][128],
              double extra[128][128]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double m = INFINITY;
      for (int k = 0; k < n; k++) m = std::fmin(m, a[i][k] + b[k][j]);
      double s = 0;
      for (int k = 0; k < n; k++) s += a[i][k] + b[k][j] - m;
      best[i][j] = m;
      extra[i][j] = s;
    }
}
