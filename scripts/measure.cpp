// Libraries that hold the same function `void (int n, q, k, v, out)` on arrays [8][n][64] arrive, a table of figures
// leaves as JSON: median time of interleaved runs, largest error relative to the largest output on sampled rows
// (against double), and the memory that one call needs beyond its arguments (each in a process of its own). The first
// library is what others are compared with.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <random>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace {

constexpr std::size_t heads = 8, dimension = 64;

using Function = void (*)(int, const float *, const float *, const float *, float *);

struct Variant {
  std::string name;
  Function function = nullptr;
  std::vector<double> milliseconds;
  double error = 0;
  long kilobytes = 0;
};

struct Arrays {
  int length;
  std::vector<float> q, k, v, out;
};

/// Fresh normal numbers; the seed is told.
Arrays makeArrays(int length, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  const std::size_t count = heads * static_cast<std::size_t>(length) * dimension;
  Arrays arrays{length, std::vector<float>(count), std::vector<float>(count), std::vector<float>(count),
                std::vector<float>(count)};
  for (auto *array : {&arrays.q, &arrays.k, &arrays.v})
    for (float &x : *array) x = normal(random);
  return arrays;
}

/// One row of the output in double.
std::vector<double> referenceRow(const Arrays &a, std::size_t h, std::size_t i) {
  const auto n = static_cast<std::size_t>(a.length);
  std::vector<double> weight(n), row(dimension);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t e = 0; e < dimension; ++e)
      weight[j] += double(a.q[(h * n + i) * dimension + e]) * a.k[(h * n + j) * dimension + e];
    weight[j] /= std::sqrt(double(dimension));
  }
  const double top = *std::max_element(weight.begin(), weight.end());
  double total = 0;
  for (double &w : weight) total += w = std::exp(w - top);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t e = 0; e < dimension; ++e) row[e] += weight[j] / total * a.v[(h * n + j) * dimension + e];
  return row;
}

/// Largest error on a sample of rows, relative to the largest value there.
double errorOf(const Arrays &a) {
  const auto n = static_cast<std::size_t>(a.length);
  double worst = 0, largest = 0;
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t i = h; i < n; i += std::max<std::size_t>(n / 16, 1)) {
      const std::vector<double> row = referenceRow(a, h, i);
      for (std::size_t e = 0; e < dimension; ++e) {
        const double difference = std::fabs(a.out[(h * n + i) * dimension + e] - row[e]);
        worst = difference <= worst ? worst : difference;
        largest = std::max(largest, std::fabs(row[e]));
      }
    }
  return worst / largest;
}

double timeOnce(Function function, Arrays &a) {
  std::fill(a.out.begin(), a.out.end(), NAN);
  const auto start = std::chrono::steady_clock::now();
  function(a.length, a.q.data(), a.k.data(), a.v.data(), a.out.data());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

long peakKilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// What one call adds to the peak memory of a fresh process.
long memoryOf(const std::string &path, const char *self, const std::string &symbol, int length) {
  const std::string command = std::string("'") + self + "' --memory --length=" + std::to_string(length) +
                              " --symbol=" + symbol + " x='" + path + "'";
  FILE *pipe = popen(command.c_str(), "r");
  long kilobytes = -1;
  if (pipe && std::fscanf(pipe, "%ld", &kilobytes) != 1) kilobytes = -1;
  if (pipe) pclose(pipe);
  return kilobytes;
}

Function load(const std::string &path, const std::string &symbol) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *function = library ? dlsym(library, symbol.c_str()) : nullptr;
  if (!function) {
    std::fprintf(stderr, "measure: %s\n", dlerror());
    std::exit(1);
  }
  return reinterpret_cast<Function>(function);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void tell(const std::vector<Variant> &variants, int length, std::size_t rounds, unsigned seed) {
  std::printf("{ \"heads\": %zu, \"length\": %d, \"dimension\": %zu, \"rounds\": %zu, \"seed\": %u,\n  \"variants\": {",
              heads, length, dimension, rounds, seed);
  const char *separator = "";
  for (const Variant &v : variants) {
    std::printf("%s\n    \"%s\": { \"milliseconds\": %.1f, \"error\": %.2e, \"kilobytes\": %ld }", separator,
                v.name.c_str(), median(v.milliseconds), v.error, v.kilobytes);
    separator = ",";
  }
  std::printf(" },\n  \"ratios\": {");
  separator = "";
  for (const Variant &v : variants) {
    std::printf("%s \"%s\": %.2f", separator, v.name.c_str(),
                median(variants.front().milliseconds) / median(v.milliseconds));
    separator = ",";
  }
  std::printf(" } }\n");
}

} // namespace

int main(int argc, char **argv) {
  int length = 2048;
  std::size_t rounds = 5;
  bool onlyMemory = false;
  std::string symbol = "_Z9attentioniPKfS0_S0_Pf";
  std::vector<std::pair<std::string, std::string>> libraries;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i], value = word.substr(word.find('=') + 1);
    if (word.rfind("--length=", 0) == 0)
      length = std::atoi(value.c_str());
    else if (word.rfind("--rounds=", 0) == 0)
      rounds = static_cast<std::size_t>(std::max(std::atoi(value.c_str()), 1));
    else if (word.rfind("--symbol=", 0) == 0)
      symbol = value;
    else if (word == "--memory")
      onlyMemory = true;
    else
      libraries.emplace_back(word.substr(0, word.find('=')), value);
  }
  if (libraries.empty() || length < 1) {
    std::fprintf(stderr, "usage: measure [--length=N] [--rounds=N] [--symbol=NAME] NAME=LIBRARY...\n");
    return 1;
  }
  const unsigned seed = std::random_device()();
  Arrays arrays = makeArrays(length, seed);
  if (onlyMemory) {
    const Function function = load(libraries.front().second, symbol);
    const long before = peakKilobytes();
    timeOnce(function, arrays);
    std::printf("%ld\n", peakKilobytes() - before);
    return 0;
  }
  std::vector<Variant> variants;
  for (const auto &[name, path] : libraries)
    variants.push_back({name, load(path, symbol), {}, 0, memoryOf(path, argv[0], symbol, length)});
  for (std::size_t round = 0; round < rounds; ++round)
    for (Variant &variant : variants) {
      variant.milliseconds.push_back(timeOnce(variant.function, arrays));
      if (round == 0) variant.error = errorOf(arrays);
    }
  tell(variants, length, rounds, seed);
  return 0;
}
