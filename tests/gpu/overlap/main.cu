// Calls of both forms of each kernel on the same memory, with the outputs apart from the inputs, at them and among them;
// where data choose the elements, also of the entry on device pointers, which finds out by itself.
#include "kernels.cu"

#include <cstdio>
#include <random>
#include <vector>

using Kernel = void(long, long, long, const int *, const double *, double *);
using OnDevice = cudaError_t(cudaStream_t, long, long, long, const int *, const double *, double *);
#define FORMS(NAME) {#NAME, NAME, NAME##_original, nullptr}
#define ALL_FORMS(NAME) {#NAME, NAME, NAME##_original, NAME##_on}
Kernel below_original, rows_below_original, row_and_line_original, squares_original, outside_original;
Kernel gathered_original, gathered_rows_original, gathered_twice_original, row_less_target_original, held_row_original;

struct Forms {
  const char *name;
  Kernel *printed, *original;
  OnDevice *device;
};

/// As the entry on device pointers leaves `values`, of which the arguments are parts.
static std::vector<double> onDevice(const Forms &forms, long n, long m, long k, const std::vector<int> &t, long x, long y,
                                    const std::vector<double> &values) {
  std::vector<double> result = values;
  double *memory = nullptr;
  int *indices = nullptr;
  cudaMalloc(reinterpret_cast<void **>(&memory), values.size() * sizeof(double));
  cudaMalloc(reinterpret_cast<void **>(&indices), t.size() * sizeof(int));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(indices, t.data(), t.size() * sizeof(int), cudaMemcpyHostToDevice);
  const cudaError_t error = forms.device(nullptr, n, m, k, indices, memory + x, memory + y);
  cudaStreamSynchronize(nullptr);
  cudaMemcpy(result.data(), memory, values.size() * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(memory);
  cudaFree(indices);
  return error == cudaSuccess ? result : std::vector<double>();
}

static int faultsOf(const Forms &forms, std::mt19937 &random) {
  int faults = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const long n = static_cast<long>(random() % 12), m = 1 + static_cast<long>(random() % 5), k = 1 + static_cast<long>(random() % 5);
    std::vector<double> a(1400);
    for (double &value : a) value = static_cast<double>(random() % 1000);
    std::vector<double> b = a;
    std::vector<int> t(64);
    for (int &value : t) value = static_cast<int>(random() % static_cast<unsigned>(n < m ? n + 1 : m));
    const std::vector<double> before = a;
    const long x = 600, y = trial % 3 == 0 ? 1200 : trial % 3 == 1 ? 598 + static_cast<long>(random() % 5) : 570 + static_cast<long>(random() % 61);
    forms.original(n, m, k, t.data(), &a[x], &a[y]);
    forms.printed(n, m, k, t.data(), &b[x], &b[y]);
    if (forms.device && a == b) b = onDevice(forms, n, m, k, t, x, y, before);
    if (a == b) continue;
    if (++faults <= 3) std::printf("    n=%ld m=%ld k=%ld y-x=%ld differs\n", n, m, k, y - x);
  }
  return faults;
}

int main() {
  const Forms all[] = {FORMS(below), FORMS(rows_below), FORMS(row_and_line), FORMS(squares), FORMS(outside),
                       ALL_FORMS(gathered), ALL_FORMS(gathered_rows), ALL_FORMS(gathered_twice),
                       ALL_FORMS(row_less_target), ALL_FORMS(held_row)};
  int faults = 0;
  for (const Forms &forms : all) {
    std::mt19937 random(1);
    const int found = faultsOf(forms, random);
    std::printf("%s  %s\n", found == 0 ? "ok  " : "FAIL", forms.name);
    faults += found;
  }
  return faults != 0;
}
