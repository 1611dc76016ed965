// Small functions whose results are told apart by every rewrite that does not keep the bits.
#include <algorithm>
#include <cmath>

extern "C" void f_sum(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_sum_from_minus_zero(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -0.0f;
    for (int j = 0; j < m; j++) s += x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_sum_left(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = x[i * m + j] + s;
    y[i] = s;
  }
}

extern "C" void f_two_terms(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = s + x[i * m + j] - w[j];
    y[i] = s;
  }
}

extern "C" void f_two_terms_right(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = s + (x[i * m + j] - w[j]);
    y[i] = s;
  }
}

extern "C" void f_three_terms(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = w[j] + s + x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_two_statements(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) {
      s += x[i * m + j];
      s -= w[j];
    }
    y[i] = s;
  }
}

extern "C" void f_difference(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 1;
    for (int j = 0; j < m; j++) s -= x[i * m + j] * w[j];
    y[i] = s;
  }
}

extern "C" void f_negated(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -0.0f;
    for (int j = 0; j < m; j++) s = s - -x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_reversed_difference(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 1;
    for (int j = 0; j < m; j++) s = x[i * m + j] - s;
    y[i] = s;
  }
}

extern "C" void f_masked_sum(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = -0.0f;
    for (int j = 0; j < m; j++)
      if (w[j] > 0) s += x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_index_mask(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -0.0f;
    for (int j = 0; j < m; j++)
      if (j % 3 == 1) s += x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_causal_mask(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -0.0f;
    for (int j = 0; j < m; j++)
      if (j <= i) s += x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_either_mask(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -0.0f;
    for (int j = 0; j < m; j++)
      if (j == i || j % 4 == 0) s += x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_chosen(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = x[i * m + j] > 0 ? s + x[i * m + j] : s - w[j];
    y[i] = s;
  }
}

extern "C" void f_chosen_two(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j] > w[j] ? x[i * m + j] : 0;
    y[i] = s;
  }
}

extern "C" void f_product(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 1;
    for (int j = 0; j < m; j++) s *= x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_quotient(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 1;
    for (int j = 0; j < m; j++) s /= x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_product_of_two(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 1;
    for (int j = 0; j < m; j++) s = s * x[i * m + j] * w[j];
    y[i] = s;
  }
}

extern "C" void f_masked_product(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = w[0];
    for (int j = 0; j < m; j++)
      if (x[i * m + j] != 0) s *= x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_quotient_chosen(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 1;
    for (int j = 0; j < m; j++) s = x[i * m + j] > 1 ? s / x[i * m + j] : s;
    y[i] = s;
  }
}

extern "C" void f_fmax(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -INFINITY;
    for (int j = 0; j < m; j++) s = std::fmax(s, x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void f_fmax_left(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -INFINITY;
    for (int j = 0; j < m; j++) s = std::fmax(x[i * m + j], s);
    y[i] = s;
  }
}

extern "C" void f_fmax_from_first(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = x[i * m];
    for (int j = 0; j < m; j++) s = std::fmax(s, x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void f_masked_fmin(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = x[i * m];
    for (int j = 0; j < m; j++)
      if (x[i * m + j] > 0) s = std::fmin(s, x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void f_masked_fmax(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = w[0];
    for (int j = 0; j < m; j++)
      if (w[j] < x[i * m + j]) s = std::fmax(s, x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void f_fmax_of_three(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = -INFINITY;
    for (int j = 0; j < m; j++) s = std::fmax(std::fmax(s, x[i * m + j]), w[j]);
    y[i] = s;
  }
}

extern "C" void f_max(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -INFINITY;
    for (int j = 0; j < m; j++) s = std::max(s, x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void f_max_left(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -INFINITY;
    for (int j = 0; j < m; j++) s = std::max(x[i * m + j], s);
    y[i] = s;
  }
}

extern "C" void f_max_if(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = x[i * m];
    for (int j = 0; j < m; j++)
      if (x[i * m + j] > s) s = x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_max_if_not_less(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = x[i * m];
    for (int j = 0; j < m; j++)
      if (x[i * m + j] >= s) s = x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_max_unless(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = x[i * m];
    for (int j = 0; j < m; j++)
      if (!(x[i * m + j] <= s)) s = x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_max_greater(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -INFINITY;
    for (int j = 0; j < m; j++) s = x[i * m + j] > s ? x[i * m + j] : s;
    y[i] = s;
  }
}

extern "C" void f_max_kept_if_greater(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -INFINITY;
    for (int j = 0; j < m; j++) s = s > x[i * m + j] ? s : x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_min(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = w[0];
    for (int j = 0; j < m; j++) s = std::min(s, x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void f_min_left(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = w[0];
    for (int j = 0; j < m; j++) s = std::min(x[i * m + j], s);
    y[i] = s;
  }
}

extern "C" void f_min_if(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = w[0];
    for (int j = 0; j < m; j++)
      if (x[i * m + j] < s) s = x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_min_kept_if_less(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = w[0];
    for (int j = 0; j < m; j++) s = s < x[i * m + j] ? s : x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_masked_max_if(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = w[0];
    for (int j = 0; j < m; j++)
      if (w[j] > 0 && x[i * m + j] > s) s = x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_masked_min(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = x[i * m];
    for (int j = 0; j < m; j++)
      if (w[j] > 0) s = std::min(s, x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void f_mixed_extremes(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = w[0];
    for (int j = 0; j < m; j++) s = w[j] > 0 ? std::fmax(s, x[i * m + j]) : std::max(s, x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void f_clamped(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += std::clamp(x[i * m + j], -std::fabs(w[0]), std::fabs(w[0]));
    y[i] = s;
  }
}

extern "C" void f_largest_magnitude(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = std::max(s, std::fabs(x[i * m + j]));
    y[i] = s;
  }
}

extern "C" void f_halves(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j] / 2 + w[j] * 0.5f;
    y[i] = s;
  }
}

extern "C" void f_powers(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += std::pow(x[i * m + j], 2.0f) - x[i * m + j] * x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_powers_int(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += static_cast<float>(std::pow(x[i * m + j], 2));
    y[i] = s;
  }
}

extern "C" void f_fused(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = std::fma(x[i * m + j], w[j], s);
    y[i] = s;
  }
}

extern "C" void f_product_sum(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j] * w[j];
    y[i] = s;
  }
}

extern "C" void f_sum_of_exp(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += std::exp(x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void f_sum_in_double(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j];
    y[i] = static_cast<float>(s);
  }
}

extern "C" void f_double_terms(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j] * 0.1;
    y[i] = s;
  }
}

extern "C" void f_double_terms_spelled(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = static_cast<float>(s + 0.1 * (w[j] * x[i]));
    y[i] = s;
  }
}

extern "C" void f_last(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_decayed(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = s * 0.5f + x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_integer_terms(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += j + x[i];
    y[i] = s;
  }
}

extern "C" void f_integer_factor(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 1;
    for (int j = 0; j < m; j++) s += x[i * m + j] * j - i;
    y[i] = s;
  }
}

extern "C" void f_backwards_terms(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + m - 1 - j];
    y[i] = s;
  }
}

extern "C" void m_double_into_float(int n, int m, float *y, const float *x, const double *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += w[j] * x[i * m + j];
    y[i] = s;
  }
}

extern "C" void m_double_added(int n, int m, float *y, const float *x, const double *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = s + (w[j] * x[i]);
    y[i] = s;
  }
}

extern "C" void m_float_of_double(int n, int m, float *y, const float *x, const double *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += static_cast<float>(w[j]) * x[i * m + j];
    y[i] = s;
  }
}

extern "C" void m_double_sum(int n, int m, float *y, const float *x, const double *w) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j] * w[j];
    y[i] = s;
  }
}

extern "C" void m_stored_float(int n, int m, float *y, const float *x, const double *w) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++) {
      const float t = w[j] * x[i * m + j];
      s += t;
    }
    y[i] = s;
  }
}

