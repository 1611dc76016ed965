// Which elements are read, rows of integers say that lie apart from each other.
// expect: corrected 0
#include <vector>

void rows_apart_of_indices(const std::vector<std::vector<int>> &near, const std::vector<float> &x,
                           std::vector<float> &y) {
  for (std::size_t i = 0; i < near.size(); i++) {
    float sum = 0;
    for (int j : near[i]) sum += x[j];
    y[i] = sum;
  }
}
