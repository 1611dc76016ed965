// A convolution of an image with channels last, 3 x 3 pixels.
// expect: corrected 0

void patches(int h, int w, int ci, int co, const __bf16 *x, const __bf16 *f, float *y) {
  for (int i = 0; i < h - 2; i++)
    for (int j = 0; j < w - 2; j++)
      for (int o = 0; o < co; o++) {
        float s = 0;
        for (int c = 0; c < ci; c++)
          for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
              s += (float)x[((i + a) * w + j + b) * ci + c] * (float)f[((a * 3 + b) * ci + c) * co + o];
        y[(i * (w - 2) + j) * co + o] = s;
      }
}
