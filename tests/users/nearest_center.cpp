// The nearest of some centres for each point, found by the standard's algorithms in a scratch row.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

void nearest_center(const std::vector<float> &points, const std::vector<float> &centers, std::vector<int> &label, int n,
                    int k, int d) {
  std::vector<float> distance(k);
  for (int i = 0; i < n; ++i) {
    const float *p = points.data() + i * d;
    for (int c = 0; c < k; ++c)
      distance[c] = std::inner_product(p, p + d, centers.data() + c * d, 0.0f, std::plus<>(),
                                       [](float a, float b) { return (a - b) * (a - b); });
    label[i] = static_cast<int>(std::min_element(distance.begin(), distance.end()) - distance.begin());
  }
}
