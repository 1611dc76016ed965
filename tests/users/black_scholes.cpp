// Prices of European calls and puts.
#include <cmath>
#include <vector>

struct Option {
  double spot, strike, rate, vol, expiry;
};

static double norm_cdf(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }

void black_scholes(const std::vector<Option> &options, std::vector<double> &calls, std::vector<double> &puts) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option &o = options[i];
    const double sq = o.vol * std::sqrt(o.expiry);
    const double d1 = (std::log(o.spot / o.strike) + (o.rate + 0.5 * o.vol * o.vol) * o.expiry) / sq;
    const double d2 = d1 - sq;
    const double df = std::exp(-o.rate * o.expiry);
    calls[i] = o.spot * norm_cdf(d1) - o.strike * df * norm_cdf(d2);
    puts[i] = o.strike * df * norm_cdf(-d2) - o.spot * norm_cdf(-d1);
  }
}
