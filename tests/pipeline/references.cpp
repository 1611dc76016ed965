// References that are not regular from the first element on: masked where their consumer is not, denormal, so large
// at first that what is divided by them is lost, or taken for means of more than was seen. What a row took in about a
// stand-in must not be missing from its result.
#include "polymend/pipeline.h"
#include "polymend/run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <dlfcn.h>

using namespace polymend;

namespace {

using Floats = std::vector<float>;
using Row = void(int m, const float *x, const float *w, float *y);

/// A loop over one row, and element j of its data.
struct Case {
  std::string name, body;
  float (*x)(int), (*w)(int);
  RelaxMode mode = RelaxMode::Auto;
};

void PrintTo(const Case &shown, std::ostream *out) { *out << shown.name; }

float one(int) { return 1; }
float huge(int) { return 1e10F; }
float lowAfterTwo(int j) {
  return j < 2 ? -230 - 0.5F * static_cast<float>(j) : -228 - 0.25F * static_cast<float>(j % 3);
}
float farBelow(int j) { return -2000 - 0.5F * static_cast<float>(j % 3); }
float late(int j) { return j < 7 ? -1.0F : 1.0F; }
float denormalFirst(int j) { return (j < 8 ? 2e-39F : 4e-38F) * (1 + 0.125F * static_cast<float>(j % 4)); }
float tiny(int j) { return 1e-17F * (1 + 0.25F * static_cast<float>(j % 3)); }
float tinier(int j) { return 1e-24F * (1 + 0.25F * static_cast<float>(j % 3)); }
float falling(int j) { return j < 8 ? 1.0F : 1e-13F; }
float deepBelow(int j) { return -29 - 0.25F * static_cast<float>(j % 2); }

float thousand(int) { return 1000; }
float denormal(int j) { return 1e-40F * (1 + 0.25F * static_cast<float>(j % 7)); }
float steps(int j) { return 1e-4F * static_cast<float>(j % 4); }

const std::string maximum = "float r = -INFINITY, s = 0;\n";

const std::vector<Case> cases = {
    {"masked_by_index",
     maximum + "for (int j = 0; j < m; j++) if (j >= 6) r = std::fmax(r, x[j]);\n"
               "for (int j = 0; j < m; j++) s += std::exp(x[j] - r);",
     farBelow, one},
    {"masked_by_data",
     maximum + "for (int j = 0; j < m; j++) if (w[j] > 0) r = std::fmax(r, x[j]);\n"
               "for (int j = 0; j < m; j++) s += std::exp(x[j] - r);",
     farBelow, late},
    {"denormal_ratio",
     "float r = 0, s = 0;\n"
     "for (int j = 0; j < m; j++) r = std::fmax(r, std::fabs(x[j]));\n"
     "for (int j = 0; j < m; j++) s += (x[j] / r) * (x[j] / r);",
     denormalFirst, one},
    {"cubed_ratio_masked",
     maximum + "for (int j = 0; j < m; j++) if (j > 8) r = std::fmax(r, x[j]);\n"
               "for (int j = 0; j < m; j++) s += std::pow(std::abs(x[j] / r), 3.0f);",
     tiny, one},
    {"reference_falls",
     "float r = INFINITY, s = 0;\n"
     "for (int j = 0; j < m; j++) r = std::fmin(r, w[j]);\n"
     "for (int j = 0; j < m; j++) s += std::pow(std::abs(x[j] * w[j] / r), 3.0f);",
     tiny, falling},
    {"squares_about_what_falls",
     "float r = INFINITY, s = 0;\n"
     "for (int j = 0; j < m; j++) r = std::fmin(r, std::fabs(w[j]));\n"
     "for (int j = 0; j < m; j++) s += (x[j] * w[j] / r) * (x[j] * w[j] / r);",
     tinier, falling},
    {"cubes_divided_at_the_end",
     "float r = 0, s = 0;\n"
     "for (int j = 0; j < m; j++) r += std::exp(w[j]);\n"
     "for (int j = 0; j < m; j++) s += std::pow(std::abs(x[j] * w[j] / r), 3.0f);",
     tiny, deepBelow},
    {"constant_beside_the_reference",
     maximum + "for (int j = 0; j < m; j++) r = std::fmax(r, x[j]);\n"
               "const float g = r + 1;\n"
               "for (int j = 0; j < m; j++) s -= (x[j] - g) * w[j];",
     huge, one},
    {"denormal_shares_of_a_spread",
     maximum + "for (int j = 0; j < m; j++) r = std::fmax(r, x[j]);\n"
               "float g = 0;\n"
               "for (int j = 0; j < m; j++) g += (x[j] - r) * (x[j] - r);\n"
               "for (int j = 0; j < m; j++) s += w[j] * (std::fabs(x[j] - r) / g);",
     steps, denormal},
    {"means_of_parts_that_begin_late",
     "float r = 0, s = 0;\n"
     "for (int j = 2; j < m; j++) r += x[j];\n"
     "const float g = r / (float)m;\n"
     "for (int j = 2; j < m; j++) s += std::exp((x[j] - g) * 0.5f);",
     thousand, one, RelaxMode::SplitK},
    {"parts_beyond_the_reference",
     maximum + "for (int j = 0; j < (m < 2 ? m : 2); j++) r = std::fmax(r, x[j]);\n"
               "for (int j = 0; j < m; j++) s += std::exp((x[j] - r) * 0.5f);",
     lowAfterTwo, one, RelaxMode::SplitK},
};

std::string sourceOf(const Case &one) {
  return "#include <cmath>\nextern \"C\" void " + one.name +
         "(int m, const float *x, [[maybe_unused]] const float *w, float *y) {\n" + one.body + "\ny[0] = s;\n}\n";
}

Row *compiled(const ScratchDirectory &scratch, const std::string &name, const std::string &text,
              const std::string &entry) {
  BuildRequest request;
  request.source = scratch.file(name + ".cpp");
  request.output = scratch.file(name + ".so");
  request.flags = {"-std=c++20", "-O1", "-w", "-ffp-contract=off"};
  EXPECT_FALSE(replaceFile(request.source, text));
  const auto built = build(request);
  EXPECT_TRUE(built) << (built ? "" : built.refusal().reason);
  void *const handle = built ? dlopen(built->c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  return handle ? reinterpret_cast<Row *>(dlsym(handle, entry.c_str())) : nullptr;
}

class References : public testing::TestWithParam<Case> {};

} // namespace

TEST_P(References, LoseNothingBeforeTheyAreRegular) {
  const Case &one = GetParam();
  const ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  options.tiles = {{"j", 4}};
  options.relax = one.mode;
  ASSERT_FALSE(replaceFile(options.file, sourceOf(one)));
  const PipelineOutcome outcome = transform(options);
  ASSERT_EQ(outcome.exitCode, ExitCode::Done);
  for (const Diagnostic &told : outcome.diagnostics)
    EXPECT_EQ(told.message.find("left as it is"), std::string::npos) << told.message;
  Row *const original = compiled(scratch, "original", sourceOf(one), one.name);
  Row *const result = compiled(scratch, "result", outcome.text, one.name);
  ASSERT_TRUE(original && result);
  for (int m = 0; m < 30; ++m) {
    Floats x, w;
    for (int j = 0; j < m; ++j) {
      x.push_back(one.x(j));
      w.push_back(one.w(j));
    }
    float wanted = 0, got = 0;
    original(m, x.data(), w.data(), &wanted);
    result(m, x.data(), w.data(), &got);
    const bool same = std::isfinite(wanted)
                          ? std::abs(wanted - got) <= 1e-4F * std::abs(wanted)
                          : std::isnan(wanted) == std::isnan(got) && (wanted == got || std::isnan(got));
    EXPECT_TRUE(same) << "m=" << m << ": " << got << ", not " << wanted;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, References, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case> &info) { return info.param.name; });
