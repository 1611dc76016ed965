// The median of what is around a pixel, by exchanges of nine elements of its own.
// expect: kept

void median_of_nine(int h, int w, const float *x, float *y) {
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      float v[9];
      int count = 0;
      for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++) v[count++] = x[(i + a) * w + j + b];
      for (int a = 0; a < 5; a++)
        for (int b = a + 1; b < 9; b++)
          if (v[b] < v[a]) {
            const float t = v[a];
            v[a] = v[b];
            v[b] = t;
          }
      y[i * w + j] = v[4];
    }
}
