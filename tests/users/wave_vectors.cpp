// The wave equation over three vectors that change places.
// left on cuda: one of its loops on one thread
#include <vector>

void wave_vectors(std::vector<double> &prev, std::vector<double> &cur, std::vector<double> &next, int n, int steps,
                  double c2) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) next[i] = 2 * cur[i] - prev[i] + c2 * (cur[i - 1] - 2 * cur[i] + cur[i + 1]);
    next[0] = next[n - 1] = 0;
    std::swap(prev, cur);
    std::swap(cur, next);
  }
}
