// Layouts of whole kernels: every tile of a matrix kernel has one, a changed one is found, a left factor that does not
// lie as its product wants it is converted, and conversions are counted.
#include "matrix_run.h"

#include "tile/pipeline/layouts.h"

#include "polymend/interpret.h"
#include "polymend/machine.h"
#include "polymend/verify.h"

#include "tile/conversions.h"

#include <gmock/gmock.h>

#include <cctype>

using namespace polymend;
using namespace polymend::tests;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

OnBoth lowerCase(const std::string &name) {
  for (const MatrixCase &c : matrixCases())
    if (c.name == name) return lowerBoth(c);
  ADD_FAILURE() << name;
  return {};
}

const OnBoth &causal() {
  static const OnBoth both = lowerCase("prefill_causal");
  return both;
}
const OnBoth &doubles() {
  static const OnBoth both = lowerCase("weighted_doubles");
  return both;
}

Kernel &withRoles(TileProgram &program) {
  return *std::find_if(program.kernels.begin(), program.kernels.end(),
                       [](const Kernel &k) { return !k.roles.empty(); });
}

/// What is wrong with a program read from text: a place where it cannot be read, or its faults.
std::vector<std::string> faultsOf(const std::string &text) {
  const auto program = readText(text);
  return program ? verify(*program) : std::vector<std::string>{program.refusal().reason};
}

/// Where the layouts of a text begin and end.
std::vector<std::pair<std::size_t, std::size_t>> layoutsIn(const std::string &text) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t line = 0; line != std::string::npos; line = text.find('\n', line + 1)) {
    const std::size_t from = text.find_first_not_of("\n ", line), end = text.find('\n', line + 1);
    if (from == std::string::npos) break;
    if (text.compare(from, 9, "fragment ") != 0 && text.compare(from, 7, "shared ") != 0) continue;
    const std::size_t open = text.find(" <", from);
    if (open < end) all.emplace_back(open + 1, text.find('>', open));
  }
  return all;
}

/// The text with one number of its layouts more, for each of them.
std::vector<std::string> withOtherNumbers(const std::string &text) {
  std::vector<std::string> all;
  for (const auto &[from, end] : layoutsIn(text))
    for (std::size_t at = from; at < end; ++at) {
      if (!std::isdigit(static_cast<unsigned char>(text[at]))) continue;
      std::size_t length = 1;
      while (std::isdigit(static_cast<unsigned char>(text[at + length]))) ++length;
      std::string mutant = text;
      mutant.replace(at, length, std::to_string(std::stoi(text.substr(at, length)) + 1));
      all.push_back(mutant);
      at += length;
    }
  return all;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in\n" << text;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The block as it is before layouts: sums are whole.
TileBlock bare(const TileBlock &block) {
  TileBlock result;
  for (const TileNode &node : block) {
    const auto *sync = std::get_if<TileSync>(&node);
    if (sync && sync->kind == TileSync::Kind::Combine) continue;
    result.push_back(node);
    if (const auto *loop = std::get_if<std::shared_ptr<const TileLoop>>(&node)) {
      TileLoop copy = **loop;
      copy.body = bare(copy.body);
      result.back() = std::make_shared<const TileLoop>(copy);
    }
    if (const auto *branch = std::get_if<std::shared_ptr<const TileBranch>>(&node))
      result.back() = std::make_shared<const TileBranch>(
          TileBranch{(*branch)->condition, bare((*branch)->then), bare((*branch)->otherwise)});
  }
  return result;
}

Kernel bare(const Kernel &kernel) {
  Kernel result = kernel;
  for (TileArray &tile : result.tiles) tile.layout = {};
  for (TileRole &role : result.roles) role.body = bare(role.body);
  return result;
}

class Layouts : public testing::TestWithParam<const char *> {};

} // namespace

