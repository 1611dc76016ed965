// Entries under --guard=index, built and called: what is wrong is told, with array, position and value, and nothing is
// touched; what the source never uses is not asked about.
#include "polymend/pipeline.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <numeric>

using namespace polymend;

namespace {

using Call = void(long n, long m, const int *a, const int *b, const double *x, double *y);

const std::string products = "#pragma polymend index extent(x, m)\n";
const std::string product = "for (long i = 0; i < n; i++) { double s = 0; for (int k = a[i]; k < a[i + 1]; k++) "
                            "s += x[b[k]]; y[i] = s; }";

struct GuardCase {
  std::string name, pragma, body;
  long n = 0, m = 0;
  std::vector<int> a, b;
  std::string told; // empty: nothing is wrong
};

const std::vector<GuardCase> guardCases = {
    {"right", products, product, 3, 5, {0, 2, 2, 3}, {4, 0, 3}, ""},
    {"one_row_with_everything", products, product, 3, 5, {0, 0, 3, 3}, {4, 0, 3}, ""},
    {"empty_rows", products, product, 3, 5, {7, 7, 7, 7}, {}, ""},
    {"no_rows", products, product, 0, 5, {3}, {}, ""},
    {"a_row_falls",
     products,
     product,
     3,
     5,
     {0, 3, 1, 3},
     {4, 0, 3},
     "f: a[2] = 1 lies before where its range begins: 1 is below 3"},
    {"a_far_column",
     products,
     product,
     3,
     5,
     {0, 2, 2, 3},
     {4, 0, 5},
     "f: b[2] = 5 leads out of 'x': 5 is not below 5"},
    {"a_column_below",
     products,
     product,
     3,
     5,
     {0, 2, 2, 3},
     {4, -7, 1},
     "f: b[1] = -7 leads out of 'x': -7 is below 0"},
    {"a_negative_row", products, product, 1, 5, {-1, 0}, {4}, "f: a[0] = -1 leads out of 'b': -1 is below 0"},
    {"columns_of_no_row", products, product, 1, 5, {1, 2}, {-9, 2, 99}, ""},
    {"a_page_is_missing",
     products,
     "for (long i = 0; i < n; i++) y[i] = x[a[i]];",
     3,
     5,
     {4, -1, 0},
     {},
     "f: a[1] = -1 leads out of 'x': -1 is below 0"},
    {"a_page_that_nobody_uses",
     products,
     "for (long i = 0; i < n; i++) y[i] = a[i] >= 0 ? x[a[i]] : 0;",
     3,
     5,
     {4, -1, 0},
     {},
     ""},
    {"a_page_behind_the_last_turn",
     products,
     "for (long i = 0; i < n; i++) if (i < 2) y[i] = x[a[i]];",
     3,
     5,
     {4, 3, -1},
     {},
     ""},
    {"a_length_too_long",
     products,
     "for (long i = 0; i < n; i++) { double s = 0; for (int k = 0; k < a[i]; k++) s += x[k]; y[i] = s; }",
     3,
     5,
     {5, 0, 6},
     {},
     "f: a[2] = 6 leads out of 'x': 5 is not below 5"},
    {"a_length_below_zero",
     products,
     "for (long i = 0; i < n; i++) { double s = 0; for (int k = 0; k < a[i]; k++) s += x[k]; y[i] = s; }",
     3,
     5,
     {5, -2, 1},
     {},
     "f: a[1] = -2 is no number of elements: -2 is below 0"},
    {"an_index_of_an_index",
     products + "#pragma polymend index extent(b, 3)\n",
     "for (long i = 0; i < n; i++) y[i] = x[b[a[i]]];",
     3,
     5,
     {2, 0, 3},
     {1, 1, 1},
     "f: a[2] = 3 leads out of 'b': 3 is not below 3"},
    {"slots_differ",
     "#pragma polymend index injective(a)\n",
     "for (long i = 0; i < n; i++) y[a[i]] = x[i];",
     3,
     5,
     {2, 0, 1},
     {},
     ""},
    {"slots_do_not_differ",
     "#pragma polymend index injective(a)\n",
     "for (long i = 0; i < n; i++) y[a[i]] = x[i];",
     3,
     5,
     {2, 0, 2},
     {},
     "f: a[2] = 2 breaks injective(a): as a[0] does"},
    {"rows_do_not_rise",
     "#pragma polymend index monotone(a)\n",
     "for (long i = 0; i < n; i++) for (int k = a[i]; k < a[i + 1]; k++) y[k] = x[k];",
     2,
     5,
     {0, 2, 1},
     {},
     "f: a[2] = 1 lies before where its range begins: 1 is below 2"},
    {"not_the_diagonal",
     "#pragma polymend index diagonal(a, b)\n",
     "for (long i = 0; i < n; i++) y[i] = y[b[a[i]]] + 1;",
     2,
     5,
     {0, 1},
     {0, 0},
     "f: a[1] = 1 breaks diagonal(a, b): 0 is below 1"},
};

class Guards : public testing::TestWithParam<GuardCase> {};

} // namespace

TEST_P(Guards, TellWhatIsWrong) {
  const GuardCase &one = GetParam();
  const ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  options.guardsIndices = true;
  ASSERT_FALSE(replaceFile(options.file, one.pragma +
                                             "extern \"C\" void f(long n, long m, const int *a, const int *b, "
                                             "const double *__restrict x, double *__restrict y) { " +
                                             one.body + " }\n"));
  const PipelineOutcome outcome = transform(options);
  ASSERT_NE(outcome.text.find("index_fault"), std::string::npos) << outcome.text;
  BuildRequest request;
  request.source = scratch.file("result.cpp");
  request.output = scratch.file("result.so");
  request.flags = {"-std=c++20", "-O1", "-w", "-fopenmp=libgomp", "-DPOLYMEND_LEAST_WORK=0"};
  ASSERT_FALSE(replaceFile(request.source, outcome.text));
  const auto built = build(request);
  ASSERT_TRUE(built) << built.refusal().reason;
  void *const handle = dlopen(built->c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  ASSERT_NE(handle, nullptr);
  auto *const called = reinterpret_cast<Call *>(dlsym(handle, "f"));
  ASSERT_NE(called, nullptr);
  std::vector<double> x(8), y(8, -1);
  std::iota(x.begin(), x.end(), 1.0);
  std::string told;
  try {
    called(one.n, one.m, one.a.data(), one.b.data(), x.data(), y.data());
  } catch (const std::out_of_range &wrong) {
    told = wrong.what();
  }
  EXPECT_EQ(told, one.told);
  if (!told.empty()) EXPECT_EQ(y, std::vector<double>(8, -1)) << "something was touched";
  dlclose(handle);
}

INSTANTIATE_TEST_SUITE_P(Entries, Guards, testing::ValuesIn(guardCases),
                         [](const testing::TestParamInfo<GuardCase> &info) { return info.param.name; });
