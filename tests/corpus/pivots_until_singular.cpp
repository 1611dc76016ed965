// Small systems in a row each, eliminated until a pivot is too small; how many columns were done is kept.
// expect: kept
#include <cmath>

constexpr int side = 5;

void pivots_until_singular(double (*m)[side][side], int *done, int systems, double least) {
  for (int s = 0; s < systems; ++s) {
    int column = 0;
    for (; column < side; ++column) {
      const double pivot = m[s][column][column];
      if (std::fabs(pivot) < least) break;
      for (int row = column + 1; row < side; ++row) {
        const double factor = m[s][row][column] / pivot;
        for (int k = column; k < side; ++k) m[s][row][k] -= factor * m[s][column][k];
      }
    }
    done[s] = column;
  }
}
