// Exponential moving averages of several series.
#include <cstddef>

void exponential_average(const double *x, double *ema, std::size_t series, std::size_t length, double alpha) {
  for (std::size_t s = 0; s < series; ++s) {
    ema[s * length] = x[s * length];
    for (std::size_t t = 1; t < length; ++t)
      ema[s * length + t] = alpha * x[s * length + t] + (1 - alpha) * ema[s * length + t - 1];
  }
}
