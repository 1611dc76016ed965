// Times loops over rows of data as polymend prints them (texts.h names the printed entries) on device memory, beside
// cuSPARSE and beside a kernel of one thread a row: matrices times a vector (the five-point matrix of a square grid,
// graphs whose degrees follow a power law), logarithms of sums of exponentials over such rows, bags of rows of a table.
// A time is the median of calls on copies of the data that no cache holds, queued behind a kernel that keeps the device
// busy meanwhile. Every result is compared with sums in double on the host. Built by scripts/bench_sparse.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#define CHECK(call)                                                                                                    \
  if (const auto status = (call); static_cast<int>(status) != 0) {                                                     \
    std::fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, static_cast<int>(status));                  \
    std::exit(1);                                                                                                      \
  }

template <class T>
using RowsEntry = cudaError_t(cudaStream_t, int, const int *, const int *, const T *, const T *, T *);
using BagsEntry = cudaError_t(cudaStream_t, int, int, const int *, const int *, const float *, float *);
template <class Entry> struct Text {
  const char *name;
  Entry *run;
};

#include "texts.h"

namespace {

constexpr int copies = 3, calls = 15;

struct Matrix {
  int rows = 0, columns = 0;
  std::vector<int> row{0}, column;
};

Matrix fivePoint(int side) {
  Matrix m{side * side, side * side};
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const int at = i * side + j;
      if (i > 0) m.column.push_back(at - side);
      if (j > 0) m.column.push_back(at - 1);
      m.column.push_back(at);
      if (j + 1 < side) m.column.push_back(at + 1);
      if (i + 1 < side) m.column.push_back(at + side);
      m.row.push_back(static_cast<int>(m.column.size()));
    }
  return m;
}

/// Row and column n u^4 for u uniform, each pair once: the first rows are the longest, and of any length.
Matrix powerLaw(int n, int draws, bool shuffled) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<int> place(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) place[i] = i;
  if (shuffled) std::shuffle(place.begin(), place.end(), random);
  std::vector<std::uint64_t> pairs(static_cast<std::size_t>(draws));
  for (std::uint64_t &p : pairs) {
    const auto r = std::min(n - 1, static_cast<int>(std::pow(unit(random), 4) * n));
    const auto c = std::min(n - 1, static_cast<int>(std::pow(unit(random), 4) * n));
    p = static_cast<std::uint64_t>(place[r]) << 32 | static_cast<std::uint64_t>(place[c]);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Matrix m{n, n};
  std::size_t at = 0;
  for (int i = 0; i < n; ++i) {
    for (; at < pairs.size() && static_cast<int>(pairs[at] >> 32) == i; ++at)
      m.column.push_back(static_cast<int>(pairs[at] & 0xffffffffu));
    m.row.push_back(static_cast<int>(m.column.size()));
  }
  return m;
}

/// Bags of up to 2 mean - 1 rows of a table, anywhere.
Matrix bags(int count, int mean, int table) {
  std::mt19937_64 random(1);
  Matrix m{count, table};
  for (int i = 0; i < count; ++i) {
    for (std::uint64_t k = random() % static_cast<std::uint64_t>(2 * mean); k > 0; --k)
      m.column.push_back(static_cast<int>(random() % static_cast<std::uint64_t>(table)));
    m.row.push_back(static_cast<int>(m.column.size()));
  }
  return m;
}

/// So many copies of an array on the device.
template <class U> std::vector<U *> onDevice(const std::vector<U> &values) {
  std::vector<U *> all(copies, nullptr);
  for (U *&memory : all) {
    CHECK(cudaMalloc(&memory, values.size() * sizeof(U) + 16));
    CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(U), cudaMemcpyHostToDevice));
  }
  return all;
}
template <class U> void release(const std::vector<U *> &all) {
  for (U *memory : all) CHECK(cudaFree(memory));
}

