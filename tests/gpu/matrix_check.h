// Runs one printed function on the GPU beside its original, for drivers that scripts/gpu_matrix_drivers.py writes.
//
// Each run draws its sizes and data afresh. The original runs on the host twice: with every floating type as double
// (its values are compared, within a tolerance of the largest, and in the Frobenius norm) and as written (each
// non-finite value's class must be that of one of the two). Outputs that nothing reads start as NaN. A second run must
// give the same bits; a third one, on addresses one element further on that no copy engine takes, must be right too. On
// an emulated device (tests/gpu/emulate) there are fewer and smaller cases, drawn from EMULATE_SEED.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace matrix_check {

enum class Kind { f16, bf16, f32, f64, i32, i64 };

/// A parameter that is an array: how many elements it holds for given sizes. `read`: at entry.
struct Array {
  const char *name;
  Kind kind;
  bool written, read;
  std::function<std::int64_t(const std::int64_t *)> count;
};

using Arguments = void *const *;

/// A function: its sizes' number, its arrays, and its three forms, each on an array of pointers in the order of
/// `arrays`.
struct Function {
  const char *name;
  int sizes;
  std::vector<Array> arrays;
  std::function<int(const std::int64_t *, Arguments)> device;
  std::function<void(const std::int64_t *, Arguments)> asDouble, asWritten;
  /// The printed text rests on assumptions: non-finite values that differ where data has some are only noted.
  bool assumes = false;
  /// The sizes that the printed text rests on; others are not run.
  std::function<bool(const std::int64_t *)> given = [](const std::int64_t *) { return true; };
};

#ifdef POLYMEND_EMULATED
constexpr bool isEmulated = true;
#else
constexpr bool isEmulated = false;
#endif

