// Conjugate gradients on a dense matrix, by small helpers on vectors.
// left on cuda: one of its loops on one thread
#include <vector>

using Vec = std::vector<double>;

static double dot(const Vec &a, const Vec &b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

static void axpy(double alpha, const Vec &x, Vec &y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += alpha * x[i];
}

static void matvec(const Vec &a, const Vec &x, Vec &y) {
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    double s = 0;
    for (std::size_t j = 0; j < n; ++j) s += a[i * n + j] * x[j];
    y[i] = s;
  }
}

void conjugate_gradient(const Vec &a, Vec &x, Vec &r, Vec &p, Vec &ap, int iterations) {
  double rr = dot(r, r);
  for (int it = 0; it < iterations; ++it) {
    matvec(a, p, ap);
    const double alpha = rr / dot(p, ap);
    axpy(alpha, p, x);
    axpy(-alpha, ap, r);
    const double next = dot(r, r);
    const double beta = next / rr;
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = r[i] + beta * p[i];
    rr = next;
  }
}
