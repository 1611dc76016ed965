// Present values of cash flows with discount factors computed once.
#include <cmath>
#include <memory>

void bond_prices(const double *coupon, const double *yield, double *price, int bonds, int periods, int frequency) {
  auto times = std::make_unique<double[]>(periods);
  for (int t = 0; t < periods; ++t) times[t] = double(t + 1) / frequency;
  for (int b = 0; b < bonds; ++b) {
    double pv = 0;
    for (int t = 0; t < periods; ++t) pv += coupon[b] / frequency * std::exp(-yield[b] * times[t]);
    pv += 100.0 * std::exp(-yield[b] * times[periods - 1]);
    price[b] = pv;
  }
}
