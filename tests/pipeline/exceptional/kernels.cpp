// Rows in which nothing is left, or in which something is infinite or NaN. The name of a function says what is seen in
// it; what ends in _masked takes what its mask leaves out to be finite.
#include <algorithm>
#include <cmath>

extern "C" {

void least_from_nan_start(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float r = w[i];
    for (int j = 0; j < m; j++)
      if (x[i * m + j] > 0) r = std::fmin(r, x[i * m + j]);
    o[i] = r;
  }
}

void most_from_nan_start(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float r = w[i];
    for (int j = 0; j < m; j++)
      if (w[j] > 0) r = std::fmax(r, x[i * m + j]);
    o[i] = r;
  }
}

void product_from_nan_start(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float r = w[i];
    for (int j = 0; j < m; j++)
      if (w[j] > 0) r *= x[i * m + j];
    o[i] = r;
  }
}

void guarded_sum_of_products(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float s = v[i];
    for (int j = 0; j < m; j++)
      if (w[j] > 0) s += x[i * m + j] * v[j];
    o[i] = s;
  }
}

void guarded_neighbour(int n, int m, int d, float *o, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      if (j >= 3) s += x[i * m + j] * x[i * m + j - 3];
    o[i] = s;
  }
}

void most_of_nothing_fmax(int n, int m, int d, float *o, const float *x) {
  for (int i = 0; i < n; i++) {
    float t = -INFINITY;
    for (int j = 0; j < m; j++) t = std::fmax(t, x[i * m + j]);
    float r = -1000;
    for (int j = 0; j < m; j++) r = std::fmax(r, std::exp(x[i * m + j] - t));
    o[i] = r;
  }
}

void most_of_nothing_max(int n, int m, int d, float *o, const float *x) {
  for (int i = 0; i < n; i++) {
    float t = -INFINITY;
    for (int j = 0; j < m; j++) t = std::fmax(t, x[i * m + j]);
    float r = -1000;
    for (int j = 0; j < m; j++) r = std::max(r, std::exp(x[i * m + j] - t));
    o[i] = r;
  }
}

void most_before_the_diagonal(int n, int m, int d, float *o, const float *x) {
  for (int i = 0; i < n; i++) {
    float t = -INFINITY;
    for (int j = 0; j <= i && j < m; j++) t = std::fmax(t, x[i * m + j]);
    float r = -1000;
    for (int j = 0; j < i && j < m; j++) r = std::fmax(r, std::exp(x[i * m + j] - t));
    o[i] = r;
  }
}

void least_of_nothing(int n, int m, int d, float *o, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j] * x[i * m + j];
    float r = 7;
    for (int j = 0; j < m; j++) r = std::min(r, std::tanh(x[i * m + j] + s));
    o[i] = r;
  }
}

void least_where_chosen(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float t = -INFINITY;
    for (int j = 0; j < m; j++) t = std::fmax(t, x[i * m + j]);
    float r = 5;
    for (int j = 0; j < m; j++)
      if (w[j] > 0) r = std::fmin(r, std::exp(t - x[i * m + j]));
    o[i] = r;
  }
}

void most_by_column(int n, int m, int d, float *o, const float *x) {
  for (int i = 0; i < n; i++) {
    float t = -INFINITY;
    for (int j = 0; j < m; j++) t = std::fmax(t, x[i * m + j]);
    for (int e = 0; e < d; e++) {
      float r = -1000;
      for (int j = 0; j < m; j++)
        if (j < i && j >= e) r = std::fmax(r, std::exp(x[i * m + j] - t));
      o[i * d + e] = r;
    }
  }
}

void cancelled_operand(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float t = 0;
    for (int j = 0; j < m; j++) t += x[i * m + j];
    float r = 0;
    for (int j = 0; j < m; j++) r += w[j] - w[j] + (v[j] - t) * x[i * m + j];
    o[i] = r;
  }
}

void times_zero(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float t = -INFINITY;
    for (int j = 0; j < m; j++) t = std::fmax(t, x[i * m + j]);
    float r = 0;
    for (int j = 0; j < m; j++) r += (w[j] * 0.0f + v[j]) * std::exp(x[i * m + j] - t);
    o[i] = r;
  }
}

void window_weights_masked(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += x[i * d + e] * w[j * d + e];
      p[j] = i - j < 4 && j - i < 3 ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t;
    }
  }
}

void window_mean_masked(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += x[i * d + e] * w[j * d + e];
      p[j] = i - j < 4 && j - i < 3 ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    float l = 0;
    for (int j = 0; j < m; j++) l += std::exp(p[j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t / l;
    }
  }
}

void near_or_first_weights_masked(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += x[i * d + e] * w[j * d + e];
      p[j] = (i - j < 3 && j <= i) || j < 2 ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t;
    }
  }
}

void near_or_first_mean_masked(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += x[i * d + e] * w[j * d + e];
      p[j] = (i - j < 3 && j <= i) || j < 2 ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    float l = 0;
    for (int j = 0; j < m; j++) l += std::exp(p[j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t / l;
    }
  }
}