__global__ void keepBusy(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

/// The median of calls run(copy) on a stream.
template <class Run> double milliseconds(cudaStream_t stream, const Run &run) {
  std::vector<float> times;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (int i = 0; i < calls + 3; ++i) {
    keepBusy<<<1, 1, 0, stream>>>(400000);
    CHECK(cudaEventRecord(begin, stream));
    run(i % copies);
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    times.push_back(0);
    CHECK(cudaEventElapsedTime(&times.back(), begin, end));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  std::sort(times.begin() + 3, times.end());
  return times[3 + calls / 2];
}

template <class T>
__global__ void oneThreadARow(int n, const int *__restrict__ row, const int *__restrict__ column,
                              const T *__restrict__ a, const T *__restrict__ x, T *__restrict__ y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  T sum = 0;
  for (int k = row[i]; k < row[i + 1]; ++k) sum += a[k] * x[column[k]];
  y[i] = sum;
}

__global__ void oneThreadALogSum(int n, const int *__restrict__ row, const int *__restrict__ column,
                                 const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float most = -INFINITY, sum = 0;
  for (int k = row[i]; k < row[i + 1]; ++k) most = fmaxf(most, a[k] * x[column[k]]);
  for (int k = row[i]; k < row[i + 1]; ++k) sum += expf(a[k] * x[column[k]] - most);
  y[i] = most + logf(sum);
}

__global__ void oneThreadAnElement(int n, int d, const int *__restrict__ row, const int *__restrict__ index,
                                   const float *__restrict__ table, float *__restrict__ y) {
  const std::int64_t at = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x, i = at / d, j = at % d;
  if (i >= n) return;
  float sum = 0;
  for (int k = row[i]; k < row[i + 1]; ++k) sum += table[static_cast<std::int64_t>(index[k]) * d + j];
  y[at] = sum;
}

/// A line of the report: a case, who ran it, how long, bytes counting each array once, the largest error.
class Report {
public:
  Report(std::string what, double moved, double streamed) : name(std::move(what)), bytes(moved), streams(streamed) {}
  void line(const std::string &who, double ms, double error) const {
    std::printf("| %s | %s | %.4f ms | %.0f GB/s | %.0f GB/s of elements | %.2f of cuSPARSE | %.2f of a thread a row | "
                "error %.1e |%s\n",
                name.c_str(), who.c_str(), ms, bytes / ms / 1e6, streams / ms / 1e6, peer / ms, plain / ms, error,
                error < 1e-4 ? "" : " WRONG");
    std::fflush(stdout);
  }
  double peer = NAN, plain = NAN; // times of both

private:
  std::string name;
  double bytes, streams;
};

/// The largest difference from `exact`, relative to `size`; what nobody wrote is no number.
template <class T> double errorOf(const T *result, const std::vector<double> &exact, const std::vector<double> &size) {
  std::vector<T> y(exact.size());
  CHECK(cudaMemcpy(y.data(), result, y.size() * sizeof(T), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::isinf(exact[i]) && static_cast<double>(y[i]) == exact[i]) continue;
    const double error = std::fabs(exact[i] - static_cast<double>(y[i])) / size[i];
    worst = error <= worst ? worst : std::isnan(error) ? INFINITY : error;
  }
  return worst;
}

/// Runs `run(stream, copy)` as it is, and from a captured graph.
template <class T, class Run>
void measure(const Report &report, const std::string &who, bool asGraph, const std::vector<T *> &out,
             const std::vector<double> &exact, const std::vector<double> &size, cudaStream_t stream, const Run &run) {
  CHECK(cudaMemset(out[0], 0xff, exact.size() * sizeof(T)));
  run(stream, 0);
  CHECK(cudaStreamSynchronize(stream));
  const double error = errorOf(out[0], exact, size);
  report.line(who, milliseconds(stream, [&](int copy) { run(stream, copy); }), error);
  if (!asGraph) return;
  std::vector<cudaGraphExec_t> graphs(copies);
  for (int copy = 0; copy < copies; ++copy) {
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    run(stream, copy);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&graphs[copy], graph, 0));
    CHECK(cudaGraphDestroy(graph));
  }
  CHECK(cudaMemset(out[0], 0xff, exact.size() * sizeof(T)));
  CHECK(cudaGraphLaunch(graphs[0], stream));
  CHECK(cudaStreamSynchronize(stream));
  const double again = errorOf(out[0], exact, size);
  report.line(who + " (graph)", milliseconds(stream, [&](int copy) { CHECK(cudaGraphLaunch(graphs[copy], stream)); }),
              again);
  for (cudaGraphExec_t graph : graphs) CHECK(cudaGraphExecDestroy(graph));
}

