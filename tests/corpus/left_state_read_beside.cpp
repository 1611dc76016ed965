// The state is read beside the call that changes it: which comes first nobody says.
// expect: left: is read beside a call that changes it
#include <cstdint>

static std::uint32_t next_of(std::uint32_t &state) {
  state = state * 1664525u + 1013904223u;
  return state;
}

void left_state_read_beside(float *y, const std::uint32_t *seed, int n) {
  for (int i = 0; i < n; i++) {
    std::uint32_t state = seed[i];
    y[i] = static_cast<float>(state) + static_cast<float>(next_of(state)) + y[n + i];
  }
}
