// Three levels of vectors, and a vector of rows of a fixed length in each.
// expect: corrected 0
#include <array>
#include <vector>

void rows_apart_of_rows(const std::vector<std::vector<std::vector<float>>> &u,
                        std::vector<std::vector<std::vector<float>>> &v,
                        std::vector<std::vector<std::array<float, 3>>> &slopes) {
  for (std::size_t i = 1; i + 1 < u.size(); i++)
    for (std::size_t j = 1; j + 1 < u[i].size(); j++)
      for (std::size_t k = 1; k + 1 < u[i][j].size(); k++) {
        v[i][j][k] = 0.25f * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j][k + 1]);
        slopes[i][j][0] += u[i][j][k + 1] - u[i][j][k - 1];
      }
}
