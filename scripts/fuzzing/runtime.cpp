// Runs the cases of a batch, each program in a process of its own:
//   PROGRAM CASES OUT FIRST-PROGRAM LAST-PROGRAM PERTURBATION SECONDS-OF-THE-PROCESSOR
// CASES holds a line a case: program, number, data, victim, array, array that overlaps it, distance, pad, seed,
// sizes... OUT.K gets, for program K, a record a case: number, state (0 done, 1 skipped, 2 wrote outside), count, that
// many doubles. With FUZZ_WIDE every floating array holds wide numbers, and a record's second half how far roundings
// move each. PERTURBATION moves each input by a few roundings.
#include "runtime.h"
#ifdef FUZZ_WIDE
#include "wide.h"
#endif

#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace {

constexpr long most = 400000, guard = 64;

struct Range {
  long low = 0, high = -1;
};

struct Skipped {};

std::vector<Range> ranges;
long touched = 0;

struct Case {
  int program, number, data, victim, array, other;
  long distance, pad;
  std::uint64_t seed;
  std::vector<long> sizes;
};

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

double uniform(std::uint64_t x) { return static_cast<double>(mixed(x) >> 11) * 0x1p-53; }

double normal(std::uint64_t x) {
  double s = -6;
  for (std::uint64_t k = 0; k < 12; ++k) s += uniform(x * 13 + k);
  return s;
}

double largest(char kind) { return kind == 'h' ? 60000.0 : kind == 'd' ? 1e307 : 3e38; }
double smallest(char kind) { return kind == 'h' ? 6.2e-5 : kind == 'd' ? 2.3e-308 : 1.2e-38; }

/// The element at a place of an array of `count`, of one of the kinds of data.
double datum(int data, char kind, std::uint64_t seed, long at, long count) {
  const std::uint64_t key = mixed(seed) + static_cast<std::uint64_t>(at) * 0x2545f4914f6cdd1du;
  const double plain = normal(key), chance = uniform(key + 77);
  const double offsets[] = {10, -10, 100, -100, 1000, -1000};
  const double places[] = {0, static_cast<double>(count - 1), static_cast<double>(count / 2)};
  const double great[] = {60, 200, 1e4, -1e4, 1e18};
  switch (data) {
  case 1: return offsets[mixed(seed + 5) % 6] + 0.01 * plain;
  case 2: return std::floor(8 * normal(mixed(seed + 6))) / 4 + (mixed(seed) % 3 == 0 ? 100 : 0);
  case 3: {
    const double extreme = great[mixed(seed + 7) % 5];
    return static_cast<double>(at) == places[mixed(seed + 8) % 3]
               ? (kind == 'h' && std::abs(extreme) > 6e4 ? 6e4 : extreme)
               : plain;
  }
  case 4: return plain * smallest(kind);
  case 5: return plain * largest(kind) / 16;
  case 6: return chance < 0.3 ? 0.0 : chance < 0.6 ? -0.0 : std::floor(3 * plain);
  case 7: return chance < 0.02 ? INFINITY : chance < 0.05 ? -INFINITY : plain;
  case 8: return chance < 0.02 ? NAN : chance < 0.03 ? INFINITY : plain;
  case 9: return std::floor(3 * plain);
  case 10: return std::abs(plain) + 0.125;
  case 11: return static_cast<double>(at) / 16 - 2;
  case 12: return chance < 0.5 ? -INFINITY : plain;
  default: return plain;
  }
}

#ifdef FUZZ_WIDE
double asDouble(W x) { return static_cast<double>(x.v); }
#endif

template <class T> double asDouble(T x) {
  if constexpr (sizeof(T) == 2)
    return static_cast<double>(static_cast<float>(x));
  else
    return static_cast<double>(x);
}

template <class T> T fromDouble(double x) {
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(static_cast<float>(x));
  else
    return static_cast<T>(x);
}

/// Calls `f` with a value of the type that holds a `kind` here.
template <class F> void withType(char kind, F f) {
  switch (kind) {
#ifdef FUZZ_WIDE
  case 'f':
  case 'd':
  case 'h':
  case 'b': f(W{}); break;
#else
  case 'f': f(float{}); break;
  case 'd': f(double{}); break;
  case 'h': f(_Float16{}); break;
  case 'b': f(__bf16{}); break;
#endif
  case 'i': f(int{}); break;
  case 's': f(std::int16_t{}); break;
  case 'e': f(std::uint8_t{}); break;
  case 'l': f(std::int64_t{}); break;
  default: f(unsigned{}); break;
  }
}

bool isInteger(char kind) { return std::strchr("iusel", kind) != nullptr; }

std::size_t width(char kind) {
  std::size_t result = 0;
  withType(kind, [&](auto x) { result = sizeof(x); });
  return result;
}

double rounded(char kind, double x) {
  switch (kind) {
  case 'f': return static_cast<float>(x);
  case 'h': return static_cast<double>(static_cast<float>(static_cast<_Float16>(static_cast<float>(x))));
  case 'b': return static_cast<double>(static_cast<float>(static_cast<__bf16>(static_cast<float>(x))));
  default: return x;
  }
}

