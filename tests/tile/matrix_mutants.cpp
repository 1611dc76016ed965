// Whatever is taken out of a kernel with roles, or computed otherwise, is found: waits and copies without values, the
// rest beside the source.
#include "matrix_run.h"
#include "polymend/interpret.h"
#include "polymend/verify.h"
#include "tile/visit.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::IsEmpty;
using testing::Not;

namespace {

OnBoth lowerCase(const std::string &name) {
  for (const MatrixCase &c : matrixCases())
    if (c.name == name) return lowerBoth(c);
  return {};
}

const OnBoth &causal() {
  static const OnBoth both = lowerCase("prefill_causal");
  return both;
}

using Wanted = std::function<bool(const TileNode &)>;

/// The block without its `which`-th leaf of those wanted, counted down to below zero. Other sides of branches, which
/// loops without a chunk take, count where `empty` says so.
TileBlock without(const TileBlock &block, const Wanted &wanted, bool empty, int &which) {
  TileBlock result;
  for (const TileNode &node : block) {
    if (wanted(node) && which-- == 0) continue;
    if (const auto *loop = std::get_if<std::shared_ptr<const TileLoop>>(&node)) {
      TileLoop copy = **loop;
      copy.body = without(copy.body, wanted, empty, which);
      result.push_back(std::make_shared<const TileLoop>(copy));
    } else if (const auto *branch = std::get_if<std::shared_ptr<const TileBranch>>(&node)) {
      TileBranch copy = **branch;
      copy.then = without(copy.then, wanted, empty, which);
      if (empty) copy.otherwise = without(copy.otherwise, wanted, empty, which);
      result.push_back(std::make_shared<const TileBranch>(copy));
    } else {
      result.push_back(node);
    }
  }
  return result;
}

/// The programs that lack one of the wanted leaves of their roles.
std::vector<TileProgram> lacking(const TileProgram &program, const Wanted &wanted, bool empty) {
  std::vector<TileProgram> result;
  for (bool found = true; found;) {
    TileProgram mutant = program;
    int which = static_cast<int>(result.size());
    for (Kernel &kernel : mutant.kernels)
      for (TileRole &role : kernel.roles) role.body = without(role.body, wanted, empty, which);
    found = which < 0;
    if (found) result.push_back(mutant);
  }
  return result;
}

Wanted isSync(TileSync::Kind kind) {
  return [kind](const TileNode &node) {
    const auto *sync = std::get_if<TileSync>(&node);
    return sync && sync->kind == kind;
  };
}

bool isCopy(const TileNode &node) {
  const auto *async = std::get_if<std::shared_ptr<const TileAsync>>(&node);
  return async && (*async)->kind == TileAsync::Kind::Copy;
}

/// The program with each assignment of its roles replaced, and how often that changed one.
std::pair<TileProgram, int> changed(const TileProgram &program,
                                    const std::function<std::optional<TileAssign>(const TileAssign &)> &f) {
  TileProgram result = program;
  int times = 0;
  for (Kernel &kernel : result.kernels)
    if (!kernel.roles.empty())
      kernel = rewrite(kernel, [&](const TileAssign &a) {
        const auto b = f(a);
        times += b.has_value();
        return b ? *b : a;
      });
  return {result, times};
}

bool named(const std::string &array, const std::string &part) { return array.find(part) != std::string::npos; }

/// Is it wrong at the size of several tiles and chunks, on data whose maxima move?
std::optional<std::string> foundFault(const TileProgram &mutant) {
  return fault(mutant, causal().reference, memoryAt(mutant, {{"batch", 1}, {"n", 65}}, Slope::Steep));
}

class WaitMutants : public testing::TestWithParam<const char *> {};
class ValueMutants : public testing::TestWithParam<const char *> {};

const std::map<std::string, Wanted> waits{{"get", isSync(TileSync::Kind::Get)},
                                          {"release", isSync(TileSync::Kind::Release)},
                                          {"await", isSync(TileSync::Kind::Await)},
                                          {"copy", isCopy}};

using Change = std::function<std::optional<TileAssign>(const TileAssign &)>;

/// Comparisons of integers let one more pass.
std::optional<TileAssign> loosened(const TileAssign &a) {
  bool any = false;
  const auto change = [&](const Expr &e) {
    return !e ? e : rewrite(e, [&](const Expr &node) {
      if (node.op() != Op::Le || !isInteger(node.arg(0).type())) return node;
      any = true;
      return Expr::make(Op::Le, {node.arg(0), node.arg(1) + Expr::integer(1)});
    });
  };
  TileAssign b = a;
  if (a.target.array != "o") b.where = change(a.where);
  if (a.target.array != "o") b.value = change(a.value);
  return any ? std::optional(b) : std::nullopt;
}

std::optional<TileAssign> unmended(const TileAssign &a, const std::string &array) {
  const bool mends = a.target.array == array && a.update == Update::Set && a.value.op() == Op::Mul;
  if (!mends) return std::nullopt;
  TileAssign b = a;
  b.value = Expr::read(array, a.target.subscripts, a.value.type());
  return b;
}

const std::map<std::string, Change> &values() {
  static const std::map<std::string, Change> all{
      {"looser_mask", loosened},
      {"row_sum_not_mended", [](const TileAssign &a) { return unmended(a, "l"); }},
      {"sums_not_mended", [](const TileAssign &a) { return unmended(a, "sum"); }},
      {"pivot_stays",
       [](const TileAssign &a) -> std::optional<TileAssign> {
         if (!named(a.target.array, "_pivot") || a.value.op() != Op::Read) return std::nullopt;
         TileAssign b = a;
         b.value = Expr::read(a.target.array, a.target.subscripts, a.value.type());
         return b;
       }},
      {"columns_exchanged",
       [](const TileAssign &a) -> std::optional<TileAssign> {
         if (a.target.array != "o") return std::nullopt;
         TileAssign b = a;
         b.target.subscripts.back() = Expr::integer(15) - b.target.subscripts.back();
         return b;
       }},
      {"marks_left_out", [](const TileAssign &a) -> std::optional<TileAssign> {
         if (!named(a.target.array, "_fallback")) return std::nullopt;
         TileAssign b = a;
         b.value = Expr::integer(0, Type::Int32);
         return b;
       }}};
  return all;
}

std::vector<const char *> keysOf(const auto &map) {
  std::vector<const char *> keys;
  for (const auto &[key, value] : map) keys.push_back(key.c_str());
  return keys;
}

} // namespace

