// A generator's state, which functions that return a number change by reference.
// expect: kept: takes part in a recurrence over several statements
#include <cmath>
#include <cstdint>

static std::uint32_t next_of(std::uint32_t &state) {
  state = state * 1664525u + 1013904223u;
  return state;
}
static float share(std::uint32_t &state) { return static_cast<float>(next_of(state) >> 8) * (1.0f / 16777216.0f); }

void state_by_reference(float *y, int n, int steps, std::uint32_t seed) {
  for (int i = 0; i < n; i++) {
    std::uint32_t state = seed ^ (static_cast<std::uint32_t>(i) * 2654435761u);
    float s = 0;
    for (int t = 0; t < steps; t++) {
      const float first = share(state);
      s += std::sqrt(first) * share(state);
    }
    y[i] = s;
  }
}
