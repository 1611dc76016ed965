// A sum of unsigned numbers, which the entry tests not to wrap around.
// expect: corrected 0

void unsigned_sum(unsigned n, unsigned s, const float x[200], float y[100]) {
  for (unsigned i = 1; i < n; i++) y[i] = x[i + s];
}
