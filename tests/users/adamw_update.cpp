// One step of AdamW over a vector of parameters.
#include <cmath>
#include <cstddef>
#include <vector>

struct AdamW {
  float lr = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, eps = 1e-8f, weight_decay = 0.01f;
};

void adamw_update(std::vector<float> &params, const std::vector<float> &grads, std::vector<float> &m,
                  std::vector<float> &v, const AdamW &opt, int t) {
  const float c1 = 1.0f - std::pow(opt.beta1, t);
  const float c2 = 1.0f - std::pow(opt.beta2, t);
  for (size_t i = 0; i < params.size(); i++) {
    const float g = grads[i];
    m[i] = opt.beta1 * m[i] + (1.0f - opt.beta1) * g;
    v[i] = opt.beta2 * v[i] + (1.0f - opt.beta2) * g * g;
    const float m_hat = m[i] / c1;
    const float v_hat = v[i] / c2;
    params[i] -= opt.lr * (m_hat / (std::sqrt(v_hat) + opt.eps) + opt.weight_decay * params[i]);
  }
}
