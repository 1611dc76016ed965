// Truth values of a std::vector<bool> choose what is summed and what stays as it was.
// expect: corrected 0
#include <vector>

struct SolidCells {
  std::vector<double> now, next;
  std::vector<bool> solid;
};

double bits_read(SolidCells &cells, const std::vector<bool> &counted) {
  for (std::size_t i = 0; i < cells.now.size(); i++) {
    if (cells.solid[i]) continue;
    cells.next[i] = 0.5 * cells.now[i] + 1;
  }
  double sum = 0;
  for (std::size_t i = 0; i < counted.size(); i++)
    if (counted[i]) sum += cells.now[i];
  return sum;
}
