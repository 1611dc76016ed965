// A vector is made full of zeros, and filled again for each row: nobody reads the zeros that it began with.
// expect: moved
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

void states_cleared_again(const float *u, const float *decay, const float *in, const float *out, float *y,
                          std::int64_t rows, std::int64_t length, std::int64_t states) {
  std::vector<float> state(states);
  for (std::int64_t d = 0; d < rows; d++) {
    std::fill(state.begin(), state.end(), 0.0f);
    for (std::int64_t t = 0; t < length; t++) {
      float sum = 0;
      for (std::int64_t n = 0; n < states; n++) {
        state[n] = std::exp(decay[d * states + n]) * state[n] + in[n * length + t] * u[d * length + t];
        sum += state[n] * out[n * length + t];
      }
      y[d * length + t] = sum;
    }
  }
}
