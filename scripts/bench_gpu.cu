// Times the NAME_on entries of printed kernels with events: medians over rounds, on buffers that take turns so that the
// cache holds none of them. One line each: milliseconds, rate, share of the device's own copy bandwidth. With the argument
// "memory" the products are left out; with "large" an array of more than 2^31 elements is reduced and compared instead.
#include "attention.cu"
#include "log_sum_exp.cu"
#include "matmul.cu"
#include "norm2_stable.cu"
#include "rms_norm.cu"
#include "row_shares.cu"
#include "row_softmax.cu"
#include "variance.cu"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace {

void require(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// The i-th of the numbers in [-1, 1] that belong to a seed.
__host__ __device__ float numberAt(std::int64_t i, unsigned seed) {
  std::uint64_t x = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ull + seed;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  return static_cast<float>(static_cast<std::int64_t>(x >> 40) - (1 << 23)) * 0x1p-23f;
}

__global__ void fillWith(float *to, std::int64_t count, unsigned seed) {
  for (std::int64_t i = blockIdx.x * std::int64_t{256} + threadIdx.x; i < count; i += gridDim.x * std::int64_t{256})
    to[i] = numberAt(i, seed);
}

/// `copies` arrays of `count` numbers in [-1, 1].
std::vector<float *> arrays(std::int64_t count, int copies) {
  std::vector<float *> all(static_cast<std::size_t>(copies));
  for (float *&a : all) {
    require(cudaMalloc(reinterpret_cast<void **>(&a), static_cast<std::size_t>(count) * sizeof(float)), "memory");
    fillWith<<<1024, 256>>>(a, count, static_cast<unsigned>(std::rand()));
  }
  return all;
}

void release(const std::vector<float *> &all) {
  for (float *a : all) cudaFree(a);
}

double median(int rounds, const std::function<cudaError_t(int)> &work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  for (int round = -2; round < rounds; ++round) {
    cudaEventRecord(begin);
    require(work(round + 2), "launch");
    cudaEventRecord(end);
    require(cudaEventSynchronize(end), "kernel");
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    if (round >= 0) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

double copyRate() {
  const std::int64_t count = 1 << 28;
  const auto all = arrays(count, 2);
  const double ms = median(9, [&](int) {
    return cudaMemcpyAsync(all[1], all[0], count * sizeof(float), cudaMemcpyDeviceToDevice, nullptr);
  });
  release(all);
  return 2.0 * static_cast<double>(count) * sizeof(float) / ms / 1e6;
}

void bytesLine(const char *name, double ms, double bytes, double copy) {
  const double rate = bytes / ms / 1e6;
  std::printf("%-34s %9.3f ms %9.1f GB/s   %5.1f %% of a copy\n", name, ms, rate, 100 * rate / copy);
}

void flopLine(const char *name, double ms, double flop) {
  std::printf("%-34s %9.3f ms %9.2f TFLOP/s\n", name, ms, flop / ms / 1e9);
}

/// Products of matrices, in FLOP.
void timeProducts() {
  {
    const int n = 4096;
    const auto x = arrays(std::int64_t{8} * n * 64, 12);
    const double ms = median(15, [&](int r) {
      const std::size_t b = static_cast<std::size_t>(r) % 3 * 4;
      return attention_on(nullptr, n, x[b], x[b + 1], x[b + 2], x[b + 3]);
    });
    flopLine("attention 8 x 4096 x 64", ms, 4.0 * 8 * n * double(n) * 64);
    release(x);
  }
  const int n = 4096;
  const auto x = arrays(std::int64_t{n} * n, 3);
  const double ms = median(9, [&](int) { return matmul_on(nullptr, n, n, n, x[0], x[1], x[2]); });
  flopLine("matmul 4096", ms, 2.0 * n * double(n) * n);
  release(x);
}

/// What is bound by memory: each byte that must be read or written counts once.
void timeMemory(double copy) {
  const std::int64_t longest = std::int64_t{1} << 28, count = longest / 2;
  const auto x = arrays(longest, 3), y = arrays(count, 3);
  float *result = arrays(1 << 20, 1).front();
  const auto from = [&](int r) { return x[static_cast<std::size_t>(r) % 3]; };
  const auto to = [&](int r) { return y[static_cast<std::size_t>(r) % 3]; };
  for (const std::int64_t n : {count / 8, count, longest})
    bytesLine(("norm of 2^" + std::to_string(static_cast<int>(std::log2(double(n))))).c_str(),
              median(15, [&](int r) { return norm2_stable_on(nullptr, int(n), from(r), result); }), 4.0 * double(n), copy);
  for (const int columns : {1 << 10, 1 << 13, 1 << 14, 1 << 16, 1000}) {
    const int rows = static_cast<int>(count / columns);
    const double bytes = 4.0 * rows * double(columns);
    const auto line = [&](const char *name, double passes, const std::function<cudaError_t(int)> &work) {
      bytesLine((name + std::string(" ") + std::to_string(rows) + " x " + std::to_string(columns)).c_str(),
                median(15, work), passes * bytes, copy);
    };
    line("log-sum-exp", 1, [&](int r) { return log_sum_exp_on(nullptr, rows, columns, from(r), result); });
    line("variance", 1, [&](int r) { return variance_on(nullptr, rows, columns, from(r), result); });
    line("row softmax", 2, [&](int r) { return row_softmax_on(nullptr, rows, columns, from(r), to(r)); });
    line("row / its sum", 2, [&](int r) { return row_shares_on(nullptr, rows, columns, from(r), to(r)); });
    line("RMS norm", 2, [&](int r) { return rms_norm_on(nullptr, rows, columns, from(r), result, to(r)); });
  }
  release(x);
  release(y);
  cudaFree(result);
}

/// Rows of an array of more than 2^31 elements, compared with sums in double on the host.
int checkLarge() {
  const int rows = 40000, columns = 65536;
  const unsigned seed = 7;
  float *x = nullptr, *y = arrays(rows, 1).front();
  const std::int64_t count = std::int64_t{rows} * columns;
  require(cudaMalloc(reinterpret_cast<void **>(&x), static_cast<std::size_t>(count) * sizeof(float)), "memory");
  fillWith<<<4096, 256>>>(x, count, seed);
  require(log_sum_exp_on(nullptr, rows, columns, x, y), "launch");
  std::vector<float> got(rows);
  require(cudaMemcpy(got.data(), y, rows * sizeof(float), cudaMemcpyDeviceToHost), "copy");
  double worst = 0;
  for (const int row : {0, 1, 32767, 32768, 32769, rows - 1}) {
    double sum = 0;
    for (std::int64_t j = 0; j < columns; ++j) sum += std::exp(double(numberAt(row * std::int64_t{columns} + j, seed)));
    const double error = std::fabs(got[static_cast<std::size_t>(row)] - std::log(sum));
    worst = std::isfinite(error) ? std::fmax(worst, error) : INFINITY;
  }
  std::printf("%-5s log-sum-exp %d x %d, %lld elements: largest error %.3g\n", worst < 1e-4 ? "ok" : "FAIL", rows, columns,
              static_cast<long long>(count), worst);
  return worst < 1e-4 ? 0 : 1;
}

} // namespace

int main(int count, char **words) {
  const std::string wish = count > 1 ? words[1] : "";
  if (wish == "large") return checkLarge();
  const double copy = copyRate();
  std::printf("%-34s %23.1f GB/s\n", "device copy", copy);
  if (wish != "memory") timeProducts();
  timeMemory(copy);
  return 0;
}
