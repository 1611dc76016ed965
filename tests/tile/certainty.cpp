// What bounds tell of a condition: nothing that is not so at every point of a box, as all points of small boxes say.
#include "tile/tensor/certainty.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

using namespace polymend;

namespace {

using Values = std::map<std::string, double>;

double valueOf(const Expr &e, const Values &at);

bool truth(const Expr &e, const Values &at) { return !e || valueOf(e, at) != 0; }

double valueOf(const Expr &e, const Values &at) {
  const auto arg = [&](std::size_t k) { return valueOf(e.arg(k), at); };
  switch (e.op()) {
  case Op::Integer: return static_cast<double>(e->integer);
  case Op::Symbol:
  case Op::Read: return at.at(e->name);
  case Op::Cast: return arg(0);
  case Op::Add: return arg(0) + arg(1);
  case Op::Sub: return arg(0) - arg(1);
  case Op::Mul: return arg(0) * arg(1);
  case Op::FloorDiv: return std::floor(arg(0) / arg(1));
  case Op::Min: return std::min(arg(0), arg(1));
  case Op::Max: return std::max(arg(0), arg(1));
  case Op::Lt: return arg(0) < arg(1) ? 1 : 0;
  case Op::Le: return arg(0) <= arg(1) ? 1 : 0;
  case Op::Eq: return arg(0) == arg(1) ? 1 : 0;
  case Op::Ne: return arg(0) != arg(1) ? 1 : 0;
  case Op::And: return truth(e.arg(0), at) && truth(e.arg(1), at) ? 1 : 0;
  case Op::Or: return truth(e.arg(0), at) || truth(e.arg(1), at) ? 1 : 0;
  case Op::Not: return truth(e.arg(0), at) ? 0 : 1;
  case Op::Select: return truth(e.arg(0), at) ? arg(1) : arg(2);
  default: ADD_FAILURE() << show(e); return 0;
  }
}

Expr row(Type type = Type::Int32) { return Expr::read("row", {}, type); }
Expr column(Type type = Type::Int32) { return Expr::read("column", {}, type); }

/// Bounds have names of their own; sums are bounded by their parts.
std::optional<BoxRange> named(const Expr &value) {
  if (value.op() == Op::Integer) return BoxRange{value, value};
  if (value.op() != Op::Read) return rangeOfParts(value, named);
  const auto bound = [&](const std::string &which) { return Expr::read(value->name + "_" + which, {}, value.type()); };
  BoxRange range{bound("least"), bound("most")};
  if (isFloating(value.type())) range.isOrdered = Expr::read(value->name + "_ordered", {}, Type::Bool);
  return range;
}

void note(Values &bounds, const std::string &name, const std::vector<double> &values) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  bool ordered = true;
  for (const double x : values) {
    ordered = ordered && !std::isnan(x);
    least = std::fmin(least, x);
    most = std::fmax(most, x);
  }
  bounds[name + "_least"] = least;
  bounds[name + "_most"] = most;
  bounds[name + "_ordered"] = ordered ? 1 : 0;
}

struct Told {
  int always = 0, never = 0, unknown = 0;
};

/// What is told for all boxes of two rows and two columns whose values are among these; each must be so.
Told toldOf(const Expr &condition, const std::vector<double> &values) {
  Told told;
  const auto certain = certaintyOf(condition, named);
  EXPECT_TRUE(certain) << show(condition);
  if (!certain) return told;
  for (const double a : values)
    for (const double b : values)
      for (const double c : values)
        for (const double d : values) {
          Values bounds;
          note(bounds, "row", {a, b});
          note(bounds, "column", {c, d});
          bool all = true, none = true;
          for (const double x : {a, b})
            for (const double y : {c, d}) (truth(condition, {{"row", x}, {"column", y}}) ? none : all) = false;
          const bool always = truth(certain->always, bounds), never = truth(certain->never, bounds);
          EXPECT_TRUE(!always || all) << show(condition) << " " << a << " " << b << " " << c << " " << d;
          EXPECT_TRUE(!never || none) << show(condition) << " " << a << " " << b << " " << c << " " << d;
          ++(always ? told.always : never ? told.never : told.unknown);
        }
  return told;
}

const std::vector<double> few{-2, 0, 1, 3};

} // namespace

