// A convolution over an image with zero padding by condition.
// expect: corrected 0

void image_filter(int h, int w, const float *img, const float k[3][3], float *out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      out[y * w + x] = 0.0f;
      for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++)
          if (y + a >= 0 && y + a < h && x + b >= 0 && x + b < w)
            out[y * w + x] += k[a + 1][b + 1] * img[(y + a) * w + (x + b)];
    }
}