extern "C" void m_double_max(int n, int m, float *y, const float *x, const double *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = s < (w[j] * x[i]) ? (w[j] * x[i]) : s;
    y[i] = s;
  }
}

extern "C" void d_sum(int n, int m, double *y, const double *x, const double *w) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j] * w[j];
    y[i] = s;
  }
}

extern "C" void d_two_terms(int n, int m, double *y, const double *x, const double *w) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++) s = s - x[i * m + j] + w[j];
    y[i] = s;
  }
}

extern "C" void d_masked_fmin(int n, int m, double *y, const double *x, const double *w) {
  for (int i = 0; i < n; i++) {
    double s = x[i * m];
    for (int j = 0; j < m; j++)
      if (w[j] > 0) s = std::fmin(s, x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void d_hypot(int n, int m, double *y, const double *x, const double *w) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++) s += std::hypot(x[i * m + j], w[j]) - std::sqrt(x[i * m + j] * x[i * m + j]);
    y[i] = s;
  }
}

extern "C" void h_sum(int n, int m, _Float16 *y, const _Float16 *x) {
  for (int i = 0; i < n; i++) {
    _Float16 s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j];
    y[i] = s;
  }
}

extern "C" void h_float_sum(int n, int m, _Float16 *y, const _Float16 *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += static_cast<float>(x[i * m + j]) * w[j];
    y[i] = s;
  }
}

