// An Asian option on simulated paths: mean payoff and its standard error.
#include <algorithm>
#include <cmath>
#include <span>

struct Estimate {
  double price, error;
};

void monte_carlo_asian(std::span<const double> normals, int paths, int steps, double s0, double k, double r, double vol,
                       double t, Estimate &result) {
  const double dt = t / steps, drift = (r - 0.5 * vol * vol) * dt, diff = vol * std::sqrt(dt);
  double sum = 0, sum2 = 0;
  for (int p = 0; p < paths; ++p) {
    double logs = std::log(s0), avg = 0;
    for (int i = 0; i < steps; ++i) {
      logs += drift + diff * normals[p * steps + i];
      avg += std::exp(logs);
    }
    const double payoff = std::exp(-r * t) * std::max(avg / steps - k, 0.0);
    sum += payoff;
    sum2 += payoff * payoff;
  }
  result.price = sum / paths;
  result.error = std::sqrt((sum2 / paths - result.price * result.price) / paths);
}
