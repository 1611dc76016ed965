// Loops over numbers that a view of the standard counts.
// expect: corrected 0

#include <cstdint>
#include <ranges>
#include <vector>

void counted_by_views(const std::vector<double> &x, std::vector<double> &y, std::uint32_t n, int m) {
  for (auto i : std::views::iota(std::uint32_t{0}, n)) {
    double sum = 0;
    for (int j : std::views::iota(1, m)) sum += x[i * static_cast<std::size_t>(m) + j] * j;
    y[i] = sum;
  }
}
