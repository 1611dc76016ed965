// The heat equation in two buffers that are swapped after each step.
#include <utility>

void heat_swap(double *u, double *next, int nx, int ny, int steps, double c) {
  for (int s = 0; s < steps; ++s) {
    for (int i = 1; i < nx - 1; ++i)
      for (int j = 1; j < ny - 1; ++j)
        next[i * ny + j] = u[i * ny + j] + c * (u[(i - 1) * ny + j] + u[(i + 1) * ny + j] + u[i * ny + j - 1] +
                                                u[i * ny + j + 1] - 4 * u[i * ny + j]);
    std::swap(u, next);
  }
}
