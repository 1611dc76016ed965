// --fp=strict on many small functions of one file: their results have the bits of the original's, NaN payloads apart,
// on data with NaN, infinities, zeros of both signs, denormals and numbers of very different sizes.
#include "polymend/pipeline.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <random>
#include <regex>

using namespace polymend;

namespace {

using Bytes = std::vector<unsigned char>;
using Entry = void (*)(int, int, void *, const void *, const void *);

/// A function of the file, and the element types of what it writes and reads.
struct Case {
  std::string name, y, x, w;
};

std::string kernelFile() { return std::string(POLYMEND_SOURCE_DIR) + "/tests/pipeline/strict/kernels.cpp"; }

std::vector<Case> casesOf(const std::string &source) {
  const std::regex head(R"(void (\w+)\(int n, int m, (\w+) \*y, const (\w+) \*x(, const (\w+) \*w)?\))");
  std::vector<Case> cases;
  for (std::sregex_iterator at(source.begin(), source.end(), head), end; at != end; ++at)
    cases.push_back({(*at)[1], (*at)[2], (*at)[3], (*at)[5]});
  return cases;
}

std::size_t sizeOf(const std::string &type) {
  return type == "double" ? 8 : type == "_Float16" || type == "__bf16" ? 2 : 4;
}

template <class T> void put(Bytes &bytes, std::size_t k, T value) {
  std::memcpy(&bytes[k * sizeof(T)], &value, sizeof(T));
}

/// The bits of a 16-bit number of `digits` fraction bits: the leading ones of a float, in a range where both agree.
void putNarrow(Bytes &bytes, std::size_t k, const std::string &type, float value) {
  if (type == "__bf16") {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return put(bytes, k, static_cast<std::uint16_t>((bits >> 16) | (std::isnan(value) ? 0x40U : 0U)));
  }
  put(bytes, k, static_cast<_Float16>(value));
}

void put(Bytes &bytes, std::size_t k, const std::string &type, double value) {
  if (type == "double") return put(bytes, k, value);
  if (type == "float") return put(bytes, k, static_cast<float>(value));
  if (type == "int") return put(bytes, k, static_cast<std::int32_t>(k * 7 % 64));
  putNarrow(bytes, k, type, static_cast<float>(value));
}

bool isNaN(const unsigned char *at, const std::string &type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, sizeOf(type));
  if (type == "double") return (bits & 0x7fffffffffffffffU) > 0x7ff0000000000000U;
  if (type == "float") return (bits & 0x7fffffffU) > 0x7f800000U;
  return (bits & 0x7fffU) > (type == "__bf16" ? 0x7f80U : 0x7c00U);
}

enum class Data { Usual, Mixed, Zeros, Odd, Infinite };

double drawn(Data kind, std::mt19937 &random) {
  const double usual = std::uniform_real_distribution<double>(-2, 2)(random);
  const auto sign = [&] { return random() % 2 == 0 ? 1.0 : -1.0; };
  switch (kind) {
  case Data::Usual: return usual;
  case Data::Mixed: return std::ldexp(usual, static_cast<int>(random() % 60) - 30);
  case Data::Zeros: return random() % 3 == 0 ? usual : sign() * 0.0;
  case Data::Infinite: return random() % 8 == 0 ? sign() * INFINITY : usual;
  case Data::Odd: break;
  }
  const std::vector<double> odd{NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e-42, -1e-42, 1e38, -1e38, 6e-8, 1, -1};
  return random() % 4 == 0 ? odd[random() % odd.size()] : usual;
}

Bytes dataOf(const std::string &type, std::size_t count, Data kind, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(count * 8);
  for (std::size_t k = 0; k < count; ++k) put(bytes, k, type, drawn(kind, random));
  return bytes;
}

/// The compiled text; null where it does not compile.
void *compiled(const ScratchDirectory &scratch, const std::string &name, const std::string &text,
               const std::string &flags) {
  const std::string file = scratch.file(name + ".cpp"), library = scratch.file(name + ".so");
  EXPECT_FALSE(replaceFile(file, text));
  const std::string command = "clang++-19 -std=c++20 -fPIC -shared -w --rtlib=compiler-rt --unwindlib=libgcc " + flags +
                              " " + file + " -o " + library;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << dlerror();
  return handle;
}

