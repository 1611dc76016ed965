// The Kullback-Leibler divergence of two sets of logits, per row and in the mean.
#include <cmath>
#include <span>

double kl_divergence(std::span<const float> p_logits, std::span<const float> q_logits, std::span<float> rows,
                     std::size_t classes) {
  const std::size_t n = rows.size();
  double total = 0.0;
  for (std::size_t r = 0; r < n; ++r) {
    auto p = p_logits.subspan(r * classes, classes);
    auto q = q_logits.subspan(r * classes, classes);
    float pm = p[0], qm = q[0];
    for (std::size_t c = 1; c < classes; ++c) {
      pm = std::max(pm, p[c]);
      qm = std::max(qm, q[c]);
    }
    float ps = 0, qs = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      ps += std::exp(p[c] - pm);
      qs += std::exp(q[c] - qm);
    }
    float sum = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const float lp = p[c] - pm - std::log(ps), lq = q[c] - qm - std::log(qs);
      sum += std::exp(lp) * (lp - lq);
    }
    rows[r] = sum;
    total += sum;
  }
  return total / n;
}
