// How long each row's first run of set cells is, what it weighs, and what stands behind it.
// expect: kept

void run_of_ones(const unsigned char (*cells)[20], const int *weights, int *length, int *weight, int rows) {
  for (int r = 0; r < rows; r++) {
    int at = 0, sum = 0;
    while (at < 20 && cells[r][at] != 0) {
      sum += 100 / cells[r][at] + weights[r];
      at++;
    }
    length[r] = at;
    weight[r] = sum;
  }
}