inline std::uint64_t drawnSeed() {
  const char *const given = std::getenv("EMULATE_SEED");
  if (given) return std::strtoull(given, nullptr, 10);
  return isEmulated ? 1 : static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
inline std::mt19937_64 engine(drawnSeed());

inline bool isInteger(Kind kind) { return kind == Kind::i32 || kind == Kind::i64; }
inline bool isHalf(Kind kind) { return kind == Kind::f16 || kind == Kind::bf16; }
inline std::size_t width(Kind kind) { return isHalf(kind) ? 2 : kind == Kind::f32 || kind == Kind::i32 ? 4 : 8; }
inline double floatTolerance = 1e-3; // of floats; more where factors are rounded to tf32
inline double tolerance(Kind kind) {
  return kind == Kind::bf16 ? 1.6e-2 : kind == Kind::f16 ? 2e-3 : kind == Kind::f64 ? 1e-11 : floatTolerance;
}

/// The element at an index of an array of a kind, as double.
inline double load(Kind kind, const void *from, std::int64_t at) {
  switch (kind) {
  case Kind::f16: return __half2float(static_cast<const __half *>(from)[at]);
  case Kind::bf16: return __bfloat162float(static_cast<const __nv_bfloat16 *>(from)[at]);
  case Kind::f32: return static_cast<const float *>(from)[at];
  case Kind::f64: return static_cast<const double *>(from)[at];
  case Kind::i32: return static_cast<const int *>(from)[at];
  case Kind::i64: return static_cast<double>(static_cast<const std::int64_t *>(from)[at]);
  }
  return 0;
}

inline void store(Kind kind, void *to, std::int64_t at, double x) {
  switch (kind) {
  case Kind::f16: static_cast<__half *>(to)[at] = __float2half(static_cast<float>(x)); break;
  case Kind::bf16: static_cast<__nv_bfloat16 *>(to)[at] = __float2bfloat16(static_cast<float>(x)); break;
  case Kind::f32: static_cast<float *>(to)[at] = static_cast<float>(x); break;
  case Kind::f64: static_cast<double *>(to)[at] = x; break;
  case Kind::i32: static_cast<int *>(to)[at] = static_cast<int>(x); break;
  case Kind::i64: static_cast<std::int64_t *>(to)[at] = static_cast<std::int64_t>(x); break;
  }
}

inline void require(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  std::printf("FAIL  %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// The array that gets infinities and NaNs: three of them, or one in each `every` elements from the first on.
struct Odd {
  int array = -1; // its number, -1 for none
  std::int64_t every = 0;
};

/// Arguments of one case: bits as the device gets them, doubles of the same values, and copies on the device.
struct Case {
  const Function &function;
  bool odd; // an array holds infinities or NaNs
  std::vector<std::int64_t> sizes, counts;
  std::vector<std::vector<char>> bits;
  std::vector<std::vector<double>> doubles;

  /// `amplitude` scales every first input.
  Case(const Function &f, std::vector<std::int64_t> s, const Odd &o, double amplitude)
      : function(f), odd(o.array >= 0), sizes(std::move(s)) {
    std::int64_t most = 1 << 20;
    for (const std::int64_t size : sizes) most = std::min(most, std::max<std::int64_t>(size, 1));
    std::normal_distribution<double> normal;
    for (std::size_t a = 0; a < f.arrays.size(); ++a) {
      const Array &array = f.arrays[a];
      const std::int64_t count = std::max<std::int64_t>(array.count(sizes.data()), 0);
      counts.push_back(count);
      bits.emplace_back(static_cast<std::size_t>(count) * width(array.kind) + 16, static_cast<char>(0xff));
      doubles.emplace_back(static_cast<std::size_t>(count) + 1);
      if (!array.written || array.read)
        for (std::int64_t i = 0; i < count; ++i)
          store(array.kind, bits[a].data(), i,
                isInteger(array.kind) ? static_cast<double>(engine() % static_cast<std::uint64_t>(most))
                                      : normal(engine) * (a == 0 ? amplitude : 1));
      const double odds[] = {INFINITY, -INFINITY, NAN};
      const bool isOdd = static_cast<int>(a) == o.array && count > 0;
      for (int k = 0; isOdd && o.every == 0 && k < 3; ++k)
        store(array.kind, bits[a].data(), static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(count)),
              odds[engine() % 3]);
      for (std::int64_t i = 0; isOdd && o.every > 0 && i < count; i += o.every)
        store(array.kind, bits[a].data(), i, odds[engine() % 3]);
      for (std::int64_t i = 0; i < count; ++i)
        doubles[a][static_cast<std::size_t>(i)] = load(array.kind, bits[a].data(), i);
    }
  }

  /// The arguments of a host form: doubles, integers as they are.
  void host(bool asWritten, std::vector<std::vector<char>> &held) {
    held = bits;
    std::vector<void *> pointers;
    for (std::size_t a = 0; a < bits.size(); ++a)
      pointers.push_back(asWritten || isInteger(function.arrays[a].kind) ? static_cast<void *>(held[a].data())
                                                                         : doubles[a].data());
    (asWritten ? function.asWritten : function.asDouble)(sizes.data(), pointers.data());
  }

  /// The outputs after a run on the device, each array `shift` elements behind an aligned address.
  std::vector<std::vector<char>> device(int shift) const {
    std::vector<char *> bases;
    std::vector<void *> pointers;
    for (std::size_t a = 0; a < bits.size(); ++a) {
      char *base = nullptr;
      const std::size_t ahead = static_cast<std::size_t>(shift) * width(function.arrays[a].kind);
      require(cudaMalloc(reinterpret_cast<void **>(&base), bits[a].size() + ahead), "memory");
      require(cudaMemcpy(base + ahead, bits[a].data(), bits[a].size(), cudaMemcpyHostToDevice), "copy");
      bases.push_back(base);
      pointers.push_back(base + ahead);
    }
    require(static_cast<cudaError_t>(function.device(sizes.data(), pointers.data())), "launch");
    require(cudaDeviceSynchronize(), "kernel");
    std::vector<std::vector<char>> result = bits;
    for (std::size_t a = 0; a < bits.size(); ++a) {
      require(cudaMemcpy(result[a].data(), pointers[a], bits[a].size(), cudaMemcpyDeviceToHost), "copy");
      require(cudaFree(bases[a]), "free");
    }
    return result;
  }
};

struct Totals {
  long long compared = 0, faults = 0, outside = 0;
  double worst = 0, norm = 0;
};

/// Compares each output of a run; `what` names the run in messages.
inline void compare(const Case &c, const std::vector<std::vector<char>> &got,
                    const std::vector<std::vector<char>> &written, const std::string &what, Totals &totals) {
  for (std::size_t a = 0; a < got.size(); ++a) {
    const Array &array = c.function.arrays[a];
    if (std::memcmp(got[a].data() + got[a].size() - 16, c.bits[a].data() + c.bits[a].size() - 16, 16) != 0) {
      ++totals.faults;
      std::printf("    %s: %s was written past its end\n", what.c_str(), array.name);
    }
    if (!array.written) continue;
    double scale = 1e-2, errors = 0, squares = 0;
    for (std::int64_t i = 0; i < c.counts[a]; ++i)
      if (const double x = c.doubles[a][static_cast<std::size_t>(i)]; std::isfinite(x))
        scale = std::fmax(scale, std::fabs(x));
    for (std::int64_t i = 0; i < c.counts[a]; ++i) {
      const double x = load(array.kind, got[a].data(), i), wanted = c.doubles[a][static_cast<std::size_t>(i)];
      const double plain = load(array.kind, written[a].data(), i), error = std::fabs(x - wanted);
      const auto sameClass = [x](double y) { return std::isnan(y) ? std::isnan(x) : !std::isfinite(y) && x == y; };
      const bool right = std::isfinite(x) && std::isfinite(wanted) ? error <= tolerance(array.kind) * scale
                                                                   : sameClass(wanted) || sameClass(plain);
      ++totals.compared;
      if (std::isfinite(error)) {
        totals.worst = std::fmax(totals.worst, error / (tolerance(array.kind) * scale));
        errors += error * error;
        squares += wanted * wanted;
      }
      if (!right && c.odd && c.function.assumes && !std::isfinite(wanted))
        ++totals.outside;
      else if (!right && ++totals.faults <= 4)
        std::printf("    %s: %s[%lld] = %.9g, expected %.9g (as written %.9g)\n", what.c_str(), array.name,
                    static_cast<long long>(i), x, wanted, plain);
    }
    constexpr std::int64_t enough = 16; // of fewer, one that cancelled may be most of the norm
    const double norm = squares > 0 && c.counts[a] >= enough ? std::sqrt(errors / squares) : 0;
    totals.norm = std::fmax(totals.norm, norm);
    if (norm > tolerance(array.kind) / 3) {
      ++totals.faults;
      std::printf("    %s: %s has a relative error of %.2e\n", what.c_str(), array.name, norm);
    }
  }
}

/// One case: aligned, once more, and (where `shifted`) unaligned.
inline void one(const Function &f, const std::vector<std::int64_t> &sizes, const Odd &odd, double amplitude,
                bool shifted, Totals &totals) {
  Case c(f, sizes, odd, amplitude);
  std::vector<std::vector<char>> held, written;
  const auto first = c.device(0), second = c.device(0), third = shifted ? c.device(1) : first;
  c.host(true, written);
  c.host(false, held);
  for (std::size_t a = 0; a < first.size(); ++a)
    if (isInteger(f.arrays[a].kind))
      for (std::int64_t i = 0; i < c.counts[a]; ++i)
        c.doubles[a][static_cast<std::size_t>(i)] = load(f.arrays[a].kind, held[a].data(), i);
  std::string what = "sizes";
  for (const std::int64_t size : sizes) what += " " + std::to_string(size);
  if (odd.array >= 0) what += std::string(", odd values in ") + f.arrays[static_cast<std::size_t>(odd.array)].name;
  if (amplitude != 1) what += ", large values";
  if (first != second) {
    ++totals.faults;
    std::printf("    %s: two runs differ\n", what.c_str());
  }
  compare(c, first, written, what, totals);
  if (shifted) compare(c, third, written, what + ", unaligned", totals);
}

/// The array that an argument ARRAY:EVERY names.
inline Odd oddOf(const Function &f, const std::string &argument) {
  const std::size_t colon = argument.find(':');
  for (std::size_t a = 0; a < f.arrays.size() && colon != std::string::npos; ++a)
    if (f.arrays[a].name == argument.substr(0, colon))
      return {static_cast<int>(a), std::strtoll(argument.c_str() + colon + 1, nullptr, 10)};
  std::printf("no array is given by %s\n", argument.c_str());
  std::exit(2);
}

/// Cases of sizes that divide no tile, of 0 and 1, drawn until some seconds are over; the argument `brief` (for
/// sanitizers) takes few, numbers take one case of those sizes. `odd ARRAY:EVERY` before the numbers puts an infinity
/// or NaN into the array at every so many elements.
inline int check(const Function &f, int count, char **arguments) {
  const bool brief = count > 1 && std::string(arguments[1]) == "brief";
  const bool isOdd = count > 2 && std::string(arguments[1]) == "odd";
  const std::int64_t values[] = {0, 1, 2, 3, 63, 64, 65, 72, 127, 130, 136, 193, 257, 321};
  constexpr std::size_t lengths = std::size(values);
  const std::int64_t largest = isEmulated ? 170000 : brief ? 600000 : 3000000;
  const double limit = isEmulated ? 1e9 : 12;
  const int rounds = brief ? 1 : isEmulated ? 3 : 8;
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  Totals totals;
  int cases = 0;
  const auto run = [&](const std::vector<std::int64_t> &sizes, const Odd &odd, double amplitude) {
    if (!f.given(sizes.data())) return;
    one(f, sizes, odd, amplitude, true, totals);
    ++cases;
  };
  const auto drawn = [&](bool empty) {
    for (int attempt = 0; attempt < 10000; ++attempt) {
      std::vector<std::int64_t> sizes;
      for (int s = 0; s < f.sizes; ++s)
        sizes.push_back(values[empty ? engine() % lengths : 1 + engine() % (lengths - 1)]);
      std::int64_t most = 0, least = largest;
      for (const Array &array : f.arrays) {
        most = std::max(most, array.count(sizes.data()));
        least = std::min(least, array.count(sizes.data()));
      }
      if (f.given(sizes.data()) && most <= largest && (!empty || least == 0)) return sizes;
    }
    return std::vector<std::int64_t>(static_cast<std::size_t>(f.sizes), 1);
  };
  if (count > 1 && !brief) {
    std::vector<std::int64_t> sizes;
    for (int i = isOdd ? 3 : 1; i < count; ++i) sizes.push_back(std::strtoll(arguments[i], nullptr, 10));
    sizes.resize(static_cast<std::size_t>(f.sizes), 1);
    run(sizes, isOdd ? oddOf(f, arguments[2]) : Odd{}, 1);
  } else {
    run(std::vector<std::int64_t>(static_cast<std::size_t>(f.sizes), 0), {}, 1);
    run(std::vector<std::int64_t>(static_cast<std::size_t>(f.sizes), 1), {}, 1);
    if (!brief && f.sizes > 0) run(drawn(true), {}, 1);
  }
  for (int round = 0; (count == 1 || brief) && round < rounds && seconds() < limit; ++round) {
    run(drawn(false), {}, 1);
    if (round == 1) run(drawn(false), {}, 20);
    for (int a = 0; a < static_cast<int>(f.arrays.size()) && round < 2 && seconds() < limit; ++a)
      if (!f.arrays[static_cast<std::size_t>(a)].written && !isInteger(f.arrays[static_cast<std::size_t>(a)].kind))
        run(drawn(false), {a}, 1);
  }
  std::printf("%-5s %-28s matrix %3d cases %10lld values  largest error %.3f of the tolerance, in norm %.1e%s\n",
              totals.faults ? "FAIL" : "ok", f.name, cases, totals.compared, totals.worst, totals.norm,
              totals.outside ? ", non-finite values differ outside the assumptions" : "");
  return totals.faults != 0;
}

} // namespace matrix_check