TEST(MatrixMutants, TheProgramItselfIsRight) { EXPECT_EQ(foundFault(causal().program), std::nullopt); }

TEST_P(WaitMutants, AreFoundWithoutValues) {
  const std::vector<TileProgram> mutants = lacking(causal().program, waits.at(GetParam()), false);
  EXPECT_GE(mutants.size(), 5U);
  for (const TileProgram &mutant : mutants)
    EXPECT_THAT(protocolFaults(mutant, {{{"batch", 1}, {"n", 130}}, {}, {}}), Not(IsEmpty())) << writeText(mutant);
}

/// Loops that may have no chunk at all: a wait is needed with chunks or without.
TEST_P(WaitMutants, AreFoundWhereNothingIsSummed) {
  static const OnBoth both = lowerCase("recomputed");
  for (const TileProgram &mutant : lacking(both.program, waits.at(GetParam()), true)) {
    const auto some = protocolFaults(mutant, {{{"n", 130}, {"m", 70}}, {}, {}}),
               none = protocolFaults(mutant, {{{"n", 130}, {"m", 0}}, {}, {}});
    EXPECT_FALSE(some.empty() && none.empty()) << writeText(mutant);
  }
}

/// The last chunk's tiles and the first's: one chunk, or several.
TEST_P(WaitMutants, AreFoundAroundComputedFactors) {
  static const OnBoth both = lowerCase("matmul_prologue");
  const std::vector<TileProgram> mutants = lacking(both.program, waits.at(GetParam()), false);
  EXPECT_GE(mutants.size(), 3U);
  for (const TileProgram &mutant : mutants) {
    std::vector<std::string> found;
    for (const std::int64_t k : {1, 16, 65})
      for (const std::string &one : protocolFaults(mutant, {{{"n", 70}, {"m", 17}, {"k", k}}, {}, {}}))
        found.push_back(one);
    EXPECT_THAT(found, Not(IsEmpty())) << writeText(mutant);
  }
}

TEST_P(ValueMutants, AreFoundBesideTheSource) {
  const auto [mutant, times] = changed(causal().program, values().at(GetParam()));
  ASSERT_GT(times, 0);
  ASSERT_THAT(verify(mutant), IsEmpty());
  if (GetParam() != std::string("marks_left_out")) {
    EXPECT_NE(foundFault(mutant), std::nullopt);
    return;
  }
  EXPECT_EQ(foundFault(mutant), std::nullopt);
  Memory memory = memoryAt(mutant, {{"batch", 1}, {"n", 17}}, Slope::Flat);
  for (auto &[name, elements] : memory.arrays)
    if (name == "v") elements.back() = std::numeric_limits<double>::infinity();
  EXPECT_NE(fault(mutant, causal().reference, memory), std::nullopt);
}

TEST(MatrixMutants, TicketsThatMissOrRepeatAreFound) {
  for (std::size_t d = 0; d < 3; ++d) {
    TileProgram mutant = causal().program;
    for (Kernel &kernel : mutant.kernels)
      if (kernel.order) kernel.order->at[d] = kernel.order->at[d] + Expr::integer(1);
    EXPECT_THAT(foundFault(mutant).value_or(""), testing::HasSubstr("does not visit every grid point once"));
  }
}

INSTANTIATE_TEST_SUITE_P(Causal, WaitMutants, testing::ValuesIn(keysOf(waits)),
                         [](const auto &info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Causal, ValueMutants, testing::ValuesIn(keysOf(values())),
                         [](const auto &info) { return std::string(info.param); });
