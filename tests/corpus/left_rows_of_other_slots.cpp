// That begins of ranges differ does not keep the ranges apart.
// expect: left: where 'y' is written cannot be told: 'row[i]' is not affine

#pragma polymend index injective(row)
void left_rows_of_other_slots(int n, const int *row, const float *__restrict x, float *__restrict y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++) y[k] = x[k] * i;
}
