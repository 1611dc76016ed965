// Nearest centres: an if statement declares what it asks; a macro's `do ... while (0)`; a parameter that is changed.
// expect: moved
#include <algorithm>

#define ORDER(a, b)                                                                                                    \
  do {                                                                                                                 \
    const float least_ = std::min(a, b);                                                                               \
    b = std::max(a, b);                                                                                                \
    a = least_;                                                                                                        \
  } while (0)

void declared_in_its_condition(const float *x, const float *centre, int n, int m, int dims, float scale, int *nearest,
                               float *sorted) {
  scale *= 0.5f;
  for (int i = 0; i < n; ++i) {
    float best = 1e30f;
    int arg = 0;
    for (int c = 0; c < m; ++c) {
      float s = 0;
      for (int d = 0; d < dims; ++d)
        s += scale * (x[i * dims + d] - centre[c * dims + d]) * (x[i * dims + d] - centre[c * dims + d]);
      if (const float t = s + 1.0f; t < best) {
        best = t;
        arg = c;
      }
    }
    nearest[i] = arg;
    float first = x[i * dims], second = best;
    ORDER(first, second);
    sorted[2 * i] = first;
    sorted[2 * i + 1] = second;
  }
}
