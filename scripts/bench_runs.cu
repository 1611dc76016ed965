// Rows in ranges of data beside rows of one matrix and sequences of one length: outputs are poisoned first, a sample of rows is compared with sums
// in double, times are medians of events.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <functional>
#include <random>
#include <vector>
cudaError_t grouped_on(cudaStream_t, std::int64_t groups, std::int64_t n, std::int64_t kk, const int *offset, const __nv_bfloat16 *a,
                       const __nv_bfloat16 *w, __nv_bfloat16 *c);
cudaError_t grouped_turned_on(cudaStream_t, std::int64_t groups, std::int64_t n, std::int64_t kk, const int *offset, const __nv_bfloat16 *a,
                              const __nv_bfloat16 *w, __nv_bfloat16 *c);
cudaError_t matmul_bf16_on(cudaStream_t, std::int64_t n, std::int64_t m, std::int64_t k, const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                           __nv_bfloat16 *c);
cudaError_t ragged_on(cudaStream_t, std::int64_t batch, const int *start, const __nv_bfloat16 *q, const __nv_bfloat16 *k, const __nv_bfloat16 *v,
                      __nv_bfloat16 *o);
cudaError_t prefill_causal_on(cudaStream_t, std::int64_t batch, std::int64_t n, const __nv_bfloat16 *q, const __nv_bfloat16 *k,
                              const __nv_bfloat16 *v, __nv_bfloat16 *o);
