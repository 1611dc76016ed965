// Numbers without a sign may lie where those with one do, and data decide which elements are read.
// expect: left: it cannot be told at entry whether 'table' shares memory with 'out'

void signed_beside_unsigned(const int *index, const float *chosen, const int *table, unsigned *out, int n) {
  for (int i = 0; i < n; i++) out[i] = chosen[i] > 0 ? table[index[i]] : 7;
}
