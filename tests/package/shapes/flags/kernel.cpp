// Refuses to be read or compiled without a flag that its target or the file itself has.
#include <behind.h>
#if WORD != 5 || FORCED != 1 || SECOND != 2 || PRECOMPILED != 3 || OWN != 4
#error "a flag is not seen"
#endif
#ifndef _OPENMP
#error "-fopenmp is not seen"
#endif
#if __cplusplus != STANDARD
#error "the standard is not the compiler's own"
#endif
#include <omp.h>

void flagged(int n, const float *x, float *y) {
  for (int i = 0; i < n; ++i) y[i] = x[i] + BEHIND;
}
