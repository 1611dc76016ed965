// The mean of each column of values under the weights, then the weighted square distance from it.
// expect: corrected 2 in 1 kernel; refused: a correction exists
#include <cmath>

void value_centred(int n, const double s[70][70], const double v[70][6], double mean[70][6], double spread[70][6]) {
  for (int i = 0; i < n; i++) {
    double m = -INFINITY, z = 0;
    for (int j = 0; j < n; j++) m = std::fmax(m, s[i][j]);
    for (int j = 0; j < n; j++) z += std::exp(s[i][j] - m);
    for (int e = 0; e < 6; e++) {
      double a = 0, q = 0;
      for (int j = 0; j < n; j++) a += std::exp(s[i][j] - m) * v[j][e];
      a /= z;
      for (int j = 0; j < n; j++) q += std::exp(s[i][j] - m) * (v[j][e] - a) * (v[j][e] - a);
      mean[i][e] = a;
      spread[i][e] = q / z;
    }
  }
}
