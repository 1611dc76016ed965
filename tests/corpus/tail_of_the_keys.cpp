// The rows are the last ones that the columns know of: a difference of sizes without a sign, where it is above zero.
// expect: corrected 0 in 1 kernel
#include <cstddef>

void tail_of_the_keys(std::size_t rows, std::size_t columns, const float *x, const float *w, float *y) {
  const std::size_t shift = columns >= rows ? columns - rows : 0;
  for (std::size_t i = 0; i < rows; i++) {
    float sum = 0.0f;
    for (std::size_t j = 0; j < i + shift + 1; j++)
      if (j < columns) sum += w[j] * x[j] * x[j];
    y[i] = sum;
  }
}
