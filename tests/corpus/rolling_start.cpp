// The largest of each row, and the shares about it, of rows that a pointer walks along three times.
// expect: corrected 1

#include <cmath>

void rolling_start(float *y, const float *x, int rows, int columns) {
  for (int r = 0; r < rows; r++) {
    const float *p = x;
    float m = *p++;
    for (int c = 1; c < columns; c++, p++) m = *p > m ? *p : m;
    float s = 0;
    for (p = x; p != x + columns; ++p) s += std::exp(*p - m);
    for (int c = 0; c < columns; c++) *y++ = std::exp(*x++ - m) / s;
  }
}
