// Paths that end where data say, however many steps there may be: the loop of the result ends there, too.
// expect: kept
#include <cmath>
#include <vector>
void paths_to_a_barrier(const std::vector<float> &z, std::vector<double> &pays, long paths, int steps, double barrier) {
  for (long p = 0; p < paths; ++p) {
    double x = 0, mean = 0;
    bool alive = true;
    for (int t = 0; t < steps; ++t) {
      x += z[p * steps + t];
      if (x >= barrier) {
        alive = false;
        break;
      }
      mean += std::exp(x);
    }
    pays[p] = alive ? mean / steps : 0;
  }
}
