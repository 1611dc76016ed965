// Sizes that a structure holds by reference, beside integers that are written: each call asks whether they lie apart.
// expect: corrected 0

#include <cstdint>

struct Extent {
  int rows, columns, channels;
};

void sizes_beside_integers(const Extent &size, const int *x, int *y, std::int8_t *small, const int &least) {
  for (int i = 0; i < size.rows; i++)
    for (int j = 0; j < size.columns; j++)
      for (int c = 0; c < size.channels; c++) {
        const int at = (i * size.columns + j) * size.channels + c;
        const int value = x[at] > least ? x[at] : least;
        y[at] = 3 * value + 1;
        small[at] = static_cast<std::int8_t>(value & 63);
      }
}
