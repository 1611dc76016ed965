// Steps in order, each with loops whose turns set numbers and small arrays for themselves: threads share those loops.
// expect: kept
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

struct Layered {
  int nx, nz;
  float dx, dt;
  std::vector<float> speed, damping;
};

// A wave with a source, receivers where data say, and three states that change places.
void own_values_within_steps(const Layered &m, const std::vector<float> &pulse, int sx, int sz,
                             const std::vector<int> &at, int depth, std::vector<float> &record) {
  const int steps = static_cast<int>(pulse.size()), count = static_cast<int>(at.size());
  std::vector<float> before(m.nx * m.nz, 0.0f), now(m.nx * m.nz, 0.0f), next(m.nx * m.nz, 0.0f);
  const float by = 1.0f / (m.dx * m.dx);
  for (int t = 0; t < steps; ++t) {
    for (int z = 2; z < m.nz - 2; ++z)
      for (int x = 2; x < m.nx - 2; ++x) {
        const int c = z * m.nx + x;
        float across = -2.5f * now[c], down = -2.5f * now[c];
        for (int k = 1; k <= 2; ++k) {
          across += 1.25f / k * (now[c - k] + now[c + k]);
          down += 1.25f / k * (now[c - k * m.nx] + now[c + k * m.nx]);
        }
        next[c] = 2.0f * now[c] - before[c] + m.speed[c] * m.dt * m.dt * by * (across + down);
      }
    next[sz * m.nx + sx] += pulse[t] * m.dt * m.dt;
    for (int i = 0; i < m.nx * m.nz; ++i) {
      next[i] *= m.damping[i];
      now[i] *= m.damping[i];
    }
    for (int r = 0; r < count; ++r) record[t * count + r] = next[depth * m.nx + at[r]];
    before.swap(now);
    now.swap(next);
  }
}

// One number declared outside serves two loops, a small array a third.
void one_number_for_two_loops(int steps, int n, float *__restrict u, float *__restrict v, float *__restrict last) {
  float s;
  for (int t = 0; t < steps; ++t) {
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i) {
        s = u[j * n + i - 1] + u[j * n + i + 1];
        for (int k = 0; k < 4; ++k) s += std::sqrt(s * s + u[(j - 1) * n + i + (k & 1)]);
        v[j * n + i] = s;
      }
    for (int j = 1; j < n - 1; ++j)
      for (int i = 1; i < n - 1; ++i) {
        float window[3] = {v[j * n + i - 1], v[j * n + i], v[j * n + i + 1]};
        if (window[0] > window[1]) std::swap(window[0], window[1]);
        if (window[1] > window[2]) std::swap(window[1], window[2]);
        if (window[0] > window[1]) std::swap(window[0], window[1]);
        s = window[1];
        for (int k = 0; k < 4; ++k) s = s * 0.5f + 0.25f * s * s;
        u[j * n + i] = s;
      }
    last[t] = u[n + 1];
  }
}
