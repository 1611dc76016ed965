// Calls whose arguments overlap, compared element by element with the original; and what the entry tests, or need not.
#include "polymend/pipeline.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <random>

using namespace polymend;

namespace {

using Call = void(long n, long m, long k, const int *t, const double *x, double *y, double *s);

struct Case {
  std::string name, body;
};

/// Every way to reach elements whose range the entry must find: from data, below the pointer, in two shapes, by
/// squares, remainders and quotients, in several outputs.
const std::vector<Case> cases = {
    {"gathered", "for (long i = 0; i < n; i++) for (long j = 0; j < 9; j++) y[9 * i + j] = x[t[i] + j] + s[j];"},
    {"gathered_rows", "for (long i = 0; i < n; i++) for (long j = 0; j < m; j++) y[i * m + j] = x[t[i] * m + j] * 2;"},
    {"gathered_twice", "for (long i = 0; i < n; i++) y[i] = x[t[t[i]]] + std::exp(s[i]);"},
    {"gathered_in_two_ways", "for (long i = 0; i < n; i++) y[i] = x[2 * t[i] + 1] + std::exp(x[t[i]]);"},
    {"below", "for (long i = 0; i < n; i++) y[i] = std::exp(x[i - k]);"},
    {"far_below", "for (long i = 0; i < n; i++) y[i] = std::exp(x[i - 5]);"},
    {"backwards", "for (long i = 0; i < n; i++) y[i] = std::exp(x[-i]);"},
    {"rows_below", "for (long i = 0; i < n; i++) for (long j = 0; j < m; j++) y[i * m + j] = x[(i - k) * m + j] + 1;"},
    {"above", "for (long i = 0; i < n; i++) y[i] = std::exp(x[i + n]);"},
    {"row_and_first", "for (long i = 0; i < n; i++) for (long j = 0; j < m; j++) y[i * m + j] = x[i * m + j] + x[j];"},
    {"row_and_line", "for (long i = 0; i < n; i++) for (long j = 0; j < m; j++) y[i * m + j] = x[i * m + j] + x[i];"},
    {"squares", "for (long i = 0; i < n; i++) y[i] = std::exp(x[i * i]);"},
    {"shifted_squares", "for (long i = k; i < n; i++) y[i] = std::exp(x[i * i - k]);"},
    {"remainders", "for (long i = 0; i < n; i++) y[i] = std::exp(x[i % m]);"},
    {"negative_remainders", "for (long i = 0; i < n; i++) y[i] = std::exp(x[(i - k) % m]);"},
    {"quotients", "for (long i = 0; i < n; i++) for (long j = 0; j < m; j++) y[i * m + j] = x[i / k * m + j] + 1;"},
    {"distances", "for (long i = 0; i < n; i++) { long d = i - k; y[i] = std::exp(x[d < 0 ? -d : d]); }"},
    {"two_outputs", "for (long i = 0; i < n; i++) { y[i] = std::exp(x[i]); s[i] = x[i] * 2; }"},
    {"shifted_outputs", "for (long i = 0; i < n; i++) { y[i + k] = std::exp(x[i]); s[i] = x[i + 2 * k]; }"},
    {"every_other", "for (long i = 0; i < n; i++) y[2 * i] = std::exp(x[2 * i + 1]);"},
};

std::string sourceOf(const Case &one) {
  return "#include <cmath>\nextern \"C\" void " + one.name +
         "([[maybe_unused]] long n, [[maybe_unused]] long m, [[maybe_unused]] long k, [[maybe_unused]] const int *t,\n"
         "    const double *x, double *y, [[maybe_unused]] double *s) {\n  " +
         one.body + "\n}\n";
}

PipelineOutcome transformed(const ScratchDirectory &scratch, const std::string &text,
                            const std::vector<std::string> &flags = {}, Target target = Target::Cpp) {
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  options.target = target;
  options.clangArgs = flags;
  EXPECT_FALSE(replaceFile(options.file, text));
  return transform(options);
}

std::size_t count(const std::string &text, const std::string &part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// The text with a count of the calls that run the source's own function, but for those with little work.
std::string counting(std::string text) {
  const std::string call = "return ", counted = "return ++fallbacks, ", little = "POLYMEND_LEAST_WORK)";
  for (auto at = text.find(call); at != std::string::npos; at = text.find(call, at + counted.size())) {
    const std::string callee = text.substr(at + call.size(), text.find('(', at) - at - call.size());
    const std::size_t before = text.find_last_not_of(" \n", at - 1) + 1;
    if (!callee.ends_with("_reference") || text.compare(before - little.size(), little.size(), little) == 0) continue;
    text.replace(at, call.size(), counted);
  }
  return "extern \"C\" long fallbacks;\nlong fallbacks = 0;\n" + text;
}

class Built {
public:
  Built(const ScratchDirectory &scratch, const std::string &name, const std::string &text) {
    BuildRequest request;
    request.source = scratch.file(name + ".cpp");
    request.output = scratch.file(name + ".so");
    request.flags = {
        "-std=c++20",          "-O1", "-w", "-ffp-contract=off", "-fopenmp=libgomp", "-DPOLYMEND_LEAST_WORK=0",
        "-fno-strict-aliasing"};
    EXPECT_FALSE(replaceFile(request.source, text));
    const auto built = build(request);
    EXPECT_TRUE(built) << (built ? "" : built.refusal().reason);
    handle = built ? dlopen(built->c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : nullptr;
  }
  Built(const Built &) = delete;
  Built &operator=(const Built &) = delete;
  ~Built() {
    if (handle) dlclose(handle);
  }
  template <class F> F *find(const char *name) const {
    return handle ? reinterpret_cast<F *>(dlsym(handle, name)) : nullptr;
  }

private:
  void *handle = nullptr;
};

/// Where the arguments begin in one piece of memory.
struct Layout {
  long x = 0, y = 0, s = 0;
  bool apart = false;
};

Layout layoutOf(int kind, std::mt19937 &random) {
  const auto within = [&](long most) {
    return static_cast<long>(random() % static_cast<unsigned>(2 * most + 1)) - most;
  };
  Layout at{2500, 200, 5000, kind == 0};
  if (kind == 1) at.y = at.x + within(1);
  if (kind == 2) at.y = at.x + within(30), at.s = at.y + within(30);
  if (kind == 3) at.y = at.x + within(300), at.s = at.x + within(300);
  if (kind == 4) at.y = 5000, at.s = 5000 + within(24);
  return at;
}

class Overlaps : public testing::TestWithParam<Case> {};

} // namespace

TEST_P(Overlaps, GiveWhatTheSourceGives) {
  const ScratchDirectory scratch;
  const std::string source = sourceOf(GetParam());
  const PipelineOutcome outcome = transformed(scratch, source);
  ASSERT_EQ(outcome.exitCode, ExitCode::Done);
  for (const Diagnostic &told : outcome.diagnostics)
    EXPECT_EQ(count(told.message, "left as it is"), 0U) << told.message;
  const Built original(scratch, "original", source), result(scratch, "result", counting(outcome.text));
  auto *const expected = original.find<Call>(GetParam().name.c_str());
  auto *const actual = result.find<Call>(GetParam().name.c_str());
  auto *const fallbacks = result.find<long>("fallbacks");
  ASSERT_TRUE(expected && actual && fallbacks);
  std::mt19937 random(1);
  long inOrder = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const long n = static_cast<long>(random() % 24), m = 1 + static_cast<long>(random() % 7);
    const long k = 1 + static_cast<long>(random() % 5);
    std::vector<int> t(64);
    for (std::size_t i = 0; i < t.size(); ++i)
      t[i] = trial % 4 == 1 ? static_cast<int>(i) - (i > 0) : static_cast<int>(random() % std::max(1U, unsigned(n)));
    std::vector<double> a(6000);
    for (double &value : a) value = static_cast<double>(random() % 1000) / 1000;
    std::vector<double> b = a;
    const Layout at = layoutOf(trial % 5, random);
    *fallbacks = 0;
    expected(n, m, k, t.data(), &a[at.x], &a[at.y], &a[at.s]);
    actual(n, m, k, t.data(), &b[at.x], &b[at.y], &b[at.s]);
    double apart = 0;
    for (std::size_t i = 0; i < a.size(); ++i) apart = std::max(apart, std::abs(a[i] - b[i]) / (1 + std::abs(a[i])));
    ASSERT_LT(apart, 1e-9) << "n=" << n << " m=" << m << " k=" << k << " y-x=" << at.y - at.x << " s-x=" << at.s - at.x;
    inOrder += *fallbacks;
    if (at.apart) ASSERT_EQ(*fallbacks, 0) << "n=" << n << " m=" << m << " k=" << k;
  }
  EXPECT_GT(inOrder, 20) << "calls that overlap run the source's own body";
}

INSTANTIATE_TEST_SUITE_P(Kernels, Overlaps, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case> &info) { return info.param.name; });

