// A static array keeps what the last call left in it.
// expect: left: static 'keep' keeps values between calls

void static_kept(int n, float y[64]) {
  static float keep[64];
  for (int i = 0; i < n; i++) {
    keep[i] += y[i];
    y[i] = keep[i];
  }
}
