// A cell of a grid sees a window of 7 by 7 cells that is pushed inside where it would leave the grid.
// expect: corrected 2
#include <algorithm>
#include <cmath>

constexpr int height = 24;
constexpr int width = 40;

void mask_neighbours(const float q[height][width][4], const float k[height][width][4], const float v[height][width],
                     float out[height][width]) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const int top = std::clamp(y - 3, 0, height - 7);
      const int left = std::clamp(x - 3, 0, width - 7);
      float s[7][7];
      float m = -INFINITY, l = 0, o = 0;
      for (int a = 0; a < 7; a++)
        for (int b = 0; b < 7; b++) {
          s[a][b] = 0;
          for (int d = 0; d < 4; d++) s[a][b] += q[y][x][d] * k[top + a][left + b][d];
          m = std::fmax(m, s[a][b]);
        }
      for (int a = 0; a < 7; a++)
        for (int b = 0; b < 7; b++) {
          l += std::exp(s[a][b] - m);
          o += std::exp(s[a][b] - m) * v[top + a][left + b];
        }
      out[y][x] = o / l;
    }
}
