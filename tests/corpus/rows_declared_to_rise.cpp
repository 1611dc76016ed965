// Ranges are written of which the source declares that their ends rise: no entry asks.
// expect: corrected 0 in 1 kernel

#pragma polymend index monotone(row)
void rows_declared_to_rise(int n, const int *row, const float *__restrict x, float *__restrict y) {
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++) y[k] = x[k] * i;
}
