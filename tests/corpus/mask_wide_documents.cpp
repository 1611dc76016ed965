// Numbers of documents of 64 bits: none of them is cut to the 32 that a kernel counts in.
// expect: corrected 2 in 1 kernel
#include <cmath>
#include <cstdint>

void mask_wide_documents(int n, const std::int64_t *document, const __bf16 *q, const __bf16 *k, const __bf16 *v,
                         __bf16 *o) {
  for (int i = 0; i < n; i++) {
    float s[2048], m = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) {
      float t = 0;
      for (int d = 0; d < 64; d++) t += float(q[i * 64 + d]) * float(k[j * 64 + d]);
      s[j] = j <= i && document[i] == document[j] ? t * 0.125f : -INFINITY;
    }
    for (int j = 0; j < n; j++) m = std::fmax(m, s[j]);
    for (int j = 0; j < n; j++) l += std::exp(s[j] - m);
    for (int d = 0; d < 64; d++) {
      float a = 0;
      for (int j = 0; j < n; j++) a += float(__bf16(std::exp(s[j] - m))) * float(v[j * 64 + d]);
      o[i * 64 + d] = __bf16(a / l);
    }
  }
}
