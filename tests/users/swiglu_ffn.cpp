// The gated feed-forward layer of llama2.c with its two buffers.
#include <math.h>

static void matmul(float *xout, const float *x, const float *w, int n, int d) {
  for (int i = 0; i < d; i++) {
    float val = 0.0f;
    for (int j = 0; j < n; j++) {
      val += w[i * n + j] * x[j];
    }
    xout[i] = val;
  }
}

void swiglu_ffn(float *xb, float *hb, float *hb2, const float *w1, const float *w2, const float *w3, int dim,
                int hidden_dim) {
  matmul(hb, xb, w1, dim, hidden_dim);
  matmul(hb2, xb, w3, dim, hidden_dim);
  for (int i = 0; i < hidden_dim; i++) {
    float val = hb[i];
    val *= (1.0f / (1.0f + expf(-val)));
    val *= hb2[i];
    hb[i] = val;
  }
  matmul(xb, hb, w2, hidden_dim, dim);
}
