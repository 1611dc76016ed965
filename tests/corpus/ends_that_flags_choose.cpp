// A flag of the call says how far each row sees: `causal ? i + 1 : n`, a window that may be none, a break under it.
// expect: corrected 4 in 7 kernel
#include <algorithm>
#include <cmath>
#include <cstdint>

// Every row sees all positions, or those before it.
void ends_that_flags_choose(int n, bool causal, const float *q, const float *k, float *y) {
  for (int i = 0; i < n; ++i) {
    const int end = causal ? i + 1 : n;
    float m = -INFINITY, l = 0;
    for (int j = 0; j < end; ++j) m = std::max(m, q[i] * k[j]);
    for (int j = 0; j < end; ++j) l += std::exp(q[i] * k[j] - m);
    y[i] = l;
  }
}

// A window of the positions before, or all of them.
void begins_that_sizes_choose(int n, int window, const float *q, const float *k, float *y) {
  for (int i = 0; i < n; ++i) {
    int first = 0;
    if (window > 0 && i - window + 1 > 0) first = i - window + 1;
    float m = -INFINITY, l = 0;
    for (int j = first; j <= i; ++j) m = std::max(m, q[i] * k[j]);
    for (int j = first; j <= i; ++j) l += std::exp(q[i] * k[j] - m);
    y[i] = l;
  }
}

// The same end by a break, where the flag is set.
void breaks_that_flags_choose(int n, int causal, const float *q, const float *k, float *y) {
  for (int i = 0; i < n; ++i) {
    float m = -INFINITY, l = 0;
    for (int j = 0; j < n; ++j) {
      if (causal && j > i) break;
      m = std::max(m, q[i] * k[j]);
    }
    for (int j = 0; j < n; ++j) {
      if (causal && i < j) {
        break;
      }
      l += std::exp(q[i] * k[j] - m);
    }
    y[i] = l;
  }
}

// Two breaks, and steps of two.
void first_breaks(std::int64_t n, std::int64_t most, const float *q, const float *k, float *y) {
  for (std::int64_t i = 0; i < n; ++i) {
    float m = -INFINITY, l = 0;
    for (std::int64_t j = 0; j < n; j += 2) {
      if (j > i) break;
      if (j >= most) break;
      m = std::max(m, q[i] * k[j]);
    }
    for (std::int64_t j = 0; j < n; j += 2) {
      if (j > i || j >= most) break;
      l += std::exp(q[i] * k[j] - m);
    }
    y[i] = l;
  }
}

// Down from where the flag says, as far as a break.
void down_from_where_flags_say(int n, int m, bool all, const float *x, float *y) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = all ? n - 1 : i; j >= 0; --j) {
      if (j < i - m) break;
      sum += std::exp(x[j]);
    }
    y[i] = sum;
  }
}

// Neither side is known to be the nearer one.
void either_may_be_nearer(int n, int m, bool wide, const float *x, float *y) {
  for (int i = 0; i < n; ++i) {
    const int end = wide ? n : m;
    float sum = 0;
    for (int j = 0; j < (wide ? end : std::min(m, n)); ++j) sum += x[j] * x[i];
    y[i] = sum;
  }
}