#define CK(x)                                                                                                                                        \
  do {                                                                                                                                               \
    cudaError_t err_ = (x);                                                                                                                          \
    if (err_ != cudaSuccess) {                                                                                                                       \
      std::printf("%s: %s (line %d)\n", #x, cudaGetErrorString(err_), __LINE__);                                                                     \
      std::exit(1);                                                                                                                                  \
    }                                                                                                                                                \
  } while (0)
__global__ void fill(__nv_bfloat16 *p, std::int64_t n, unsigned seed, float scale) {
  for (std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x; i < n; i += std::int64_t(gridDim.x) * blockDim.x) {
    unsigned x = unsigned(i) * 2654435761u + seed;
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    x ^= x >> 16;
    p[i] = __float2bfloat16(((x & 0xffff) / 32768.0f - 1.0f) * scale);
  }
}
double median(std::vector<float> t) {
  std::sort(t.begin(), t.end());
  return t[t.size() / 2];
}
double timed(const std::function<void()> &f, int runs = 21) {
  cudaEvent_t s, e;
  CK(cudaEventCreate(&s));
  CK(cudaEventCreate(&e));
  std::vector<float> t;
  for (int i = 0; i < 3; i++)
    f();
  for (int i = 0; i < runs; i++) {
    CK(cudaEventRecord(s));
    f();
    CK(cudaEventRecord(e));
    CK(cudaEventSynchronize(e));
    float ms;
    CK(cudaEventElapsedTime(&ms, s, e));
    t.push_back(ms);
  }
  return median(t);
}
bool grouped() {
  const int groups = 64;
  const std::int64_t rows = 16384, K = 4096, N = 1408;
  std::mt19937 random(7);
  bool good = true;
  __nv_bfloat16 *a, *w, *c, *b;
  int *offset;
  CK(cudaMalloc(&a, rows * K * 2));
  CK(cudaMalloc(&w, groups * K * N * 2));
  CK(cudaMalloc(&c, rows * N * 2));
  CK(cudaMalloc(&offset, (groups + 1) * 4));
  CK(cudaMalloc(&b, K * N * 2));
  fill<<<1024, 256>>>(a, rows * K, 1, 1);
  fill<<<1024, 256>>>(w, groups * K * N, 2, 1);
  fill<<<1024, 256>>>(b, K * N, 3, 1);
  std::vector<__nv_bfloat16> ha(rows * K), hw(groups * K * N), hc(rows * N);
  CK(cudaMemcpy(ha.data(), a, ha.size() * 2, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(hw.data(), w, hw.size() * 2, cudaMemcpyDeviceToHost));
  const double flop = 2.0 * rows * K * N;
  for (int kind = 0; kind < 6; kind++) {
    std::vector<double> weight(groups);
    for (int g = 0; g < groups; g++)
      weight[g] = kind == 0   ? 1.0
                  : kind == 1 ? -std::log((random() % 100000 + 1) / 100001.0)
                  : kind == 2 ? (g % 5 == 0 ? 0.0 : 1.0 / (g + 1))
                  : kind == 3 ? 1 + (random() % 3)
                              : 1 + random() % 511;
    double all = 0;
    for (double x : weight)
      all += x;
    std::vector<int> o(groups + 1, 0);
    double sum = 0;
    for (int g = 0; g < groups; g++) {
      sum += weight[g];
      o[g + 1] = int(std::llround(rows * sum / all));
    }
    o[groups] = rows;
    int longest = 0, empty = 0;
    for (int g = 0; g < groups; g++)
      longest = std::max(longest, o[g + 1] - o[g]), empty += o[g + 1] == o[g];
    CK(cudaMemcpy(offset, o.data(), o.size() * 4, cudaMemcpyHostToDevice));
    for (int transposed = 0; transposed < 2; transposed++) {
      const auto run = [&] { CK((transposed ? grouped_turned_on : grouped_on)(0, groups, N, K, offset, a, w, c)); };
      CK(cudaMemset(c, 0xff, rows * N * 2));
      run();
      CK(cudaDeviceSynchronize());
      CK(cudaMemcpy(hc.data(), c, hc.size() * 2, cudaMemcpyDeviceToHost));
      double worst = 0;
      std::int64_t nan = 0;
      for (auto x : hc)
        nan += std::isnan(__bfloat162float(x));
      for (int g = 0; g < groups; g++) {
        if (o[g] == o[g + 1])
          continue;
        for (int i : {o[g], o[g + 1] - 1, o[g] + int(random() % (o[g + 1] - o[g]))})
          for (int q = 0; q < 12; q++) {
            const std::int64_t j = q == 0 ? 0 : q == 1 ? N - 1 : random() % N;
            double ref = 0, mag = 0;
            for (std::int64_t k = 0; k < K; k++) {
              const double p = double(__bfloat162float(ha[i * K + k])) * __bfloat162float(hw[transposed ? (g * N + j) * K + k : (g * K + k) * N + j]);
              ref += p;
              mag += std::abs(p);
            }
            worst = std::max(worst, std::abs(ref - __bfloat162float(hc[i * N + j])) / (std::abs(ref) * 0.0079 + mag * 1e-5));
          }
      }
      good = good && worst <= 1 && nan == 0;
      const double ms = timed(run);
      std::printf("kind %d longest %d empty %d %s: worst error / bound %.3f, NaN %lld, %.4f ms, %.0f TFLOP/s\n", kind, longest, empty,
                  transposed ? "w[g][n][k]" : "w[g][k][n]", worst, (long long)nan, ms, flop / ms * 1e-9);
    }
  }
  const double plain = timed([&] { CK(matmul_bf16_on(0, rows, N, K, a, b, c)); });
  std::printf("plain product of ours: %.4f ms, %.0f TFLOP/s\n", plain, flop / plain * 1e-9);
  cudaStream_t stream;
  CK(cudaStreamCreate(&stream));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const cudaError_t captured = grouped_on(stream, groups, N, K, offset, a, w, c);
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  std::printf("capture: %s, %s\n", cudaGetErrorString(captured), cudaGetErrorString(ended));
  if (captured == cudaSuccess && ended == cudaSuccess) {
    CK(cudaGraphInstantiate(&exec, graph, 0));
    const double ms = timed([&] { CK(cudaGraphLaunch(exec, 0)); });
    std::printf("captured: %.4f ms\n", ms);
  }
  return good;
}
bool ragged() {
  const std::int64_t H = 32, D = 128, top = 8 * 4096;
  __nv_bfloat16 *q, *k, *v, *o;
  int *start;
  for (__nv_bfloat16 **p : {&q, &k, &v, &o})
    CK(cudaMalloc(p, top * H * D * 2));
  CK(cudaMalloc(&start, 64 * 4));
  fill<<<1024, 256>>>(q, top * H * D, 1, 2);
  fill<<<1024, 256>>>(k, top * H * D, 2, 1.5f);
  fill<<<1024, 256>>>(v, top * H * D, 3, 1);
  std::vector<__nv_bfloat16> hq(top * H * D), hk(hq.size()), hv(hq.size()), ho(hq.size());
  CK(cudaMemcpy(hq.data(), q, hq.size() * 2, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(hk.data(), k, hq.size() * 2, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(hv.data(), v, hq.size() * 2, cudaMemcpyDeviceToHost));
  std::mt19937 random(3);
  bool good = true;
  const std::vector<std::vector<int>> cases{{512, 3000, 128, 8192, 1024, 77, 4096, 2048},
                                            {8192, 4096, 3000, 2048, 1024, 512, 128, 77},
                                            {77, 128, 512, 1024, 2048, 3000, 4096, 8192},
                                            {0, 1, 5000, 0, 193, 191, 4000, 0},
                                            {4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096}};
  for (const auto &lengths : cases) {
    std::vector<int> s{0};
    double flop = 0;
    for (int n : lengths)
      s.push_back(s.back() + n), flop += 4.0 * H * D * n * double(n) / 2;
    CK(cudaMemcpy(start, s.data(), s.size() * 4, cudaMemcpyHostToDevice));
    const auto run = [&] { CK(ragged_on(0, lengths.size(), start, q, k, v, o)); };
    CK(cudaMemset(o, 0xff, top * H * D * 2));
    run();
    CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(ho.data(), o, ho.size() * 2, cudaMemcpyDeviceToHost));
    double worst = 0;
    std::int64_t nan = 0, poisoned = 0;
    for (std::int64_t e = 0; e < s.back() * H * D; e++)
      nan += std::isnan(__bfloat162float(ho[e]));
    for (std::int64_t e = s.back() * H * D; e < std::min<std::int64_t>(top, s.back() + 300) * H * D; e++)
      poisoned += !std::isnan(__bfloat162float(ho[e]));
    for (std::size_t b = 0; b < lengths.size(); b++) {
      if (lengths[b] == 0)
        continue;
      for (int i : {0, lengths[b] - 1, int(random() % lengths[b]), std::min(191, lengths[b] - 1), std::min(192, lengths[b] - 1)}) {
        const std::int64_t h = random() % H, r = s[b] + i;
        std::vector<double> p(i + 1);
        double m = -1e300, l = 0;
        for (int j = 0; j <= i; j++) {
          double dot = 0;
          for (int d = 0; d < D; d++)
            dot += double(__bfloat162float(hq[(r * H + h) * D + d])) * __bfloat162float(hk[((s[b] + j) * H + h) * D + d]);
          p[j] = dot * 0.08838834764;
          m = std::max(m, p[j]);
        }
        for (double &x : p)
          x = std::exp(x - m), l += x;
        for (int d = 0; d < D; d++) {
          double sum = 0, mag = 0;
          for (int j = 0; j <= i; j++) {
            const double t = p[j] * __bfloat162float(hv[((s[b] + j) * H + h) * D + d]);
            sum += t;
            mag += std::abs(t);
          }
          worst =
              std::max(worst, std::abs(sum / l - __bfloat162float(ho[(r * H + h) * D + d])) / (std::abs(sum / l) * 0.0079 + mag / l * 0.005 + 1e-6));
        }
      }
    }
    good = good && worst <= 1 && nan == 0 && poisoned == 0;
    const double ms = timed(run);
    std::printf("ragged");
    for (int n : lengths)
      std::printf(" %d", n);
    std::printf(": worst error / bound %.3f, NaN %lld, written beyond %lld, %.4f ms, %.0f TFLOP/s\n", worst, (long long)nan, (long long)poisoned, ms,
                flop / ms * 1e-9);
  }
  const double flop = 8 * 4.0 * H * D * 4096.0 * 4096 / 2;
  const double plain = timed([&] { CK(prefill_causal_on(0, 8, 4096, q, k, v, o)); });
  std::printf("8 x 4096 of ours: %.4f ms, %.0f TFLOP/s\n", plain, flop / plain * 1e-9);
  cudaStream_t stream;
  CK(cudaStreamCreate(&stream));
  cudaGraph_t graph;
  CK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const cudaError_t captured = ragged_on(stream, 8, start, q, k, v, o);
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  std::printf("capture: %s, %s\n", cudaGetErrorString(captured), cudaGetErrorString(ended));
  return good;
}
int main() {
  const bool products = grouped(), rows = ragged();
  return products && rows ? 0 : 1;
}
