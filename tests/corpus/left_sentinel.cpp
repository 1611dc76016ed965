// A text ends at its first zero, and nobody says how long it is.
// expect: left: not supported

void left_sentinel(const char *const text, int *count, int n, int most) {
  for (int i = 0; i < n; i++) {
    int c = 0;
    for (int k = 0; k < most; k++) {
      if (text[i * most + k] == 0) break;
      c += text[i * most + k];
    }
    count[i] = c;
  }
}
