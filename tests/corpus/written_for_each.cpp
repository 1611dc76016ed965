// A table is written again by each turn of a loop, in rows of 64 elements of which more may be written.
// expect: corrected 0
void written_for_each(int n, int m, const double *u, double *table) {
  for (int j = 0; j < n; j++)
    for (int e = 0; e < m; e++)
      for (int p = 0; p < m; p++) table[e * 64 + p] = u[p] + u[e];
}
