// Many small functions of one file on rows that are empty, masked as a whole, hold an infinity or a NaN, or numbers
// whose products underflow: the class of each result (finite, which infinity, NaN) is the original's, and finite values
// agree.
#include "polymend/pipeline.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <dlfcn.h>
#include <random>
#include <regex>

using namespace polymend;

namespace {

using Floats = std::vector<float>;
using Entry = void (*)(int, int, int, float *, const float *, const float *, const float *);

constexpr int columns = 3;

std::string kernelFile() { return std::string(POLYMEND_SOURCE_DIR) + "/tests/pipeline/exceptional/kernels.cpp"; }

std::vector<std::string> namesIn(const std::string &source) {
  const std::regex head(R"(void (\w+)\(int n)");
  std::vector<std::string> names;
  for (std::sregex_iterator at(source.begin(), source.end(), head), end; at != end; ++at) names.push_back((*at)[1]);
  return names;
}

/// The compiled text; null where it does not compile.
void *compiled(const ScratchDirectory &scratch, const std::string &name, const std::string &text,
               const std::string &flags) {
  const std::string file = scratch.file(name + ".cpp"), library = scratch.file(name + ".so");
  EXPECT_FALSE(replaceFile(file, text));
  const std::string command = "clang++-19 -std=c++20 -fPIC -shared -w " + flags + " " + file + " -o " + library;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << dlerror();
  return handle;
}

/// What the four arrays hold: the output at entry and three inputs.
struct Data {
  std::string what;
  std::vector<Floats> arrays;
};

Floats drawn(std::size_t count, std::mt19937 &random) {
  Floats values(count);
  for (float &value : values) value = std::uniform_real_distribution<float>(-1, 1)(random);
  return values;
}

/// Finite data; then each array as a whole, or in some places, exceptional.
std::vector<Data> dataAt(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  const std::vector<Floats> usual{drawn(count, random), drawn(count, random), drawn(count, random),
                                  drawn(count, random)};
  std::vector<Data> all{{"finite", usual}};
  for (std::size_t a = 0; a < usual.size(); ++a)
    for (const float value : {INFINITY, -INFINITY, NAN, 0.0F}) {
      const std::string what = std::to_string(value) + " in array " + std::to_string(a);
      Data whole{"only " + what, usual}, one{"one " + what, usual}, some{"some " + what, usual};
      whole.arrays[a].assign(count, value);
      one.arrays[a][seed % 2 == 0 ? 0 : random() % (count / 8 + 1)] = value;
      for (float &element : some.arrays[a])
        if (random() % 6 == 0) element = value;
      all.insert(all.end(), {whole, one, some});
    }
  constexpr float nearTheRoot = 0x1p-75F; // of the least number: half of the products of two such are 0
  Data small{"small numbers", usual};
  for (Floats &values : small.arrays)
    for (float &value : values) value *= nearTheRoot;
  all.push_back(small);
  return all;
}

int classOf(float x) { return std::isnan(x) ? 3 : std::isinf(x) ? (x > 0 ? 1 : 2) : 0; }

bool agrees(float wanted, float got) {
  if (classOf(wanted) != classOf(got)) return false;
  return classOf(wanted) != 0 || std::abs(wanted - got) <= 2e-4F * std::max(1.0F, std::abs(wanted));
}

struct Sized {
  int n, m;
  std::vector<Data> data;
};

std::vector<Sized> allData() {
  const std::vector<std::pair<int, int>> sizes{{0, 0}, {1, 0}, {1, 1}, {5, 2}, {9, 7}, {70, 5}, {6, 70}};
  std::vector<Sized> all;
  for (const auto &[n, m] : sizes)
    all.push_back({n, m, dataAt(static_cast<std::size_t>(n + 2) * (m + 2) * columns, 31U * n + m)});
  return all;
}

void compare(const std::string &name, Entry original, Entry result, const std::vector<Sized> &all) {
  const bool masked = name.ends_with("_masked");
  for (const auto &[n, m, kinds] : all)
    for (const Data &data : kinds) {
      Floats wanted = data.arrays[0], got = data.arrays[0];
      const auto run = [&](Entry entry, Floats &o) {
        entry(n, m, columns, o.data(), data.arrays[1].data(), data.arrays[2].data(), data.arrays[3].data());
      };
      run(original, wanted);
      run(result, got);
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        if (agrees(wanted[k], got[k]) || (masked && std::isnan(wanted[k]))) continue;
        FAIL() << name << " at n=" << n << ", m=" << m << " with " << data.what << ": element " << k << " is " << got[k]
               << ", not " << wanted[k];
      }
    }
}

} // namespace

TEST(Exceptional, RowsHaveTheClassesOfTheOriginal) {
  const std::string source = *readFile(kernelFile());
  PipelineOptions options;
  options.file = kernelFile();
  const PipelineOutcome outcome = transform(options);
  ASSERT_EQ(outcome.exitCode, ExitCode::Done);
  for (const Diagnostic &diagnostic : outcome.diagnostics)
    EXPECT_EQ(diagnostic.message.find("is left as it is"), std::string::npos) << diagnostic.message;
  const ScratchDirectory scratch;
  void *original = compiled(scratch, "original", source, "-O1 -ffp-contract=off");
  void *result = compiled(scratch, "result", outcome.text, "-O1 -fopenmp -ffp-contract=off -DPOLYMEND_LEAST_WORK=0");
  ASSERT_TRUE(original && result);
  const std::vector<std::string> names = namesIn(source);
  EXPECT_GT(names.size(), 25U);
  const std::vector<Sized> data = allData();
  for (const std::string &name : names) {
    const auto find = [&](void *library) { return reinterpret_cast<Entry>(dlsym(library, name.c_str())); };
    const Entry left = find(original), right = find(result);
    ASSERT_TRUE(left && right) << name;
    compare(name, left, right, data);
  }
}
