// Every M-th output of a filter.
void decimate(const float *in, const float *h, float *out, int n, int taps, int M) {
  int o = 0;
  for (int i = 0; i + taps <= n; i += M) {
    float acc = 0;
    for (int k = 0; k < taps; ++k) acc += in[i + k] * h[k];
    out[o++] = acc;
  }
}
