// Maxima and minima by comparison that meet a NaN which the source writes: lifted only where it is left out in any
// order.
#include "../compilation.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

struct Case {
  std::string name, start, element, update;
  bool isLifted;
};

void PrintTo(const Case &own, std::ostream *out) { *out << own.name; }

const std::string goesOn = "r = r > v ? r : v;", leavesOut = "if (v > r) r = v;";
const std::string masked = "j <= i ? x[i * m + j] : ", none = "-INFINITY";

std::vector<Case> cases() {
  std::vector<Case> all{
      {"Numbers", none, "x[i * m + j]", goesOn, true},
      {"OtherNumbers", none, masked + "-INFINITY", goesOn, true},
      {"NaNInACondition", none, "x[i * m + j] < NAN ? 1.0f : x[i * m + j]", goesOn, true},
      {"NaNBesideNumbers", none, "std::fmax(x[i * m + j], NAN)", goesOn, true},
      {"OfBoth", none, "std::fmax(j <= i ? 1.0f : NAN, NAN)", goesOn, false},
      {"ShownByData", none, "x[i * m + j] > 0 ? x[i * m + j] : NAN", goesOn, false},
      {"Inside", none, "x[i * m + j] - (j <= i ? 0.0f : NAN)", goesOn, false},
      {"ThroughAnArray", none, "s[j]", goesOn, false},
      {"IsTheStart", "NAN", "x[i * m + j]", goesOn, false},
      {"IsTheStartAndStays", "NAN", "x[i * m + j]", leavesOut, false},
      {"OfTwoSteps", none, masked + "NAN", "r = std::max(std::max(r, x[j]), v);", false},
  };
  for (const auto &[name, nan] :
       std::vector<std::pair<std::string, std::string>>{{"Builtin", "__builtin_nanf(\"\")"},
                                                        {"Limits", "std::numeric_limits<float>::quiet_NaN()"},
                                                        {"Quotient", "0.0f / 0.0f"},
                                                        {"Difference", "INFINITY - INFINITY"},
                                                        {"Root", "std::sqrt(-1.0f)"},
                                                        {"Sum", "x[i * m + j] + NAN"},
                                                        {"Negative", "-NAN"},
                                                        {"Double", "static_cast<float>(static_cast<double>(NAN))"}})
    all.push_back({"As" + name, none, masked + nan, goesOn, false});
  for (const auto &[name, update, isLifted] :
       std::vector<std::tuple<std::string, std::string, bool>>{{"Less", "r = r < v ? v : r;", true},
                                                               {"AtLeast", "r = v >= r ? v : r;", false},
                                                               {"If", leavesOut, true},
                                                               {"StdMax", "r = std::max(r, v);", true},
                                                               {"StdMaxTurned", "r = std::max(v, r);", false},
                                                               {"FMax", "r = std::fmax(r, v);", true},
                                                               {"Minimum", "r = r < v ? r : v;", false},
                                                               {"StdMinTurned", "r = std::min(v, r);", false},
                                                               {"IfMinimum", "if (v < r) r = v;", true},
                                                               {"Masked", "if (j != 3) r = r > v ? r : v;", false}})
    all.push_back({"By" + name, none, masked + "NAN", update, isLifted});
  return all;
}

class WrittenNaN : public testing::TestWithParam<Case> {};

} // namespace

TEST_P(WrittenNaN, IsLeftOutOrNotLifted) {
  const Case &own = GetParam();
  const auto t = analyse("#include <algorithm>\n#include <cmath>\n#include <limits>\n"
                         "void f(int n, int m, const float *x, float *y) {\n"
                         "  for (int i = 0; i < n; i++) {\n"
                         "    float s[64], r = " +
                         own.start +
                         ";\n"
                         "    for (int j = 0; j < 64; j++) s[j] = j <= i ? x[j] : NAN;\n"
                         "    for (int j = 0; j < 64; j++) {\n"
                         "      float v = " +
                         own.element + ";\n      " + own.update +
                         "\n    }\n"
                         "    y[i] = r;\n"
                         "  }\n"
                         "}\n");
  EXPECT_EQ(t.relaxed().system.has_value(), own.isLifted) << t.relaxed().why.reason;
  if (own.isLifted) return;
  EXPECT_NE(t.relaxed().why.reason.find("NaN"), std::string::npos) << t.relaxed().why.reason;
  EXPECT_EQ(t.relaxed().why.where.line, 10);
}

INSTANTIATE_TEST_SUITE_P(Relax, WrittenNaN, testing::ValuesIn(cases()),
                         [](const auto &info) { return info.param.name; });