void strided_weights_masked(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += x[i * d + e] * w[j * d + e];
      p[j] = (i - j) % 3 == 0 ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t;
    }
  }
}

void strided_mean_masked(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += x[i * d + e] * w[j * d + e];
      p[j] = (i - j) % 3 == 0 ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    float l = 0;
    for (int j = 0; j < m; j++) l += std::exp(p[j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t / l;
    }
  }
}

void causal_weights_masked(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += x[i * d + e] * w[j * d + e];
      p[j] = j <= i ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t;
    }
  }
}

void causal_mean_masked(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += x[i * d + e] * w[j * d + e];
      p[j] = j <= i ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    float l = 0;
    for (int j = 0; j < m; j++) l += std::exp(p[j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t / l;
    }
  }
}

void document_weights_masked(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += x[i * d + e] * w[j * d + e];
      p[j] = j / 3 == i / 3 ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t;
    }
  }
}

void document_mean_masked(int n, int m, int d, float *o, const float *x, const float *w, const float *v) {
  for (int i = 0; i < n; i++) {
    float p[512];
    for (int j = 0; j < m; j++) {
      float sc = 0;
      for (int e = 0; e < d; e++) sc += x[i * d + e] * w[j * d + e];
      p[j] = j / 3 == i / 3 ? sc : -INFINITY;
    }
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, p[j]);
    float l = 0;
    for (int j = 0; j < m; j++) l += std::exp(p[j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++) t += std::exp(p[j] - mx) * v[j * d + e];
      o[i * d + e] = t / l;
    }
  }
}

void window_if(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float mx = -INFINITY, l = 0;
    for (int j = 0; j < m; j++)
      if (i - j < 4 && j - i < 3) mx = std::fmax(mx, x[i * m + j]);
    for (int j = 0; j < m; j++)
      if (i - j < 4 && j - i < 3) l += std::exp(x[i * m + j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++)
        if (i - j < 4 && j - i < 3) t += std::exp(x[i * m + j] - mx) * w[j * d + e];
      o[i * d + e] = t / l;
    }
  }
}

void near_or_first_if(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float mx = -INFINITY, l = 0;
    for (int j = 0; j < m; j++)
      if ((i - j < 3 && j <= i) || j < 2) mx = std::fmax(mx, x[i * m + j]);
    for (int j = 0; j < m; j++)
      if ((i - j < 3 && j <= i) || j < 2) l += std::exp(x[i * m + j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++)
        if ((i - j < 3 && j <= i) || j < 2) t += std::exp(x[i * m + j] - mx) * w[j * d + e];
      o[i * d + e] = t / l;
    }
  }
}

void document_if(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float mx = -INFINITY, l = 0;
    for (int j = 0; j < m; j++)
      if (j / 3 == i / 3) mx = std::fmax(mx, x[i * m + j]);
    for (int j = 0; j < m; j++)
      if (j / 3 == i / 3) l += std::exp(x[i * m + j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++)
        if (j / 3 == i / 3) t += std::exp(x[i * m + j] - mx) * w[j * d + e];
      o[i * d + e] = t / l;
    }
  }
}

void short_rows_if(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float mx = -INFINITY, l = 0;
    for (int j = 0; j < m; j++)
      if (j + i < m - 2) mx = std::fmax(mx, x[i * m + j]);
    for (int j = 0; j < m; j++)
      if (j + i < m - 2) l += std::exp(x[i * m + j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < m; j++)
        if (j + i < m - 2) t += std::exp(x[i * m + j] - mx) * w[j * d + e];
      o[i * d + e] = t / l;
    }
  }
}

void window_bounds(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    const int lo = std::max(0, i - 3), hi = std::min(m, i + 3);
    float mx = -INFINITY, l = 0;
    for (int j = lo; j < hi; j++) mx = std::fmax(mx, x[i * m + j]);
    for (int j = lo; j < hi; j++) l += std::exp(x[i * m + j] - mx);
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = lo; j < hi; j++) t += std::exp(x[i * m + j] - mx) * w[j * d + e];
      o[i * d + e] = t / l;
    }
  }
}

void added_to_the_output(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float mx = -INFINITY;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, x[i * m + j]);
    for (int e = 0; e < d; e++)
      for (int j = 0; j < m; j++) o[i * d + e] += std::exp(x[i * m + j] - mx) * w[j * d + e];
  }
}

void entropy_of_rows(int n, int m, int d, float *o, const float *x) {
  for (int i = 0; i < n; i++) {
    float mx = -INFINITY, l = 0, h = 0;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, x[i * m + j]);
    for (int j = 0; j < m; j++) l += std::exp(x[i * m + j] - mx);
    for (int j = 0; j < m; j++) h += std::exp(x[i * m + j] - mx) / l * (x[i * m + j] - mx);
    o[i] = h;
  }
}

void sign_over_what_underflows(int n, int m, int d, float *o, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float mx = -INFINITY, l = 0;
    for (int j = 0; j < m; j++) mx = std::fmax(mx, x[i * m + j]);
    for (int j = 0; j < m; j++) l += x[i * m + j] / (mx + 0.7f) * w[j];
    o[i] = 1.0f / l;
  }
}

} // extern "C"
