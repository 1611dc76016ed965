// Each range of an array is read, and written with what all of it gives.
// expect: corrected 1 in 1 kernel
#include <cmath>

void rows_normalised_in_place(int n, const int *row, const float *score, float *__restrict share) {
  for (int i = 0; i < n; i++) {
    float most = -INFINITY;
    for (int k = row[i]; k < row[i + 1]; k++) most = fmaxf(most, score[k]);
    float total = 0;
    for (int k = row[i]; k < row[i + 1]; k++) total += expf(score[k] - most);
    for (int k = row[i]; k < row[i + 1]; k++) share[k] = expf(score[k] - most) / total;
  }
}
