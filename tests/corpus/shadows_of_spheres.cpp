// The first of some spheres that a ray of each pixel meets: what a turn computes for itself is stored for none.
// expect: kept

#include <cmath>

void shadows_of_spheres(int h, int w, int n, const float *sx, const float *sy, const float *sz, const float *sr,
                        float *y) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      float dx = (j - w * 0.5f) / w, dy = (i - h * 0.5f) / h, dz = 1;
      const float length = 1 / std::sqrt(dx * dx + dy * dy + dz * dz);
      dx *= length;
      dy *= length;
      dz *= length;
      float best = 1e30f;
      for (int k = 0; k < n; k++) {
        const float b = dx * sx[k] + dy * sy[k] + dz * sz[k];
        const float c = sx[k] * sx[k] + sy[k] * sy[k] + sz[k] * sz[k] - sr[k] * sr[k] * 0.01f;
        const float d = b * b - c;
        if (d > 0) {
          const float t = b - std::sqrt(d);
          if (t > 0 && t < best) best = t;
        }
      }
      y[i * w + j] = best;
    }
}
