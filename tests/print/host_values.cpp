// What the host computes for a kernel, whatever the sizes are.
#include "print/host_values.h"

#include <gtest/gtest.h>

using namespace polymend;
using namespace polymend::print_room;

namespace {

Expr size(const char *name) { return Expr::symbol(name, Type::Int64); }

Expr quotient(Op op, const Expr &a, const Expr &b) { return Expr::make(op, Type::Int64, {a, b}); }

} // namespace

/// A loop over a batch implies that it has elements; the host divides before the loop.
TEST(HostValues, DivideByNothingThatMayBeZero) {
  const Expr one = Expr::integer(1), n = size("n"), bounded = Expr::make(Op::Max, Type::Int64, {n, one});
  for (const Op op : {Op::FloorDiv, Op::FloorMod, Op::Div, Op::Mod}) {
    EXPECT_EQ(show(forAllSizes(quotient(op, size("m"), n))),
              show(quotient(op, size("m"),
                            Expr::make(Op::Select, Type::Int64, {Expr::make(Op::Eq, {n, Expr::integer(0)}), one, n}))));
    EXPECT_TRUE(equal(forAllSizes(quotient(op, size("m"), bounded)), quotient(op, size("m"), bounded)));
    EXPECT_TRUE(
        equal(forAllSizes(quotient(op, size("m"), Expr::integer(4))), quotient(op, size("m"), Expr::integer(4))));
  }
}

/// The quotient within another value, too.
TEST(HostValues, GuardEveryQuotientOfAValue) {
  const Expr inner = quotient(Op::FloorDiv, Expr::integer(108), Expr::integer(16) * size("batch"));
  const Expr guarded = forAllSizes(Expr::make(Op::Max, Type::Int64, {inner, Expr::integer(1)}));
  EXPECT_NE(show(guarded).find("== 0"), std::string::npos);
}