TEST_P(Layouts, EveryTileOfAMatrixKernelHasOne) {
  OnBoth both = lowerCase(GetParam());
  const Kernel &kernel = withRoles(both.program);
  for (const TileArray &tile : kernel.tiles) EXPECT_TRUE(tile.layout) << tile.name;
  const std::string text = writeText(both.program);
  std::size_t tiles = 0;
  for (const Kernel &k : both.program.kernels)
    if (!k.roles.empty()) tiles += k.tiles.size();
  EXPECT_THAT(layoutsIn(text), testing::SizeIs(tiles));
  const auto back = readText(text);
  ASSERT_TRUE(back) << back.refusal().reason;
  EXPECT_TRUE(equal(*back, both.program));
  EXPECT_THAT(verify(*back), IsEmpty());
}

TEST_P(Layouts, AnyOtherNumberIsFound) {
  OnBoth both = lowerCase(GetParam());
  const std::vector<std::string> mutants = withOtherNumbers(writeText(both.program));
  EXPECT_GT(mutants.size(), 20U);
  for (const std::string &mutant : mutants) EXPECT_THAT(faultsOf(mutant), Not(IsEmpty())) << mutant;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Layouts,
                         testing::Values("prefill_causal", "prefill_causal_sm_80", "matmul_prologue",
                                         "weighted_doubles", "matmul_f64", "matmul_beside_bf16"),
                         [](const auto &info) { return std::string(info.param); });

TEST(LayoutRules, OtherLayoutsThatFillTheThreadsAreFound) {
  const std::string text = writeText(causal().program);
  EXPECT_THAT(text, HasSubstr("<8l4 2r1 4w1 + 4l1>"));
  for (const auto &[from, to, message] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"<8l4 2r2 4w1 | 2r1 4l1 2r4>", "<8l1 2r2 4w1 | 2r1 4l8 2r4>", "neither as sums of products"},
           {"<8l4 2r2 4w1 | 2r1 4l1 2r4>", "<8l4 2r1 4w1 | 2r2 4l1 2r4>", "neither as sums of products"},
           {" <8l4 2r2 4w1 | 2r1 4l1 2r4>", "", "has no layout, others have"},
           {"<8l4 2r1 4w1 ~ 4l1>", "<8l4 2r1 4w1>", "does not lie as the rows of matrices"},
           {"<8l4 2r1 4w1 ~ 4l1>", "<8l4 2r1 4w1 + 4l1>", "stay a sum of parts"},
           {"<8l4 2r1 4w1 + 4l1>", "<8l4 2r1 4w1 ~ 4l1>", "has no parts to combine"},
           {" ^ 1 2 4>", " ^ 1 4 2>", "does not lie as copies fill it"},
           {" ^ 1 2 4>", ">", "does not lie as copies fill it"},
           {"<8l4 2r1 4w1 ~ 4l1>", "<8l4 2r1 4w1 | 2r1>", "has not an axis for each extent"},
           {"conversions 1", "conversions 0", "the kernel has 1 conversions"}})
    EXPECT_THAT(faultsOf(replaced(text, from, to)), testing::Contains(HasSubstr(message))) << from << " " << to;
}

TEST(LayoutRules, PartsAreCombinedOnceAndBeforeAWholeIsRead) {
  TileProgram program = causal().program;
  const std::vector<Converted> all = conversions(withRoles(program));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].from, "l");
  EXPECT_EQ(all[0].how, Conversion::Lanes);
  const std::string text = writeText(program);
  const auto fault = [&](const std::string &with) {
    return faultsOf(replaced(replaced(text, " conversions 1", ""), "combine l\n", with));
  };
  EXPECT_THAT(fault(""), testing::Contains(HasSubstr("'l' is read before its parts are combined")));
  EXPECT_THAT(fault("combine l combine l\n"), testing::Contains(HasSubstr("are combined twice")));
  EXPECT_THAT(fault("for again in [0, 2) step 1 { combine l }\n"), testing::Contains(HasSubstr("combined in a loop")));
  EXPECT_THAT(fault("if (n < 2) { combine l }\n"), testing::Contains(HasSubstr("combines parts on one side")));
  EXPECT_THAT(fault("if (n < 2) { combine l } else { combine l }\n"), IsEmpty());
  EXPECT_THAT(fault("combine l combine m\n"), testing::Contains(HasSubstr("'m' has no parts to combine")));
  EXPECT_THAT(fault("combine l combine K\n"), testing::Contains(HasSubstr("no fragment")));
}

