// Deriche's smoothing along the rows of an image, from the left and from the right.
void deriche(int w, int h, const float *image, float *out, float *left, float *right) {
  for (int i = 0; i < w; i++) {
    float before = 0, last = 0, above = 0;
    for (int j = 0; j < h; j++) {
      left[i * h + j] = 0.19f * image[i * h + j] - 0.12f * above + 1.2f * before - 0.36f * last;
      above = image[i * h + j];
      last = before;
      before = left[i * h + j];
    }
  }
  for (int i = 0; i < w; i++) {
    float before = 0, last = 0, next = 0, after = 0;
    for (int j = h - 1; j >= 0; j--) {
      right[i * h + j] = 0.14f * next - 0.07f * after + 1.2f * before - 0.36f * last;
      after = next;
      next = image[i * h + j];
      last = before;
      before = right[i * h + j];
    }
  }
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++) out[i * h + j] = left[i * h + j] + right[i * h + j];
}
