// Pixels of three channels, of which the first and the last change places.
// expect: corrected 0

void exchanged_channels(unsigned char *out, const unsigned char *in, int n) {
  for (int i = 0; i < n; i++) {
    out[3 * i] = in[3 * i + 2];
    out[3 * i + 1] = in[3 * i + 1];
    out[3 * i + 2] = in[3 * i];
  }
}
