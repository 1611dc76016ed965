// A label's likelihood under scores over long rows: no tile holds a row's inner sum, which comes in chunks.
// expect: corrected 1
// score holds at most 512 labels; label[i] is in [0, labels).
#include <cmath>

void likelihood_of_labels(int items, int labels, int features, const __bf16 *item, const __bf16 *weight,
                          const int *label, float *likelihood) {
  for (int i = 0; i < items; i++) {
    float score[512], top = -INFINITY;
    for (int c = 0; c < labels; c++) {
      float dot = 0;
      for (int f = 0; f < features; f++) dot += float(item[i * features + f]) * float(weight[c * features + f]);
      score[c] = dot * 0.25f;
      top = std::fmax(top, score[c]);
    }
    float total = 0;
    for (int c = 0; c < labels; c++) total += std::exp(score[c] - top);
    likelihood[i] = score[label[i]] - top - std::log(total);
  }
}
