// A subscript that wraps around in a byte: its range at entry is all that a byte holds.
// expect: corrected 0 in 1 kernels

void index_of_a_byte(const unsigned short *index, const float *table, float *out, int n) {
  for (int i = 0; i < n; i++) out[i] = table[static_cast<unsigned char>(index[i] + 250)];
}
