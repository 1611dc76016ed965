// Keys are sought in a sorted table by a function of its own, which halves what is left.
// expect: kept; left: nothing gained
#include <cstdint>
#include <vector>

static long place_of(const std::uint64_t *keys, long n, std::uint64_t key) {
  long low = 0, high = n;
  while (low < high) {
    const long middle = low + (high - low) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && keys[low] == key ? low : -1;
}

void found_by_halves(const std::vector<std::uint64_t> &keys, const std::vector<std::uint64_t> &sought,
                     const std::vector<double> &price, std::vector<double> &amount) {
  for (std::size_t i = 0; i < sought.size(); ++i) {
    const long at = place_of(keys.data(), static_cast<long>(keys.size()), sought[i]);
    amount[i] = at < 0 ? 0.0 : price[at];
  }
}
