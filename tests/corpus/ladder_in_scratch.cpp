// Values go back along a ladder that each row has for itself, whose length is made of an argument with a sign.
// expect: kept
#include <algorithm>
#include <vector>

void ladder_in_scratch(int rows, int steps, const double *strike, double up, double *price) {
  for (int k = 0; k < rows; k++) {
    std::vector<double> value(steps + 1);
    double s = 0.5;
    for (int j = 0; j <= steps; j++) {
      value[j] = std::max(strike[k] - s, 0.0);
      s *= up;
    }
    for (int i = steps - 1; i >= 0; i--)
      for (int j = 0; j <= i; j++) value[j] = std::max(0.5 * value[j + 1] + 0.4 * value[j], strike[k] - j);
    price[k] = value[0];
  }
}
