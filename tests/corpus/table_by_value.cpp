// The value that is replaced chooses the elements of a table that it is replaced by.
// expect: corrected 0 in 1 kernel
#include <algorithm>
#include <array>
#include <span>

void table_by_value(std::span<float> v, const std::array<float, 64> &table) {
  for (float &e : v) {
    const float at = std::clamp(e, 0.0f, 1.0f) * 63;
    const int i = std::min(static_cast<int>(at), 62);
    e = table[i] + (at - i) * (table[i + 1] - table[i]);
  }
}
