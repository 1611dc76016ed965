// Small choices of lowering, asked directly.
#include "chain.h"

#include "polymend/machine.h"

#include "tile/phase/pivots.h"
#include "tile/visit.h"

#include "tile/pipeline/role_tiles.h"

using namespace polymend;
using namespace polymend::tests;

namespace {

Expr sym(const std::string &name) { return Expr::symbol(name, Type::Float32); }
Expr over(const Expr &a, const Expr &b) { return Expr::make(Op::Div, {a, b}); }

/// A rectangular kernel: tiles and regions in text form, the regions of one chunk; `x` is an array in memory.
RectangularKernel rectangular(const std::string &tiles, const std::string &regions) {
  const TileProgram program = readProgram(
      "program f\nsize n\narray x : bf16[n, 64]\nkernel f grid (I in [0, n) parallel) {\n" + tiles + regions + "}\n");
  RectangularKernel kernel;
  if (program.kernels.empty()) return kernel;
  kernel.grid = program.kernels[0].grid;
  kernel.tiles = program.kernels[0].tiles;
  ChunkLoop loop;
  loop.variable = "J";
  loop.first = Expr::integer(0);
  loop.limit = Expr::symbol("n", Type::Int64);
  loop.full = loop.masked = program.kernels[0].body;
  kernel.loop = loop;
  return kernel;
}

constexpr const char *twoMatrices = "fragment a : f32[64, 64]\nfragment b : f32[64, 64]\n";

/// A region over all elements of a matrix.
std::string elements(const std::string &assign) {
  return "points (i in [0, 64) parallel, j in [0, 64) parallel) { " + assign + " }\n";
}

} // namespace

/// Also where the result is changed in place afterwards.
TEST(Overlay, LetsAResultTakeThePlaceOfWhatItIsMadeFrom) {
  const std::string made = elements("a[i, j] = f32(x[i, j])") + elements("b[i, j] = a[i, j] * 2.0f32");
  const auto tilesAfter = [&](const std::string &then) {
    return overlay(rectangular(twoMatrices, made + then), {{}, *machineNamed("sm_90a")->unitsFor(2)})->tiles.size();
  };
  EXPECT_EQ(tilesAfter(""), 1U);
  EXPECT_EQ(tilesAfter(elements("b[i, j] += 1.0f32")), 1U);
  EXPECT_EQ(tilesAfter(elements("b[i, j] = 0.0f32 where i < j")), 1U);
  EXPECT_EQ(tilesAfter(elements("b[i, j] = a[i, j] + 1.0f32")), 2U);
}

/// Scores are masked as they are made where it is known what becomes of them, else what is made from them.
TEST(MaskOnce, KnowsWhatIsAddedToMaskedScores) {
  const auto masks = [](const std::string &made) {
    const RectangularKernel kernel =
        rectangular(std::string(twoMatrices) + "fragment o : f32[64, 64]\nrow v : f32[64]\nrow top : f32[64]\n",
                    elements("a[i, j] = f32(x[64 * I + i, j])") + elements("b[i, j] = " + made) +
                        "points (i in [0, 64) parallel, j in [0, 64) reduced) { top[i] max= b[i, j] where j < n }\n");
    const auto masked = maskOnce(kernel, {{}, *machineNamed("sm_90a")->unitsFor(2)});
    std::string result;
    for (const TileNode &node : masked->loop->masked)
      for (const TileAssign &a : as<TilePoints>(node)->body)
        if (a.where || a.value.op() == Op::Select) result += a.target.array;
    return result;
  };
  for (const char *const known : {"a[i, j] + v[i]", "v[i] + a[i, j]", "a[i, j] - v[i]"}) EXPECT_EQ(masks(known), "a");
  for (const char *const unknown : {"v[i] - a[i, j]", "a[i, j] + o[i, j]", "o[i, j] + a[i, j]"})
    EXPECT_EQ(masks(unknown), "b") << unknown;
}

TEST(GuardReads, NeedsToKnowWhereAnArrayEnds) {
  const MatrixUnits &units = *machineNamed("sm_90a")->unitsFor(2);
  const RectangularKernel kernel =
      rectangular("fragment a : f32[64, 64]\n", elements("a[i, j] = f32(x[64 * I + i, j]) * 2.0f32"));
  TileArray x;
  x.name = "x";
  x.type = Type::BFloat16;
  x.extents = {Expr::symbol("n", Type::Int64), Expr::integer(64)};
  EXPECT_TRUE(guardReads(kernel, {{x}, units}));
  x.extents[0] = {};
  const auto guarded = guardReads(kernel, {{x}, units});
  ASSERT_FALSE(guarded);
  EXPECT_EQ(guarded.refusal().reason, "an extent of 'x' is unknown");
}

/// What copies fill is read by products, and element by element at the elements' own places.
TEST(Channels, AreReadAtTheirOwnElementsAlone) {
  const MatrixUnits &units = *machineNamed("sm_90a")->unitsFor(2);
  const auto isChannel = [&](const std::string &read) {
    const RectangularKernel kernel =
        rectangular("fragment a : f32[64, 64]\nshared c : bf16[64, 64]\n",
                    elements("c[i, j] = x[i, j]") + elements("a[i, j] = f32(" + read + ")"));
    RoleTiles tiles(kernel, units);
    return !tiles.findChannels();
  };
  EXPECT_TRUE(isChannel("c[i, j]"));
  EXPECT_TRUE(isChannel("c[j, i]"));
  EXPECT_FALSE(isChannel("c[j, 0]"));
  EXPECT_FALSE(isChannel("c[0, i]"));
  EXPECT_FALSE(isChannel("c[i, 0]"));
  EXPECT_FALSE(isChannel("c[0, j]"));
}

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
