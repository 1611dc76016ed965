#include "kernel.h"

#include <cmath>

int main() {
  float x[2 * COLUMNS] = {}, y[2] = {};
  log_sums(2, x, y);
  return std::fabs(y[1] - std::log(float(COLUMNS))) < 1e-5f ? 0 : 1;
}
