// A table of which nobody says how many elements it has: what is read of it is known once the keys are.
// expect: left: it cannot be told at entry

#include <cstdint>

void hashed_table(int n, std::uint32_t mask, const std::uint32_t *key, const float *table, float *y) {
  for (int i = 0; i < n; i++) {
    const std::uint32_t slot = key[i] * 2654435761u & mask;
    y[i] = table[slot];
  }
}
