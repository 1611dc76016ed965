// Ends of rows, and columns, are of a type without a sign, and so is the number of those that count.
// expect: corrected 0
#include <cstddef>
#include <cstdint>

void ends_without_a_sign(std::size_t rows, const std::uint32_t *ends, const std::uint32_t *column, const double *value,
                         const double *x, double *y, std::size_t *counted) {
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0;
    std::size_t positive = 0;
    for (auto k = ends[i]; k < ends[i + 1]; ++k) {
      sum += value[k] * x[column[k]];
      if (value[k] > 0) ++positive;
    }
    y[i] = sum;
    counted[i] = positive;
  }
}
