// How long an orbit stays near is a loop that no equation holds: it is called for each point.
// expect: corrected 0 in 1 kernel

void escape_time(int w, int h, int most, double left, double top, double step, float *out) {
  for (int j = 0; j < h; j++)
    for (int i = 0; i < w; i++) {
      const double cr = left + step * i, ci = top + step * j;
      double zr = 0, zi = 0;
      int turns = 0;
      while (zr * zr + zi * zi <= 4.0 && turns < most) {
        const double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        turns++;
      }
      out[j * w + i] = static_cast<float>(turns) / static_cast<float>(most);
    }
}
