// Rows of a fixed length by range-based loops, by references and by a function that takes one.
// expect: kept: is updated in place; left: nothing gained
#include <array>
#include <cstddef>
#include <vector>

static float sum_of_squares(const std::array<float, 48> &row) {
  float s = 0;
  for (float v : row) s += v * v;
  return s;
}

void rows_by_reference(std::vector<std::array<float, 48>> &rows, std::vector<float> &norms) {
  for (auto &row : rows)
    for (auto &v : row) v = v * 0.5f + 1.0f;
  for (std::size_t i = 0; i < rows.size(); i++) {
    const auto &row = rows[i];
    norms[i] = sum_of_squares(row) + row.front() - row.back();
  }
}
