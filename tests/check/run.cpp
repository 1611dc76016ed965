// Side-by-side runs: right results agree, and each way of being wrong is found.
#include "polymend/check.h"

#include "check/run_place.h"

#include <gtest/gtest.h>

using namespace polymend;

namespace {

/// y[i] = the logarithm of the sum of exponentials of row i, as a person writes it.
const char *const original = R"(#include <cmath>
void f(int n, int m, const float *x, float *__restrict y) {
  for (int i = 0; i < n; i++) {
    float top = -INFINITY;
    for (int j = 0; j < m; j++) top = std::fmax(top, x[i * m + j]);
    float sum = 0.0f;
    for (int j = 0; j < m; j++) sum += std::exp(x[i * m + j] - top);
    y[i] = top + std::log(sum);
  }
})";

/// The same in one pass: a moving maximum whose sum is mended.
const char *const onePass = R"(#include <cmath>
void f(int n, int m, const float *x, float *y) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    float top = -INFINITY, sum = 0.0f;
    bool bad = false;
    for (int j = 0; j < m; j++) {
      const float value = x[i * m + j], next = std::fmax(top, value);
      bad = bad || std::isnan(value) || value == INFINITY;
      if (next == -INFINITY) continue;
      sum = sum * std::exp(top - next) + std::exp(value - next);
      top = next;
    }
    y[i] = bad || sum == 0.0f ? NAN : top + std::log(sum);
    if (m == 0) y[i] = -INFINITY;
  }
})";

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

Array pointer(const char *name, bool isConst) {
  Array array;
  array.name = name;
  array.extents = {Expr()};
  array.storage = Array::Storage::Parameter;
  array.flat = true;
  array.isConst = isConst;
  return array;
}

/// What the parser says about `original`; only what the run needs: arguments, loops around the accesses.
CheckedFunction described() {
  const Expr i = Expr::symbol("i", Type::Int32), j = Expr::symbol("j", Type::Int32);
  const Expr n = Expr::symbol("n", Type::Int32), m = Expr::symbol("m", Type::Int32);
  const auto inner = std::make_shared<const Assign>(Assign{"y", {i}, Expr::read("x", {i * m + j}, Type::Float32), {}});
  const auto last = std::make_shared<const Assign>(Assign{"y", {i}, Expr::real(0), {}});
  const auto columns = std::make_shared<const Loop>(Loop{"j", "j", Expr::integer(0), m, 1, {inner}, {}});
  CheckedFunction checked;
  checked.function.name = "f";
  checked.function.parameters = {
      {"n", Type::Int32, false}, {"m", Type::Int32, false}, {"x", Type::Float32, true}, {"y", Type::Float32, true}};
  checked.function.arrays = {pointer("x", true), pointer("y", false)};
  checked.function.arrays[1].restricted = true;
  checked.function.sizes = {"n", "m"};
  checked.function.body = {std::make_shared<const Loop>(Loop{"i", "i", Expr::integer(0), n, 1, {columns, last}, {}})};
  return checked;
}

CheckRequest request(const std::string &result, std::vector<Sizes> sizes = {{{"n", 5}, {"m", 37}}}) {
  CheckRequest request;
  request.file = "f.cpp";
  request.original = original;
  request.result = result;
  request.functions = {described()};
  request.sizes = std::move(sizes);
  request.seed = 4711;
  return request;
}

/// Why the table does not agree: the first failed run.
std::string complaint(const Result<CheckTable> &table) {
  if (!table) return table.refusal().reason;
  for (const CheckRun &run : table->runs)
    if (!run.agrees && !run.skipped && !run.assumed && !run.timedOut) return run.data + ": " + run.what;
  return "";
}

} // namespace

TEST(SideBySide, AcceptsTheOriginal) {
  const auto table = runSideBySide(request(original, {}));
  EXPECT_EQ(complaint(table), "");
  ASSERT_TRUE(table);
  EXPECT_GT(table->runs.size(), 20u);
  for (const CheckRun &run : table->runs) EXPECT_FALSE(run.skipped) << run.sizes << run.what;
}

