#include <cmath>

void spread(int n, const float *x, float *variance, float *farthest);

int main() {
  const float x[4] = {1, 2, 3, 10};
  float variance = 0, farthest = 0;
  spread(4, x, &variance, &farthest);
  return std::fabs(variance - 12.5f) < 1e-5f && farthest == 6 ? 0 : 1;
}
