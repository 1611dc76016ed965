// Weighted means: what the weights add up to is the same in every row, and is summed once for a tile of them.
// expect: corrected 0
void weights_shared_by_rows(int rows, int width, const float *x, const float *weight, const float *gain, float *y) {
  for (int i = 0; i < rows; i++)
    for (int c = 0; c < 8; c++) {
      float sum = 0.0f, all = 1.0f;
      for (int j = 0; j < width; j++) {
        sum += weight[j] * gain[j * 8 + c] * x[i * width + j];
        all += weight[j] * gain[j * 8 + c];
      }
      y[i * 8 + c] = sum / all;
    }
}
