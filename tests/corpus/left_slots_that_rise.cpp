// Indices that rise may be the same: what is declared does not suffice.
// expect: left: where 'y' is written cannot be told: 'slot[i]' is not affine

#pragma polymend index monotone(slot)
void left_slots_that_rise(int n, const int *slot, const float *__restrict x, float *__restrict y) {
  for (int i = 0; i < n; i++) y[slot[i]] += x[i];
}
