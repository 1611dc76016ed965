// The product of all elements relative to the row's sum.
// expect: corrected 0 in 1 kernel; refused: every correction needs the number of elements

void product_of_ratios(int rows, int cols, const double *x, double *y) {
  for (int i = 0; i < rows; i++) {
    double s = 0, p = 1;
    for (int j = 0; j < cols; j++) s += x[i * cols + j];
    for (int j = 0; j < cols; j++) p *= x[i * cols + j] / s;
    y[i] = p;
  }
}
