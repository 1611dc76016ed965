// What is done about each operation of each integer type that may leave its range, as a value and as a subscript: it is
// modelled as it is, tested at entry, or the function is left with a remark. A cell that changes is to be looked at.
#include "source.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

using namespace polymend::test;

namespace {

/// The loop's end and what it computes: `v` of a type T from the loop variable i and the argument s of type T, or from
/// w of a type From that holds what T does not.
const std::map<std::string, std::pair<std::string, std::string>> operations{
    {"+", {"i < 100", "const T v = i + s;"}},      {"-", {"i < 100", "const T v = i - s;"}},
    {"*", {"i < 100", "const T v = i * s;"}},      {"cast", {"i < 100", "const T v = (T)w;"}},
    {"<<", {"i < 100", "const T v = i << 3;"}},    {"++", {"i < 100", "T v = s; ++v;"}},
    {"++ of a loop", {"i <= s", "const T v = i;"}}};
const std::map<std::string, std::string> uses{{"value", "y[i] = v;"}, {"subscript", "y[i] = x[v];"}};

/// The tests at entry, or why the function is left; empty: neither.
std::string verdict(const std::string &text) {
  std::istringstream lines(dumped(text));
  std::string line, all;
  while (std::getline(lines, line)) {
    const std::string mark = line.starts_with("left") ? "left" : "  given ";
    if (line.starts_with(mark)) all += (all.empty() ? "" : "; ") + line.substr(mark == "left" ? 0 : mark.size());
  }
  return all;
}

/// What is said about a use of an operation: "", the tests at entry, or why the function is left.
std::string told(const std::string &type, const std::string &operation, const std::string &use) {
  const bool isWide = type == "long" || type == "std::size_t";
  const bool isNarrow = type == "short" || type == "unsigned char";
  const std::string loop = isNarrow ? "int" : "T";
  const auto &[end, made] = operations.at(operation);
  const std::string from = !isWide ? "long" : type == "long" ? "std::size_t" : "long";
  return verdict("#include <cstddef>\nusing T = " + type + ";\nusing From = " + from +
                 ";\nvoid f(float *y, const float *x, T s, From w) {\n  for (" + loop + " i = 0; " + end +
                 "; ++i) {\n    " + made + "\n    " + uses.at(use) + "\n  }\n}\n");
}

const char *const negative = "left f: line 6: 'i - s' may be negative and wrap around in an unsigned type";
const char *const shifts = "";

/// What a step rests on where it leads to a subscript: it is followed there, not stored.
const std::map<std::string, std::string> followed{{"int", ""},
                                                  {"unsigned", "s <= 4294967294"},
                                                  {"long", ""},
                                                  {"std::size_t", "0 <= s"},
                                                  {"short", "s <= 32766"},
                                                  {"unsigned char", "s <= 254"}};

struct Cell {
  std::string type, operation, expected; // "": modelled, as signed overflow is undefined or none can be
};

const Cell cells[] = {
    {"int", "+", ""},
    {"int", "-", ""},
    {"int", "*", ""},
    {"int", "cast", "-2147483648 <= w; w <= 2147483647"},
    {"int", "<<", shifts},
    {"int", "++", ""},
    {"int", "++ of a loop", ""},
    {"unsigned", "+", "s <= 4294967196"},
    {"unsigned", "-", negative},
    {"unsigned", "*", "99 * s <= 4294967295"},
    {"unsigned", "cast", "0 <= w; w <= 4294967295"},
    {"unsigned", "<<", shifts},
    {"unsigned", "++", ""},
    {"unsigned", "++ of a loop", "s <= 4294967294"},
    {"long", "+", ""},
    {"long", "-", ""},
    {"long", "*", ""},
    {"long", "cast", "0 <= w"},
    {"long", "<<", shifts},
    {"long", "++", ""},
    {"long", "++ of a loop", ""},
    {"std::size_t", "+", "s <= 9223372036854775708; 0 <= s"},
    {"std::size_t", "-", negative},
    {"std::size_t", "*", "99.0 * double(s) <= 4611686018427387904.0; 0 <= s"},
    {"std::size_t", "cast", "0 <= w"},
    {"std::size_t", "<<", shifts},
    {"std::size_t", "++", "0 <= s"},
    {"std::size_t", "++ of a loop", ""},
    {"short", "+", "s <= 32668"},
    {"short", "-", "-s + 99 <= 32767"},
    {"short", "*", "-32768 <= 99 * s; 99 * s <= 32767"},
    {"short", "cast", "-32768 <= w; w <= 32767"},
    {"short", "<<", shifts},
    {"short", "++", ""},
    {"short", "++ of a loop", ""},
    {"unsigned char", "+", "s <= 156"},
    {"unsigned char", "-", negative},
    {"unsigned char", "*", "99 * s <= 255"},
    {"unsigned char", "cast", "0 <= w; w <= 255"},
    {"unsigned char", "<<", "left f: line 6: '8 * i' may not fit 'const T', in which it would wrap around"},
    {"unsigned char", "++", ""},
    {"unsigned char", "++ of a loop", ""},
};

} // namespace

TEST(Wrapping, IsModelledTestedOrLeft) {
  for (const auto &[type, operation, expected] : cells)
    for (const std::string use : {"value", "subscript"})
      EXPECT_EQ(told(type, operation, use), operation == "++" && use == "subscript" ? followed.at(type) : expected)
          << type << " " << operation << " as a " << use;
}

TEST(Wrapping, CountsInEveryTypeAsFarAsItGoes) {
  for (const std::string type : {"short", "unsigned char"})
    EXPECT_EQ(verdict("void f(float *y, " + type + " n) { for (" + type + " i = 0; i < n; ++i) y[i] = 1; }"), "");
  EXPECT_EQ(verdict("void f(float *y, int n) { for (short i = 0; i < n; ++i) y[i] = 1; }"), "n <= 32767");
}