/// `x` moved by one to eight roundings of the computations' kind (wide) or to its neighbour (narrow).
template <class T> T moved(T x, char kind, char computed, std::uint64_t key, int perturbation) {
  if (perturbation == 0) return x;
  const std::uint64_t draw = mixed(key + static_cast<std::uint64_t>(perturbation) * 7919);
#ifdef FUZZ_WIDE
  const long double unit = (computed == 'd' ? 0x1p-53L : 0x1p-24L) * static_cast<long double>(1 << perturbation % 4);
  static_cast<void>(kind);
  if constexpr (std::is_integral_v<T>)
    return x;
  else
    return W(x.v * (1 + unit * (2 * static_cast<long double>(draw >> 11) * 0x1p-53L - 1)));
#else
  static_cast<void>(computed);
  if (kind == 'f') return static_cast<T>(std::nextafter(static_cast<float>(x), draw % 2 ? INFINITY : -INFINITY));
  if (kind == 'd') return static_cast<T>(std::nextafter(static_cast<double>(x), draw % 2 ? INFINITY : -INFINITY));
  return x;
#endif
}

/// Memory of one array, or of two that overlap, between guard zones.
struct Slab {
  char kind;
  long low, high;
  std::vector<unsigned char> bytes;
  unsigned char *element(long at) { return bytes.data() + static_cast<std::size_t>(at - low + guard) * width(kind); }
};

void fillGuards(Slab &slab) {
  const std::size_t zone = guard * width(slab.kind);
  std::memset(slab.bytes.data(), 0xA5, zone);
  std::memset(slab.bytes.data() + slab.bytes.size() - zone, 0xA5, zone);
}

bool guardsHold(const Slab &slab) {
  const std::size_t zone = guard * width(slab.kind);
  for (std::size_t k = 0; k < zone; ++k)
    if (slab.bytes[k] != 0xA5 || slab.bytes[slab.bytes.size() - 1 - k] != 0xA5) return false;
  return true;
}

void fill(Slab &slab, int data, std::uint64_t seed, long bound, char computed, int perturbation) {
  const long count = slab.high - slab.low + 1;
  for (long at = 0; at < count; ++at) {
    unsigned char *const place = slab.element(slab.low + at);
    const std::uint64_t key = mixed(seed * 31 + static_cast<std::uint64_t>(at));
    if (isInteger(slab.kind)) {
      const std::int64_t value = bound > 0          ? static_cast<std::int64_t>(key % static_cast<std::uint64_t>(bound))
                                 : slab.kind != 'u' ? static_cast<std::int64_t>(key % 101) - 50
                                 : data % 2         ? static_cast<std::int64_t>(key & 0xffffffffu)
                                                    : static_cast<std::int64_t>(key % 7);
      withType(slab.kind, [&](auto x) {
        x = static_cast<decltype(x)>(value);
        std::memcpy(place, &x, sizeof x);
      });
      continue;
    }
    const double value = rounded(slab.kind, datum(data, slab.kind, seed, at, count));
    withType(slab.kind, [&](auto x) {
      using T = decltype(x);
      T held = fromDouble<T>(value);
      if (std::isfinite(value)) held = moved(held, slab.kind, computed, key, perturbation);
      std::memcpy(place, &held, sizeof held);
    });
  }
}

struct Record {
  std::int64_t number, state, count;
};

void write(std::FILE *out, int number, int state, const std::vector<double> &values) {
  const Record record{number, state, static_cast<std::int64_t>(values.size())};
  std::fwrite(&record, sizeof record, 1, out);
  std::fwrite(values.data(), sizeof(double), values.size(), out);
  std::fflush(out);
}

