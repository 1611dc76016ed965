// Where the greatest number of each row is, by iterators that are kept in variables.
// expect: kept
#include <algorithm>
#include <vector>

void greatest_by_iterators(const std::vector<float> &x, int rows, int columns, std::vector<int> &at,
                           std::vector<float> &greatest) {
  for (int r = 0; r < rows; ++r) {
    const auto first = x.begin() + r * columns;
    const auto found = std::max_element(first, first + columns);
    at[r] = static_cast<int>(found - first);
    greatest[r] = *found;
  }
}
