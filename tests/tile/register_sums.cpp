// An element that an innermost loop updates again and again is in a register meanwhile, unless the loop may read it in
// another way.
#include "../compilation.h"

#include "tile/visit.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

/// The text of the program of a function whose loops run in another order on a host.
std::string loweredOnHost(const std::string &body) {
  AnalyseOptions options;
  options.host = true;
  const auto t = analyse("void f(int n, const double *l, double *x) {\n" + body + "\n}", options);
  EXPECT_TRUE(t.plan().moved);
  const auto program = t.lowered();
  EXPECT_TRUE(program) << program.refusal().reason;
  return program ? writeText(*program) : "";
}

bool holdsInRegister(const std::string &program) { return program.find("x_so_far") != std::string::npos; }

} // namespace

TEST(RegisterSums, HoldAnElementThatNothingElseReads) {
  const std::string program = loweredOnHost(R"(
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) x[i] -= l[i * n + j] * x[j];
      x[i] /= l[i * n + i];
    })");
  EXPECT_TRUE(holdsInRegister(program)) << program;
}

TEST(RegisterSums, StoreNothingWhereThereIsNoTurn) {
  const std::string program = loweredOnHost(R"(
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) x[i] -= l[i * n + j] * x[j];
      x[i] /= l[i * n + i];
    })");
  const std::size_t load = program.rfind("x_so_far = x["), test = program.rfind("if (", load);
  ASSERT_NE(load, std::string::npos) << program;
  EXPECT_EQ(program.find('\n', test), program.rfind('\n', load)) << "a test of whether there are turns comes first";
}

TEST(RegisterSums, LeaveAnElementThatATermReads) {
  const std::string program = loweredOnHost(R"(
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) x[i] -= l[i * n + j] * x[j];
      x[i] /= l[i * n + i];
    })");
  EXPECT_FALSE(holdsInRegister(program)) << program;
}

/// Below the diagonal no row of a tile waits for another one.
TEST(RegisterSums, OfRowsApartRunBesideOneAnother) {
  const std::string program = loweredOnHost(R"(
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) x[i] -= l[i * n + j] * x[j];
      x[i] /= l[i * n + i];
    })");
  EXPECT_NE(program.find("if (2 * t1 + 1 <= t0) {"), std::string::npos) << program;
  EXPECT_NE(program.find("for t2_block in ["), std::string::npos) << program;
  EXPECT_NE(program.find("x_so_far_7 = x_so_far_7[] - l[t2_block + 7, t3] * x[t3]"), std::string::npos) << program;
}

/// Each row waits for the one before it in every tile.
TEST(RegisterSums, OfRowsThatWaitRunOneAfterAnother) {
  const std::string program = loweredOnHost(R"(
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++) x[i] += l[i * n + j] * x[i - 1];
    )");
  EXPECT_EQ(program.find("_so_far_1"), std::string::npos) << program;
}
