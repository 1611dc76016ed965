// A box filter whose window is clamped at the border by a helper that changes its argument.
static int clamp_index(int at, int limit) {
  if (at < 0) at = 0;
  if (at >= limit) at = limit - 1;
  return at;
}

void clamped_blur(const unsigned char *src, unsigned char *dst, int w, int h, int radius) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int sum = 0, count = 0;
      for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
          sum += src[clamp_index(y + dy, h) * w + clamp_index(x + dx, w)];
          count++;
        }
      dst[y * w + x] = (unsigned char)(sum / count);
    }
}
