// A gather through indices of which six in eight count: the last that is read may lie before the last of the loop, and
// what lies between may be none of the caller's.
// expect: corrected 0

void gathered_by_bits(int rows, int count, const int *at, const float *data, float *y) {
  for (int t = 0; t < rows; t++) {
    float sum = 1;
    for (int e = 0; e < count; e++)
      if ((e & 6) != 0) sum += data[at[e]];
    y[t] = sum;
  }
}