TEST(SideBySide, MeasuresDoublesAgainstWiderOnes) {
  const auto wide = [](std::string text) {
    for (std::size_t at = 0; (at = text.find("float", at)) != std::string::npos; at += 6) text.replace(at, 5, "double");
    for (std::size_t at = 0; (at = text.find("0.0f", at)) != std::string::npos; at += 3) text.replace(at, 4, "0.0");
    return text;
  };
  CheckRequest asked = request(wide(onePass));
  asked.original = wide(original);
  for (Parameter &parameter : asked.functions[0].function.parameters)
    if (parameter.isArray) parameter.type = Type::Float64;
  for (Array &array : asked.functions[0].function.arrays) array.type = Type::Float64;
  const auto table = runSideBySide(asked);
  EXPECT_EQ(complaint(table), "");
  ASSERT_TRUE(table);
  EXPECT_GT(table->runs.front().errorOriginal, 0);
  EXPECT_LT(table->runs.front().errorOriginal, 48);
}

/// One double among what it takes or returns, and the reference has more digits than a double.
TEST(SideBySide, ComputesReferencesInMoreThanDoubles) {
  const auto widened = [](Type returned, Type scalar) {
    CheckedFunction checked = described();
    checked.function.returnType = returned;
    checked.function.parameters.push_back({"c", scalar, false});
    return widenedFor({described(), checked});
  };
#ifdef __x86_64__
  const Widened most = Widened::Quad;
#else
  const Widened most = Widened::LongDouble;
#endif
  EXPECT_EQ(widened(Type::Float64, Type::Float32), most);
  EXPECT_EQ(widened(Type::Float32, Type::Float64), most);
  EXPECT_EQ(widened(Type::Float32, Type::Float32), Widened::Double);
}

/// Twice the digits of a double hold what is added to 2^58; the 64 of a long double would keep six of them, and take a
/// result that keeps more for a wrong one.
TEST(SideBySide, KeepsDigitsThatDoublesLose) {
  const std::string text = "void f(int n, int m, const double *x, double *y) {\n"
                           "  for (int i = 0; i < n; i++) y[i] = x[i * m] + 0x1p58 - 0x1p58;\n}\n";
  CheckRequest asked = request(replaced(text, " + 0x1p58 - 0x1p58", ""));
  asked.original = text;
  for (Parameter &parameter : asked.functions[0].function.parameters)
    if (parameter.isArray) parameter.type = Type::Float64;
  for (Array &array : asked.functions[0].function.arrays) array.type = Type::Float64;
  const auto table = runSideBySide(asked);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->runs.front().data, "random");
  EXPECT_GT(table->runs.front().errorOriginal, 1e9);
  EXPECT_LT(table->runs.front().errorResult, 48);
}

/// The C library's functions of 113 digits, by every name that a source has for them.
TEST(SideBySide, ComputesFunctionsInMoreThanDoubles) {
  const std::string text =
      "#include <algorithm>\n#include <cmath>\n#include <limits>\n"
      "void f(int n, int m, const double *x, double *y) {\n  for (int i = 0; i < n; i++) {\n"
      "    double t = -std::numeric_limits<double>::infinity(), u = -INFINITY;\n"
      "    for (int j = 0; j < m; j++) t = std::fmax(t, x[i * m + j]);\n"
      "    for (int j = 0; j < m; j++) u = std::max(u, std::abs(x[i * m + j]));\n"
      "    y[i] = std::sqrt(u) + std::pow(u, 2) + log(1.0 + u) + std::exp(0.1f * t) + fabs(t) + std::tanh(t);\n"
      "    if (std::isnan(t)) y[i] = 0;\n  }\n}\n";
  CheckRequest asked = request(text);
  asked.original = text;
  for (Parameter &parameter : asked.functions[0].function.parameters)
    if (parameter.isArray) parameter.type = Type::Float64;
  for (Array &array : asked.functions[0].function.arrays) array.type = Type::Float64;
  const ScratchDirectory scratch;
  const auto libraries = buildAll(asked, {RunPlace::Kind::Cpu, "", "", {}, {}}, text, scratch);
  ASSERT_TRUE(libraries) << libraries.refusal().reason;
  EXPECT_EQ(libraries->widened, widenedFor(asked.functions));
  EXPECT_EQ(complaint(runSideBySide(asked)), "");
}

