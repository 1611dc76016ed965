// Times a sparse matrix times a vector as polymend prints it (ROWS.cu, which is included) beside cuSPARSE: the five-point
// matrix of a square grid and a matrix whose rows have lengths by a power law. Every result is compared with a sum in
// double on the host. Built by scripts/bench_rows.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include ROWS

#define CHECK(call)                                                                                                    \
  if (const auto status = (call); static_cast<int>(status) != 0) {                                                    \
    std::fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, static_cast<int>(status));                  \
    std::exit(1);                                                                                                      \
  }

namespace {

using T = TYPE;
constexpr cudaDataType type = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;

struct Matrix {
  std::vector<int> row{0}, column;
};

Matrix fivePoint(int side) {
  Matrix m;
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

/// Row lengths by Zipf's law with exponent 1.8, `mean` on average, in no order; columns anywhere.
Matrix powerLaw(int rows, int mean) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(1e-6, 1);
  std::vector<double> length(static_cast<std::size_t>(rows));
  double total = 0;
  for (double &l : length) total += l = std::min(std::pow(unit(random), -1 / 0.8), 1e5);
  Matrix m;
  for (const double l : length) {
    const int count = static_cast<int>(std::lround(l * rows * mean / total));
    for (int k = 0; k < count; ++k) m.column.push_back(static_cast<int>(random() % static_cast<std::uint64_t>(rows)));
    m.row.push_back(static_cast<int>(m.column.size()));
  }
  return m;
}

template <class U> U *onDevice(const std::vector<U> &values) {
  U *memory = nullptr;
  CHECK(cudaMalloc(&memory, values.size() * sizeof(U) + 16));
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(U), cudaMemcpyHostToDevice));
  return memory;
}

template <class Run> double milliseconds(const Run &run) {
  std::vector<float> times;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (int i = 0; i < 25; ++i) {
    CHECK(cudaEventRecord(begin));
    run();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    times.push_back(0);
    CHECK(cudaEventElapsedTime(&times.back(), begin, end));
  }
  std::sort(times.begin() + 5, times.end());
  return times[15];
}

void measure(const char *name, const Matrix &m) {
  const int n = static_cast<int>(m.row.size()) - 1;
  const auto count = static_cast<std::int64_t>(m.column.size());
  std::vector<T> value(m.column.size()), x(static_cast<std::size_t>(n)), y(x.size());
  std::mt19937 random(2);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (T &v : value) v = static_cast<T>(unit(random));
  for (T &v : x) v = static_cast<T>(unit(random));
  int *row = onDevice(m.row), *column = onDevice(m.column);
  T *values = onDevice(value), *in = onDevice(x), *out = onDevice(y);
  const double ours = milliseconds([&] { CHECK(rows_by_vector_on(nullptr, n, row, column, values, in, out)); });
  CHECK(cudaMemcpy(y.data(), out, y.size() * sizeof(T), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double sum = 0, size = 1e-30;
    for (int k = m.row[i]; k < m.row[i + 1]; ++k) {
      const double term = static_cast<double>(value[k]) * static_cast<double>(x[m.column[k]]);
      sum += term;
      size += std::fabs(term);
    }
    worst = std::max(worst, std::fabs(sum - static_cast<double>(y[i])) / size);
  }
  cusparseHandle_t handle;
  CHECK(cusparseCreate(&handle));
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t vx, vy;
  CHECK(cusparseCreateCsr(&a, n, n, count, row, column, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, type));
  CHECK(cusparseCreateDnVec(&vx, n, in, type));
  CHECK(cusparseCreateDnVec(&vy, n, out, type));
  const T one = 1, zero = 0;
  std::size_t bytes = 0;
  void *memory = nullptr;
  const auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const auto how = CUSPARSE_SPMV_CSR_ALG1;
  CHECK(cusparseSpMV_bufferSize(handle, operation, &one, a, vx, &zero, vy, type, how, &bytes));
  CHECK(cudaMalloc(&memory, bytes + 16));
  const double peer =
      milliseconds([&] { CHECK(cusparseSpMV(handle, operation, &one, a, vx, &zero, vy, type, how, memory)); });
  const double moved = static_cast<double>(count) * (4 + sizeof(T)) + 4.0 * n + 2.0 * n * sizeof(T);
  std::printf("| %s %s | %.4f ms | %.0f GB/s | cuSPARSE %.4f ms | %.0f GB/s | error %.1e |\n", name,
              sizeof(T) == 8 ? "f64" : "f32", ours, moved / ours / 1e6, peer, moved / peer / 1e6, worst);
  for (void *one_ : {static_cast<void *>(row), static_cast<void *>(column), static_cast<void *>(values),
                     static_cast<void *>(in), static_cast<void *>(out), memory})
    CHECK(cudaFree(one_));
}

} // namespace

int main() {
  measure("five-point, 10^7 rows", fivePoint(3162));
  measure("power law, 10^6 rows of 16", powerLaw(1000000, 16));
}
