// What is left of an orbit when it is far away goes into two images.
// expect: corrected 0 in 1 kernel
#include <cmath>

void orbits_shaded(int w, int h, double left, double top, double step, int *turns, float *shade) {
  for (int j = 0; j < h; j++)
    for (int i = 0; i < w; i++) {
      double zr = left + step * i, zi = top + step * j;
      int n = 0;
      while (n < 100) {
        const double t = zr * zr - zi * zi - 0.75;
        zi = 2 * zr * zi + 0.125;
        zr = t;
        n++;
        if (zr * zr + zi * zi > 16) break;
      }
      turns[j * w + i] = n;
      shade[j * w + i] = static_cast<float>(n + 1 - std::log(std::log(zr * zr + zi * zi + 2) + 1));
    }
}
