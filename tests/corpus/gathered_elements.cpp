// A table of the caller's is read where an array of indices says: which of its elements that are, the entry finds out.
// expect: corrected 0 in 1 kernel
#include <cmath>

void gathered_elements(int n, const int *which, const double *table, double *out) {
  for (int i = 0; i < n; i++) out[i] = std::exp(table[which[i]]);
}
