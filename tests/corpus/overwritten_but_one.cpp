// Sums of which a later loop overwrites all: the one element that it adds to lies behind them, so that none is read.
// expect: corrected 0
#include <cmath>

void overwritten_but_one(long h, long count, const double *w, double *acc) {
  for (long i = 0; i < count; i++)
    for (long row = 0; row < h; row++) {
      double total = 0.0;
      for (long l = 0; l < count; l++)
        if (i % 2 == 1) total = w[(count - 1 - row) * count + l - 4];
      acc[row] -= total;
    }
  for (long e = 0; e < h; e++) {
    double top = 1.0;
    for (long col = 0; col < h; col++) top = std::fmax(top, w[col * count + col]);
    acc[e] = top;
    acc[e + 1] += 0.5;
  }
}
