// Rows are written where an array of indices says, which nothing else reads; the declaration stands before the loop.
// expect: corrected 0 in 1 kernel

void rows_to_slots(int n, int d, const int *slot, const float *__restrict x, float *__restrict y) {
#pragma polymend index injective(slot)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++) y[slot[i] * d + j] = 2.0f * x[i * d + j];
}
