// The means of blocks of two by two of an image whose sides may be odd.
// expect: corrected 0 in 1 kernels

void pooled_halves(const float *in, float *out, int H, int W) {
  const int OH = (H + 1) / 2, OW = (W + 1) / 2;
  for (int i = 0; i < OH; i++)
    for (int j = 0; j < OW; j++) {
      float s = 0;
      int count = 0;
      for (int di = 0; di < 2; di++)
        for (int dj = 0; dj < 2; dj++)
          if (2 * i + di < H && 2 * j + dj < W) {
            s += in[(2 * i + di) * W + 2 * j + dj];
            count++;
          }
      out[i * OW + j] = s / count;
    }
}
