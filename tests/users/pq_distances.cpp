// Distances from product-quantised codes: sums of table entries.
#include <cstdint>
#include <vector>

void pq_distances(const std::vector<uint8_t> &codes, const std::vector<float> &lut, std::vector<float> &dist, int M) {
  constexpr int K = 256;
  for (std::size_t i = 0; i < dist.size(); ++i) {
    float d = 0;
    for (int m = 0; m < M; ++m) d += lut[m * K + codes[i * M + m]];
    dist[i] = d;
  }
}