void run(const Case &c, std::FILE *out, int perturbation) {
  const ProgramFacts &p = programs[c.program];
  ranges.assign(static_cast<std::size_t>(p.arrays), {});
  touched = 0;
  try {
    p.shape(c.sizes.data());
  } catch (const Skipped &) {
    write(out, c.number, 1, {});
    return;
  }
  std::vector<Slab> slabs;
  std::vector<std::size_t> slabOf(static_cast<std::size_t>(p.arrays));
  std::vector<long> shift(static_cast<std::size_t>(p.arrays), 0);
  for (int k = 0; k < p.arrays; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Range r = ranges[at];
    if (k == c.other) {
      Slab &shared = slabs[slabOf[static_cast<std::size_t>(c.array)]];
      slabOf[at] = slabOf[static_cast<std::size_t>(c.array)];
      shift[at] = c.distance;
      if (r.high >= r.low) {
        const bool empty = shared.high < shared.low;
        shared.low = empty ? r.low + c.distance : std::min(shared.low, r.low + c.distance);
        shared.high = empty ? r.high + c.distance : std::max(shared.high, r.high + c.distance);
      }
      continue;
    }
    slabOf[at] = slabs.size();
    slabs.push_back({p.array[k].kind, r.low, r.high, {}});
  }
  for (Slab &slab : slabs)
    slab.bytes.resize(static_cast<std::size_t>(slab.high - slab.low + 1 + 2 * guard) * width(slab.kind));
  std::vector<Any> arguments;
  std::vector<bool> filled(slabs.size());
  for (int k = 0; k < p.arrays; ++k) {
    Slab &slab = slabs[slabOf[static_cast<std::size_t>(k)]];
    if (!filled[slabOf[static_cast<std::size_t>(k)]]) {
      fillGuards(slab);
      const int data = c.victim < 0 || c.victim == k ? c.data : 0;
      const int bound = p.array[k].bound;
      fill(slab, data, c.seed * 17 + static_cast<std::uint64_t>(k),
           bound < 0 ? 0 : c.sizes[static_cast<std::size_t>(bound)], p.kind, perturbation);
      filled[slabOf[static_cast<std::size_t>(k)]] = true;
    }
    const long moved = shift[static_cast<std::size_t>(k)];
    arguments.push_back(
        {slab.element(0) + moved * static_cast<long>(width(slab.kind)), std::max(0L, slab.high + 1 - moved)});
  }
  std::vector<double> scalars;
  for (int k = 0; k < p.scalars; ++k) {
    const double drawn[] = {0.5, 0.125, 1.5, 2.0, -0.75, 0.08838834764};
    double x = rounded(p.kind, drawn[mixed(c.seed + static_cast<std::uint64_t>(k)) % 6]);
    scalars.push_back(p.kind == 'i' || p.kind == 'u' ? 3 : x);
  }
  double result[2] = {0, 0};
  p.call(c.sizes.data(), arguments.data(), scalars.data(), result);
  std::vector<double> values;
  bool held = true;
  for (Slab &slab : slabs) held = held && guardsHold(slab);
  std::vector<double> errors;
  if (p.returns) values.push_back(result[0]);
#ifdef FUZZ_WIDE
  if (p.returns) errors.push_back(result[1]);
#endif
  std::vector<bool> shown(slabs.size());
  for (int k = 0; k < p.arrays; ++k) {
    const std::size_t at = slabOf[static_cast<std::size_t>(k)];
    Slab &slab = slabs[at];
    if (shown[at] || !(p.array[k].written || (k == c.array && p.array[c.other].written))) continue;
    shown[at] = true;
    for (long e = slab.low; e <= slab.high; ++e)
      withType(slab.kind, [&](auto x) {
        std::memcpy(&x, slab.element(e), sizeof x);
        values.push_back(asDouble(x));
#ifdef FUZZ_WIDE
        if constexpr (std::is_same_v<decltype(x), W>)
          errors.push_back(static_cast<double>(x.e));
        else
          errors.push_back(0);
#endif
      });
  }
  values.insert(values.end(), errors.begin(), errors.end());
  write(out, c.number, held ? 0 : 2, values);
}

std::vector<Case> read(const char *path) {
  std::vector<Case> cases;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Case c{};
    words >> c.program >> c.number >> c.data >> c.victim >> c.array >> c.other >> c.distance >> c.pad >> c.seed;
    for (long size; words >> size;) c.sizes.push_back(size);
    cases.push_back(c);
  }
  return cases;
}

/// Seconds of the processor, so that a loaded machine makes no timeout; a far limit by the clock for what waits for
/// ever.
void limit(unsigned seconds) {
  const rlimit processor{seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &processor);
  alarm(60 * seconds);
}

int child(const std::vector<Case> &cases, int program, const std::string &path, int perturbation, unsigned seconds) {
  limit(seconds);
  std::FILE *const out = std::fopen(path.c_str(), "wb");
  if (!out) return 3;
  for (const Case &c : cases)
    if (c.program == program) run(c, out, perturbation);
  std::fclose(out);
  return 0;
}

} // namespace

void touch(int array, long element) {
  Range &r = ranges[static_cast<std::size_t>(array)];
  if (++touched > most || element > most || element < -most) throw Skipped{};
  if (r.high < r.low) r = {element, element};
  r.low = std::min(r.low, element);
  r.high = std::max(r.high, element);
}

void within(long element, long extent) {
  if (++touched > most || element < 0 || element >= extent) throw Skipped{};
}

void nonempty(long bound) {
  if (bound <= 0) throw Skipped{};
}

void skip() { throw Skipped{}; }

int main(int count, char **words) {
  if (count != 7) return 2;
  const std::vector<Case> cases = read(words[1]);
  for (int k = std::atoi(words[3]); k <= std::atoi(words[4]); ++k) {
    const std::string path = std::string(words[2]) + "." + std::to_string(k);
    const pid_t forked = fork();
    if (forked == 0) {
      const int status = child(cases, k, path, std::atoi(words[5]), static_cast<unsigned>(std::atoi(words[6])));
      std::fflush(nullptr);
      _exit(status);
    }
    int status = 0;
    waitpid(forked, &status, 0);
    std::printf("%d %d\n", k, WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
    std::fflush(stdout);
  }
  return 0;
}
