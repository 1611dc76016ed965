// Small choices of lowering, asked directly.
#include "polymend/units.h"

#include "tile/phase.h"

#include <gtest/gtest.h>

using namespace polymend;

namespace {

Expr sym(const std::string &name) { return Expr::symbol(name, Type::Float32); }
Expr over(const Expr &a, const Expr &b) { return Expr::make(Op::Div, {a, b}); }

} // namespace

/// What a state is divided by can be checked at a pivot only where pivots alone decide it.
TEST(PivotDivisors, AreThoseOfPivotsAlone) {
  Correction correction;
  correction.pivots = {"m", "s"};
  correction.state = {over(sym("x"), sym("m")) * over(sym("x"), sym("d")), over(sym("x"), sym("m")),
                      over(sym("x"), sym("m") * sym("s")), over(sym("x"), sym("m") * sym("d")),
                      over(sym("x"), Expr::real(2, Type::Float32))};
  const std::vector<Expr> found = pivotDivisors(correction);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(show(found[0]), "m");
  EXPECT_EQ(show(found[1]), "m * s");
}

TEST(Units, OfWideElementsCopyFromSixteenBytesOn) {
  const auto units = matrixUnitsOf("sm_90a");
  ASSERT_TRUE(units);
  EXPECT_EQ(unitsFor(*units, 2).copiedAt, units->copiedAt);
  EXPECT_EQ(unitsFor(*units, 4).copiedAt, 16);
  EXPECT_EQ(unitsFor(*units, 8).copiedAt, 16);
}
