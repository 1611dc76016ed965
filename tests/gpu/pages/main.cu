// Entries on device pointers beside the original: lengths of zero, of one, at the ends of pages and of chunks. Beyond a
// length the table names no page and no number stands; the last page ends with its last row that is read, beyond which
// the device faults; elements may be infinite or no numbers.
#include "kernels.cu"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

using Element = __nv_bfloat16;
using Kernel = void(std::int64_t, std::int64_t, std::int64_t, const int *, const int *, const void *, const void *,
                    const void *, void *);
using OnDevice = cudaError_t(cudaStream_t, std::int64_t, std::int64_t, std::int64_t, const int *, const int *,
                             const Element *, const Element *, const Element *, Element *);
extern "C" Kernel in_a_row_original, in_pages_original, in_long_pages_original, by_bits_original, to_the_end_original;

struct Case {
  const char *name;
  Kernel *original;
  OnDevice *device;
  long page;        // keys of one; 0: those of an entry follow one another
  bool headsInside; // heads of a key follow one another; else keys of a head
  bool all;         // n keys, whatever lengths say
};

constexpr long heads = 2, width = 64;

template <class T> static T *copied(const std::vector<T> &values) {
  T *memory = nullptr;
  if (values.empty()) return memory;
  cudaMalloc(reinterpret_cast<void **>(&memory), values.size() * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

/// Where the two results are not the same.
static long differences(const std::vector<Element> &a, const std::vector<Element> &b) {
  long count = 0;
  for (std::size_t e = 0; e < a.size(); ++e) {
    const float x = static_cast<float>(a[e]), y = static_cast<float>(b[e]);
    const bool same = std::isnan(x) || std::isnan(y) ? std::isnan(x) == std::isnan(y)
                                                     : x == y || std::abs(x - y) <= 0.02f * (std::abs(x) + 1);
    if (!same && ++count == 1) std::printf("    element %zu: %g and %g\n", e, x, y);
  }
  return count;
}

/// Keys of one run: where they are, and numbers at what is read alone.
struct Keys {
  std::vector<int> table;
  std::vector<Element> k, v;
};

static Keys keysOf(const Case &one, const std::vector<int> &lengths, long n, long most, float strange,
                   std::mt19937 &random) {
  const long batch = static_cast<long>(lengths.size()), page = std::max(one.page, 1L);
  std::vector<int> pages(one.page ? batch * most + 1 : 0);
  std::iota(pages.begin(), pages.end(), 0);
  std::shuffle(pages.begin(), pages.end(), random);
  Keys keys;
  for (long b = 0; b < batch && one.page; ++b)
    for (long p = 0; p < most; ++p) keys.table.push_back(p * page < lengths[b] ? pages[b * most + p] : -77777777);
  const auto row = [&](long b, long g, long j) {
    if (!one.page) return (b * heads + g) * n + j;
    const long at = keys.table[b * most + j / page];
    return one.headsInside ? (at * page + j % page) * heads + g : (at * heads + g) * page + j % page;
  };
  long end = one.page ? 0 : batch * heads * n;
  for (long b = 0; b < batch; ++b)
    for (long g = 0; g < heads; ++g)
      for (long j = 0; j < lengths[b]; ++j) end = std::max(end, row(b, g, j) + 1);
  for (std::vector<Element> *values : {&keys.k, &keys.v}) {
    values->assign(end * width, Element(NAN));
    for (long b = 0; b < batch; ++b)
      for (long g = 0; g < heads; ++g)
        for (long j = 0; j < lengths[b]; ++j)
          for (long d = 0; d < width; ++d)
            (*values)[row(b, g, j) * width + d] = Element(static_cast<float>(static_cast<int>(random() % 257) - 128) / 64);
    for (long b = 0; b < batch && strange != 0; b += 2)
      if (lengths[b] > 0) (*values)[row(b, random() % heads, random() % lengths[b]) * width] = Element(strange);
  }
  return keys;
}

static bool agrees(const Case &one, std::vector<int> lengths, long n, float strange, std::mt19937 &random) {
  const long batch = static_cast<long>(lengths.size()), most = one.page ? (n + one.page - 1) / one.page : 1;
  if (one.all) std::fill(lengths.begin(), lengths.end(), static_cast<int>(n));
  const Keys keys = keysOf(one, lengths, n, most, strange, random);
  std::vector<Element> q(batch * 8 * width), expected(q.size(), Element(7.0f)), result = expected;
  for (Element &value : q) value = Element(static_cast<float>(static_cast<int>(random() % 257) - 128) / 64);
  one.original(batch, n, most, keys.table.data(), lengths.data(), q.data(), keys.k.data(), keys.v.data(), expected.data());
  int *const table = copied(keys.table), *const length = copied(lengths);
  Element *const queries = copied(q), *const k = copied(keys.k), *const v = copied(keys.v), *const o = copied(result);
  bool good = one.device(nullptr, batch, n, most, table, length, queries, k, v, o) == cudaSuccess;
  cudaStreamSynchronize(nullptr);
  if (!result.empty()) cudaMemcpy(result.data(), o, result.size() * sizeof(Element), cudaMemcpyDeviceToHost);
  for (void *memory : {static_cast<void *>(table), static_cast<void *>(length), static_cast<void *>(queries),
                       static_cast<void *>(k), static_cast<void *>(v), static_cast<void *>(o)})
    if (memory) cudaFree(memory);
  good = good && differences(expected, result) == 0;
  if (!good) std::printf("%s differs: %ld entries of at most %ld, strange %g\n", one.name, batch, n, strange);
  return good;
}

int main() {
  const Case cases[] = {{"in_a_row", in_a_row_original, in_a_row_on, 0, false, false},
                        {"in_pages", in_pages_original, in_pages_on, 16, true, false},
                        {"in_long_pages", in_long_pages_original, in_long_pages_on, 64, false, false},
                        {"by_bits", by_bits_original, by_bits_on, 128, true, false},
                        {"to_the_end", to_the_end_original, to_the_end_on, 16, false, true}};
  std::vector<int> many(270); // so many that none is shared out
  for (std::size_t b = 0; b < many.size(); ++b) many[b] = b % 9 == 0 ? 130 + static_cast<int>(b % 7) : static_cast<int>(b % 3);
  const std::vector<int> several[] = {{}, {0}, {0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200}, {200, 3, 7, 0, 192}, many};
  std::mt19937 random(1);
  int faults = 0, runs = 0;
  for (const Case &one : cases)
    for (const std::vector<int> &lengths : several)
      for (const float strange : {0.0f, INFINITY, NAN}) {
        const long n = lengths.size() > 200 ? 136 : 200;
        if ((strange != 0 && lengths.size() != 5) || (one.all && lengths.size() == 12)) continue;
        faults += agrees(one, lengths, n, strange, random) ? 0 : 1;
        ++runs;
      }
  std::printf("%d runs, %d differ\n", runs, faults);
  return faults == 0 && runs > 0 ? 0 : 1;
}