namespace {

const std::string gathered = "for (long i = 0; i < n; i++) for (long j = 0; j < 9; j++) y[9 * i + j] = x[t[i]] * c[j];";

/// The text for a gather whose parameters are declared so.
std::string gather(const std::string &parameters) {
  return "void f(long n, " + parameters + ") {\n" + gathered + "\n}\n";
}

/// How many pairs of arguments the entry compares.
std::size_t testsIn(const std::string &text) {
  return count(text, "polymend_rt::meets(") + count(text, "polymend_rt::overlap<");
}

} // namespace

TEST(Entry, TestsNothingThatTheSourceDeclaresRestrict) {
  const ScratchDirectory scratch;
  const std::string all = "const int *__restrict t, const float *__restrict__ c, const float *__restrict x, "
                          "float *__restrict y";
  EXPECT_EQ(testsIn(transformed(scratch, gather(all)).text), 0U);
  const std::string output = "const int *t, const float *c, const float *x, float *__restrict y";
  EXPECT_EQ(testsIn(transformed(scratch, gather(output)).text), 0U);
  const std::string outputs = "void f(long n, const float *__restrict x, float *__restrict y, float *__restrict z) {\n"
                              "  for (long i = 0; i < n; i++) y[i] = std::exp(x[i]);\n"
                              "  for (long i = 0; i < n; i++) z[i] = x[i] * x[i] + 1;\n}\n";
  const std::string several = transformed(scratch, "#include <cmath>\n" + outputs).text;
  EXPECT_EQ(count(several, "omp parallel"), 1U) << several;
  EXPECT_EQ(testsIn(several), 0U) << several;
  const std::string none = "const int *t, const float *c, const float *x, float *y";
  const std::string text = transformed(scratch, gather(none)).text;
  EXPECT_EQ(count(text, "valuesIn(t"), 1U) << text;
  EXPECT_EQ(count(text, "polymend_rt::meets("), 1U) << text;
}

