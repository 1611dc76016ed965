// A Gaussian kernel density estimate at many points.
// function: KernelDensity_evaluate
#include <cmath>
#include <vector>

class KernelDensity {
public:
  KernelDensity(std::vector<double> samples, double h) : samples_(std::move(samples)), h_(h) {}
  void evaluate(const std::vector<double> &at, std::vector<double> &density) const;

private:
  static double gauss(double u) { return std::exp(-0.5 * u * u) / std::sqrt(2 * M_PI); }
  std::vector<double> samples_;
  double h_;
};

void KernelDensity::evaluate(const std::vector<double> &at, std::vector<double> &density) const {
  for (std::size_t i = 0; i < at.size(); ++i) {
    double sum = 0;
    for (double s : samples_) sum += gauss((at[i] - s) / h_);
    density[i] = sum / (samples_.size() * h_);
  }
}
