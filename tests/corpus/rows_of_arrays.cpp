// Rows of a fixed length lie behind each other.
// expect: corrected 0
#include <array>
#include <vector>

void rows_of_arrays(const std::vector<std::array<float, 3>> &points, const std::array<std::array<float, 3>, 3> &turn,
                    std::vector<std::array<float, 3>> &out) {
  for (std::size_t i = 0; i < points.size(); i++)
    for (int r = 0; r < 3; r++) {
      float sum = 0;
      for (int c = 0; c < 3; c++) sum += turn[r][c] * points[i][c];
      out[i][r] = sum;
    }
}
