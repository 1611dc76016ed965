// One column of what each row stores is read again, if there are as many: a value for the whole row, which is computed
// before its loop, stays below the choice.
// expect: corrected 0
#include <cmath>

void chosen_column_of_scores(int rows, int n, const float *v, const float *a, float *out) {
  for (int p = 1; p < rows; p++) {
    float score[300];
    for (int row = 0; row < n; row++) {
      float dot = 0.0f;
      for (int i = 0; i < rows; i++) dot += v[p * rows + i] * a[row * rows + i];
      score[row] = dot;
    }
    float total = 0.0f;
    for (int row = 0; row < n; row++) total += row >= 5 && row < 6 ? std::exp(score[row] * 0.125f) : 0.0f;
    for (int row = 0; row < n; row++) out[p * n + row] = score[row] - total;
  }
}
