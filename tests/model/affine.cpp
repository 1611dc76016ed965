// Conditions to sets and maps to expressions.
#include "polymend/affine.h"
#include "polymend/points.h"

#include <gtest/gtest.h>

#include <isl/map.h>
#include <isl/set.h>

using namespace polymend;

namespace {

isl::set setFrom(const IslContext &context, const char *text) {
  return isl::manage(isl_set_read_from_str(context.get(), text));
}

Expr index(const std::string &name) { return Expr::symbol(name, Type::Int64); }

} // namespace

TEST(PointsWhere, GivesTheSetOfACondition) {
  const IslContext context = makeIslContext();
  const isl::set square = setFrom(context, "[n] -> { E[i, j] : 0 <= i < n and 0 <= j < n }");
  const Expr block = Expr::make(Op::Le, {Expr::make(Op::Div, {index("j"), Expr::integer(8)}),
                                         Expr::make(Op::Div, {index("i"), Expr::integer(8)})});
  const auto found = pointsWhere(block, square, {"i", "j"});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_equal(
      setFrom(context, "[n] -> { E[i, j] : 0 <= i < n and 0 <= j < n and floor(j / 8) <= floor(i / 8) }")));
}

TEST(PointsWhere, RefusesData) {
  const IslContext context = makeIslContext();
  const isl::set line = setFrom(context, "{ E[i] : 0 <= i < 9 }");
  const Expr data = Expr::make(Op::Lt, {Expr::read("x", {index("i")}, Type::Float32), Expr::real(0)});
  EXPECT_FALSE(pointsWhere(data, line, {"i"}));
}

TEST(ToExprs, TellsPiecesApartPerDimension) {
  const IslContext context = makeIslContext();
  const isl::map window = isl::manage(isl_map_read_from_str(
      context.get(),
      "{ E[y, x, a] -> K[r, c] : 0 <= y < 24 and 0 <= x < 40 and 0 <= a < 7 and 0 <= r - a <= 17 and "
      "0 <= c <= 33 and ((y < 3 and r = a) or (3 <= y <= 20 and r = y - 3 + a) or (y > 20 and r = 17 + a)) "
      "and ((x < 3 and c = 0) or (3 <= x <= 36 and c = x - 3) or (x > 36 and c = 33)) }"));
  const auto values = toExprs(window, symbolsOf({"y", "x", "a"}));
  ASSERT_TRUE(values);
  for (std::int64_t y = 0; y < 24; ++y)
    for (std::int64_t x = 0; x < 40; ++x) {
      const auto at = [&](const Expr &e) {
        const std::map<std::string, std::int64_t> point{{"y", y}, {"x", x}, {"a", 2}};
        return simplify(substitute(e, [&](const std::string &name) { return Expr::integer(point.at(name)); }));
      };
      const Expr row = at((*values)[0]), column = at((*values)[1]);
      ASSERT_EQ(row.op(), Op::Integer) << show(row);
      EXPECT_EQ(row->integer, std::min<std::int64_t>(std::max<std::int64_t>(y - 3, 0), 17) + 2);
      EXPECT_EQ(column->integer, std::min<std::int64_t>(std::max<std::int64_t>(x - 3, 0), 33));
    }
  EXPECT_EQ(symbols((*values)[0]), (std::set<std::string>{"y", "a"}));
  EXPECT_EQ(symbols((*values)[1]), (std::set<std::string>{"x"}));
}