TEST(LayoutMaker, ThatOfLoweringIsMadeAgain) {
  for (const OnBoth *both : {&causal(), &doubles()}) {
    TileProgram program = both->program;
    Kernel &kernel = withRoles(program);
    const std::int64_t bytes = both == &causal() ? 2 : 8;
    kernel = withPartsCombined(withLayouts(bare(kernel), bytes == 2 ? atoms::mmaNarrow() : atoms::mmaDouble(), 1, {}));
    EXPECT_TRUE(equal(program, both->program)) << writeText(program);
  }
}

TEST(LayoutMaker, WarpsBesideEachOtherTakeColumnsInTurn) {
  TileProgram program = lowerCase("matmul_beside_f64").program;
  EXPECT_THAT(writeText(program), HasSubstr("<8l4 2r2 2r16 2w2 | 2r1 4l1 2r4 2w1 2r8>"));
  Kernel &kernel = withRoles(program);
  const MatrixAtom atom = atoms::mmaDouble();
  for (const std::int64_t beside : {1, 2, 4}) {
    kernel = withPartsCombined(withLayouts(bare(kernel), atom, beside, {}));
    EXPECT_THAT(verify(program), IsEmpty()) << beside;
  }
}

/// Maxima and sums of rows stay within a warp, so that each has whole rows.
TEST(LayoutMaker, NoWarpHasWholeRowsBesideAnother) {
  TileProgram program = causal().program;
  Kernel &kernel = withRoles(program);
  for (TileArray &tile : kernel.tiles)
    if (tile.space == Space::Fragment && tile.extents.size() == 2) tile.extents[1] = Expr::integer(64);
  kernel = withPartsCombined(withLayouts(bare(kernel), atoms::mmaNarrow(), 2, {}));
  EXPECT_THAT(verify(program), testing::Contains(HasSubstr("no warp has whole rows for 'm'")));
}

/// Products of doubles whose units read the right factor themselves, terms in turn: sums are no left factor, and move
/// to one among the lanes of a warp.
TEST(LayoutMaker, FactorsThatLieOtherwiseAreConverted) {
  TileProgram program = doubles().program;
  Kernel &kernel = withRoles(program);
  const auto moves = [](const Kernel &k) {
    std::vector<Converted> all = conversions(k);
    std::erase_if(all, [](const Converted &c) { return c.from == c.to; });
    return all;
  };
  const std::size_t combined = conversions(kernel).size();
  EXPECT_EQ(moves(kernel).size(), 0U);
  MatrixAtom inTurn = atoms::mmaDouble();
  inTurn.paired = true;
  kernel = withPartsCombined(withLayouts(bare(kernel), inTurn, 1, {}));
  const std::vector<Converted> all = moves(kernel);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(conversions(kernel).size(), combined + all.size());
  for (const Converted &c : all) {
    EXPECT_EQ(c.to, c.from + "_factor");
    EXPECT_EQ(c.how, Conversion::Lanes);
  }
  EXPECT_THAT(verify(program), IsEmpty()) << writeText(program);
  const std::string text = writeText(program);
  EXPECT_THAT(text, HasSubstr(" conversions " + std::to_string(combined + all.size()) + " {"));
  const auto back = readText(text);
  ASSERT_TRUE(back) << back.refusal().reason;
  EXPECT_TRUE(equal(*back, program));
  for (const MatrixCase &c : matrixCases())
    if (c.name == "weighted_doubles")
      for (const Sizes &sizes : c.sizes) {
        const Memory memory = memoryAt(program, sizes, Slope::Flat);
        EXPECT_THAT(protocolFaults(program, memory), IsEmpty());
        EXPECT_EQ(fault(program, doubles().reference, memory), std::nullopt);
      }
  // The matrix that its product reads as it lies is found.
  TileProgram mutant = program;
  for (TileArray &tile : withRoles(mutant).tiles)
    if (tile.name == all[0].to) tile.layout = sliced(tile.layout, 0, false);
  EXPECT_THAT(verify(mutant), Not(IsEmpty()));
}