/// Also where nothing is left out because nothing reads it.
TEST(SideBySide, GivesParametersWithoutANameAPlace) {
  const std::string text = "void f(int n, float, const float *, const float *x, float *y) {\n"
                           "  for (int i = 0; i < n; i++) y[i] = 2 * x[i];\n}\n";
  CheckRequest asked = request(text, {{{"n", 5}}});
  asked.original = text;
  asked.clangArgs = {"-O0"};
  Function &f = asked.functions[0].function;
  f.parameters = {{"n", Type::Int32, false},
                  {"", Type::Float32, false},
                  {"", Type::Float32, true},
                  {"x", Type::Float32, true},
                  {"y", Type::Float32, true}};
  f.sizes = {"n"};
  const Expr i = Expr::symbol("i", Type::Int32), n = Expr::symbol("n", Type::Int32);
  const auto body = std::make_shared<const Assign>(
      Assign{"y", {i}, Expr::read("x", {i}, Type::Float32) * Expr::real(2, Type::Float32), {}});
  f.body = {std::make_shared<const Loop>(Loop{"i", "i", Expr::integer(0), n, 1, {body}, {}})};
  const auto table = runSideBySide(asked);
  EXPECT_EQ(complaint(table), "");
  ASSERT_TRUE(table);
  EXPECT_FALSE(table->runs.empty());
  for (const CheckRun &run : table->runs) EXPECT_FALSE(run.skipped) << run.what;
}

TEST(SideBySide, AcceptsACorrectedSum) {
  const auto table = runSideBySide(request(onePass, {}));
  EXPECT_EQ(complaint(table), "") << show(*table);
}

TEST(SideBySide, FindsAMissingCorrection) {
  const std::string broken = replaced(onePass, "sum * std::exp(top - next)", "sum");
  EXPECT_NE(complaint(runSideBySide(request(broken))).find("random: the largest error"), std::string::npos);
}

TEST(SideBySide, FindsDifferencesThatCancel) {
  CheckRequest spread = request("");
  spread.original = R"(void f(int n, int m, const float *x, float *__restrict y) {
    for (int i = 0; i < n; i++) {
      float mean = 0, sum = 0;
      for (int j = 0; j < m; j++) mean += x[i * m + j];
      mean /= m;
      for (int j = 0; j < m; j++) sum += (x[i * m + j] - mean) * (x[i * m + j] - mean);
      y[i] = sum;
    }
  })";
  spread.result = replaced(
      replaced(spread.original, "(x[i * m + j] - mean) * (x[i * m + j] - mean)", "x[i * m + j] * x[i * m + j]"),
      "= sum", "= sum - m * mean * mean");
  const auto table = runSideBySide(spread);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->verdict(), CheckTable::Verdict::Disagree);
  for (const CheckRun &run : table->runs)
    if (run.data == "near 1000" || run.data == "near -1000") EXPECT_FALSE(run.agrees) << run.data;
  spread.result = spread.original;
  EXPECT_EQ(complaint(runSideBySide(spread)), "");
}

/// Two arrays whose elements are near each other's opposite.
TEST(SideBySide, FindsSumsThatCancel) {
  CheckRequest square = request("");
  const Expr i = Expr::symbol("i", Type::Int32), n = Expr::symbol("n", Type::Int32);
  Function &function = square.functions[0].function;
  function.parameters.insert(function.parameters.begin() + 3, {"b", Type::Float32, true});
  function.arrays.insert(function.arrays.begin() + 1, pointer("b", true));
  const Expr sum = Expr::read("x", {i}, Type::Float32) + Expr::read("b", {i}, Type::Float32);
  function.body = {std::make_shared<const Loop>(
      Loop{"i", "i", Expr::integer(0), n, 1, {std::make_shared<const Assign>(Assign{"y", {i}, sum, {}})}, {}})};
  square.original = R"(void f(int n, int m, const float *x, const float *b, float *__restrict y) {
    for (int i = 0; i < n; i++) y[i] = (x[i] + b[i]) * (x[i] + b[i]);
  })";
  square.result =
      replaced(square.original, "(x[i] + b[i]) * (x[i] + b[i])", "x[i] * x[i] + 2 * x[i] * b[i] + b[i] * b[i]");
  const auto table = runSideBySide(square);
  ASSERT_TRUE(table);
  for (const CheckRun &run : table->runs)
    if (run.data == "near 1000" || run.data == "near +-1000")
      EXPECT_EQ(run.agrees, run.data == "near 1000") << run.data;
  square.result = square.original;
  EXPECT_EQ(complaint(runSideBySide(square)), "");
}

TEST(SideBySide, FindsALostGuard) {
  const std::string broken = replaced(onePass, "if (next == -INFINITY) continue;", "");
  const std::string found = complaint(runSideBySide(request(broken, {{{"n", 40}, {"m", 37}}})));
  EXPECT_NE(found.find("-inf"), std::string::npos) << found;
  EXPECT_NE(found.find("nan"), std::string::npos) << found;
}