TEST(Entry, TrustsTypesThatMayNotAlias) {
  const ScratchDirectory scratch;
  const std::string doubles = "const int *t, const float *c, const double *x, float *y";
  EXPECT_EQ(count(transformed(scratch, gather(doubles)).text, "valuesIn(t"), 0U);
  EXPECT_EQ(count(transformed(scratch, gather(doubles), {"-fno-strict-aliasing"}).text, "valuesIn(t"), 1U);
  const std::string loose = "typedef double __attribute__((may_alias)) loose;\n" +
                            gather("const int *t, const float *c, const loose *x, float *y");
  EXPECT_EQ(count(transformed(scratch, loose).text, "valuesIn(t"), 1U);
}

/// What the estimate does not need costs calls with little work nothing.
TEST(Entry, TakesFirstWhatTheEstimateNeeds) {
  const ScratchDirectory scratch;
  const std::string source =
      "#include <cmath>\nstruct View { float *data; long rows, cols, pitch, step; };\n"
      "void f(View y, const View &x) {\n  for (long i = 0; i < x.rows; i++)\n"
      "    for (long j = 0; j < x.cols; j++)\n"
      "      y.data[i * y.pitch + j * y.step] = std::exp(x.data[i * x.pitch + j * x.step]);\n}\n";
  const PipelineOutcome outcome = transformed(scratch, source);
  const std::string &text = outcome.text;
  const std::string entry = text.substr(text.rfind("void f(View y"));
  const std::string call = "return f_reference(y, x);";
  const std::size_t little = entry.find(call, entry.find(call) + 1); // behind the one for the smallest sizes
  ASSERT_NE(little, std::string::npos) << text;
  for (const char *early : {"= x.rows;", "= x.cols;", "const double work"})
    EXPECT_LT(entry.find(early), little) << early;
  for (const char *late : {"= x.data;", "= y.data;", "= y.pitch;", "= x.step;", "quotient64 ="}) {
    EXPECT_NE(entry.find(late), std::string::npos) << late << " in " << entry;
    EXPECT_GT(entry.find(late), little) << late;
  }
  EXPECT_TRUE(std::any_of(outcome.diagnostics.begin(), outcome.diagnostics.end(), [](const Diagnostic &d) {
    return d.message.ends_with("unless these are multiples of the strides within them: 'y_pitch'");
  }));
}

