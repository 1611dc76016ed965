// Times one function of two libraries on the same data: scripts/never_worse writes what each argument is, a line each.
//   never_worse_driver ORIGINAL.so RESULT.so ARGUMENTS ROUNDS     prints microseconds of both, a pair a round
//   never_worse_driver ORIGINAL.so - ARGUMENTS ROUNDS             prints those of the original alone
// Arguments: "size N", "f32", "f64" (scalars), "array TYPE COUNT LIMIT WRITTEN READ"; integers of arrays are below
// LIMIT.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Call = void (*)(void **);

/// An argument: its bytes, and what they are before each call.
struct Argument {
  std::vector<std::byte> bytes, start;
  std::size_t offset = 0;
  bool restored = false;
};

constexpr std::size_t margin = 1U << 16;

template <class T, class Draw> void fill(std::vector<std::byte> &bytes, Draw draw) {
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    const T value = static_cast<T>(draw());
    std::memcpy(&bytes[at], &value, sizeof value);
  }
}

Argument scalar(const void *value) {
  Argument result;
  result.bytes.resize(8);
  std::memcpy(result.bytes.data(), value, 8);
  return result;
}

std::size_t widthOf(const std::string &type) {
  if (type == "bool" || type.ends_with("8")) return 1;
  if (type.ends_with("16")) return 2;
  return type.ends_with("64") ? 8 : 4;
}

/// Data about one, so that products neither vanish nor grow; what is only written is poison.
Argument array(const std::string &type, std::size_t count, std::int64_t limit, bool written, bool read,
               std::mt19937_64 &random) {
  Argument result;
  result.offset = margin;
  result.restored = written;
  result.bytes.resize(2 * margin + count * widthOf(type));
  std::uniform_real_distribution<double> real(0.5, 1.5);
  std::uniform_int_distribution<std::int64_t> integer(0, std::max<std::int64_t>(limit, 1) - 1);
  if (written && !read)
    std::fill(result.bytes.begin(), result.bytes.end(), std::byte{0xff});
  else if (type == "f64")
    fill<double>(result.bytes, [&] { return real(random); });
  else if (type == "f32")
    fill<float>(result.bytes, [&] { return real(random); });
  else if (type == "f16")
    fill<_Float16>(result.bytes, [&] { return real(random); });
  else if (type == "bf16")
    fill<std::uint16_t>(result.bytes, [&] {
      const auto value = static_cast<float>(real(random));
      std::uint32_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      return bits >> 16;
    });
  else if (type == "i64" || type == "u64")
    fill<std::int64_t>(result.bytes, [&] { return integer(random); });
  else if (type == "bool")
    fill<std::uint8_t>(result.bytes, [&] { return integer(random) & 1; });
  else if (widthOf(type) == 1)
    fill<std::uint8_t>(result.bytes, [&] { return integer(random) & 127; });
  else if (widthOf(type) == 2)
    fill<std::int16_t>(result.bytes, [&] { return integer(random) & 32767; });
  else
    fill<std::int32_t>(result.bytes, [&] { return integer(random); });
  if (written) result.start = result.bytes;
  return result;
}

std::vector<Argument> argumentsIn(const char *file) {
  std::random_device device;
  std::mt19937_64 random(device());
  std::vector<Argument> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind, type;
    words >> kind;
    if (kind == "size") {
      std::int64_t value = 0;
      words >> value;
      all.push_back(scalar(&value));
    } else if (kind == "array") {
      std::size_t count = 0;
      std::int64_t limit = 0;
      bool written = false, read = false;
      words >> type >> count >> limit >> written >> read;
      all.push_back(array(type, count, limit, written, read, random));
    } else {
      double wide = 0.75;
      float narrow = 0.75F;
      if (kind == "f32") std::memcpy(&wide, &narrow, sizeof narrow);
      all.push_back(scalar(&wide));
    }
  }
  return all;
}

void restore(std::vector<Argument> &arguments) {
  for (Argument &argument : arguments)
    if (argument.restored) std::memcpy(argument.bytes.data(), argument.start.data(), argument.start.size());
}

double now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Microseconds of one call; of short ones, the mean of `times` calls without what restoring takes.
double timeOf(Call call, std::vector<Argument> &arguments, std::vector<void *> &places, int times) {
  restore(arguments);
  const double begin = now();
  call(places.data());
  for (int k = 1; k < times; ++k) call(places.data());
  return (now() - begin) / times;
}

Call load(const char *file) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::fprintf(stderr, "%s\n", dlerror());
  return library == nullptr ? nullptr : reinterpret_cast<Call>(dlsym(library, "never_worse_call"));
}

} // namespace

int main(int count, char **words) {
  if (count != 5) return 2;
  std::vector<Argument> arguments = argumentsIn(words[3]);
  std::vector<void *> places;
  for (Argument &argument : arguments) places.push_back(argument.bytes.data() + argument.offset);
  const bool alone = std::strcmp(words[2], "-") == 0;
  const Call original = load(words[1]), result = alone ? nullptr : load(words[2]);
  if (original == nullptr || (!alone && result == nullptr)) return 2;
  const double first = timeOf(original, arguments, places, 1), once = timeOf(original, arguments, places, 1);
  const int times = std::clamp(static_cast<int>(30.0 / std::max(std::min(first, once), 0.01)), 1, 500);
  if (!alone) timeOf(result, arguments, places, 1);
  for (int round = 0; round < std::stoi(words[4]); ++round) {
    const bool resultFirst = round % 2 != 0 && !alone;
    double b = resultFirst ? timeOf(result, arguments, places, times) : 0;
    const double a = timeOf(original, arguments, places, times);
    if (!resultFirst && !alone) b = timeOf(result, arguments, places, times);
    std::printf("%.4f %.4f\n", a, b);
  }
  return 0;
}
