// A local vector as a matrix whose rows have one element more than there are columns.
// expect: moved
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

float matrix_of_its_own(const std::vector<float> &a, const std::vector<float> &b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  std::vector<float> d(static_cast<std::size_t>(n + 1) * (m + 1), 1e30f);
  d[0] = 0.0f;
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= m; ++j) {
      const float cost = std::abs(a[i - 1] - b[j - 1]);
      d[i * (m + 1) + j] =
          cost + std::min(d[(i - 1) * (m + 1) + j], std::min(d[i * (m + 1) + j - 1], d[(i - 1) * (m + 1) + j - 1]));
    }
  return d[n * (m + 1) + m];
}
