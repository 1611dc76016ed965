// check with matrix units: kernels with roles are interpreted beside the source, and what the C++ text runs in their
// place agrees; a wrong mask, a value stored twice or a wait left out does not pass.
#include "../tile/matrix_cases.h"

#include "polymend/pipeline.h"
#include "polymend/validate.h"

#include "tile/visit.h"

#include <gmock/gmock.h>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Optional;

namespace {

MatrixCase caseOf(const std::string &name) {
  for (const MatrixCase &c : matrixCases())
    if (c.name == name) return c;
  ADD_FAILURE() << name;
  return {};
}

using Change = std::function<TileAssign(const TileAssign &)>;

struct Mutant {
  Analysed analysed;
  TileProgram program;
};

/// A lowered case whose kernels with roles are changed.
Mutant mutantOf(const std::string &name, const std::function<void(Kernel &)> &change) {
  const MatrixCase c = caseOf(name);
  const Analysed t = analyse(c.text, {RelaxMode::Auto, {}, 2, false, c.positions});
  const auto program = lower(t.trace.function, *t.trace.scop, *t.trace.dependences, settled(t.relaxed(), t.plan()),
                             t.plan(), onMatrixUnits(c));
  EXPECT_TRUE(program);
  TileProgram mutant = *program;
  int times = 0;
  for (Kernel &kernel : mutant.kernels)
    if (!kernel.roles.empty()) {
      change(kernel);
      ++times;
    }
  EXPECT_EQ(times, 1);
  return {t, mutant};
}

/// What validation says about it.
std::vector<std::string> faults(const std::string &name, const std::function<void(Kernel &)> &change) {
  const Mutant mutant = mutantOf(name, change);
  return validate(mutant.analysed.trace, mutant.program, {200'000}).faults;
}

std::optional<std::string> tried(const std::string &name, const std::function<void(Kernel &)> &change) {
  const Mutant mutant = mutantOf(name, change);
  const std::vector<std::string> found = trial(mutant.analysed.trace, mutant.program).faults;
  return found.empty() ? std::nullopt : std::optional(found.front());
}

void looser(Kernel &kernel) {
  const auto change = [](const Expr &e) {
    return !e ? e : rewrite(e, [](const Expr &node) {
      const bool order = node.op() == Op::Le && isInteger(node.arg(0).type());
      return order ? Expr::make(Op::Le, {node.arg(0), node.arg(1) + Expr::integer(1)}) : node;
    });
  };
  kernel = rewrite(kernel, [&](const TileAssign &a) {
    TileAssign b = a;
    if (a.target.array != "o") b.value = change(a.value);
    if (a.target.array != "o") b.where = change(a.where);
    return b;
  });
}

/// The computing role's last region, its store, twice.
void storesTwice(Kernel &kernel) {
  TileBlock &body = kernel.roles.back().body;
  for (std::size_t k = body.size(); k-- > 0;) {
    const auto *points = std::get_if<std::shared_ptr<const TilePoints>>(&body[k]);
    if (!points || (*points)->body.front().target.array != "c") continue;
    body.push_back(body[k]);
    return;
  }
}

void waitsLess(Kernel &kernel) {
  TileBlock &body = kernel.roles.back().body;
  std::erase_if(body, [](const TileNode &node) { return std::holds_alternative<TileSync>(node); });
}

} // namespace

TEST(MatrixValidation, PassesWhatIsRight) {
  for (const char *name : {"prefill_causal", "matmul_bf16", "matmul_prologue", "rmsnorm_matmul_bf16", "added_matrix"})
    EXPECT_THAT(faults(name, [](Kernel &) {}), IsEmpty()) << name;
}

TEST(MatrixValidation, FindsWrongRoles) {
  EXPECT_THAT(faults("prefill_causal", looser), Not(IsEmpty()));
  EXPECT_THAT(faults("matmul_bf16", storesTwice), testing::ElementsAre(HasSubstr("stored more than once")));
  EXPECT_THAT(faults("prefill_causal", waitsLess), Not(IsEmpty()));
}

TEST(MatrixTrial, PassesWhatIsRight) {
  for (const MatrixCase &c : matrixCases()) {
    const Analysed t = analyse(c.text);
    const auto program = lower(t.trace.function, *t.trace.scop, *t.trace.dependences, settled(t.relaxed(), t.plan()),
                               t.plan(), onMatrixUnits(c));
    ASSERT_TRUE(program) << c.name;
    EXPECT_EQ(trial(t.trace, *program).faults, std::vector<std::string>()) << c.name;
  }
}

TEST(MatrixTrial, FindsWrongRoles) {
  EXPECT_THAT(tried("prefill_causal", looser), Optional(HasSubstr("n=3")));
  EXPECT_THAT(tried("prefill_causal", waitsLess), Optional(HasSubstr("n=3")));
}

class MatrixCheck : public testing::TestWithParam<const char *> {};

TEST_P(MatrixCheck, RunsWhatReplacesRoles) {
  const MatrixCase c = caseOf(GetParam());
  const ScratchDirectory scratch;
  PipelineOptions options;
  options.file = scratch.file("input.cpp");
  ASSERT_FALSE(replaceFile(options.file, c.text));
  options.target = Target::Cuda;
  options.arch = "sm_90a";
  options.seed = 7;
  options.sizes = {c.sizes[c.sizes.size() - 2]};
  const PipelineOutcome outcome = check(options);
  EXPECT_EQ(outcome.exitCode, ExitCode::Done) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr(" 0 disagree")) << outcome.text;
  EXPECT_THAT(outcome.text, Not(HasSubstr("\n0 runs"))) << outcome.text;
}

INSTANTIATE_TEST_SUITE_P(Operators, MatrixCheck,
                         testing::Values("prefill_causal", "matmul_bf16", "rmsnorm_matmul_bf16"),
                         [](const auto &info) { return std::string(info.param); });
