// Sums of products with 16-bit elements that matrix units do not take: the reason is told, and is the true one.
#include "matrix_run.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct Case {
  const char *name, *a, *b, *sum, *term;
  const char *why; // null: none, the product is taken
  bool approximate = false;
};
std::ostream &operator<<(std::ostream &out, const Case &l) { return out << l.name; }

class NotTaken : public testing::TestWithParam<Case> {};

std::string product(const Case &l) {
  return std::string("void product(int n, int m, int k, const ") + l.a + " *a, const " + l.b +
         " *b, float *c) {\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) {\n      " + l.sum +
         " s = 0;\n      for (int p = 0; p < k; p++) s += " + l.term + ";\n      c[i * m + j] = (float)s;\n    }\n}\n";
}

constexpr const char *converted = "(float)a[i * k + p] * (float)b[p * m + j]";

/// That reason, at a place of the source.
MATCHER_P(Says, reason, "") { return arg.reason == reason && arg.where.valid(); }

} // namespace

TEST_P(NotTaken, ForTheReasonThatIsTold) {
  const Case &l = GetParam();
  const MatrixCase c{l.name, product(l), {}, {}, "sm_90a", l.approximate};
  const TileProgram program = lowerBoth(c).program;
  const bool roles = std::any_of(program.kernels.begin(), program.kernels.end(),
                                 [](const Kernel &kernel) { return !kernel.roles.empty(); });
  EXPECT_EQ(roles, l.why == nullptr) << writeText(program);
  if (l.why)
    EXPECT_THAT(program.plain, ElementsAre(Says(l.why)));
  else
    EXPECT_THAT(program.plain, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Products, NotTaken,
    testing::Values(Case{"taken", "__bf16", "__bf16", "float", converted, nullptr},
                    Case{"wide_factor", "__bf16", "float", "float", "(float)a[i * k + p] * b[p * m + j]",
                         "a sum of products has a factor of more than 16 bits (--fp=approx rounds it)"},
                    Case{"wide_factor_rounded", "__bf16", "float", "float", "(float)a[i * k + p] * b[p * m + j]",
                         nullptr, true},
                    Case{"two_types", "_Float16", "__bf16", "float", converted,
                         "a sum of products has factors of two 16-bit types"}),
    [](const auto &info) { return std::string(info.param.name); });
