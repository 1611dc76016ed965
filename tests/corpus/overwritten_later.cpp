// The weights are read again after the array they came from was overwritten.
// expect: moved
#include <cmath>

void overwritten_later(int n, float a[100][100], float *t, float *y) {
  for (int i = 0; i < n; i++) {
    t[i] = 0;
    for (int j = 0; j < n; j++) t[i] += a[i][j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = a[j][i] * 0.5f + t[j];
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++) y[i] += a[i][j] * t[i];
  }
}
