#include "print/gpu_plan.h"

#include <gtest/gtest.h>

namespace polymend::print_room {
namespace {

/// A sum over elements [first, 64) of a row in shared memory, by a block of so many threads.
struct RowSum {
  PrintOptions options;
  TileArray row, sum;
  TilePoints points;
  Memory memory;
  Context context;

  RowSum(const Expr &first, int threads) : context{options, tableOf(Target::Cuda), Names(""), {}, {}, {}, {}, {}, {}} {
    row.name = "row";
    row.type = sum.type = Type::Float32;
    row.extents = {Expr::integer(64)};
    sum.name = "sum";
    context.places["row"] = {&row, Shape::Native};
    context.places["sum"] = {&sum, Shape::Native};
    memory.tiles = {"row"};
    memory.replicated = {"sum"};
    memory.threads = threads;
    points.dims = {{"j", first, Expr::integer(64), PointDim::Kind::Reduced}};
    points.body = {{{"sum", {}}, Update::Sum, Expr::read("row", {Expr::symbol("j", Type::Int64)}, Type::Float32), {}}};
  }
  std::string owner() {
    const RegionPlan plan = planRegion(points, memory, context);
    EXPECT_EQ(plan.form, RegionPlan::Form::Whole);
    return ownerOf("row", points, plan);
  }
};

TEST(Owners, ElementsOfASumOfAllThreadsAreTheThreadsOwn) {
  EXPECT_EQ(RowSum(Expr::integer(0), 256).owner(), "by 0:0+64");
  EXPECT_EQ(RowSum(Expr::integer(0), 64).owner(), "by 0:0+64");
}

TEST(Owners, AreUnknownWhereThreadsGoOnWithOtherElements) { EXPECT_EQ(RowSum(Expr::integer(0), 32).owner(), ""); }

TEST(Owners, AreUnknownWhereTheFirstElementIsNotThatOfTheFirstThread) {
  EXPECT_EQ(RowSum(Expr::integer(2), 256).owner(), "");
  // At least zero, and no more is known.
  EXPECT_EQ(RowSum(Expr::make(Op::Max, Type::Int64, {Expr::symbol("i", Type::Int64), Expr::integer(0)}), 256).owner(),
            "");
}

} // namespace
} // namespace polymend::print_room
