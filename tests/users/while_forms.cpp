// Loops written with while.
void while_forms(const float *x, float *y, int rows, int cols) {
  int r = 0;
  while (r < rows) {
    float s = 0;
    int c = 0;
    while (c < cols) {
      s += x[r * cols + c];
      ++c;
    }
    y[r] = s;
    r++;
  }
}
