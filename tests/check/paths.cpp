// The paths of a result: found in its text, taken by the sizes that are chosen.
#include "check/paths.h"
#include "check/run.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace polymend;

namespace {

const char *const printed = R"(/// f in the source's order.
static void f_reference(int n, const float *x, float *y) {
  for (int i = 0; i < n; i++) { if (x[i] > 0) { y[i] = '"'; } else { y[i] = 0; } }
}

/// f by threads, in tiles.
__attribute__((noinline)) static void f_parallel(int n, const float *x, float *y) {
  POLYMEND_ROUNDED_PRODUCTS
  const std::int64_t n64 = n;
  // Where an output shares memory with another argument, the order of the source decides.
  if (polymend_rt::overlap<float, float>(x, n64, y, n64)) return f_reference(n, x, y);

  // Kernel f.
    for (std::int64_t i0 = 0; i0 < n64; i0 += 64) {
      if (i0 + 64 <= n64) { // not an else {
        y[i0] = 1;
      } else {
        y[i0] = 2;
      }
      if (sum_fallback != 0) {
        y[i0] = 3;
      }
      if (i0 < n64 - 1) {
        y[i0] = 4;
      }
    }
}
void f(int n, const float *x, float *y) {
  return f_parallel(n, x, y);
}
void g() { if (1) { } else { } }
)";

const char *const device = R"(
template <int group_size> __global__ void __launch_bounds__(polymend_rt::groupThreads(group_size)) f_kernel(int n64, float *y) {
#pragma clang fp contract(off)
  if (thread < 32) {
    y[0] = 0;
  } else {
    y[1] = 0;
  }
  if (0 <= n64 - 64 && 0 <= n64 -
      32) {
    y[0] = 1;
  } else {
    y[0] = 2;
  }
}
cudaError_t f_on(cudaStream_t stream, int n, float *y) {
  if (polymend_rt::runsHopperCode()) {
    return 0;
  } else {
    return 1;
  }
}
)";

CheckedFunction named(const char *name) {
  CheckedFunction checked;
  checked.function.name = name;
  return checked;
}

std::vector<std::string> namesOf(const MarkedText &marked) {
  std::vector<std::string> names;
  for (const ResultPath &path : marked.paths) names.push_back(path.name);
  return names;
}

Expr size(const char *name) { return Expr::symbol(name, Type::Int64); }

} // namespace

TEST(Paths, AreTheDecisionsOfAHostBody) {
  const MarkedText marked = withMarks(printed, {named("f")}, Target::Cpp);
  EXPECT_EQ(namesOf(marked),
            (std::vector<std::string>{"fallback", "kernel f", "full tiles", "partial tiles", "fallback rows"}));
  EXPECT_TRUE(marked.paths[0].fallback);
  EXPECT_EQ(marked.paths[2].line, 15U);
  EXPECT_NE(marked.text.find("else { POLYMEND_RAN(3);\n        y[i0] = 2;"), std::string::npos) << marked.text;
  EXPECT_NE(marked.text.find("void g() { if (1) { } else { } }"), std::string::npos);
}

TEST(Paths, StandBehindTheMarkThatATextBeginsWith) {
  const std::string mark = "\xEF\xBB\xBF";
  const MarkedText marked = withMarks(mark + printed, {named("f")}, Target::Cpp);
  EXPECT_EQ(marked.text, mark + withMarks(printed, {named("f")}, Target::Cpp).text);
}

TEST(Paths, AreNotReadFromComments) {
  std::string commented = printed;
  commented.insert(commented.find("    for (std::int64_t i0"), "    /*/ { */\n");
  EXPECT_EQ(namesOf(withMarks(commented, {named("f")}, Target::Cpp)),
            namesOf(withMarks(printed, {named("f")}, Target::Cpp)));
}

TEST(Paths, AreTheDecisionsOfADeviceBeyondThreads) {
  const MarkedText marked = withMarks(device, {named("f")}, Target::Cuda);
  EXPECT_EQ(namesOf(marked), (std::vector<std::string>{"kernel f_kernel", "full tiles", "partial tiles",
                                                       "if runsHopperCode()", "unless runsHopperCode()"}));
  EXPECT_NE(marked.text.find("contract(off)\n POLYMEND_RAN(0);"), std::string::npos) << marked.text;
}

TEST(Paths, AreReachedBySizesThatMeetTheEntrysConditions) {
  const Expr zero = Expr::integer(0);
  const auto fits = [&](const char *stride, const char *width) {
    return Expr::make(Op::Le, {zero, size(stride) - size(width)});
  };
  CheckedFunction checked = named("f");
  checked.function.sizes = {"m", "n", "k", "lda", "ldc"};
  checked.tiles = {{"m", {64}}, {"n", {64}}, {"k", {64}}};
  checked.given = Expr::make(Op::And, {fits("lda", "k"), fits("ldc", "n")});
  checked.choices = {Expr::make(Op::Lt, {Expr::integer(200), size("m") * size("n")})};
  const SizePlan plan = usualSizes(checked, 100);
  std::size_t fallbacks = 0, wide = 0, large = 0;
  for (const auto &[sizes, kinds] : plan.runs) {
    fallbacks += !*holds(checked.given, sizes);
    wide += sizes.at("m") > 64 && sizes.at("n") > 64 && sizes.at("k") > 64;
    large += *holds(checked.choices[0], sizes);
  }
  EXPECT_EQ(fallbacks, 2U);
  EXPECT_GE(wide, 3U);
  EXPECT_GE(large, 1U);
  EXPECT_LT(large, plan.runs.size());
}

TEST(Paths, OfAlignedKernelsAreReachedByAlignedRows) {
  CheckedFunction checked = named("f");
  checked.function.sizes = {"m", "n", "ldc"};
  checked.tiles = {{"m", {64}}, {"n", {64}}};
  checked.given = Expr::make(Op::Le, {size("n"), size("ldc")});
  checked.alignment = 8;
  const SizePlan plan = usualSizes(checked, 100);
  const auto aligned = std::count_if(plan.runs.begin(), plan.runs.end(),
                                     [](const SizedRun &run) { return run.sizes.at("ldc") % 8 == 0; });
  EXPECT_GE(aligned, 5);
  EXPECT_LT(aligned, static_cast<std::ptrdiff_t>(plan.runs.size()));
}

TEST(Conditions, AreMetByTheLeastChange) {
  const Expr fits = Expr::make(Op::Le, {size("k") + Expr::integer(1), size("lda")});
  EXPECT_EQ(repaired(fits, {{"k", 7}, {"lda", 3}}), (Sizes{{"k", 7}, {"lda", 8}}));
  EXPECT_EQ(repaired(fits, {{"k", 7}, {"lda", 9}}), (Sizes{{"k", 7}, {"lda", 9}}));
  const Expr many = Expr::make(Op::Lt, {Expr::integer(100), size("k") * size("k")});
  EXPECT_TRUE(*holds(many, *repaired(many, {{"k", 3}})));
  EXPECT_FALSE(repaired(Expr::make(Op::Lt, {size("k"), size("k")}), {{"k", 3}}));
}
