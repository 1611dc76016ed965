// Rows turned around by two pointers that walk towards each other; bytes, so that what is held of one is an integer.
// expect: kept
#include <cstddef>

void flipped_rows(unsigned char *image, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r) {
    unsigned char *low = image + r * columns;
    unsigned char *high = low + columns;
    while (low < high) {
      --high;
      const unsigned char held = *low;
      *low++ = *high;
      *high = held;
    }
  }
}
