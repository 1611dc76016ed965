void reduction(int rows, const float x[][64], float *out) {
  for (int i = 0; i < rows; i++) {
    float sum = 0.0f;
    for (int j = 0; j < 64; j++) sum += x[i][j] * x[i][j];
    out[i] = sum;
  }
}
