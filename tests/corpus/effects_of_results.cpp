// Calls for what they do, of functions that do it where they return; lambdas with variables of their own.
// expect: kept: takes part in a recurrence over several statements
#include <cmath>
#include <cstdint>
#include <vector>

inline float &add_to(float &a, float b) { return a += b; }

void sums_by_result(float *y, const float *x, int n) {
  for (int i = 0; i < n; ++i) add_to(y[i], x[i]);
}

struct Dual {
  float v, d;
  Dual operator+(const Dual &o) const { return {v + o.v, d + o.d}; }
  Dual &operator+=(const Dual &o) { return *this = *this + o; }
};

void effects_of_results(Dual *y, const Dual *x, int n, int m) {
  for (int i = 0; i < n; ++i) {
    Dual s{0, 0};
    for (int j = 0; j < m; ++j) s += x[i * m + j];
    y[i] = s;
  }
}

struct Stream {
  std::uint32_t s;
  std::uint32_t next() { return s = s * 1664525u + 1013904223u; }
  void skip() { next(); }
};

void skipped(std::uint32_t *y, int n) {
  for (int i = 0; i < n; ++i) {
    Stream r{static_cast<std::uint32_t>(i)};
    r.next();
    r.skip();
    y[i] = r.next();
  }
}

void weighted(std::vector<float> &y, const std::vector<float> &x, float s) {
  const auto weight = [by = 1.f / (2.f * s * s)](float d) { return std::exp(-d * d * by); };
  for (std::size_t i = 1; i < x.size(); ++i) y[i] = weight(x[i] - x[i - 1]);
}
