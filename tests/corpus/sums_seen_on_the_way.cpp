// Each is right at some turns: what is scaled is of all turns before, what is put in must hold where it is used.
// expect: kept
#include <algorithm>
#include <cmath>
void g5(const float *x, const int *len, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -10, l = 0;
    for (int j = 0; j < n; j++) {
      const float s = x[r * n + j];
      const float mn = std::max(m, s), corr = std::exp(m - mn), p = std::exp(s - mn);
      if (len[j] != 7) l = l * corr + p;
      m = mn;
    }
    y[r] = l;
  }
}
void g7(const float *x, const int *len, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -10, l = 0;
    for (int j = 0; j < n; j++) {
      const float s = x[r * n + j];
      const float mn = std::max(m, s), corr = std::exp(m - mn), p = std::exp(s - mn);
      if (len[j] == 7) {
        l += w[j];
        continue;
      }
      l = l * corr + p;
      m = mn;
    }
    y[r] = l;
  }
}
void g16(const float *x, const int *len, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -10, l = 0;
    for (int j = 0; j < n; j++) {
      const float s = x[r * n + j];
      const float mn = std::max(m, s), corr = std::exp(m - mn), p = std::exp(s - mn);
      l = l * (s > 3 ? 1.f : corr) + (s > 3 ? 0.f : p);
      m = mn;
    }
    y[r] = l;
  }
}
void g20(const float *x, const int *len, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -10, l = 0;
    for (int j = 0; j < n; j++) {
      const float s = x[r * n + j];
      const float mn = std::max(m, s), corr = std::exp(m - mn), p = std::exp(s - mn);
      const float q = w[j] > 3 ? 2.f : 1.f;
      l = l * std::exp(q * (m - mn)) + std::exp(q * (s - mn));
      m = mn;
    }
    y[r] = l;
  }
}
void a8(const float *x, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float sc[64];
    for (int j = 0; j < 64; j++) sc[j] = x[r * 64 + j];
    float m = -10, l = 0;
    for (int j = 0; j < 64; j++) {
      sc[j] = sc[j] * (sc[j] > 3.f ? 0.9f : 1.f);
      const float mn = std::max(m, sc[j]);
      l = l * std::exp(m - mn) + std::exp(sc[j] - mn);
      m = mn;
    }
    y[r] = l + m;
  }
}
void a10(const float *x, float *y, int rows, int n) {
  for (int b = 0; b < rows; b++) {
    float m[4], l[4] = {};
    for (int c = 0; c < 4; c++) m[c] = -3;
    for (int j = 0; j < n; j++) {
      float mn[4], s[4];
      for (int r = 0; r < 3; r++) s[r] = x[(b * 4 + r) * n + j];
      s[3] = x[(b * 4 + 3) * n + j] > 3 ? 0.f : -5.f;
      for (int r = 0; r < 4; r++) mn[r] = std::max(m[r], s[r]);
      for (int r = 0; r < 4; r++) l[r] = l[r] * std::exp(m[r] - mn[r]) + std::exp(s[r] - mn[r]);
      for (int r = 0; r < 3; r++) m[r] = mn[r];
    }
    for (int c = 0; c < 4; c++) y[b * 4 + c] = l[c] + m[c];
  }
}
void a17(const float *x, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = 3, l = 0;
    for (int j = 0; j < n; j++) {
      const float s = x[r * n + j];
      if (s > m) {
        l *= std::exp((s - m) * (s - m));
        m = s;
      }
      l += std::exp(-(s - m) * (s - m));
    }
    y[r] = l + m;
  }
}
void a19(const double *x, const float *w, double *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    double m = 3, l = 0;
    for (int j = 0; j < n; j++) {
      const double s = x[r * n + j];
      if (s > m) {
        l *= (11. + m - s) / 11.;
        m = s;
      }
      l += 1. / (11. + m - s);
    }
    y[r] = l + m;
  }
}
void k1(const float *x, const int *len, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = 3, k = 3, l = 0;
    for (int j = 0; j < n; j++) {
      const float s = x[r * n + j];
      const float mn = std::max(m, s), kn = std::max(k, w[j]);
      const bool c = len[j] == 7;
      l = c ? l : l * (std::exp(m - mn) * std::exp(k - kn)) + std::exp(s - mn) * std::exp(w[j] - kn);
      m = c ? m : mn;
      k = kn;
    }
    y[r] = l + k + m;
  }
}
void q1(const float *x, float *y, int rows, int n) {
  for (int b = 0; b < rows; b++) {
    float m[4], l[4] = {};
    for (int c = 0; c < 4; c++) m[c] = 3 + c * 0.25f;
    for (int j = 0; j < n; j++) {
      float mn[4];
      const float s = x[b * n + j];
      for (int r = 0; r < 4; r++) mn[r] = std::max(m[r], s);
      for (int r = 0; r < 4; r++) l[r] = m[0] < s ? l[r] * std::exp(m[r] - s) + 1.f : l[r] + std::exp(s - m[r]);
      for (int r = 0; r < 4; r++) m[r] = mn[r];
    }
    for (int c = 0; c < 4; c++) y[b * 4 + c] = l[c] + m[c];
  }
}
void r1(const float *x, const int *len, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -10, l = 0;
    for (int j = 0; j < n; j++) {
      const float s = x[r * n + j];
      const float mn = std::max(m, s), corr = std::exp(m - mn), p = std::exp(s - mn);
      float u = s;
      const float z = std::exp(u - mn);
      u = w[j] > 3 ? 0.f : s;
      l = l * corr + z;
      m = mn;
    }
    y[r] = l;
  }
}
void s7(const float *x, const float *w, float *y, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    float m = -100;
    float l = 0;
    float buf[64];
    for (int j = 0; j < 64; j++) buf[j] = w[j];
    for (int j = 0; j < 64; j++) {
      const float s = x[r * 64 + j];
      const float mn = std::max(m, s);
      l = l * std::exp(m - mn) + buf[j] * std::exp(s - mn);
      m = mn;
      buf[j] = w[j] > 3 ? 0.f : w[j];
    }
    float t = 0;
    for (int j = 0; j < 64; j++) t += buf[j];
    y[r] = m + l + t;
  }
}
