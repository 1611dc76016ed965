// Gradients where a mask of bools kept an element.
#include <cstdint>
#include <vector>

void dropout_backward(const std::vector<float> &grad, const std::vector<uint8_t> &mask, std::vector<float> &out,
                      float p) {
  const float scale = 1.0f / (1.0f - p);
  for (std::size_t i = 0; i < grad.size(); ++i) {
    out[i] = mask[i] ? grad[i] * scale : 0.0f;
  }
}
