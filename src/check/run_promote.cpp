// C++ text arrives and leaves with a wide type wherever it said float, double or a 16-bit type: the reference that both
// sides are measured against. A rewriting of tokens, not of meaning: text in which that does not compile has no
// reference.
#include "polymend/check.h"

#include <cctype>
#include <set>

namespace polymend {

namespace {

constexpr const char *wideName = "polymend_wide";

/// What a number of 113 digits needs beside the language: the C library has its functions under names of their own.
std::string quadFunctions() {
  std::string text = "#include <limits>\n";
  const auto add = [&](const char *name, const char *declared, const char *passed) {
    const std::string type = "__float128 ", own = std::string(name) + "f128";
    text += "extern \"C\" " + type + own + "(" + declared + ");\n";
    const std::string body = "(" + std::string(declared) + ") { return " + own + "(" + passed + "); }\n";
    text += "namespace std { inline " + type + name + body + "}\n";
    text += "inline " + type + name + body;
  };
  for (const char *name :
       {"exp",  "exp2", "expm1", "log",  "log2",      "log10", "log1p", "sqrt",  "fabs",   "tanh",  "sinh",
        "cosh", "sin",  "cos",   "tan",  "asin",      "acos",  "atan",  "floor", "ceil",   "trunc", "round",
        "cbrt", "erf",  "erfc",  "rint", "nearbyint", "asinh", "acosh", "atanh", "lgamma", "tgamma"})
    add(name, "__float128 x", "x");
  for (const char *name : {"fmax", "fmin", "pow", "atan2", "hypot", "fmod", "copysign", "fdim", "remainder"})
    add(name, "__float128 x, __float128 y", "x, y");
  add("fma", "__float128 x, __float128 y, __float128 z", "x, y, z");
  for (const char *name : {"ldexp", "scalbn"}) add(name, "__float128 x, int y", "x, y");
  return text + R"(namespace std {
inline __float128 abs(__float128 x) { return fabsf128(x); }
inline bool isnan(__float128 x) { return x != x; }
inline bool isinf(__float128 x) { return fabsf128(x) == __builtin_inf(); }
inline bool isfinite(__float128 x) { return fabsf128(x) < __builtin_inf(); }
inline bool signbit(__float128 x) { return copysignf128(1, x) < 0; }
inline __float128 lerp(__float128 a, __float128 b, __float128 t) { return t == 1 ? b : fmaf128(t, b - a, a); }
template <> struct numeric_limits<__float128> : numeric_limits<long double> {
  static constexpr int digits = 113;
  static constexpr __float128 infinity() noexcept { return __builtin_inf(); }
  static constexpr __float128 quiet_NaN() noexcept { return __builtin_nan(""); }
};
} // namespace std
using std::abs;
)";
}

/// A position in the text being rewritten, and the last word seen.
struct Scan {
  const std::string &text;
  std::size_t at = 0;
  std::string previous, output;
  [[nodiscard]] bool starts(const char *what) const {
    return text.compare(at, std::char_traits<char>::length(what), what) == 0;
  }
  void copyTo(std::size_t end) {
    end = std::min(end, text.size());
    output.append(text, at, end - at);
    at = end;
  }
};

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// One past a quoted literal that begins at `at`.
std::size_t endOfQuote(const std::string &text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

/// One past the line that begins at `at`, with the lines that continue it.
std::size_t endOfLine(const std::string &text, std::size_t at) {
  std::size_t end = text.find('\n', at);
  while (end != std::string::npos && end > 0 && text[end - 1] == '\\') end = text.find('\n', end + 1);
  return end == std::string::npos ? text.size() : end + 1;
}

/// One past the number that begins at `at`.
std::size_t endOfNumber(const std::string &text, std::size_t at) {
  for (; at < text.size(); ++at) {
    const bool sign =
        (text[at] == '+' || text[at] == '-') && std::string("eEpP").find(text[at - 1]) != std::string::npos;
    if (!isWord(text[at]) && text[at] != '.' && text[at] != '\'' && !sign) break;
  }
  return at;
}

bool isFloatingLiteral(const std::string &number) {
  const bool hexadecimal = number.size() > 1 && (number[1] == 'x' || number[1] == 'X');
  return number.find_first_of(hexadecimal ? "pP" : ".eE") != std::string::npos && number.find('_') == std::string::npos;
}

/// The word as the reference spells it: types made wide, single-precision functions made overloaded ones.
std::string promoted(const std::string &word, const std::string &previous) {
  static const std::set<std::string> types{"float", "double", "_Float16", "__bf16", "__fp16"};
  static const std::set<std::string> functions{
      "expf",   "exp2f",  "expm1f",  "logf",    "log2f",  "log10f",     "log1pf", "sqrtf",      "fabsf",
      "fmaxf",  "fminf",  "powf",    "tanhf",   "sinhf",  "coshf",      "sinf",   "cosf",       "tanf",
      "asinf",  "acosf",  "atanf",   "atan2f",  "floorf", "ceilf",      "truncf", "roundf",     "cbrtf",
      "hypotf", "fmodf",  "erff",    "erfcf",   "fmaf",   "copysignf",  "rintf",  "nearbyintf", "asinhf",
      "acoshf", "atanhf", "lgammaf", "tgammaf", "fdimf",  "remainderf", "ldexpf", "scalbnf"};
  if (types.contains(word)) return previous == "long" && word == "double" ? word : wideName;
  return functions.contains(word) ? word.substr(0, word.size() - 1) : word;
}

/// Copies or rewrites one token.
void step(Scan &scan) {
  const char c = scan.text[scan.at];
  if (scan.starts("//")) return scan.copyTo(endOfLine(scan.text, scan.at));
  if (scan.starts("/*")) {
    const std::size_t end = scan.text.find("*/", scan.at + 2);
    return scan.copyTo(end == std::string::npos ? scan.text.size() : end + 2);
  }
  if (c == '#' && !scan.starts("#define")) return scan.copyTo(endOfLine(scan.text, scan.at));
  if (c == '"' || c == '\'') return scan.copyTo(endOfQuote(scan.text, scan.at));
  const bool leadingPoint =
      c == '.' && scan.at + 1 < scan.text.size() && std::isdigit(static_cast<unsigned char>(scan.text[scan.at + 1]));
  if (std::isdigit(static_cast<unsigned char>(c)) || leadingPoint) {
    const std::size_t end = endOfNumber(scan.text, scan.at + 1);
    const std::string number = scan.text.substr(scan.at, end - scan.at);
    scan.output += isFloatingLiteral(number) ? std::string(wideName) + "(" + number + ")" : number;
    scan.at = end;
  } else if (isWord(c)) {
    std::size_t end = scan.at;
    while (end < scan.text.size() && isWord(scan.text[end])) ++end;
    const std::string word = scan.text.substr(scan.at, end - scan.at);
    scan.output += promoted(word, scan.previous);
    scan.previous = word;
    scan.at = end;
  } else {
    scan.copyTo(scan.at + 1);
  }
}

} // namespace

std::string promote(const std::string &source, const std::string &wide) {
  const std::string functions = wide == "__float128" ? quadFunctions() : "";
  Scan scan{
      source, 0, {}, "#include <math.h>\n#include <cmath>\n" + functions + "using polymend_wide = " + wide + ";\n"};
  while (scan.at < source.size()) step(scan);
  return scan.output;
}

} // namespace polymend
