// Two buffers that are exchanged in each step, the caller's and one of the function's own.
// expect: moved
#include <utility>
#include <vector>

void exchanged_each_turn(std::vector<double> &u, int rows, int columns, double k, int steps) {
  std::vector<double> other(u);
  double *now = u.data(), *next = other.data();
  for (int t = 0; t < steps; ++t) {
    for (int j = 1; j < rows - 1; ++j)
      for (int i = 1; i < columns - 1; ++i) {
        const int c = j * columns + i;
        next[c] = now[c] + k * (now[c - 1] + now[c + 1] + now[c - columns] + now[c + columns] - 4.0 * now[c]);
      }
    std::swap(now, next);
  }
  if (now != u.data()) u.swap(other);
}
