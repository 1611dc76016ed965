// Rows of a vector of vectors by reference, by pointer, as arguments, and as the variables of a range.
// expect: corrected 0
#include <cmath>
#include <vector>

static float alikeness(const std::vector<float> &a, const std::vector<float> &b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); i++) sum += a[i] * b[i];
  return sum;
}

void rows_apart_named(const std::vector<std::vector<float>> &points, const std::vector<std::vector<float>> &centres,
                      std::vector<std::vector<float>> &near, std::vector<std::vector<float>> &scaled) {
  for (std::size_t i = 0; i < points.size(); i++) {
    const std::vector<float> &point = points[i];
    float *out = near[i].data();
    for (std::size_t c = 0; c < centres.size(); c++) out[c] = alikeness(point, centres[c]);
  }
  for (auto &row : scaled)
    for (float &v : row) v = std::sqrt(v) * centres.front()[0];
}
