// Two grids of rows that lie apart change places in each step.
// expect: moved
#include <utility>
#include <vector>

void rows_apart_swapped(std::vector<std::vector<float>> &a, std::vector<std::vector<float>> &b, int steps) {
  for (int t = 0; t < steps; t++) {
    for (std::size_t i = 1; i + 1 < a.size(); i++)
      for (std::size_t j = 1; j + 1 < a[i].size(); j++)
        b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    std::swap(a, b);
  }
}
