// Steps in order around loops that are parallel, with variables of their own: threads share those, each step anew.
// expect: moved
void steps_of_bodies(double *__restrict p, double *__restrict v, const double *__restrict m, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    for (int a = 0; a < n; ++a) {
      double f = 0;
      for (int b = 0; b < n; ++b) {
        const double d = p[b] - p[a], w = m[b] / (1 + d * d);
        f += w * d;
      }
      v[a] += f;
    }
    for (int a = 0; a < n; ++a) p[a] += v[a];
  }
}