TEST(Entry, TestsNoTwoArraysOfTheFile) {
  const ScratchDirectory scratch;
  const std::string loop = "  for (int i = 0; i < 100000; i++) out[i] = std::exp(table[i] * scale);\n}\n";
  const std::string both = "#include <cmath>\nstatic float table[100000], out[100000];\nvoid f(float scale) {\n" + loop;
  const std::string one =
      "#include <cmath>\nstatic float out[100000];\nvoid f(float scale, const float *table) {\n" + loop;
  EXPECT_EQ(testsIn(transformed(scratch, both).text), 0U);
  EXPECT_EQ(testsIn(transformed(scratch, one).text), 1U) << "a caller may have its address";
}

TEST(Entry, OfADeviceAsksAKernelThatReadsTheIndices) {
  const ScratchDirectory scratch;
  const std::string none = "const int *t, const float *c, const float *x, float *y";
  for (const Target target : {Target::Cuda, Target::Hip}) {
    const std::string text = transformed(scratch, gather(none), {}, target).text;
    EXPECT_EQ(count(text, "polymend_rt::noteValues(t,"), 1U) << text;
    EXPECT_EQ(count(text, "f_values_kernel, 1024, 256, 0, stream,"), 1U) << "one block is slow: " << text;
    EXPECT_EQ(count(text, "*meeting = polymend_rt::meets(x,"), 1U) << text;
    EXPECT_EQ(count(text, "void f_meeting_kernel(std::int64_t n64, const float *x,"), 1U) << text;
    EXPECT_EQ(count(text, "if (meeting != nullptr && *meeting != 0) return;"), 1U) << text;
    EXPECT_EQ(count(text, "if (*meeting == 0) return;"), 1U) << text;
    EXPECT_EQ(count(text, "POLYMEND_HOST_DEVICE bool empty()"), 1U) << text;
    const std::string plain = "f_in_order_kernel(std::int64_t n64, const int *t, const float *c, const float *x,";
    EXPECT_EQ(count(text, plain), 1U) << "pointers of what runs on memory that is shared promise nothing: " << text;
  }
  const std::string promised = "const int *t, const float *c, const float *__restrict x, float *y";
  const std::string text = transformed(scratch, gather(promised), {}, Target::Cuda).text;
  EXPECT_EQ(count(text, "MirrorOf<float> xMirror(x, "), 1U) << text;
  EXPECT_EQ(count(text, "meeting"), 0U) << text;
}