extern "C" void h_three(int n, int m, _Float16 *y, const _Float16 *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j] * x[i * m + j] + x[i * m + j];
    y[i] = static_cast<_Float16>(s);
  }
}

extern "C" void h_three_halves(int n, int m, _Float16 *y, const _Float16 *x) {
  for (int i = 0; i < n; i++) {
    _Float16 s = 0;
    for (int j = 0; j < m; j++) s = s + x[i * m + j] * x[i * m + j];
    y[i] = s;
  }
}

extern "C" void h_max(int n, int m, _Float16 *y, const _Float16 *x) {
  for (int i = 0; i < n; i++) {
    _Float16 s = x[i * m];
    for (int j = 0; j < m; j++) s = s < x[i * m + j] ? x[i * m + j] : s;
    y[i] = s;
  }
}

extern "C" void b_sum(int n, int m, __bf16 *y, const __bf16 *x) {
  for (int i = 0; i < n; i++) {
    __bf16 s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j];
    y[i] = s;
  }
}

extern "C" void b_float_sum(int n, int m, __bf16 *y, const __bf16 *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += static_cast<float>(x[i * m + j]) * w[j];
    y[i] = s;
  }
}

extern "C" void b_nested(int n, int m, __bf16 *y, const __bf16 *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += (x[i * m + j] + x[i * m + j]) * x[i * m + j];
    y[i] = static_cast<__bf16>(s);
  }
}

extern "C" void f_elementwise(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = (x[i * m + j] + w[j] - 1) * (1 / w[j]) / 3 + 0;
}

extern "C" void f_zero_added(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = 0 + x[i * m + j] * 1 - 0;
}

extern "C" void f_signs(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] < 0 ? -x[i * m + j] : x[i * m + j] - x[i * m + j];
}

extern "C" void f_negated_comparison(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = !(x[i * m + j] < w[j]) && x[i * m + j] != 2 ? w[j] : -0.0f;
}

extern "C" void f_softmax(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY, l = 0;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j] * w[0]);
    for (int j = 0; j < m; j++) l += std::exp(x[i * m + j] * w[0] - top);
    for (int j = 0; j < m; j++) y[i * m + j] = std::exp(x[i * m + j] * w[0] - top) / l;
  }
}

extern "C" void f_centred(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float mean = 0, spread = 0;
    for (int j = 0; j < m; j++) mean += x[i * m + j];
    mean /= m;
    for (int j = 0; j < m; j++) spread += (x[i * m + j] - mean) * (x[i * m + j] - mean);
    y[i] = std::sqrt(spread / m);
  }
}

extern "C" void f_two_dimensions(int n, int m, float *y, const float *x) {
  float s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += x[i * m + j];
  y[0] = s;
}

extern "C" void f_columns_first(int n, int m, float *y, const float *x) {
  float s = -0.0f;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) s += x[i * m + j];
  y[0] = s;
}

extern "C" void f_both_orders(int n, int m, float *y, const float *x) {
  float s = 0, t = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += x[i * m + j];
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) t += x[i * m + j];
  y[0] = s - t;
}

extern "C" void f_columns(int n, int m, float *y, const float *x, const float *w) {
  for (int j = 0; j < m; j++) y[j] = w[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[j] += x[i * m + j];
}

extern "C" void f_triangle(int n, int m, float *y, const float *x) {
  float s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i && j < m; j++) s += x[i * m + j];
  y[0] = s;
}

extern "C" void f_into_given(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i] += x[i * m + j];
}

extern "C" void f_two_loops(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float s = -0.0f;
    for (int j = 0; j < m; j++) s += x[i * m + j];
    for (int j = 0; j < m; j++) s -= w[j];
    y[i] = s;
  }
}

extern "C" void f_downwards(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = m - 1; j >= 0; j--) s += x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_prefix(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    y[i * m] = x[i * m];
    for (int j = 1; j < m; j++) y[i * m + j] = y[i * m + j - 1] + x[i * m + j];
  }
}

extern "C" void f_product_of_matrices(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int k = 0; k < m; k++) s += x[i * m + k] * w[j] * x[i * m + j];
      y[i * m + j] = s;
    }
}

