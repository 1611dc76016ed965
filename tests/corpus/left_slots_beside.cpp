// Indices that differ do not keep elements apart that lie one beyond them.
// expect: left: where 'y' is written cannot be told: 'slot[i]' is not affine

#pragma polymend index injective(slot)
void left_slots_beside(int n, const int *slot, const float *__restrict x, float *__restrict y) {
  for (int i = 0; i < n; i++) {
    y[slot[i]] = x[i];
    y[slot[i] + 1] = 2.0f * x[i];
  }
}
