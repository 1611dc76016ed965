// Times layers of products as polymend prints them (texts.h names the printed entries) beside cuBLAS on the same device
// memory: three products of one input beside one product with the joined matrix and beside three, a gated layer beside
// the joined product and one kernel for what is element-wise, a classifier's loss beside the product alone. A round
// calls each of them a few times in a row, the next round in another order; times are medians over rounds. Elements
// are random, results start as NaNs, samples of them are compared with sums in double. Built by scripts/bench_layers.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define CHECK(call)                                                                                                    \
  if (const auto status = (call); static_cast<int>(status) != 0) {                                                     \
    std::fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, static_cast<int>(status));                  \
    std::exit(1);                                                                                                      \
  }

template <class Entry> struct Text {
  const char *name;
  Entry *run;
};

#include "texts.h"

namespace {

using Brain = __nv_bfloat16;
constexpr int rows = 8192, depth = 4096;
cublasHandle_t library;
int wrong = 0;

__device__ std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

__global__ void randomise(Brain *to, std::size_t count, std::uint64_t seed, float scale) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x)
    to[i] = __float2bfloat16(scale * (static_cast<float>(mixed(seed * 0x9E3779B97F4A7C15ull + i) >> 40) / 8388608.0f - 1.0f));
}

Brain *matrix(std::size_t height, std::size_t width, std::uint64_t seed, float scale) {
  Brain *memory = nullptr;
  CHECK(cudaMalloc(&memory, height * width * sizeof(Brain)));
  randomise<<<2048, 256>>>(memory, height * width, seed, scale);
  return memory;
}

template <class T> T *result(std::size_t count) {
  T *memory = nullptr;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  CHECK(cudaMemset(memory, 0xff, count * sizeof(T)));
  return memory;
}

/// Row `i` of x times row `j` of w in double, for each pair.
__global__ void dots(const Brain *x, const Brain *w, const int *i, const int *j, double *sums) {
  double sum = 0;
  for (int k = threadIdx.x; k < depth; k += 32)
    sum += static_cast<double>(__bfloat162float(x[std::size_t(i[blockIdx.x]) * depth + k])) *
           static_cast<double>(__bfloat162float(w[std::size_t(j[blockIdx.x]) * depth + k]));
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lane);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

std::vector<double> exactly(const Brain *x, const Brain *w, const std::vector<int> &i, const std::vector<int> &j) {
  int *at[2];
  double *sums = nullptr;
  std::vector<double> values(i.size());
  for (int side = 0; side < 2; ++side) {
    CHECK(cudaMalloc(&at[side], i.size() * sizeof(int)));
    CHECK(cudaMemcpy(at[side], (side == 0 ? i : j).data(), i.size() * sizeof(int), cudaMemcpyHostToDevice));
  }
  CHECK(cudaMalloc(&sums, i.size() * sizeof(double)));
  dots<<<static_cast<unsigned>(i.size()), 32>>>(x, w, at[0], at[1], sums);
  CHECK(cudaMemcpy(values.data(), sums, i.size() * sizeof(double), cudaMemcpyDeviceToHost));
  for (void *memory : {static_cast<void *>(at[0]), static_cast<void *>(at[1]), static_cast<void *>(sums)}) CHECK(cudaFree(memory));
  return values;
}

/// Samples of a result of `width` columns: the largest difference from `exact` as a share of the largest value there.
double differs(const Brain *given, int width, const std::vector<int> &i, const std::vector<int> &j, const std::vector<double> &exact) {
  double worst = 0, most = 0;
  for (const double value : exact) most = std::max(most, std::abs(value));
  for (std::size_t n = 0; n < i.size(); ++n) {
    Brain one;
    CHECK(cudaMemcpy(&one, given + std::size_t(i[n]) * width + j[n], sizeof one, cudaMemcpyDeviceToHost));
    const double difference = std::abs(static_cast<double>(__bfloat162float(one)) - exact[n]) / most;
    worst = difference <= worst ? worst : difference; // a NaN stays
  }
  return worst;
}

std::vector<int> samples(int count, int below, unsigned seed) {
  std::vector<int> all;
  for (int n = 0; n < count; ++n) all.push_back(static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 8) % below);
  all.front() = 0;
  all.back() = below - 1;
  return all;
}

