// Entries on device pointers beside the original: ranges that are empty, begin late, fill tiles, end within one. Arrays
// end with their last range, beyond which the device faults; elements may be infinite or no numbers.
#include "kernels.cu"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

using Element = __nv_bfloat16;
using Kernel = void(std::int64_t, std::int64_t, std::int64_t, const int *, const void *, const void *, void *);
using OnDevice = cudaError_t(cudaStream_t, std::int64_t, std::int64_t, std::int64_t, const int *, const Element *,
                             const Element *, Element *);
extern "C" Kernel grouped_original, undeclared_original, causal_original, whole_original;

struct Case {
  const char *name;
  Kernel *original;
  OnDevice *device;
  long n, k;                       // the sizes
  long left, right, result, group; // elements of a row of each array, and of the second array's for each group
};

template <class T> static T *copied(const std::vector<T> &values) {
  T *memory = nullptr;
  if (values.empty()) return memory;
  cudaMalloc(reinterpret_cast<void **>(&memory), values.size() * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

/// Where the two results are not the same; rows before the first range are nobody's.
static long differences(const std::vector<Element> &a, const std::vector<Element> &b) {
  long count = 0;
  for (std::size_t e = 0; e < a.size(); ++e) {
    const float x = static_cast<float>(a[e]), y = static_cast<float>(b[e]);
    const bool same = std::isnan(x) || std::isnan(y) ? std::isnan(x) == std::isnan(y) : x == y || std::abs(x - y) <= 0.02f * (std::abs(x) + 1);
    if (!same && ++count == 1) std::printf("    element %zu: %g and %g\n", e, x, y);
  }
  return count;
}

static bool agrees(const Case &one, const std::vector<int> &lengths, int first, float strange, std::mt19937 &random) {
  std::vector<int> offset{first};
  for (const int length : lengths) offset.push_back(offset.back() + length);
  const long groups = static_cast<long>(lengths.size()), rows = offset.back();
  std::vector<Element> a(rows * one.left), w(one.group ? groups * one.group : rows * one.right), c(rows * one.result);
  const auto fill = [&](std::vector<Element> &values) {
    for (Element &value : values) value = Element(static_cast<float>(static_cast<int>(random() % 257) - 128) / 64);
  };
  fill(a), fill(w);
  for (Element &value : c) value = Element(7.0f);
  if (strange != 0 && rows > 0) {
    a[random() % a.size()] = Element(strange);
    w[random() % w.size()] = Element(strange);
  }
  std::vector<Element> expected = c, result = c;
  one.original(groups, one.n, one.k, offset.data(), a.data(), w.data(), expected.data());
  int *const offsets = copied(offset);
  Element *const left = copied(a), *const right = copied(w), *const out = copied(c);
  bool good = true;
  good = one.device(nullptr, groups, one.n, one.k, offsets, left, right, out) == cudaSuccess && good;
  cudaStreamSynchronize(nullptr);
  if (!c.empty()) cudaMemcpy(result.data(), out, c.size() * sizeof(Element), cudaMemcpyDeviceToHost);
  for (void *memory : {static_cast<void *>(offsets), static_cast<void *>(left), static_cast<void *>(right), static_cast<void *>(out)})
    if (memory) cudaFree(memory);
  good = good && differences(expected, result) == 0;
  if (good) return true;
  std::printf("%s differs: first %d, strange %g, lengths", one.name, first, strange);
  for (const int length : lengths) std::printf(" %d", length);
  std::printf("\n");
  return false;
}

int main() {
  const Case cases[] = {{"grouped", grouped_original, grouped_on, 264, 72, 72, 0, 264, 72 * 264},
                        {"grouped", grouped_original, grouped_on, 6, 24, 24, 0, 6, 24 * 6}, // by threads
                        {"undeclared", undeclared_original, undeclared_on, 72, 72, 72, 0, 72, 72 * 72},
                        {"causal", causal_original, causal_on, 2, 64, 128, 256, 128, 0},
                        {"whole", whole_original, whole_on, 2, 64, 128, 256, 128, 0}};
  const std::vector<int> several[] = {{}, {0}, {0, 5, 0, 0, 130, 1, 0}, {3, 0, 193}};
  std::mt19937 random(1);
  int faults = 0, runs = 0;
  for (const Case &one : cases)
    for (const std::vector<int> &lengths : several)
      for (const float strange : {0.0f, INFINITY, NAN}) {
        if (strange != 0 && lengths.size() < 3) continue;
        faults += agrees(one, lengths, runs % 3 == 2 ? 9 : 0, strange, random) ? 0 : 1;
        ++runs;
      }
  std::printf("%d runs, %d differ\n", runs, faults);
  return faults == 0 && runs > 0 ? 0 : 1;
}
