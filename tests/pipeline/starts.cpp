// What reductions start from, and what a mask keeps from them: sums that start from -0, extremes that start from NaN,
// rows in which nothing comes, numbers that a product with zero does not hide. Results are the source's to the bit, for
// data whose sums are exact in any order; NaN payloads apart.
#include "polymend/pipeline.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <dlfcn.h>

using namespace polymend;

namespace {

using Rows = void(int m, const float *x, const float *w, float *y);

/// The loop over the elements of a row `a` under weights `w`, and what is stored of it; `i` is the row.
struct Case {
  std::string name, body;
  bool exact = true; // no function whose last bits differ between libraries
};

const std::string each = "for (int j = 0; j < m; j++) ";
const std::string greatest = "float r = -INFINITY; " + each + "r = std::fmax(r, a[j]);\n";

const std::vector<Case> cases = {
    {"sum", "float s = -0.0f; " + each + "s += a[j]; y[i] = s;"},
    {"difference", "float s = -0.0f; " + each + "s -= a[j]; y[i] = s;"},
    {"products", "float s = -0.0f; " + each + "s += a[j] * w[j]; y[i] = s;"},
    {"inverse_of_a_sum", "float s = -0.0f; " + each + "s += a[j] * w[j]; y[i] = 1 / s;"},
    {"sum_under_data", "float s = -0.0f; " + each + "if (w[j] > 0) s += a[j]; y[i] = s;"},
    {"sum_under_index", "float s = -0.0f; for (int j = 0; j < i; j++) s += a[j]; y[i] = s;"},
    {"about_the_greatest", greatest + "float s = -0.0f; " + each + "s += (a[j] - r) * w[j]; y[i] = s;"},
    {"over_a_norm", "float r = 1; " + each + "r = std::fmax(r, std::fabs(a[j]));\nfloat s = -0.0f; " + each +
                        "s += a[j] / r * w[j]; y[i] = s;"},
    {"two_sums", "float s = -0.0f, t = 0; " + each + "s += a[j]; " + each + "t += a[j] * w[j]; y[i] = s + t;"},
    {"product", "float p = -1; " + each + "p *= a[j]; y[i] = p;"},
    {"greatest_of_zeros", "float r = -0.0f; " + each + "r = a[j] > r ? a[j] : r; y[i] = r;"},
    {"least_from_zero", "float r = 0.0f; " + each + "r = a[j] < r ? a[j] : r; y[i] = r;"},
    {"sum_of_rows_before", "float s = -0.0f; for (int j = i + 1; j < m; j++) s += a[j] * w[j]; y[i] = s;"},
    {"least_from_nan", "float r = NAN; " + each + "r = std::fmin(r, a[j]); y[i] = r;"},
    {"least_under_data", "float r = NAN; " + each + "if (w[j] > 0) r = std::fmin(r, a[j]); y[i] = r;"},
    {"greatest_under_data", "float r = NAN; " + each + "if (w[j] > 0) r = std::fmax(r, a[j]); y[i] = r;"},
    {"greatest_under_index", "float r = NAN; for (int j = 0; j < i; j++) r = std::fmax(r, a[j]); y[i] = r;"},
    {"least_by_selection", "float r = INFINITY; " + each + "r = std::fmin(r, w[j] > 0 ? a[j] : NAN); y[i] = r;"},
    {"sum_from_nan", "float s = NAN; " + each + "s += a[j]; y[i] = s;"},
    {"weighted_numbers_that_are_none", "float s = 0; " + each + "s += a[j] * w[j]; y[i] = s;"},
    {"product_of_zero_and_nan", "float p = 1; " + each + "p *= a[j] * w[j]; y[i] = p;"},
    {"dependent_greatest_of_nothing",
     "float r = -INFINITY; " + each + "if (w[j] > 0) r = std::fmax(r, a[j]);\nfloat t = -INFINITY; " + each +
         "if (w[j] > 0) t = std::fmax(t, std::exp(a[j] - r)); y[i] = t;",
     false},
    {"exponentials_about_a_least_under_data",
     "float r = NAN; " + each + "if (w[j] > 0) r = std::fmin(r, a[j]);\nfloat s = 0; " + each +
         "if (w[j] > 0) s += std::exp(r - a[j]); y[i] = s;",
     false},
    {"exponentials_before_the_row",
     "float r = -INFINITY; for (int j = 0; j < i; j++) r = std::fmax(r, a[j]);\nfloat s = -0.0f; "
     "for (int j = 0; j < i; j++) s += std::exp(a[j] - r) * w[j]; y[i] = s;",
     false},
    {"first_of_greatest_zeros",
     "float r = -INFINITY; for (int k = 0; k < m; k++) r = a[k] > r ? a[k] : r; y[i] = 1 / r;"},
    {"first_of_least_zeros", "float r = INFINITY; for (int k = 0; k < m; k++) r = a[k] < r ? a[k] : r; y[i] = 1 / r;"},
    {"sum_of_selected", "float s = -0.0f; " + each + "s += w[j] > 0 ? a[j] : -0.0f; y[i] = s;"},
};

/// All functions in one file, so that it is compiled once.
std::string source() {
  std::string text = "#include <cmath>\nextern \"C\" {\n";
  for (const Case &one : cases)
    text += "void " + one.name +
            "(int m, const float *x, [[maybe_unused]] const float *w, float *y) {\n"
            "for (int i = 0; i < m; i++) {\nconst float *a = x + i * m;\n" +
            one.body + "\n}\n}\n";
  return text + "}\n";
}

/// Element number k of each kind of data.
const std::vector<std::pair<std::string, float (*)(int)>> kinds = {
    {"zeros", [](int) { return 0.0F; }},
    {"negative zeros", [](int) { return -0.0F; }},
    {"zeros of both signs", [](int k) { return k % 2 == 0 ? 0.0F : -0.0F; }},
    {"small numbers", [](int k) { return static_cast<float>(k * 7 % 5 - 2); }},
    {"zeros behind what is less", [](int k) { return k % 3 == 0   ? -1.0F
                                                     : k % 2 == 0 ? -0.0F
                                                                  : 0.0F; }},
    {"zeros behind what is greater", [](int k) { return k % 3 == 0   ? 1.0F
                                                        : k % 2 == 0 ? -0.0F
                                                                     : 0.0F; }},
    {"equal numbers", [](int) { return 3.0F; }},
    {"some NaN", [](int k) { return k % 4 == 1 ? NAN : static_cast<float>(k % 3); }},
    {"some infinities", [](int k) { return k % 5 == 2 ? -INFINITY : static_cast<float>(k % 3 - 1); }},
};

class Starts : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    PipelineOptions options;
    options.file = scratch.file("input.cpp");
    options.tiles = {{"j", 4}, {"i", 3}};
    options.fp = GetParam() == "strict" ? FloatMode::Strict : FloatMode::Algebraic;
    ASSERT_FALSE(replaceFile(options.file, source()));
    const PipelineOutcome outcome = transform(options);
    ASSERT_EQ(outcome.exitCode, ExitCode::Done);
    original = library("original", source());
    result = library("result", outcome.text);
    ASSERT_TRUE(original && result);
  }

  void *library(const std::string &name, const std::string &text) const {
    BuildRequest request;
    request.source = scratch.file(name + ".cpp");
    request.output = scratch.file(name + ".so");
    request.flags = {"-std=c++20", "-O1", "-w", "-ffp-contract=off", "-DPOLYMEND_LEAST_WORK=0"};
    EXPECT_FALSE(replaceFile(request.source, text));
    const auto built = build(request);
    EXPECT_TRUE(built) << (built ? "" : built.refusal().reason);
    return built ? dlopen(built->c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  }

  static std::vector<float> rowsOf(void *library, const Case &one, int m, const std::vector<float> &x,
                                   const std::vector<float> &w) {
    std::vector<float> y(static_cast<std::size_t>(m) + 1, 77);
    reinterpret_cast<Rows *>(dlsym(library, one.name.c_str()))(m, x.data(), w.data(), y.data());
    return y;
  }

  static bool isSame(const Case &one, float wanted, float got) {
    if (std::isnan(wanted) || std::isnan(got)) return std::isnan(wanted) && std::isnan(got);
    if (one.exact || wanted == 0 || std::isinf(wanted))
      return std::bit_cast<std::uint32_t>(wanted) == std::bit_cast<std::uint32_t>(got);
    return std::abs(wanted - got) <= 1e-5F * std::abs(wanted);
  }

  const ScratchDirectory scratch;
  void *original = nullptr, *result = nullptr;
};

} // namespace

TEST_P(Starts, AreTheSources) {
  for (const Case &one : cases)
    for (const auto &[kind, element] : kinds)
      for (const int m : {0, 1, 3, 4, 9})
        for (const int shown : {0, 1, 2}) { // weights: all, none, every other
          std::vector<float> x, w;
          for (int k = 0; k < m * m; ++k) x.push_back(element(k));
          for (int k = 0; k < m; ++k) w.push_back(shown == 0 || (shown == 2 && k % 2 == 1) ? 1.0F : -0.0F);
          const std::vector<float> wanted = rowsOf(original, one, m, x, w), got = rowsOf(result, one, m, x, w);
          for (std::size_t i = 0; i < wanted.size(); ++i)
            EXPECT_TRUE(isSame(one, wanted[i], got[i]))
                << one.name << " on " << kind << ", m=" << m << ", weights " << shown << ": y[" << i << "] is "
                << got[i] << ", not " << wanted[i];
        }
}

INSTANTIATE_TEST_SUITE_P(Modes, Starts, testing::Values("algebraic", "strict"),
                         [](const testing::TestParamInfo<std::string> &info) { return info.param; });