TEST(Entry, ThatCannotTellIsLeftWithWhatToWrite) {
  const ScratchDirectory scratch;
  const std::string chosen = "void f(int n, const int *t, const int *u, const float *x, float *y) {\n"
                             "  for (int i = 0; i < n; i++) y[i] = t[i] > 0 ? x[u[t[i]]] : 0.0f;\n}\n";
  const PipelineOutcome left = transformed(scratch, chosen);
  ASSERT_FALSE(left.diagnostics.empty());
  EXPECT_NE(left.diagnostics.front().message.find("declare 'x' __restrict"), std::string::npos)
      << left.diagnostics.front().message;
}

TEST(Entry, IgnoresAParameterThatIsNotUsed) {
  const ScratchDirectory scratch;
  const std::string source = "void f(int n, double *a, double *b, double c[9]) {\n"
                             "  for (int i = 0; i < n; i++) { double s = 0;\n"
                             "    for (int j = 0; j < n; j++) s += a[j]; a[n + i] = s; }\n}\n";
  for (const Target target : {Target::Cpp, Target::Cuda}) {
    const PipelineOutcome outcome = transformed(scratch, source, {}, target);
    EXPECT_NE(outcome.text, source);
    EXPECT_EQ(testsIn(outcome.text), 0U) << outcome.text;
    EXPECT_EQ(count(outcome.text, "bMirror"), 0U);
  }
}

/// What every element of is written, whatever it was, need not be copied to the device.
TEST(Entry, CopiesTheFirstElementOfRowsThatHaveNone) {
  const ScratchDirectory scratch;
  const auto ofNone = [&](const std::string &start) {
    const std::string source = "void f(int n, int m, const float *x, float *y) {\n  for (int i = 0; i < n; i++) {\n"
                               "    float s = " +
                               start +
                               ";\n    for (int j = 0; j < m; j++) s += x[i * m + j];\n"
                               "    y[i] = s;\n  }\n}\n";
    return count(transformed(scratch, source, {}, Target::Cuda).text, "? 1 : 0 < n64");
  };
  EXPECT_EQ(ofNone("x[i * m]"), 1U);
  EXPECT_EQ(ofNone("0"), 0U);
}

TEST(Entry, UploadsWhatIsReadOrKept) {
  const ScratchDirectory scratch;
  const auto uploads = [&](const std::string &body) {
    const std::string source = "void f(int n, int m, const float *x, float *y) {\n" + body + "\n}\n";
    const std::string text = transformed(scratch, source, {}, Target::Cuda).text;
    const std::size_t none = count(text, "yMirror(nullptr, ") + count(text, "? nullptr : y");
    EXPECT_EQ(none + count(text, "yMirror(y, "), 1U) << text;
    return count(text, "yMirror(y, ") == 1;
  };
  EXPECT_FALSE(uploads("for (int i = 0; i < n; i++) y[i] = x[i] * 2;"));
  EXPECT_FALSE(uploads("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j] * 2;"));
  EXPECT_FALSE(uploads("for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < m; j++) y[i] += x[i * m + j]; }"));
  EXPECT_TRUE(uploads("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i] += x[i * m + j];")) << "read";
  EXPECT_TRUE(uploads("for (int i = 0; i < n; i += 2) y[i] = x[i] * 2;")) << "every other element";
  EXPECT_TRUE(uploads("for (int i = 1; i < n; i++) y[i] = x[i] * 2;")) << "not the first";
  EXPECT_TRUE(uploads("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[i * 64 + j] = x[j];"))
      << "rows that leave room";
  EXPECT_TRUE(uploads("for (int i = 0; i < n; i++) if (x[i] > 0) y[i] = x[i] * 2;")) << "data choose";
  EXPECT_TRUE(uploads("for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) y[i * n + j] = x[i * n + j] * 2;"))
      << "a triangle";
  EXPECT_TRUE(uploads("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[i * m + j] = x[i * m + j] * 2;"))
      << "rows of a wider matrix";
}