/// The first element of `count` with other bits, NaN apart.
std::optional<std::size_t> difference(const Bytes &a, const Bytes &b, const std::string &type, std::size_t count) {
  const std::size_t size = sizeOf(type);
  for (std::size_t k = 0; k < count; ++k) {
    const unsigned char *x = &a[k * size], *y = &b[k * size];
    if (std::memcmp(x, y, size) != 0 && !(isNaN(x, type) && isNaN(y, type))) return k;
  }
  return std::nullopt;
}

void compare(const Case &one, Entry original, Entry result) {
  const std::vector<std::pair<int, int>> sizes{{1, 1}, {3, 5}, {2, 0}, {0, 3}, {5, 67}, {66, 9}, {66, 1}, {2, 1030}};
  for (const Data kind : {Data::Usual, Data::Mixed, Data::Zeros, Data::Odd, Data::Infinite})
    for (const auto &[n, m] : sizes) {
      const std::size_t count = static_cast<std::size_t>(n) * m + n + m + 64;
      const auto seed = static_cast<unsigned>(n * 7919 + m);
      const Bytes x = dataOf(one.x, count, kind, seed), w = dataOf(one.w, count, kind, seed + 1),
                  start = dataOf(one.y, count, kind, seed + 2);
      Bytes wanted = start, got = start;
      original(n, m, wanted.data(), x.data(), w.data());
      result(n, m, got.data(), x.data(), w.data());
      const auto differs = difference(wanted, got, one.y, count);
      EXPECT_FALSE(differs) << one.name << " on data " << static_cast<int>(kind) << " at n=" << n << ", m=" << m
                            << ": element " << differs.value_or(0);
      if (differs) return;
    }
}

} // namespace

TEST(Strict, HasTheBitsOfTheOriginal) {
  const std::string source = *readFile(kernelFile());
  PipelineOptions options;
  options.file = kernelFile();
  options.fp = FloatMode::Strict;
  const PipelineOutcome outcome = transform(options);
  ASSERT_EQ(outcome.exitCode, ExitCode::Done);
  for (const Diagnostic &diagnostic : outcome.diagnostics)
    EXPECT_EQ(diagnostic.message.find("is left as it is"), std::string::npos) << diagnostic.message;
  const ScratchDirectory scratch;
#if defined(__x86_64__) // without a processor's own arithmetic of 16-bit floats, as the source was read
  const std::string processor = __builtin_cpu_supports("x86-64-v3") ? "-march=x86-64-v3" : "";
#else
  const std::string processor = "-march=native";
#endif
  void *original = compiled(scratch, "original", source, processor + " -O2 -ffp-contract=off");
  void *result =
      compiled(scratch, "result", outcome.text, processor + " -O3 -fopenmp -ffp-contract=off -DPOLYMEND_LEAST_WORK=0");
  ASSERT_TRUE(original && result);
  const std::vector<Case> cases = casesOf(source);
  EXPECT_GT(cases.size(), 80U);
  for (const Case &one : cases) {
    const auto find = [&](void *library) { return reinterpret_cast<Entry>(dlsym(library, one.name.c_str())); };
    const Entry left = find(original), right = find(result);
    ASSERT_TRUE(left && right) << one.name;
    compare(one, left, right);
  }
}

/// std::reduce adds in an order that is its library's own.
TEST(Strict, LeavesSumsThatTheLibraryOrders) {
  const ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  options.fp = FloatMode::Strict;
  const auto isLeft = [&](const std::string &call) {
    std::ofstream(options.file)
        << "#include <numeric>\n#include <vector>\nfloat f(const std::vector<float> &x) { return " << call << "; }\n";
    const std::vector<Diagnostic> all = transform(options).diagnostics;
    return std::any_of(all.begin(), all.end(), [](const Diagnostic &one) {
      return one.message.find("the library chooses the order of this sum") != std::string::npos;
    });
  };
  EXPECT_TRUE(isLeft("std::reduce(x.begin(), x.end())"));
  EXPECT_TRUE(isLeft("std::transform_reduce(x.begin(), x.end(), x.begin(), 1.0f)"));
  EXPECT_FALSE(isLeft("std::accumulate(x.begin(), x.end(), 0.0f)"));
}
