// A loop of one turn: what its number decides is decided, quotients of quotients of it, too.
// expect: corrected 0
void bits_of_the_only_turn(int n, const double *in, double *y) {
  for (int j = 0; j < 1; j++)
    for (int i = 0; i < n; i++)
      y[i + 3 * j] += (j & 2) != 0 ? (j + j > 8 ? 3.0 : 2.0) : in[i + j * 64] * 0.25 - in[i + 2];
}
