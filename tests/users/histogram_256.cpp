// Counts of grey values.
// left: where 'hist_data' is written cannot be told
#include <array>
#include <cstdint>
#include <vector>

void histogram_256(const std::vector<uint8_t> &img, std::array<uint32_t, 256> &hist) {
  hist.fill(0);
  for (uint8_t v : img) hist[v]++;
}
