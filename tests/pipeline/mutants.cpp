// A mend that is left out, turned around or forgotten is a wrong number: each mutation of a mended program must differ
// from the unrelaxed program when both are interpreted, and validation must say so.
#include "../compilation.h"

#include "polymend/validate.h"
#include "polymend/verify.h"

#include "tile/visit.h"

#include <cmath>
#include <functional>

using namespace polymend;
using namespace polymend::tests;

namespace {

struct Mutation {
  std::string name;
  std::function<std::optional<TileAssign>(const TileAssign &)> apply;
};

bool named(const std::string &array, const std::string &part) { return array.find(part) != std::string::npos; }

Expr swapped(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    if (node.op() != Op::Read) return node;
    ExprNode read = *node;
    if (const auto at = read.name.find("_pivot"); at != std::string::npos)
      read.name.replace(at, 6, "_next");
    else if (const auto other = read.name.find("_next"); other != std::string::npos)
      read.name.replace(other, 5, "_pivot");
    return Expr{read};
  });
}

/// What marks a row to be computed again, without the question whether the pivot stands where it must at the end.
Expr unasked(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    const bool asks = node.op() == Op::Eq && node.arg(0).op() == Op::Read && named(node.arg(0)->name, "_pivot");
    return asks ? Expr::make(Op::Eq, {node.arg(1), node.arg(1)}) : node;
  });
}

const std::vector<Mutation> &mutations() {
  static const std::vector<Mutation> all{
      {"the mend is left out",
       [](const TileAssign &a) -> std::optional<TileAssign> {
         if (!named(a.target.array, "_mend") || a.value.op() != Op::Select) return std::nullopt;
         TileAssign b = a;
         b.value = b.value.arg(2);
         return b;
       }},
      {"the mend is turned around",
       [](const TileAssign &a) -> std::optional<TileAssign> {
         if (!named(a.target.array, "_mend") || a.value.op() != Op::Select) return std::nullopt;
         TileAssign b = a;
         b.value = Expr::make(Op::Select, a.value.type(), {a.value.arg(0), swapped(a.value.arg(1)), a.value.arg(2)});
         return b;
       }},
      {"the pivot stays where it was", [](const TileAssign &a) -> std::optional<TileAssign> {
         TileAssign b = a;
         if (named(a.target.array, "_fallback")) {
           b.value = unasked(a.value); // else such a row is computed again, which is right
           return b;
         }
         if (!named(a.target.array, "_pivot") || a.value.op() != Op::Read) return std::nullopt;
         b.value = Expr::read(a.target.array, a.target.subscripts, a.value.type());
         return b;
       }}};
  return all;
}

/// The program with the mutation applied everywhere, and how often it was.
std::pair<TileProgram, int> mutated(const TileProgram &program, const Mutation &mutation) {
  TileProgram result = program;
  int times = 0;
  for (Kernel &kernel : result.kernels)
    kernel.body = rewrite(kernel.body, [&](const TileAssign &a) {
      const auto b = mutation.apply(a);
      times += b.has_value();
      return b ? *b : a;
    });
  return {result, times};
}

class Mutants : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(Mutants, AreFound) {
  const AnalyseOptions small{RelaxMode::Rolling, {{"i", 4}, {"j", 4}, {"k", 4}}};
  const auto t = analyse(textOf(GetParam()), small);
  const auto program = t.lowered();
  ASSERT_TRUE(program);
  ASSERT_EQ(validate(t.trace, *program).faults, std::vector<std::string>());
  for (const Mutation &mutation : mutations()) {
    const auto [mutant, times] = mutated(*program, mutation);
    ASSERT_GT(times, 0) << mutation.name;
    ASSERT_EQ(verify(mutant), std::vector<std::string>()) << mutation.name;
    EXPECT_FALSE(validate(t.trace, mutant).faults.empty()) << mutation.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pipeline, Mutants,
    testing::Values("inputs/log_sum_exp.cpp", "inputs/variance.cpp", "inputs/norm2_stable.cpp",
                    "tests/corpus/entropy.cpp", "tests/corpus/distance_scores.cpp",
                    "tests/corpus/normalise_product.cpp"),
    [](const auto &info) {
      return std::string(info.param).substr(info.param.rfind('/') + 1, info.param.size() - info.param.rfind('/') - 5);
    });
