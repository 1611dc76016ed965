// Times the NAME_on entries of printed kernels with events: medians over rounds, on buffers that take turns so that the
// cache holds none of them. One line each: milliseconds, rate, share of the device's own copy bandwidth.
#include "attention.cu"
#include "log_sum_exp.cu"
#include "matmul.cu"
#include "norm2_stable.cu"
#include "variance.cu"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

void require(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

__global__ void fillWith(float *to, std::int64_t count, unsigned seed) {
  for (std::int64_t i = blockIdx.x * std::int64_t{256} + threadIdx.x; i < count; i += gridDim.x * std::int64_t{256}) {
    std::uint64_t x = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ull + seed;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    to[i] = static_cast<float>(static_cast<std::int64_t>(x >> 40) - (1 << 23)) * 0x1p-23f;
  }
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

} // namespace

int main() {
  const double copy = copyRate();
  std::printf("%-34s %23.1f GB/s\n", "device copy", copy);
  float *result = arrays(1 << 20, 1).front();
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
  {
    const int n = 4096;
    const auto x = arrays(std::int64_t{n} * n, 3);
    const double ms = median(9, [&](int) { return matmul_on(nullptr, n, n, n, x[0], x[1], x[2]); });
    flopLine("matmul 4096", ms, 2.0 * n * double(n) * n);
    release(x);
  }
  const std::int64_t count = std::int64_t{1} << 27;
  const auto x = arrays(count, 3);
  const double bytes = static_cast<double>(count) * sizeof(float);
  const auto turn = [&](int r) { return x[static_cast<std::size_t>(r) % 3]; };
  bytesLine("norm of 2^27", median(15, [&](int r) { return norm2_stable_on(nullptr, int(count), turn(r), result); }),
            bytes, copy);
  for (const int columns : {1 << 10, 1 << 14, 1 << 17}) {
    const int rows = static_cast<int>(count / columns);
    const std::string size = std::to_string(rows) + " x " + std::to_string(columns);
    bytesLine(("log-sum-exp " + size).c_str(),
              median(15, [&](int r) { return log_sum_exp_on(nullptr, rows, columns, turn(r), result); }), bytes, copy);
    bytesLine(("variance " + size).c_str(),
              median(15, [&](int r) { return variance_on(nullptr, rows, columns, turn(r), result); }), bytes, copy);
  }
  release(x);
  return 0;
}
