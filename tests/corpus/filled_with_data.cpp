// Rows that start from a value of their own; a container is numbered, and takes another's elements.
// expect: moved
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

void filled_with_data(const float *start, const float *x, int rows, int columns, float *y) {
  for (int i = 0; i < rows; ++i) {
    float *row = y + i * columns;
    std::fill(row, row + columns, start[i]);
    for (int j = 0; j < columns; ++j) y[i * columns + j] += x[j];
  }
}

void numbered(const std::vector<float> &x, std::vector<std::size_t> &number, std::vector<float> &y) {
  std::vector<float> next(x.size());
  std::iota(number.begin(), number.end(), std::size_t{3});
  for (std::size_t i = 0; i < x.size(); ++i) next[i] = 2 * x[i] + y[i];
  y.swap(next);
}