extern "C" void i_gathered(int n, int m, float *y, const float *x, const int *w) {
  float t[64];
  for (int j = 0; j < 64; j++) t[j] = x[j] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = t[w[j]];
}

extern "C" void f_off_diagonal(int n, int m, float *y, const float *x) {
  float s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (i != j) s += x[i * m + j];
  y[0] = s;
}

extern "C" void f_all_but_own(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -0.0f;
    for (int j = 0; j < m; j++)
      if (j != i) s += x[i * m + j];
    y[i] = s;
  }
}

extern "C" void f_two_bands(int n, int m, float *y, const float *x) {
  for (int i = 0; i < n; i++) {
    float s = -0.0f;
    for (int j = 0; j < m; j++)
      for (int k = 0; k < 4; k++)
        if (j < i || j > i + k) s += x[i * m + j] / (k + 1);
    y[i] = s;
  }
}

extern "C" void f_sum_of_sums(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float t = 0;
    for (int j = 0; j < 3; j++) {
      float s = 0;
      for (int a = 0; a < n; a++)
        for (int b = 0; b < m; b++) s += x[a * m + b] * w[i + j];
      t += s;
    }
    y[i] = t;
  }
}

extern "C" void f_extreme_of_sums(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float top = w[0];
    for (int j = 0; j < m; j++) {
      float s = -0.0f;
      for (int a = 0; a < n; a++)
        for (int b = 0; b < m; b++) s -= x[a * m + b] * w[j] / (1 + i);
      if (s > top) top = s;
    }
    y[i] = top;
  }
}

extern "C" void f_gathered_sums(int n, int m, float *y, const float *x) {
  float t[512];
  for (int j = 0; j < 512; j++) t[j] = x[0] * -0.0f;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = t[(i * j) % 512];
}

extern "C" void f_sums_and_maxima(int n, int m, float *y, const float *x, const float *w) {
  for (int j = 0; j < m; j++) {
    float s = 0, top = w[j], low = w[j];
    for (int i = 0; i < n; i++) {
      s += x[i * m + j];
      top = std::max(top, x[i * m + j]);
      low = std::fmin(low, x[i * m + j]);
    }
    y[j] = s / n + top * low;
  }
}

extern "C" void f_inner_off_diagonal(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float top = w[i];
    for (int j = 0; j < m; j++) {
      float s = -0.0f;
      for (int a = 0; a < 5; a++)
        for (int b = 0; b < 6; b++)
          if (a != b) s += x[a * 6 + b] / (1 + j + i);
      top = std::max(top, s);
    }
    y[i] = top;
  }
}

extern "C" void f_triangles(int n, int m, float *y, const float *x, const float *w) {
  for (int i = 0; i < n; i++) {
    float top = w[i];
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int a = 0; a < n; a++)
        for (int b = a; b < m; b++) s -= x[a * m + b] / (1 + j);
      top = std::fmax(top, s);
    }
    y[i] = top;
  }
}

extern "C" void h_nested(int n, int m, _Float16 *y, const _Float16 *x, const _Float16 *w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] = -(x[i * m + j] * w[j] + x[i * m + j]) / (w[j] - x[i * m + j] * w[j]);
}

extern "C" void h_named(int n, int m, _Float16 *y, const _Float16 *x, const _Float16 *w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      const _Float16 t = x[i * m + j] * w[j];
      y[i * m + j] = t + x[i * m + j] * t;
    }
}

extern "C" void h_compound(int n, int m, _Float16 *y, const _Float16 *x, const _Float16 *w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      y[i * m + j] = x[i * m + j];
      y[i * m + j] += x[i * m + j] * w[j];
      y[i * m + j] *= w[j];
    }
}

extern "C" void h_dot(int n, int m, _Float16 *y, const _Float16 *x, const _Float16 *w) {
  for (int i = 0; i < n; i++) {
    _Float16 s = 0;
    for (int j = 0; j < m; j++) s += x[i * m + j] * w[j];
    y[i] = s;
  }
}

extern "C" void b_dot(int n, int m, __bf16 *y, const __bf16 *x, const __bf16 *w) {
  for (int i = 0; i < n; i++) {
    __bf16 s = 0;
    for (int j = 0; j < m; j++) s = s + x[i * m + j] * w[j] - w[j];
    y[i] = s;
  }
}

extern "C" void h_compared(int n, int m, float *y, const _Float16 *x, const _Float16 *w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] = x[i * m + j] * w[j] + w[j] < x[i * m + j] ? x[i * m + j] * w[j] - w[j] : static_cast<float>(w[j]);
}
