// Arguments that only macros in the body name belong to the source's own function as well.
// expect: corrected 0 in 1 kernel
#define IN(c, y, x) in[((c) * height + (y)) * width + (x)]
#define KERNEL(c, y, x) kernel[((c) * 3 + (y)) * 3 + (x)]

void subscripts_by_macro(const float *in, const float *kernel, int channels, int height, int width, float *out) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float sum = 0.0f;
      for (int c = 0; c < channels; c++)
        for (int dy = 0; dy < 3; dy++) {
          if (y + dy - 1 < 0 || y + dy - 1 >= height) continue;
          for (int dx = 0; dx < 3; dx++) {
            if (x + dx - 1 < 0 || x + dx - 1 >= width) continue;
            sum += IN(c, y + dy - 1, x + dx - 1) * KERNEL(c, dy, dx);
          }
        }
      out[y * width + x] = sum;
    }
}
