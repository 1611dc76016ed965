// New centres: the mean of the points with a label.
#include <vector>

void kmeans_update(const float *points, const int *label, float *centers, int n, int k, int dim) {
  for (int c = 0; c < k; c++) {
    int count = 0;
    for (int i = 0; i < n; i++)
      if (label[i] == c) count++;
    for (int d = 0; d < dim; d++) {
      float sum = 0;
      for (int i = 0; i < n; i++)
        if (label[i] == c) sum += points[i * dim + d];
      if (count > 0) centers[c * dim + d] = sum / count;
    }
  }
}