/// The median of cuSPARSE's fastest way; what it prepares once is not counted.
template <class T>
double cusparseRows(const Matrix &m, const std::vector<int *> &row, const std::vector<int *> &column,
                    const std::vector<T *> &value, const std::vector<T *> &in, const std::vector<T *> &out,
                    cudaStream_t stream) {
  constexpr cudaDataType type = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;
  constexpr auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const auto count = static_cast<std::int64_t>(m.column.size());
  const T one = 1, zero = 0;
  cusparseHandle_t handle;
  CHECK(cusparseCreate(&handle));
  CHECK(cusparseSetStream(handle, stream));
  double best = INFINITY;
  for (const auto how : {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2}) {
    cusparseSpMatDescr_t a[copies];
    cusparseDnVecDescr_t x[copies], y[copies];
    void *memory[copies];
    for (int c = 0; c < copies; ++c) {
      std::size_t bytes = 0;
      CHECK(cusparseCreateCsr(&a[c], m.rows, m.columns, count, row[c], column[c], value[c], CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
      CHECK(cusparseCreateDnVec(&x[c], m.columns, in[c], type));
      CHECK(cusparseCreateDnVec(&y[c], m.rows, out[c], type));
      CHECK(cusparseSpMV_bufferSize(handle, operation, &one, a[c], x[c], &zero, y[c], type, how, &bytes));
      CHECK(cudaMalloc(&memory[c], bytes + 16));
#if CUSPARSE_VERSION >= 12400
      CHECK(cusparseSpMV_preprocess(handle, operation, &one, a[c], x[c], &zero, y[c], type, how, memory[c]));
#endif
    }
    best = std::min(best, milliseconds(stream, [&](int c) {
                      CHECK(cusparseSpMV(handle, operation, &one, a[c], x[c], &zero, y[c], type, how, memory[c]));
                    }));
    for (int c = 0; c < copies; ++c) {
      CHECK(cusparseDestroySpMat(a[c]));
      CHECK(cusparseDestroyDnVec(x[c]));
      CHECK(cusparseDestroyDnVec(y[c]));
      CHECK(cudaFree(memory[c]));
    }
  }
  CHECK(cusparseDestroy(handle));
  return best;
}

template <class T> struct RowsOnDevice {
  std::vector<int *> row, column;
  std::vector<T *> value, in, out;
};

template <class T, class Texts>
void rowsByVector(const char *name, const Matrix &m, const Texts &texts, bool isLogSum, cudaStream_t stream) {
  const auto n = static_cast<std::size_t>(m.rows), count = m.column.size();
  std::vector<T> value(count), x(static_cast<std::size_t>(m.columns)), y(n);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (T &v : value) v = static_cast<T>(unit(random));
  for (T &v : x) v = static_cast<T>(unit(random));
  std::vector<double> exact(n), size(n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0, all = 1e-30, most = -INFINITY;
    const auto term = [&](int k) {
      return static_cast<double>(value[static_cast<std::size_t>(k)]) *
             static_cast<double>(x[static_cast<std::size_t>(m.column[static_cast<std::size_t>(k)])]);
    };
    for (int k = m.row[i]; k < m.row[i + 1]; ++k) most = std::max(most, term(k));
    for (int k = m.row[i]; k < m.row[i + 1]; ++k) {
      sum += isLogSum ? std::exp(term(k) - most) : term(k);
      all += std::fabs(term(k));
    }
    exact[i] = isLogSum ? most + std::log(sum) : sum;
    size[i] = isLogSum ? 1 : all;
  }
  const auto row = onDevice(m.row), column = onDevice(m.column);
  const auto values = onDevice(value), in = onDevice(x), out = onDevice(y);
  const double elements = static_cast<double>(count) * (4 + sizeof(T));
  Report report(name, elements + 4.0 * (m.rows + 1) + sizeof(T) * (1.0 * m.rows + m.columns), elements);
  const unsigned blocks = static_cast<unsigned>((m.rows + 255) / 256);
  report.plain = milliseconds(stream, [&](int c) {
    if constexpr (sizeof(T) == 4)
      if (isLogSum)
        return oneThreadALogSum<<<blocks, 256, 0, stream>>>(m.rows, row[c], column[c], values[c], in[c], out[c]);
    oneThreadARow<<<blocks, 256, 0, stream>>>(m.rows, row[c], column[c], values[c], in[c], out[c]);
  });
  if (!isLogSum) report.peer = cusparseRows(m, row, column, values, in, out, stream);
  report.line("a thread a row", report.plain, 0);
  if (!isLogSum) report.line("cuSPARSE", report.peer, 0);
  bool isFirst = true;
  for (const auto &text : texts) {
    measure(report, text.name, isFirst, out, exact, size, stream,
            [&](cudaStream_t on, int c) { CHECK(text.run(on, m.rows, row[c], column[c], values[c], in[c], out[c])); });
    isFirst = false;
  }
  release(row), release(column), release(values), release(in), release(out);
}

template <class Texts>
void sumsOfBags(const char *name, const Matrix &m, int d, const Texts &texts, cudaStream_t stream) {
  const auto n = static_cast<std::size_t>(m.rows), width = static_cast<std::size_t>(d);
  std::vector<float> table(static_cast<std::size_t>(m.columns) * width), y(n * width), ones(m.column.size(), 1.0F);
  std::mt19937 random(2);
  std::uniform_real_distribution<float> unit(-1, 1);
  for (float &v : table) v = unit(random);
  std::vector<double> exact(n * width), size(n * width, 1e-30);
  for (std::size_t i = 0; i < n; ++i)
    for (int k = m.row[i]; k < m.row[i + 1]; ++k)
      for (std::size_t j = 0; j < width; ++j) {
        const double term = table[static_cast<std::size_t>(m.column[static_cast<std::size_t>(k)]) * width + j];
        exact[i * width + j] += term;
        size[i * width + j] += std::fabs(term);
      }
  const auto row = onDevice(m.row), index = onDevice(m.column);
  const auto in = onDevice(table), out = onDevice(y), weights = onDevice(ones);
  const double elements = static_cast<double>(m.column.size()) * (4 + 4.0 * d);
  Report report(name, elements + 4.0 * (m.rows + 1) + 4.0 * m.rows * d, elements);
  const auto blocks = static_cast<unsigned>((n * width + 255) / 256);
  report.plain = milliseconds(stream, [&](int c) {
    oneThreadAnElement<<<blocks, 256, 0, stream>>>(m.rows, d, row[c], index[c], in[c], out[c]);
  });
  cusparseHandle_t handle;
  CHECK(cusparseCreate(&handle));
  CHECK(cusparseSetStream(handle, stream));
  const float one = 1, zero = 0;
  constexpr auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  cusparseSpMatDescr_t a[copies];
  cusparseDnMatDescr_t x[copies], z[copies];
  void *memory[copies];
  for (int c = 0; c < copies; ++c) {
    std::size_t bytes = 0;
    CHECK(cusparseCreateCsr(&a[c], m.rows, m.columns, static_cast<std::int64_t>(m.column.size()), row[c], index[c],
                            weights[c], CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    CHECK(cusparseCreateDnMat(&x[c], m.columns, d, d, in[c], CUDA_R_32F, CUSPARSE_ORDER_ROW));
    CHECK(cusparseCreateDnMat(&z[c], m.rows, d, d, out[c], CUDA_R_32F, CUSPARSE_ORDER_ROW));
    CHECK(cusparseSpMM_bufferSize(handle, operation, operation, &one, a[c], x[c], &zero, z[c], CUDA_R_32F,
                                  CUSPARSE_SPMM_CSR_ALG2, &bytes));
    CHECK(cudaMalloc(&memory[c], bytes + 16));
  }
  report.peer = milliseconds(stream, [&](int c) {
    CHECK(cusparseSpMM(handle, operation, operation, &one, a[c], x[c], &zero, z[c], CUDA_R_32F, CUSPARSE_SPMM_CSR_ALG2,
                       memory[c]));
  });
  report.line("a thread an element", report.plain, 0);
  report.line("cuSPARSE", report.peer, 0);
  bool isFirst = true;
  for (const auto &text : texts) {
    measure(report, text.name, isFirst, out, exact, size, stream,
            [&](cudaStream_t on, int c) { CHECK(text.run(on, m.rows, d, row[c], index[c], in[c], out[c])); });
    isFirst = false;
  }
  for (int c = 0; c < copies; ++c) {
    CHECK(cusparseDestroySpMat(a[c]));
    CHECK(cusparseDestroyDnMat(x[c]));
    CHECK(cusparseDestroyDnMat(z[c]));
    CHECK(cudaFree(memory[c]));
  }
  CHECK(cusparseDestroy(handle));
  release(row), release(index), release(in), release(out), release(weights);
}

} // namespace

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const Matrix grid = fivePoint(3162);
  rowsByVector<double>("five-point, 10^7 rows, f64", grid, rows_f64, false, stream);
  rowsByVector<float>("five-point, 10^7 rows, f32", grid, rows_f32, false, stream);
  const Matrix hubs = powerLaw(1 << 20, 1 << 24, false), graph = powerLaw(1 << 20, 1 << 24, true);
  rowsByVector<float>("power law, hubs first, f32", hubs, rows_f32, false, stream);
  rowsByVector<float>("power law, shuffled, f32", graph, rows_f32, false, stream);
  rowsByVector<float>("log-sum-exp, five-point, f32", grid, logsum_f32, true, stream);
  rowsByVector<float>("log-sum-exp, power law shuffled, f32", graph, logsum_f32, true, stream);
  sumsOfBags("bags of 32 rows of 64, f32", bags(1 << 17, 32, 1 << 20), 64, bags_f32, stream);
  sumsOfBags("power law bags of rows of 32, f32", graph, 32, bags_f32, stream);
}
