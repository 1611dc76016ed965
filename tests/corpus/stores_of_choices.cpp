// Elements that no condition names are left alone, whatever choices stand around each other: neither read nor written.
// expect: corrected 0

void stores_of_choices(const int *x, int *y, int *z, int *w, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] > 100)
      y[i] = 1;
    else if (x[i] < -100)
      y[i] = 2;
    switch (x[i]) {
    case 3: z[i] = x[i]; break;
    case 5: z[i] = 2 * x[i]; break;
    default: break;
    }
    if (x[i] < 10) continue;
    w[i] = x[i];
    if (x[i] > 20) w[i] = 20;
  }
}
