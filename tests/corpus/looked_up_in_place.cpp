// Each byte is replaced by what a table has for it.
// expect: corrected 0 in 1 kernel
#include <array>
#include <cstdint>
#include <vector>

void looked_up_in_place(std::vector<std::uint8_t> &grey, const std::array<std::uint8_t, 256> &table) {
  for (std::uint8_t &p : grey) p = table[p];
}