TEST(Certainty, OfComparisons) {
  for (const Op op : {Op::Lt, Op::Le, Op::Eq, Op::Ne}) {
    const Told told = toldOf(Expr::make(op, {row(), column()}), few);
    EXPECT_GT(told.always, 0) << static_cast<int>(op);
    EXPECT_GT(told.never, 0) << static_cast<int>(op);
    EXPECT_GT(told.unknown, 0) << static_cast<int>(op);
  }
}

TEST(Certainty, OfJoinedOnes) {
  const Expr less = Expr::make(Op::Lt, {row(), column()}), same = Expr::make(Op::Eq, {row(), column()}),
             few_ = Expr::make(Op::Le, {column(), Expr::integer(0, Type::Int32)});
  for (const Expr &e : {Expr::make(Op::And, {less, few_}), Expr::make(Op::Or, {same, few_}),
                        Expr::make(Op::Not, {Expr::make(Op::Or, {less, few_})}),
                        Expr::make(Op::And, {Expr::make(Op::Not, {same}), Expr::make(Op::Not, {few_})})}) {
    const Told told = toldOf(e, few);
    EXPECT_GT(told.always, 0) << show(e);
    EXPECT_GT(told.never, 0) << show(e);
  }
}

TEST(Certainty, OfSumsOfBothSides) {
  const Expr two = Expr::integer(2, Type::Int32), sum = row() - column();
  for (const Expr &e :
       {Expr::make(Op::Lt, {sum, two}),
        Expr::make(Op::Le, {Expr::make(Op::FloorDiv, Type::Int32, {sum, two}), Expr::integer(-1)}),
        Expr::make(Op::Eq, {Expr::make(Op::Min, {row(), column()}), Expr::make(Op::Max, {row(), two})})}) {
    const Told told = toldOf(e, few);
    EXPECT_GT(told.always, 0) << show(e);
    EXPECT_GT(told.never, 0) << show(e);
  }
}

/// No comparison with a NaN is certain, not even that it fails.
TEST(Certainty, NothingOfNaN) {
  const double none = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> hard{-infinite, -1, 0, infinite, none};
  const Expr a = row(Type::Float32), b = column(Type::Float32);
  for (const Op op : {Op::Lt, Op::Le, Op::Eq, Op::Ne}) {
    const Told told = toldOf(Expr::make(op, {a, b}), hard);
    EXPECT_GT(told.always, 0) << static_cast<int>(op);
    const Told other = toldOf(Expr::make(Op::Not, {Expr::make(op, {a, b})}), hard);
    EXPECT_EQ(told.never, other.always);
    EXPECT_EQ(told.unknown, other.unknown);
    EXPECT_GE(told.unknown, 5 * 5 * 5 * 5 - 4 * 4 * 4 * 4); // all boxes with a NaN
  }
}

TEST(Certainty, OfFlags) {
  const Expr flag = Expr::read("row", {}, Type::Bool);
  const RangeOf bounds = [](const Expr &value) -> std::optional<BoxRange> {
    if (value.op() == Op::Integer) return BoxRange{value, value};
    return BoxRange{Expr::read("row_least", {}, Type::Int32), Expr::read("row_most", {}, Type::Int32)};
  };
  const auto certain = certaintyOf(flag, bounds);
  ASSERT_TRUE(certain);
  EXPECT_TRUE(truth(certain->always, {{"row_least", 1}, {"row_most", 1}}));
  EXPECT_TRUE(truth(certain->never, {{"row_least", 0}, {"row_most", 0}}));
  EXPECT_FALSE(truth(certain->always, {{"row_least", 0}, {"row_most", 1}}));
  EXPECT_FALSE(truth(certain->never, {{"row_least", 0}, {"row_most", 1}}));
}

/// A sum of numbers of 64 bits from arrays may overflow where no point of the source does.
TEST(Certainty, NothingOfWideSums) {
  const Expr wide = row(Type::Int64) + column(Type::Int64);
  EXPECT_FALSE(certaintyOf(Expr::make(Op::Lt, {wide, Expr::integer(3)}), named));
  const Expr narrow = Expr::cast(Type::Int64, row()) + Expr::cast(Type::Int64, column());
  EXPECT_TRUE(certaintyOf(Expr::make(Op::Lt, {narrow, Expr::integer(3)}), named));
  const Expr cut = Expr::cast(Type::Int32, Expr::symbol("n", Type::Int64)) + row();
  EXPECT_FALSE(certaintyOf(Expr::make(Op::Lt, {cut, column()}), named));
  EXPECT_FALSE(certaintyOf(Expr::make(Op::Lt, {row() * column(), Expr::integer(3)}), named));
}
