// A number is rounded to half precision within a divisor: the quotient that is carried is not rounded.
// expect: corrected 1
#include <cmath>

void rounded_within_a_divisor(int rows, int columns, const float *x, float *y) {
  for (int i = 0; i < rows; i++) {
    float sum = 1.0f;
    for (int j = 0; j < columns; j++) sum += x[i * columns + j];
    float part = 1.0f;
    for (int j = 0; j < columns; j++) part += (sum - 2.0f) / (std::abs((float)(_Float16)x[i * columns + j]) + 1.0f);
    y[i] = part;
  }
}
