// Focal loss of logits, with a helper that returns early.
#include <cmath>

static float log_sigmoid(float x) {
  if (x >= 0) return -std::log1p(std::exp(-x));
  return x - std::log1p(std::exp(x));
}

void focal_loss(const float *logits, const unsigned char *labels, float *loss, long n, float alpha, float gamma) {
  for (long i = 0; i < n; i++) {
    const float z = labels[i] ? logits[i] : -logits[i];
    const float lp = log_sigmoid(z);
    const float p = std::exp(lp);
    const float a = labels[i] ? alpha : 1 - alpha;
    loss[i] = -a * std::pow(1 - p, gamma) * lp;
  }
}
