// What one turn of a loop assigns, where the label says which: a sum with one term.
// expect: corrected 1
#include <cmath>

void score_of_label(int rows, int classes, const float *score, const int *label, float *loss) {
  for (int r = 0; r < rows; r++) {
    float top = -INFINITY, total = 0, own = 0;
    for (int c = 0; c < classes; c++) top = std::fmax(top, score[r * classes + c]);
    for (int c = 0; c < classes; c++) {
      const float s = score[r * classes + c];
      total += std::exp(s - top);
      if (c + 1 == label[r]) own = s;
    }
    loss[r] = top + std::log(total) - own;
  }
}
