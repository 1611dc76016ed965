// A classification loss with smoothed targets: log of the sum of exponentials, the target's score, the mean score.
// expect: corrected 1
#include <cmath>

void smoothed_loss(int rows, int classes, const float *x, const int *target, float *loss) {
  for (int i = 0; i < rows; i++) {
    float m = -INFINITY;
    for (int c = 0; c < classes; c++)
      if (x[i * classes + c] > m) m = x[i * classes + c];
    float z = 0, mean = 0;
    for (int c = 0; c < classes; c++) {
      z += std::exp(x[i * classes + c] - m);
      mean += x[i * classes + c];
    }
    mean /= classes;
    loss[i] = m + std::log(z) - 0.9f * x[i * classes + target[i]] - 0.1f * mean;
  }
}