/// y = x w^T, in rows of `stride`.
void product(const Brain *x, const Brain *w, int columns, Brain *y, int stride) {
  const float one = 1, zero = 0;
  CHECK(cublasGemmEx(library, CUBLAS_OP_T, CUBLAS_OP_N, columns, rows, depth, &one, w, CUDA_R_16BF, depth, x, CUDA_R_16BF, depth, &zero, y,
                     CUDA_R_16BF, stride, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

struct Candidate {
  std::string name;
  std::function<void()> run;
  double worst = 0; // difference from the exact result, as a share; unknown where it is no text's
  std::vector<float> times = {};
};

/// The median of each over rounds; the last is the one that others are compared with.
void compare(const std::string &layer, std::vector<Candidate> &candidates, double flops, double allowed) {
  constexpr int rounds = 15, calls = 5;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (int round = -2; round < rounds; ++round)
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      Candidate &c = candidates[(k + static_cast<std::size_t>(round + 2)) % candidates.size()];
      CHECK(cudaEventRecord(begin));
      for (int call = 0; call < calls; ++call) c.run();
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      float time = 0;
      CHECK(cudaEventElapsedTime(&time, begin, end));
      if (round >= 0) c.times.push_back(time / calls);
    }
  const auto median = [](std::vector<float> times) {
    std::sort(times.begin(), times.end());
    return static_cast<double>(times[times.size() / 2]);
  };
  const double peer = median(candidates.back().times);
  for (const Candidate &c : candidates) {
    const double time = median(c.times);
    const bool isRight = c.worst <= allowed;
    if (!isRight) ++wrong;
    std::printf("| %s | %s | %.3f | %.0f | %.3f | %.1e%s |\n", layer.c_str(), c.name.c_str(), time, flops / time / 1e9, peer / time, c.worst,
                isRight ? "" : " WRONG");
    std::fflush(stdout);
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
}

void threeProducts() {
  constexpr int widths[] = {4096, 1024, 1024}, all = 6144;
  Brain *const x = matrix(rows, depth, 1, 1), *const joined = matrix(all, depth, 2, 1), *const together = result<Brain>(std::size_t{rows} * all);
  Brain *w[3], *y[3];
  std::size_t at = 0;
  for (int k = 0; k < 3; ++k) {
    w[k] = joined + at * depth;
    at += static_cast<std::size_t>(widths[k]);
    y[k] = result<Brain>(std::size_t{rows} * widths[k]);
  }
  std::vector<Candidate> candidates;
  for (const auto &text : three) {
    const auto run = [=] { CHECK(text.run(nullptr, rows, x, w[0], w[1], w[2], y[0], y[1], y[2])); };
    Candidate c{text.name, run};
    for (int k = 0; k < 3; ++k) CHECK(cudaMemset(y[k], 0xff, std::size_t{rows} * widths[k] * sizeof(Brain)));
    run();
    for (int k = 0; k < 3; ++k) {
      const auto i = samples(400, rows, 5), j = samples(400, widths[k], 77);
      const double worst = differs(y[k], widths[k], i, j, exactly(x, w[k], i, j));
      c.worst = worst <= c.worst ? c.worst : worst;
    }
    candidates.push_back(c);
  }
  candidates.push_back({"cuBLAS, three calls", [=] {
                          for (int k = 0; k < 3; ++k) product(x, w[k], widths[k], y[k], widths[k]);
                        }});
  candidates.push_back({"cuBLAS, joined matrix", [=] { product(x, joined, all, together, all); }});
  compare("three products, 8192 x 4096 by 4096, 1024, 1024", candidates, 2.0 * rows * depth * all, 8e-3);
  for (Brain *memory : {x, joined, together, y[0], y[1], y[2]}) CHECK(cudaFree(memory));
}

__global__ void gate(const Brain *both, Brain *y, int width) {
  const std::size_t pairs = std::size_t{rows} * width / 8;
  for (std::size_t p = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; p < pairs; p += std::size_t{gridDim.x} * blockDim.x) {
    const std::size_t row = p / (width / 8), column = p % (width / 8) * 8;
    const uint4 left = *reinterpret_cast<const uint4 *>(both + row * 2 * width + column);
    const uint4 right = *reinterpret_cast<const uint4 *>(both + row * 2 * width + width + column);
    uint4 out;
    for (int k = 0; k < 8; ++k) {
      const float a = __bfloat162float(reinterpret_cast<const Brain *>(&left)[k]), b = __bfloat162float(reinterpret_cast<const Brain *>(&right)[k]);
      reinterpret_cast<Brain *>(&out)[k] = __float2bfloat16(a / (1.0f + __expf(-a)) * b);
    }
    *reinterpret_cast<uint4 *>(y + row * width + column) = out;
  }
}

void gatedLayer() {
  constexpr int width = 14336;
  Brain *const x = matrix(rows, depth, 1, 1), *const joined = matrix(2 * width, depth, 2, 0.05f);
  Brain *const both = result<Brain>(std::size_t{rows} * 2 * width), *const y = result<Brain>(std::size_t{rows} * width);
  Brain *const second = joined + std::size_t{width} * depth;
  const auto i = samples(1000, rows, 5), j = samples(1000, width, 77);
  const std::vector<double> a = exactly(x, joined, i, j), b = exactly(x, second, i, j);
  std::vector<double> exact;
  for (std::size_t n = 0; n < a.size(); ++n) exact.push_back(a[n] / (1 + std::exp(-a[n])) * b[n]);
  std::vector<Candidate> candidates;
  for (const auto &text : gated) {
    const auto run = [=] { CHECK(text.run(nullptr, rows, x, joined, second, y)); };
    CHECK(cudaMemset(y, 0xff, std::size_t{rows} * width * sizeof(Brain)));
    run();
    candidates.push_back({text.name, run, differs(y, width, i, j, exact)});
  }
  candidates.push_back({"cuBLAS, joined matrix, and one kernel", [=] {
                          product(x, joined, 2 * width, both, 2 * width);
                          gate<<<132 * 8, 256>>>(both, y, width);
                        }});
  compare("gated layer, 8192 x 4096 by 14336", candidates, 4.0 * rows * depth * width, 8e-3);
  for (Brain *memory : {x, joined, both, y}) CHECK(cudaFree(memory));
}

void classifierLoss() {
  constexpr int classes = 128256, checked = 24;
  Brain *const x = matrix(rows, depth, 1, 1), *const w = matrix(classes, depth, 2, 0.1f);
  Brain *const logits = result<Brain>(std::size_t{rows} * classes);
  float *const losses = result<float>(rows);
  std::vector<int> target = samples(rows, classes, 9);
  int *targets = nullptr;
  CHECK(cudaMalloc(&targets, rows * sizeof(int)));
  CHECK(cudaMemcpy(targets, target.data(), rows * sizeof(int), cudaMemcpyHostToDevice));
  const std::vector<int> at = samples(checked, rows, 5);
  std::vector<double> exact;
  for (const int row : at) {
    std::vector<int> same(classes, row), columns(classes);
    for (int c = 0; c < classes; ++c) columns[c] = c;
    const std::vector<double> z = exactly(x, w, same, columns);
    double sum = 0;
    const double most = *std::max_element(z.begin(), z.end());
    for (const double one : z) sum += std::exp(one - most);
    exact.push_back(most + std::log(sum) - z[target[row]]);
  }
  std::vector<Candidate> candidates;
  for (const auto &text : loss) {
    const auto run = [=] { CHECK(text.run(nullptr, rows, classes, x, w, targets, losses)); };
    CHECK(cudaMemset(losses, 0xff, rows * sizeof(float)));
    run();
    std::vector<float> all(rows);
    CHECK(cudaMemcpy(all.data(), losses, rows * sizeof(float), cudaMemcpyDeviceToHost));
    double worst = 0;
    for (int n = 0; n < checked; ++n) {
      const double difference = std::abs(all[at[n]] - exact[n]) / std::abs(exact[n]);
      worst = difference <= worst ? worst : difference;
    }
    candidates.push_back({text.name, run, worst});
  }
  candidates.push_back({"cuBLAS, the product alone", [=] { product(x, w, classes, logits, classes); }});
  compare("a classifier's loss, 8192 x 4096, 128256 classes", candidates, 2.0 * rows * depth * classes, 1e-4);
  for (void *memory : {static_cast<void *>(x), static_cast<void *>(w), static_cast<void *>(logits), static_cast<void *>(losses), static_cast<void *>(targets)})
    CHECK(cudaFree(memory));
}

} // namespace

int main() {
  CHECK(cublasCreate(&library));
  std::printf("| layer | text | ms | TFLOP/s | of the last one's speed | difference |\n|---|---|---|---|---|---|\n");
  threeProducts();
  gatedLayer();
  classifierLoss();
  if (wrong > 0) std::fprintf(stderr, "bench_layers: %d results are wrong\n", wrong);
  return wrong > 0 ? 1 : 0;
}
