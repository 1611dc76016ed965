// Rows that lie apart from each other: matrices as vectors of vectors, read and written where they are.
// expect: corrected 0
#include <vector>

void rows_apart(const std::vector<std::vector<float>> &a, const std::vector<std::vector<float>> &b,
                std::vector<std::vector<float>> &c) {
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = 0; j < b[0].size(); j++) {
      float sum = 0;
      for (std::size_t k = 0; k < b.size(); k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}
