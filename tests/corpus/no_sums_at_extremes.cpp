// Scaled to another value than the next extreme, only in part, not in all turns, or seen on the way.
// expect: kept; left: nothing gained: none
#include <algorithm>
#include <cmath>
void starts(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -1, l = 1;
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      l = l * std::exp(old - m) + std::exp(x[r * n + j] - m);
    }
    y[r] = m + std::log(l);
  }
}
void wrong_way(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -1, l = 0;
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      l = l * std::exp(m - old) + std::exp(x[r * n + j] - m);
    }
    y[r] = m + std::log(l);
  }
}
void at_old(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -1, l = 0;
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      l = l * std::exp(old - m) + std::exp(x[r * n + j] - old);
    }
    y[r] = m + std::log(l);
  }
}
void one_unscaled(const float *x, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -1, l = 0, a = 0;
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      l = l * std::exp(old - m) + std::exp(x[r * n + j] - m);
      a = a + w[j] * std::exp(x[r * n + j] - m);
    }
    y[r] = a / l;
  }
}
void part_scaled(const float *x, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -1, a[4] = {};
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      for (int c = 0; c < 3; c++) a[c] *= std::exp(old - m);
      for (int c = 0; c < 4; c++) a[c] += w[j * 4 + c] * std::exp(x[r * n + j] - m);
    }
    for (int c = 0; c < 4; c++) y[r * 4 + c] = a[c];
  }
}
void scaled_after(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -1, l = 0;
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      l += std::exp(x[r * n + j] - m);
      l *= std::exp(old - m);
    }
    y[r] = m + std::log(l);
  }
}
void running(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -1, l = 0;
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      l = l * std::exp(old - m) + std::exp(x[r * n + j] - m);
      y[r * n + j] = l;
    }
  }
}
void not_reset(const float *x, float *y, int rows, int n) {
  float l = 0;
  for (int r = 0; r < rows; r++) {
    float m = -1;
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      l = l * std::exp(old - m) + std::exp(x[r * n + j] - m);
    }
    y[r] = m + std::log(l);
  }
}
void every_second(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -1, l = 0;
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      if (j % 2 == 0) l = l * std::exp(old - m);
      l = l + std::exp(x[r * n + j] - m);
    }
    y[r] = m + std::log(l);
  }
}
void read_later(const float *x, float *y, float *z, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -1, l = 0, corr = 0;
    for (int j = 0; j < n; j++) {
      const float old = m;
      m = std::max(m, x[r * n + j]);
      corr = std::exp(old - m);
      l = l * corr + std::exp(x[r * n + j] - m);
    }
    y[r] = m + std::log(l);
    z[r] = corr;
  }
}
void stale(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -1, l = 0, corr = 1;
    for (int j = 0; j < n; j++) {
      const float old = m;
      l = l * corr + std::exp(x[r * n + j] - m);
      m = std::max(m, x[r * n + j]);
      corr = std::exp(old - m);
    }
    y[r] = m + std::log(l);
  }
}
void by_each_element(const double *x, double *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    double m = -1, l = 0;
    for (int j = 0; j < n; j++) {
      const double old = m, s = x[r * n + j];
      m = std::max(m, s);
      l = l * ((old + s + 20) / (m + s + 20)) + 1 / (m + s + 20);
    }
    y[r] = l;
  }
}
void by_others_where_left_out(const float *x, const int *len, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -10, l = 0;
    for (int j = 0; j < n; j++) {
      const float s = x[r * n + j], next = std::max(m, s), corr = std::exp(m - next), p = std::exp(s - next);
      if (len[j] > 0)
        l = l * corr + p;
      else
        l = l * w[j];
      m = next;
    }
    y[r] = l;
  }
}
