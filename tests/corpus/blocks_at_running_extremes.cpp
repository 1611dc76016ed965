// The extreme of a block of elements is taken in at once, and sums of the block before they are added.
// expect: corrected 4
#include <algorithm>
#include <cmath>

void blocked(const float *q, const float *k, const float *v, float *o, int n) {
  constexpr int D = 32, B = 16;
  for (int i = 0; i < n; i++) {
    float acc[D] = {}, m = -INFINITY, l = 0;
    for (int jb = 0; jb < n / B; jb++) {
      float s[B];
      for (int jj = 0; jj < B; jj++) {
        s[jj] = 0;
        for (int c = 0; c < D; c++) s[jj] += q[i * D + c] * k[(jb * B + jj) * D + c];
      }
      float mn = m;
      for (int jj = 0; jj < B; jj++) mn = std::max(mn, s[jj]);
      const float corr = std::exp(m - mn);
      float p[B], rowsum = 0;
      for (int jj = 0; jj < B; jj++) {
        p[jj] = std::exp(s[jj] - mn);
        rowsum += p[jj];
      }
      l = l * corr + rowsum;
      for (int c = 0; c < D; c++) {
        float t = 0;
        for (int jj = 0; jj < B; jj++) t += p[jj] * v[(jb * B + jj) * D + c];
        acc[c] = acc[c] * corr + t;
      }
      m = mn;
    }
    for (int c = 0; c < D; c++) o[i * D + c] = acc[c] / l;
  }
}

void blocked_rows(const float *q, const float *k, const float *v, float *o, int n) {
  constexpr int D = 32, B = 16, R = 8;
  for (int ib = 0; ib < n / R; ib++) {
    float acc[R][D] = {}, m[R], l[R] = {};
    for (int r = 0; r < R; r++) m[r] = -INFINITY;
    for (int jb = 0; jb < n / B; jb++) {
      float s[R][B];
      for (int r = 0; r < R; r++)
        for (int jj = 0; jj < B; jj++) {
          s[r][jj] = 0;
          for (int c = 0; c < D; c++) s[r][jj] += q[(ib * R + r) * D + c] * k[(jb * B + jj) * D + c];
        }
      for (int r = 0; r < R; r++) {
        float mn = m[r];
        for (int jj = 0; jj < B; jj++) mn = std::max(mn, s[r][jj]);
        const float corr = std::exp(m[r] - mn);
        l[r] *= corr;
        for (int c = 0; c < D; c++) acc[r][c] *= corr;
        for (int jj = 0; jj < B; jj++) {
          const float p = std::exp(s[r][jj] - mn);
          l[r] += p;
          for (int c = 0; c < D; c++) acc[r][c] += p * v[(jb * B + jj) * D + c];
        }
        m[r] = mn;
      }
    }
    for (int r = 0; r < R; r++)
      for (int c = 0; c < D; c++) o[(ib * R + r) * D + c] = acc[r][c] / l[r];
  }
}
