// Matrices as plain arrays within structures: made, copied, changed and assigned.
// expect: corrected 0; left: the result type 'Rotation' is not supported

struct Rotation {
  float a[3][3];
};

static Rotation times(const Rotation &x, const Rotation &y) {
  Rotation r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      float s = 0;
      for (int k = 0; k < 3; ++k) s += x.a[i][k] * y.a[k][j];
      r.a[i][j] = s;
    }
  return r;
}

void copies_of_matrices(const Rotation *r, const Rotation *s, Rotation *out, int n) {
  for (int i = 0; i < n; ++i) {
    Rotation t{};
    for (int k = 0; k < 3; ++k) t.a[k][k] = s[i].a[k][k];
    Rotation u = times(r[i], t);
    Rotation v = u;
    u.a[0][0] = 2;
    out[i] = times(v, r[i]);
    out[i].a[1][1] += u.a[0][0];
  }
}
