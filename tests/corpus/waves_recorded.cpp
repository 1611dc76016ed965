// Two vectors of waves are exchanged in the middle of each step, and a row of the newer one is recorded.
// expect: moved
#include <utility>
#include <vector>

void waves_recorded(const std::vector<float> &speed, std::vector<float> &record, int width, int depth, int steps,
                    int at) {
  std::vector<float> before(width * depth, 0.0f), now(width * depth, 1.0f);
  for (int t = 0; t < steps; t++) {
    for (int x = 1; x < width - 1; x++)
      for (int z = 1; z < depth - 1; z++) {
        const int i = x * depth + z;
        before[i] = 2 * now[i] - before[i] + speed[i] * (now[i + 1] + now[i - 1] + now[i + depth] + now[i - depth]);
      }
    std::swap(before, now);
    for (int x = 0; x < width; x++) record[t * width + x] = now[x * depth + at];
  }
}
