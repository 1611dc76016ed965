// A text ends at its first zero, and nobody says how long it is: the loop of the result ends there, too.
// expect: kept

void text_to_its_zero(const char *const text, int *count, int n, int most) {
  for (int i = 0; i < n; i++) {
    int c = 0;
    for (int k = 0; k < most; k++) {
      if (text[i * most + k] == 0) break;
      c += text[i * most + k];
    }
    count[i] = c;
  }
}