TEST(SideBySide, FindsALaunderedNaN) {
  const std::string broken = replaced(onePass, "std::isnan(value) || ", "");
  const std::string guarded =
      replaced(broken, "std::exp(value - next)", "(std::isnan(value) ? 0.0f : std::exp(value - next))");
  const std::string found = complaint(runSideBySide(request(guarded)));
  EXPECT_NE(found.find("NaN in x: y["), std::string::npos) << found;
}

TEST(SideBySide, FindsAHalfPrecisionSum) {
  const std::string half = replaced(onePass, "float top = -INFINITY, sum", "float top = -INFINITY; _Float16 sum");
  const std::string found = complaint(runSideBySide(request(replaced(half, "std::log(sum)", "std::log(float(sum))"))));
  EXPECT_NE(found.find("the largest error"), std::string::npos) << found;
}

TEST(SideBySide, FindsAWriteOutside) {
  const std::string broken = replaced(onePass, "if (m == 0)", "if (i == n - 1) y[n] = 1.0f;\n    if (m == 0)");
  EXPECT_NE(complaint(runSideBySide(request(broken))).find("writes outside 'y'"), std::string::npos);
}

TEST(SideBySide, FindsAWriteIntoAnInput) {
  const std::string broken = replaced(onePass, "if (m == 0)", "const_cast<float *>(x)[i] += 1.0f;\n    if (m == 0)");
  EXPECT_NE(complaint(runSideBySide(request(broken))).find("x["), std::string::npos);
}

TEST(SideBySide, FindsAReadBeyondTheEnd) {
  const std::string broken =
      replaced(onePass, "y[i] = bad", "sum += i == n - 1 ? 0.0f * x[n * m] : 0.0f;\n    y[i] = bad");
  EXPECT_NE(complaint(runSideBySide(request(broken))).find("nan"), std::string::npos);
}

TEST(SideBySide, FindsARowLeftOut) {
  const std::string broken = replaced(onePass, "i < n", "i < n - n % 64");
  EXPECT_NE(complaint(runSideBySide(request(broken))), "");
}

TEST(SideBySide, SurvivesACrashAndAnEndlessLoop) {
  const std::string crash = replaced(onePass, "if (m == 0)", "__builtin_trap();\n    if (m == 0)");
  EXPECT_NE(complaint(runSideBySide(request(crash))).find("the result crashes"), std::string::npos);
  CheckRequest endless =
      request(replaced(onePass, "if (m == 0)", "for (volatile int k = 0;;) k = 1 - k;\n    if (m == 0)"));
  endless.secondsPerRun = 1;
  endless.functions[0].function.arrays[0].isConst = true;
  const auto late = runSideBySide(endless);
  EXPECT_EQ(complaint(late), "");
  EXPECT_EQ(late->verdict(), CheckTable::Verdict::Unfinished);
  EXPECT_NE(show(*late).find("takes longer than 1 s"), std::string::npos);
}

TEST(SideBySide, ExcusesWhatAnAssumptionCoversAndNothingElse) {
  CheckRequest assumed = request("");
  assumed.original = R"(void f(int n, int m, const float *x, float *__restrict y) {
    for (int i = 0; i < n; i++) {
      float top = x[i * m];
      for (int j = 0; j < m; j++) top = top < x[i * m + j] ? x[i * m + j] : top;
      y[i] = top;
    }
  })";
  const std::string backwards =
      replaced(assumed.original, "x[i * m + j] ? x[i * m + j]", "x[i * m + m - 1 - j] ? x[i * m + m - 1 - j]");
  assumed.result = replaced(backwards, "x[i * m];", "x[i * m + m - 1];");
  const Expr i = Expr::symbol("i", Type::Int32), j = Expr::symbol("j", Type::Int32);
  const Expr n = Expr::symbol("n", Type::Int32), m = Expr::symbol("m", Type::Int32);
  const Expr element = Expr::read("x", {i * m + j}, Type::Float32), top = Expr::read("top", {}, Type::Float32);
  Array local;
  local.name = "top";
  CheckedFunction &f = assumed.functions[0];
  f.function.arrays.push_back(local);
  const auto first = std::make_shared<const Assign>(Assign{"top", {}, Expr::read("x", {i * m}, Type::Float32), {}});
  const auto larger = std::make_shared<const Assign>(
      Assign{"top", {}, Expr::make(Op::Select, {Expr::make(Op::Lt, {top, element}), element, top}), {}});
  const auto last = std::make_shared<const Assign>(Assign{"y", {i}, top, {}});
  const auto row = std::make_shared<const Loop>(Loop{"j", "j", Expr::integer(0), m, 1, {larger}, {}});
  f.function.body = {std::make_shared<const Loop>(Loop{"i", "i", Expr::integer(0), n, 1, {first, row, last}, {}})};
  assumed.sizes = {{{"n", 400}, {"m", 37}}};
  EXPECT_NE(complaint(runSideBySide(assumed)).find("NaN in x: "), std::string::npos);
  f.assumed.noNaN = {"top"};
  const auto table = runSideBySide(assumed);
  EXPECT_EQ(complaint(table), "");
  EXPECT_EQ(table->verdict(), CheckTable::Verdict::Agree);
  EXPECT_NE(show(*table).find("outside the assumptions"), std::string::npos);
  assumed.result = replaced(assumed.result, "y[i] = top;", "y[i] = i == 5 ? top / 0.0f - top / 0.0f : top;");
  EXPECT_NE(complaint(runSideBySide(assumed)).find("random: y[5]: "), std::string::npos);
  assumed.result = replaced(backwards, "y[i] = top;", "y[i] = x[i * m] != x[i * m] ? 1.0f : top;");
  f.assumed.noNaN = {"other"};
  EXPECT_NE(complaint(runSideBySide(assumed)).find("NaN in x: "), std::string::npos);
}

