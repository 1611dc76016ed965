// Sequences of any lengths, one behind the other: a range of rows and of columns each.
// expect: corrected 2 in 1 kernel
#include <cmath>

void rows_of_a_batch(int batch, int heads, int d, const int *__restrict begin, const float *__restrict q,
                     const float *__restrict k, const float *__restrict v, float *__restrict out) {
  for (int b = 0; b < batch; b++)
    for (int h = 0; h < heads; h++)
      for (int i = begin[b]; i < begin[b + 1]; i++) {
        float most = -INFINITY;
        for (int j = begin[b]; j < begin[b + 1]; j++) {
          float s = 0;
          for (int t = 0; t < d; t++) s += q[(i * heads + h) * d + t] * k[(j * heads + h) * d + t];
          most = fmaxf(most, s);
        }
        float total = 0;
        for (int j = begin[b]; j < begin[b + 1]; j++) {
          float s = 0;
          for (int t = 0; t < d; t++) s += q[(i * heads + h) * d + t] * k[(j * heads + h) * d + t];
          total += expf(s - most);
        }
        for (int t = 0; t < d; t++) {
          float sum = 0;
          for (int j = begin[b]; j < begin[b + 1]; j++) {
            float s = 0;
            for (int u = 0; u < d; u++) s += q[(i * heads + h) * d + u] * k[(j * heads + h) * d + u];
            sum += expf(s - most) * v[(j * heads + h) * d + t];
          }
          out[(i * heads + h) * d + t] = sum / total;
        }
      }
}
