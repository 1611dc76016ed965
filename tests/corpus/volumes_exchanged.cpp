// Heat in a volume whose sizes are known at run time, and a copy of it: both are exchanged after each step.
// expect: moved
#include <cstddef>
#include <utility>
#include <vector>

void volumes_exchanged(std::vector<double> &u, std::size_t planes, std::size_t rows, std::size_t columns, int steps,
                       double c) {
  std::vector<double> next(u);
  for (int s = 0; s < steps; s++) {
    for (std::size_t i = 1; i + 1 < planes; i++)
      for (std::size_t j = 1; j + 1 < rows; j++)
        for (std::size_t k = 1; k + 1 < columns; k++) {
          const std::size_t at = (i * rows + j) * columns + k;
          next[at] = u[at] + c * (u[at - rows * columns] + u[at + rows * columns] + u[at - columns] + u[at + columns] +
                                  u[at - 1] + u[at + 1] - 6 * u[at]);
        }
    std::swap(u, next);
  }
}
