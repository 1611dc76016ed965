// What algebra is asked: which symbols a candidate has, and what its producers reduce.
#include "../compilation.h"

#include "relax/ask.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;

/// What a producer reduces is told in the consumer's loop variables, also where they are values.
TEST(Ask, TellsWhatAProducerReducesInTheConsumersVariables) {
  const auto t = analyse("#include <cmath>\nvoid f(int n, int m, const float *x, float *y) {\n"
                         "  for (int i = 0; i < n; i++) {\n    float top = -INFINITY, s = 0;\n"
                         "    for (int k = 0; k < m; k++) top = std::fmax(top, x[i * m + k] - k * i);\n"
                         "    for (int j = 0; j < m; j++) s += std::exp(x[i * m + j] - j * i - top);\n"
                         "    y[i] = s;\n  }\n}\n");
  const int top = t.equation("top", true), sum = t.equation("s", true);
  ASSERT_GE(top, 0);
  ASSERT_GE(sum, 0);
  const Question asked = ask(*t.trace.scop, t.system(), sum, t.relaxed().fused, {});
  std::set<std::string> others;
  Expr element;
  for (const AlgebraSymbol &symbol : asked.candidate.symbols)
    if (symbol.role == AlgebraSymbol::Role::Producer)
      element = symbol.element;
    else
      others.insert(symbol.name);
  ASSERT_TRUE(element);
  EXPECT_EQ(symbols(element), others) << show(element);
}
