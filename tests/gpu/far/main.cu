// Runs the printed text of far_rows.cpp on arrays whose rows are 2^28 elements apart, beside the plain loops.
#include "far_rows.TARGET.cu"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

namespace {

std::mt19937_64 engine(7);
int faults = 0;

/// Rows of a far array on the device, of which the first columns are used.
template <class T> struct Far {
  T *data = nullptr;
  int rows, columns;
  std::vector<double> values;

  Far(int r, int c, int shift, const std::function<double(int, int)> &value) : rows(r), columns(c) {
    const std::size_t bytes = static_cast<std::size_t>(rows) * pitch * sizeof(T) + 256;
    if (cudaMalloc(reinterpret_cast<void **>(&data), bytes) != cudaSuccess) {
      std::printf("FAIL  far: no memory\n");
      std::exit(1);
    }
    data += shift;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        const T element = static_cast<T>(static_cast<float>(value(i, j)));
        values.push_back(static_cast<float>(element));
        cudaMemcpy(data + static_cast<std::size_t>(i) * pitch + static_cast<std::size_t>(j), &element, sizeof(T),
                   cudaMemcpyHostToDevice);
      }
  }
  [[nodiscard]] double at(int i, int j) const {
    return values[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
  }
  [[nodiscard]] double got(int i, int j) const {
    T element{};
    cudaMemcpy(&element, data + static_cast<std::size_t>(i) * pitch + static_cast<std::size_t>(j), sizeof(T),
               cudaMemcpyDeviceToHost);
    return static_cast<float>(element);
  }
};

double drawn(int, int) { return std::normal_distribution<double>()(engine); }
double unset(int, int) { return 777; }

void expect(const char *what, int i, int j, double got, double wanted, double tolerance) {
  const bool right = std::isfinite(wanted) ? std::fabs(got - wanted) <= tolerance * std::fmax(1, std::fabs(wanted))
                                           : std::isnan(wanted) == std::isnan(got);
  if (!right && ++faults <= 4) std::printf("    %s[%d][%d] = %.9g, expected %.9g\n", what, i, j, got, wanted);
}

void product(int n, int m, int shift) {
  const Far<__nv_bfloat16> x(n, 96, shift, drawn), w(m, 96, shift, drawn);
  const Far<float> y(n, m, shift, unset);
  if (far_product_on(nullptr, n, m, x.data, w.data, y.data) != cudaSuccess) ++faults;
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      double s = 0;
      for (int p = 0; p < 96; ++p) s += x.at(i, p) * w.at(j, p);
      expect("y", i, j, y.got(i, j), s, 1e-3);
    }
}

/// `odd`: a value that makes the last row's result infinite, which the general kernel then computes again.
void weights(int n, int shift, bool odd) {
  const auto withOdd = [&](int i, int j) { return odd && i == n - 1 && j == 0 ? INFINITY : drawn(i, j); };
  const Far<__nv_bfloat16> q(n, 64, shift, drawn), k(n, 64, shift, drawn), v(n, 64, shift, withOdd);
  const Far<__nv_bfloat16> o(n, 64, shift, unset);
  if (far_weights_on(nullptr, n, q.data, k.data, v.data, o.data) != cudaSuccess) ++faults;
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    for (int e = 0; e < 64; ++e) {
      double l = 0, a = 0;
      for (int j = 0; j <= i; ++j) {
        double s = 0;
        for (int d = 0; d < 64; ++d) s += q.at(i, d) * k.at(j, d);
        l += std::exp(s * 0.125);
        a += std::exp(s * 0.125) * v.at(j, e);
      }
      expect("o", i, e, o.got(i, e), a / l, 2e-2);
    }
}

} // namespace

int main() {
  for (const int shift : {0, 1}) {
    product(10, 17, shift);
    weights(10, shift, false);
    weights(18, shift, true);
  }
  std::printf("%s far_rows\n", faults ? "FAIL " : "ok   ");
  return faults != 0;
}
