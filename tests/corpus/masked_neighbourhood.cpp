// Each cell looks at the cells around it, clipped at the border of the grid.
// expect: kept; refused: nothing gained
#include <algorithm>
#include <cmath>

void masked_neighbourhood(int h, int w, const float s[64][64], const float v[64][64], float out[64][64]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float m = -INFINITY;
      for (int a = std::max(0, y - 2); a < std::min(h, y + 3); a++)
        for (int b = std::max(0, x - 2); b < std::min(w, x + 3); b++) m = std::fmax(m, s[a][b]);
      float l = 0, o = 0;
      for (int a = std::max(0, y - 2); a < std::min(h, y + 3); a++)
        for (int b = std::max(0, x - 2); b < std::min(w, x + 3); b++) {
          l += std::exp(s[a][b] - m);
          o += std::exp(s[a][b] - m) * v[a][b];
        }
      out[y][x] = o / l;
    }
}
