// The gradient of logistic regression with L2 regularisation.
#include <cmath>
#include <vector>

void logistic_gradient(const std::vector<float> &X, const std::vector<float> &y, const std::vector<float> &w,
                       std::vector<float> &grad, float lambda) {
  const int n = y.size();
  const int d = w.size();
  std::vector<float> err(n);
  for (int i = 0; i < n; ++i) {
    float z = 0;
    for (int j = 0; j < d; ++j) z += X[i * d + j] * w[j];
    err[i] = 1.f / (1.f + std::exp(-z)) - y[i];
  }
  for (int j = 0; j < d; ++j) {
    float g = 0;
    for (int i = 0; i < n; ++i) g += err[i] * X[i * d + j];
    grad[j] = g / n + lambda * w[j];
  }
}
