// Sizes that are too small for threads are told by comparisons, where the work at their corners is little.
#include "mapping.h"

using namespace polymend;

namespace {

Expr real(const std::string &size) { return Expr::cast(Type::Float64, Expr::symbol(size, Type::Int64)); }

/// The entry of a program of sizes n, m and q, of which q is n / m.
DeviceEntry entryWith(const Expr &work) {
  Result<TileProgram> program =
      readText("program f\nsize n, m, q\narray x : f32[n] flat written\nkernel k grid (i in [0, n) parallel) {\n"
               "  x[i] = 0.0f32\n}\n");
  EXPECT_TRUE(program);
  program->work = work;
  Function function;
  function.derived = {{"q", Expr::make(Op::Div, {Expr::symbol("n", Type::Int64), Expr::symbol("m", Type::Int64)})}};
  const Result<DeviceProgram> mapped = mapToCpu(function, *program, false);
  EXPECT_TRUE(mapped);
  EXPECT_TRUE(verify(*mapped).empty());
  return mapped->entry;
}

std::string littleOf(const Expr &work) {
  const DeviceEntry entry = entryWith(work);
  if (!entry.little) return "";
  std::string text;
  for (const std::string &size : entry.little->sizes) text += size + " ";
  return text + std::to_string(entry.little->below) + " " + std::to_string(entry.little->work);
}

} // namespace

TEST(LittleWork, IsTheMostThatSizesWithinTheBoundBring) {
  EXPECT_EQ(littleOf(Expr::real(2, Type::Float64) * real("n") * real("m")), "n m 64 8192");
  EXPECT_EQ(littleOf(real("n") * real("n") * real("n") * real("n")), "n 16 65536");
  EXPECT_EQ(littleOf((real("n") - real("m")) * real("m")), "n m 64 1024"); // it falls again beyond m = n / 2
}

/// It is most where what divides is least.
TEST(LittleWork, OfADerivedSizeIsToldByThoseThatItIsMadeOf) {
  EXPECT_EQ(littleOf(Expr::real(3, Type::Float64) * real("q")), "n m 64 192");
}

TEST(LittleWork, IsNotToldWhereItIsMuchOrOfWhatIsNoSize) {
  EXPECT_EQ(littleOf(Expr::real(100000, Type::Float64) * real("n")), "");
  EXPECT_EQ(littleOf(real("other")), "");
}

TEST(LittleWork, IsVerified) {
  Result<DeviceProgram> program =
      readDeviceText("device f\nsize n\narray x : f32[n] flat written\n"
                     "entry estimate f64(n) times 1 little (m) below 64 of 64 {}\n"
                     "kernel k grid (i in [0, n) parallel) static collapsed {\n  x[i] = 0.0f32\n}\n");
  ASSERT_TRUE(program) << program.refusal().reason;
  ASSERT_EQ(verify(*program).size(), 1U);
  EXPECT_NE(verify(*program)[0].find("'m', which is no size"), std::string::npos);
}
