// A sum over all rows: one number in the place of the lengths of all would be wrong.
// expect: left: ranges read from arrays decide which turns of 'i' share elements of 'sum', which is known at run time
// alone

void rows_shared(int n, const int *row, const float *value, float *__restrict out) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++) sum += value[k];
  out[0] = sum;
}
