// A factor that all columns of the result share is read where data say so: elsewhere its row may have ended.
// expect: corrected 1
#include <cmath>

void factor_where_data_say(int columns, int width, const double *z, const double (*weights)[24], const double *x,
                           double *result) {
  for (int l = 0; l < width; l++) {
    double low = -1000.0;
    for (int at = 0; at < columns; at++) low = std::fmax(low, z[at] < -0.5 ? weights[l][at] : -INFINITY);
    for (int r = 0; r < columns; r++) {
      double mean = 0.0;
      for (int at = 0; at < columns; at++)
        if (z[at] < -0.5) mean += std::exp(weights[l][at] - low) * x[at * columns + r];
      result[l * columns + r] = mean;
    }
  }
}
