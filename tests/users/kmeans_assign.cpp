// The nearest centre of each point, last one on ties.
#include <limits>
#include <vector>

void kmeans_assign(const std::vector<float> &points, const std::vector<float> &centers, std::vector<int> &label,
                   int dim) {
  const int n = points.size() / dim, k = centers.size() / dim;
  for (int i = 0; i < n; i++) {
    float best = std::numeric_limits<float>::max();
    int arg = -1;
    for (int c = 0; c < k; c++) {
      float d2 = 0;
      for (int d = 0; d < dim; d++) {
        const float diff = points[i * dim + d] - centers[c * dim + d];
        d2 += diff * diff;
      }
      if (d2 <= best) {
        best = d2;
        arg = c;
      }
    }
    label[i] = arg;
  }
}
