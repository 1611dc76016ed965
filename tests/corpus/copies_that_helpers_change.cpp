// Operators that change their own copy of an argument and return it, in a class template, and where both are one.
// expect: corrected 0; left: nothing gained: it is done before threads
template <typename T, int N> struct Point {
  T c[N]{};
  Point &operator+=(const Point &o) {
    for (int i = 0; i < N; ++i) c[i] += o.c[i];
    return *this;
  }
  Point &operator*=(T s) {
    for (auto &v : c) v *= s;
    return *this;
  }
  friend Point operator+(Point a, const Point &b) { return a += b; }
  friend Point operator*(Point a, T s) { return a *= s; }
  T dot(const Point &o) const {
    T sum = 0;
    for (int i = 0; i < N; ++i) sum += c[i] * o.c[i];
    return sum;
  }
};
using P = Point<double, 4>;
static P doubled(P p) {
  p += p;
  P q = p += p;
  q.c[0] = 1;
  return p + q;
}
void copies_that_helpers_change(int n, const P *a, P *b, double *d) {
  for (int i = 0; i < n; i++) {
    const P before = a[i];
    const P sum = before + doubled(before) * 0.5;
    P own = a[i];
    own += own * 2.0;
    d[i] = sum.dot(before) + own.dot(a[i]);
    b[i] = (sum + own) * 0.25;
  }
}
