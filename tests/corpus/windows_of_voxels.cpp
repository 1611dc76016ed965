// A voxel sees the 3 by 3 by 5 voxels about it; at the borders of the block the window is pushed inside.
// expect: corrected 2 in 1 kernel
#include <algorithm>
#include <cmath>

void windows_of_voxels(int depth, int height, int width, const __bf16 *q, const __bf16 *k, const __bf16 *v, __bf16 *o) {
  if (depth < 3 || height < 3 || width < 5) return;
  for (int z = 0; z < depth; z++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const int front = std::clamp(z - 1, 0, depth - 3), top = std::clamp(y - 1, 0, height - 3);
        const int left = std::clamp(x - 2, 0, width - 5);
        float s[3][3][5], m = -INFINITY, l = 0;
        for (int c = 0; c < 3; c++)
          for (int a = 0; a < 3; a++)
            for (int b = 0; b < 5; b++) {
              float t = 0;
              for (int d = 0; d < 16; d++)
                t += float(q[((z * height + y) * width + x) * 16 + d]) *
                     float(k[(((front + c) * height + top + a) * width + left + b) * 16 + d]);
              s[c][a][b] = t * 0.25f;
            }
        for (int c = 0; c < 3; c++)
          for (int a = 0; a < 3; a++)
            for (int b = 0; b < 5; b++) m = std::fmax(m, s[c][a][b]);
        for (int c = 0; c < 3; c++)
          for (int a = 0; a < 3; a++)
            for (int b = 0; b < 5; b++) l += std::exp(s[c][a][b] - m);
        for (int d = 0; d < 16; d++) {
          float sum = 0;
          for (int c = 0; c < 3; c++)
            for (int a = 0; a < 3; a++)
              for (int b = 0; b < 5; b++)
                sum += float(__bf16(std::exp(s[c][a][b] - m))) *
                       float(v[(((front + c) * height + top + a) * width + left + b) * 16 + d]);
          o[((z * height + y) * width + x) * 16 + d] = __bf16(sum / l);
        }
      }
}