TEST(SideBySide, WantsEveryBitInStrictMode) {
  CheckRequest strict = request(original);
  strict.bitEqual = true;
  EXPECT_EQ(complaint(runSideBySide(strict)), "");
  strict.result = onePass;
  EXPECT_NE(complaint(runSideBySide(strict)), "");
}

TEST(SideBySide, SaysWhenTheResultCannotBeBuilt) {
  EXPECT_NE(complaint(runSideBySide(request("void g() {}"))).find("the result cannot be built"), std::string::npos);
  CheckRequest missing = request(original);
  missing.compiler = "no-such-compiler";
  EXPECT_NE(complaint(runSideBySide(missing)).find("no-such-compiler"), std::string::npos);
}

TEST(SideBySide, FindsASharedArrayMistaken) {
  CheckRequest shared = request("");
  shared.original =
      "void f(int n, int m, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[n - 1 - i]; }";
  shared.result =
      "void f(int n, int m, const float *x, float *y) { float t[64]; for (int i = 0; i < n; i++) t[i] = x[n - 1 - i];\n"
      "  for (int i = 0; i < n; i++) y[i] = t[i]; }";
  shared.sizes = {{{"n", 9}, {"m", 1}}};
  shared.functions[0].function.arrays[1].restricted = false;
  EXPECT_NE(complaint(runSideBySide(shared)).find(" within "), std::string::npos);
  shared.result = shared.original;
  EXPECT_EQ(complaint(runSideBySide(shared)), "");
}

TEST(SideBySide, KeepsDeclaredArraysApart) {
  const std::string source = "void f(int n, int m, const float x[9000], float y[9000]) {\n"
                             "  for (int i = 0; i < n; i++) y[i] = x[i];\n}";
  CheckRequest declared = request("");
  declared.original = source;
  declared.result = "#include <cstdint>\n" + replaced(source, "{\n",
                                                      "{\n  const auto a = std::uintptr_t(x), b = std::uintptr_t(y);\n"
                                                      "  const bool apart = a + 36000 <= b || b + 36000 <= a;\n");
  declared.result = replaced(declared.result, "= x[i];", "= apart ? x[i] + 1 : x[i];");
  const Expr i = Expr::symbol("i", Type::Int32), n = Expr::symbol("n", Type::Int32);
  CheckedFunction &f = declared.functions[0];
  for (Array &array : f.function.arrays) array.flat = false, array.extents = {Expr::integer(9000)};
  const auto copy = std::make_shared<const Assign>(Assign{"y", {i}, Expr::read("x", {i}, Type::Float32), {}});
  f.function.body = {std::make_shared<const Loop>(Loop{"i", "i", Expr::integer(0), n, 1, {copy}, {}})};
  declared.sizes = {{{"n", 9}, {"m", 1}}};
  EXPECT_NE(complaint(runSideBySide(declared)).find("random: "), std::string::npos);
  declared.result = declared.original;
  EXPECT_EQ(complaint(runSideBySide(declared)), "");
}
