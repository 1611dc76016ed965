// Entries on device pointers beside the original: rows of no elements, short ones, long ones, one with nearly all, rows
// whose ends lie before their beginnings; twice, with the same bits. Values are whole numbers, so that sums are exact.
#include "kernels.cu"

#include <cstdio>
#include <random>
#include <vector>

extern "C" {
void summed_original(int, const int *, const int *, const float *, const float *, float *);
void summed_wide_original(int, const std::int64_t *, const int *, const double *, const double *, double *);
void greatest_original(int, const int *, const int *, const float *, const float *, float *);
}

template <class T> static T *copied(const std::vector<T> &values) {
  T *memory = nullptr;
  if (values.empty()) return memory;
  cudaMalloc(reinterpret_cast<void **>(&memory), values.size() * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

template <class End, class T>
static bool agrees(const char *name, void original(int, const End *, const int *, const T *, const T *, T *),
                   cudaError_t device(cudaStream_t, int, const End *, const int *, const T *, const T *, T *),
                   const std::vector<long> &ends, std::mt19937 &random) {
  const int n = static_cast<int>(ends.size()) - 1, columns = 300;
  const std::vector<End> row(ends.begin(), ends.end());
  long most = 0;
  for (const long end : ends) most = end > most ? end : most;
  std::vector<int> column(static_cast<std::size_t>(most));
  std::vector<T> value(column.size()), x(columns), expected(static_cast<std::size_t>(n), T(-7)), result = expected;
  for (int &c : column) c = static_cast<int>(random() % columns);
  for (std::vector<T> *values : {&value, &x})
    for (T &v : *values) v = static_cast<T>(static_cast<int>(random() % 17) - 8);
  original(n, row.data(), column.data(), value.data(), x.data(), expected.data());
  End *const rows = copied(row);
  int *const at = copied(column);
  T *const a = copied(value), *const b = copied(x), *const out = copied(result);
  bool good = true;
  for (int run = 0; run < 2; ++run) {
    good = device(nullptr, n, rows, at, a, b, out) == cudaSuccess && good;
    cudaStreamSynchronize(nullptr);
    if (n > 0) cudaMemcpy(result.data(), out, result.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n && good; ++i)
      if (!(result[i] == expected[i])) {
        std::printf("%s of %d rows, row %d: %g, not %g\n", name, n, i, double(result[i]), double(expected[i]));
        good = false;
      }
  }
  for (void *memory : {static_cast<void *>(rows), static_cast<void *>(at), static_cast<void *>(a),
                       static_cast<void *>(b), static_cast<void *>(out)})
    if (memory) cudaFree(memory);
  return good;
}

/// The ends of rows of lengths length(i).
template <class Length> static std::vector<long> endsOf(int n, long first, const Length &length) {
  std::vector<long> ends{first};
  for (int i = 0; i < n; ++i) ends.push_back(ends.back() + length(i));
  return ends;
}

int main() {
  std::mt19937 random(1);
  std::vector<std::vector<long>> all;
  all.push_back(endsOf(0, 0, [](int) { return 0; }));
  all.push_back(endsOf(1, 3, [](int) { return 0; }));
  all.push_back(endsOf(700, 3, [&](int) { return static_cast<long>(random() % 9); }));
  all.push_back(endsOf(257, 0, [&](int i) { return i == 255 ? 13L : static_cast<long>(random() % 6); }));
  all.push_back(endsOf(530, 5, [&](int i) { return i < 256 ? 5L : static_cast<long>(random() % 90); }));
  all.push_back(endsOf(3, 0, [](int i) { return i == 1 ? 9000L : 2L; }));
  // Pieces: a row of several windows alone, between short ones, beside another one in a block.
  all.push_back(endsOf(1, 2, [](int) { return 40000L; }));
  all.push_back(endsOf(600, 1, [&](int i) { return i == 300 ? 23000L : static_cast<long>(random() % 8); }));
  all.push_back(endsOf(300, 0, [&](int i) { return i % 100 == 50 ? 12288L : i == 200 ? 4096L : 0L; }));
  all.push_back(endsOf(512, 0, [&](int i) { return i % 256 < 255 ? 90L : 0L; }));
  // An end before its beginning.
  all.push_back(endsOf(300, 40, [&](int i) {
    return i == 7 ? -20L : i == 280 ? -9L : static_cast<long>(random() % 30);
  }));
  int faults = 0;
  for (const std::vector<long> &ends : all) {
    faults += agrees("summed", summed_original, summed_on, ends, random) ? 0 : 1;
    faults += agrees("summed_wide", summed_wide_original, summed_wide_on, ends, random) ? 0 : 1;
    faults += agrees("greatest", greatest_original, greatest_on, ends, random) ? 0 : 1;
  }
  std::printf("%zu runs, %d differ\n", 3 * all.size(), faults);
  return faults == 0 ? 0 : 1;
}
