// Every phase is lowered as rectangles, rows that are not finite are marked, and what regions read comes by copies
// where there is room.
#include "matrix_kernel.h"

#include "data_on_units.h"
#include "long_sums.h"

#include "polymend/isl.h"

#include "tile/fallback_rows.h"
#include "tile/filled_rows.h"
#include "tile/grid.h"
#include "tile/passes.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend {
namespace {

/// What each phase leaves in a rectangular kernel: all that comes before the loop over chunks, the loop, all that comes
/// after.
std::optional<Refusal> addPhase(RectangularKernel &rectangular, const std::optional<RectangularPhase> &lowered) {
  if (!lowered) return Refusal{"a loop has no box of constant extents", {}};
  if (lowered->loop && rectangular.loop) return Refusal{"two loops over chunks", {}};
  rectangular.lets.insert(rectangular.lets.end(), lowered->lets.begin(), lowered->lets.end());
  TileBlock &before = rectangular.loop ? rectangular.after : rectangular.before;
  append(before, lowered->before);
  if (lowered->loop) rectangular.loop = lowered->loop;
  TileBlock &after = rectangular.loop ? rectangular.after : rectangular.before;
  append(after, lowered->after);
  return std::nullopt;
}

/// How many points a grid has.
Expr pointsOf(const std::vector<PointDim> &grid) {
  Expr points = Expr::integer(1);
  for (const PointDim &d : grid) points = simplify(points * (d.limit - d.first));
  return points;
}

/// As many parts of each grid point's loop as keep the target's processors busy.
Expr partsFor(const std::vector<PointDim> &grid, std::int64_t processors) {
  const Expr one = Expr::integer(1), atLeast = Expr::make(Op::Max, Type::Int64, {pointsOf(grid), one});
  const Expr share = Expr::make(Op::FloorDiv, Type::Int64, {Expr::integer(processors), atLeast});
  return simplify(Expr::make(Op::Max, Type::Int64, {share, one}));
}

/// The same where data say how long each loop is. The longest decides when all are done, unless it has so many parts
/// that others run beside each of them (H200, 16 sequences of 8 key heads, one of 8192 keys and others of up to 1000:
/// 36 us, and 86 where none is shared out); of more than `most` no thread could read all at once to combine them.
Expr unevenPartsFor(const std::vector<PointDim> &grid, std::int64_t processors) {
  constexpr std::int64_t rounds = 4, most = 256;
  return simplify(Expr::make(Op::Min, Type::Int64, {partsFor(grid, rounds * processors), Expr::integer(most)}));
}

/// Is an element of an array in memory read at a row that need not be there?
bool readsBeyond(const TileBlock &block, const KernelFrame &frame) {
  const std::string &row = frame.rows[frame.padding->row].axis.point;
  bool beyond = false;
  const auto look = [&](const Expr &value) {
    if (!value) return;
    visit(value, [&](const Expr &node) {
      const bool tile =
          std::any_of(frame.tiles.begin(), frame.tiles.end(), [&](const TileArray &t) { return t.name == node->name; });
      if (node.op() == Op::Read && !tile && symbols(node).count(row)) beyond = true;
    });
  };
  for (const TileNode &node : block) {
    const auto *points = as<TilePoints>(node);
    if (!points) continue;
    for (const TileAssign &assign : points->body)
      if (!assign.where && !(assign.update == Update::Set && assign.value.op() == Op::Read)) look(assign.value);
  }
  return beyond;
}

/// Does a value of the block's regions use the operation?
bool holds(const TileBlock &block, Op op) {
  bool found = false;
  eachAssign(block, [&](const TileAssign &assign) {
    visit(assign.value, [&](const Expr &e) { found = found || e.op() == op; });
  });
  return found;
}

/// The array of unknown extents that a copy reads, which no copy can keep within; empty: none. `whole`: each point of
/// the grid is one of the source's.
std::string copiedWithoutExtents(const Kernel &kernel, const std::vector<TileArray> &arrays, bool whole) {
  std::string found;
  eachAssign(kernel, [&](const TileAssign &assign) {
    const bool copied = std::any_of(kernel.tiles.begin(), kernel.tiles.end(), [&](const TileArray &tile) {
      return tile.space == Space::Shared && tile.name == assign.target.array;
    });
    for (const TileArray &array : arrays)
      if (copied && assign.value.op() == Op::Read && assign.value->name == array.name &&
          (!staysWithin(assign, array) || (!whole && takesSlice(assign, array))))
        found = array.name;
  });
  return found;
}

/// How long a kernel's grid keeps the processors busy, in rows of a tile: rounds of one tile a processor.
Expr busyRows(const Kernel &kernel, std::int64_t processors) {
  const Expr count = kernel.order->count, atOnce = Expr::integer(processors);
  const Expr rounds = Expr::make(Op::FloorDiv, Type::Int64, {count + (atOnce - Expr::integer(1)), atOnce});
  return simplify(rounds * Expr::integer(groupRows(atomOf(kernel)) * kernel.roles.back().groups));
}

/// A frame of rectangles.
KernelFrame rectangularFrame(const Lowering &lowering, const KernelPlan &plan, const std::map<int, Residence> &homes,
                             const std::set<std::string> &names, const TileProgram &program) {
  KernelFrame frame = lowering.frame(plan, homes, names);
  frame.rectangular = true;
  frame.arrays = &program.arrays;
  for (const DataSize &data : lowering.scop.dataSizes) frame.names.insert(data.name);
  return frame;
}

/// The grid of the frame's row tiles; the first row of several that is not padded is divided among warp groups.
void bindRows(KernelFrame &frame, RectangularKernel &rectangular) {
  Kernel kernel;
  bindGrid(frame, kernel);
  rectangular.grid = kernel.grid;
  for (const RowAxis &row : frame.rows)
    if (row.own > 1 && !frame.padding && rectangular.rowTile.empty()) rectangular.rowTile = row.grid;
}

/// The array of the marks of a kernel, for one mark.
TileArray markFor(KernelFrame &frame, const std::string &name) {
  TileArray fallback;
  fallback.name = frame.unique(name + "_fallback");
  fallback.type = Type::Int32;
  fallback.space = Space::Work;
  fallback.written = true;
  fallback.extents = {Expr::integer(1)};
  return fallback;
}

/// Clears as many marks as a tile has rows along the row that has several.
void addClearMarks(const KernelFrame &frame, RectangularKernel &rectangular, TileArray &fallback) {
  for (const RowAxis &row : frame.rows)
    if (row.axis.extent > 1) fallback.extents = {Expr::integer(row.axis.extent)};
  append(rectangular.after, clearMarks(frame, rectangular.grid, fallback));
}

/// Marks rows that the general kernel computes again.
std::optional<Refusal> markRows(const KernelFrame &frame, RectangularKernel &rectangular, OnMatrixUnits &result) {
  const std::set<std::string> changed = inPlace(frame.system, frame.plan);
  const std::vector<Expr> extents = rowExtents(frame.plan);
  result.marked = markedRows(frame.plan, frame.scop);
  const bool isShared = result.marked.size() < extents.size();
  if (isShared && (!changed.empty() || result.marked.empty()))
    return Refusal{"rows in a range that is read from arrays, all of which are computed again together, are " +
                       std::string(changed.empty() ? "in no other" : "changed in place"),
                   frame.scop.dataSizes.front().where};
  result.fallback.extents.clear();
  for (const std::size_t r : result.marked) result.fallback.extents.push_back(extents[r]);
  if (isShared) result.clears = clearedMarks(frame, result.fallback, result.fallback.name + "_cleared");
  rectangular.after = storedWhere(rectangular.after, changed, isUnmarked(frame));
  append(rectangular.after, storeMarks(frame, result.fallback));
  return std::nullopt;
}

/// The rectangular kernel through all passes, as what stands before the general one.
Result<OnMatrixUnits> finished(const Lowering &lowering, const MatrixUnits &units, const TileProgram &program,
                               KernelFrame &frame, RectangularKernel &rectangular, OnMatrixUnits result) {
  const LowerOptions &options = lowering.options;
  rectangular.tiles = frame.tiles;
  rectangular.names = frame.names;
  if (auto refusal = readData(lowering, frame, rectangular)) return *refusal;
  const RectangularKernel unlisted = rectangular;
  if (!frame.padding && !result.parts && lowering.scop.dataSizes.empty())
    result.lists = listChunks(rectangular, {program.arrays, units});
  Result<Kernel> made =
      throughPasses(rectangular, {program.arrays, units}, [&](const std::string &pass, const Kernel &made) {
        if (!options.afterPass) return;
        TileProgram shown = program;
        shown.arrays.push_back(result.fallback);
        shown.arrays.insert(shown.arrays.end(), result.handed.begin(), result.handed.end());
        if (result.lists) addLists(*result.lists, {}, shown);
        shown.kernels.push_back(made);
        options.afterPass(pass, shown);
      });
  if (!made) return made.refusal();
  if (result.lists)
    if (const auto all = throughPasses(unlisted, {program.arrays, units}, [](const std::string &, const Kernel &) {})) {
      result.unlisted = *all;
      result.unlisted->name += "_unlisted";
      result.unlisted->fallback = result.fallback.name;
    }
  if (const std::string open = copiedWithoutExtents(*made, program.arrays, fillsGrid(frame.plan.domain)); !open.empty())
    return Refusal{"how many elements '" + open + "' has is unknown", {}};
  result.kernel = *made;
  result.approximations = frame.approximations;
  if (units.elementBytes == 4) result.approximations.emplace_back("factors of products rounded to tf32", "2^-11");
  const bool isTanhUsed =
      holds(rectangular.after, Op::Tanh) || (rectangular.loop && holds(rectangular.loop->full, Op::Tanh));
  if (options.approximate && isTanhUsed) result.approximations.emplace_back("tanh.approx", "2^-10.9");
  result.kernel.fallback = result.fallback.name;
  return result;
}

/// The kernel of a plan with tiles.
Result<OnMatrixUnits> lowerTiles(const Lowering &lowering, const MatrixPlan &chosen, const KernelPlan &general,
                                 const std::string &name, const std::set<std::string> &names,
                                 const std::map<int, Residence> &homes, const TileProgram &program) {
  const KernelPlan &plan = chosen.plan;
  KernelFrame frame = rectangularFrame(lowering, plan, homes, names, program);
  frame.padding = chosen.padding;
  if (frame.padding) frame.takeAtFirstRow();
  OnMatrixUnits result;
  RectangularKernel rectangular;
  rectangular.name = name + "_matrix";
  rectangular.warpsN = chosen.warpsN;
  bindRows(frame, rectangular);
  result.fallback = markFor(frame, name);
  if (frame.padding && general.divisible) {
    const std::string part = frame.unique("part");
    result.parts =
        (lowering.scop.dataSizes.empty() ? partsFor : unevenPartsFor)(rectangular.grid, chosen.units.processors);
    rectangular.grid.push_back({part, Expr::integer(0), result.parts, PointDim::Kind::Parallel});
    const auto lowered = lowerPhaseRectangularPart(frame, plan.phases.front(), part, result.parts);
    if (auto refusal = addPhase(rectangular, lowered ? std::optional(lowered->lowered) : std::nullopt)) return *refusal;
    result.handed = lowered->arrays;
    addClearMarks(frame, rectangular, result.fallback);
  } else {
    for (const Phase &phase : plan.phases)
      if (auto refusal = addPhase(rectangular, lowerPhaseRectangular(frame, phase))) return *refusal;
    if (!frame.marks.empty())
      if (auto refusal = markRows(frame, rectangular, result)) return *refusal;
  }
  if (chosen.boxes) {
    std::vector<RowNames> names;
    for (const RowAxis &row : frame.rows) names.push_back({row.grid, row.axis.point});
    rectangular.names = frame.names;
    rectangular.tiles = frame.tiles;
    auto boxed = inBoxes(rectangular, *chosen.boxes, names, program.arrays);
    if (!boxed) return boxed.refusal();
    rectangular = *boxed;
    frame.names = rectangular.names;
  }
  if (frame.padding && rectangular.loop)
    for (const TileBlock *block :
         {&rectangular.before, &rectangular.loop->full, &rectangular.loop->masked, &rectangular.after})
      if (readsBeyond(*block, frame)) return Refusal{"an element is read for each of few rows", {}};
  return finished(lowering, chosen.units, program, frame, rectangular, result);
}

/// The kernel of a plan whose product is too long for a tile: what is taken in of a tile of its columns is a part.
Result<OnMatrixUnits> lowerLongSum(const Lowering &lowering, LongSum sum, const MatrixPlan &chosen,
                                   const std::string &name, const std::set<std::string> &names,
                                   const std::map<int, Residence> &homes, const TileProgram &program) {
  const std::size_t columns = sum.rest.rows.size();
  const KernelPlan &product = chosen.plan;
  if (chosen.padding || product.rows != sum.product.rows || product.tiles[columns] == 1)
    return Refusal{"rows and columns of a product with a long sum fill no tile", {}};
  std::copy_n(product.tiles.begin(), columns, sum.rest.tiles.begin());
  sum.rest.phases.front().chunks = {product.tiles[columns]};
  OnMatrixUnits result;
  RectangularKernel rectangular;
  rectangular.name = name + "_matrix";
  KernelFrame frame = rectangularFrame(lowering, product, homes, names, program);
  bindRows(frame, rectangular);
  if (auto refusal = addPhase(rectangular, lowerPhaseRectangular(frame, product.phases.front()))) return *refusal;
  const PointDim &part = rectangular.grid.back();
  if (!equal(part.first, Expr::integer(0))) return Refusal{"columns of a product with a long sum begin late", {}};
  result.parts = part.limit;

  KernelFrame within = rectangularFrame(lowering, sum.rest, frame.homes, frame.names, program);
  within.rows.assign(frame.rows.begin(), frame.rows.begin() + static_cast<std::ptrdiff_t>(columns));
  within.known = frame.known;
  within.tiles = frame.tiles;
  within.homes.at(sum.inner.equation).member = &sum.inner;
  result.fallback = markFor(within, name);
  const auto lowered = lowerPhaseRectangularChunk(within, sum.rest.phases.front(), part.variable, result.parts);
  if (!lowered) return Refusal{"a loop has no box of constant extents", {}};
  append(rectangular.after, lowered->lowered);
  result.handed = lowered->arrays;
  addClearMarks(within, rectangular, result.fallback);
  return finished(lowering, chosen.units, program, within, rectangular, result);
}

/// The kernel of a plan whose tiles are boxes; absent: they are lines.
std::optional<Result<OnMatrixUnits>> lowerBoxes(const Lowering &lowering, const KernelPlan &general,
                                                const std::string &name, const std::set<std::string> &names,
                                                const std::map<int, Residence> &homes, const TileProgram &program) {
  std::optional<Result<OnMatrixUnits>> made;
  std::string what;
  const bool done = capped(
      lowering.scop.context,
      [&] {
        const auto tiles = matrixTiles(lowering.relaxed, general, lowering.options, true, true);
        if (tiles && *tiles && (*tiles)->boxes)
          made = lowerTiles(lowering, **tiles, general, name, names, homes, program);
      },
      what);
  return done && made && *made ? made : std::nullopt;
}

/// A plan whose product is too long for a tile; absent: it has none.
std::optional<Result<OnMatrixUnits>> lowerLong(const Lowering &lowering, const KernelPlan &general,
                                               const std::string &name, const std::set<std::string> &names,
                                               const std::map<int, Residence> &homes, const TileProgram &program) {
  const auto sum = longSum(general, *lowering.relaxed.system);
  if (!sum || !lowering.scop.dataSizes.empty()) return std::nullopt;
  const auto tiles = matrixTiles(lowering.relaxed, sum->product, lowering.options, true);
  if (!tiles) return std::nullopt;
  if (!*tiles) return tiles->refusal();
  return lowerLongSum(lowering, *sum, **tiles, name, names, homes, program);
}

} // namespace

void addLists(const ChunkLists &lists, const Expr &when, TileProgram &program) {
  program.arrays.insert(program.arrays.end(), lists.arrays.begin(), lists.arrays.end());
  for (Kernel kernel : lists.kernels) {
    kernel.when = when;
    program.kernels.push_back(std::move(kernel));
  }
}

std::optional<Result<OnMatrixUnits>> lowerMatrix(const Lowering &lowering, const KernelPlan &general,
                                                 const std::string &name, const std::set<std::string> &names,
                                                 const std::map<int, Residence> &homes, const TileProgram &program) {
  if (auto boxed = lowerBoxes(lowering, general, name, names, homes, program)) return *boxed;
  for (const bool wholeRows : {false, true}) {
    const auto tiles = matrixTiles(lowering.relaxed, general, lowering.options, wholeRows);
    if (!tiles) return std::nullopt;
    auto made = *tiles ? lowerTiles(lowering, **tiles, general, name, names, homes, program) : tiles->refusal();
    if (made) return made;
    if (*tiles && (*tiles)->warpsN > 1) continue;
    const auto longer = lowerLong(lowering, general, name, names, homes, program);
    return longer ? *longer : made;
  }
  return std::nullopt;
}

std::optional<OnMatrixUnits>
smallerTiles(OnMatrixUnits &wide, const LowerOptions &options,
             const std::function<std::optional<Result<OnMatrixUnits>>(const LowerOptions &)> &lowerWith) {
  constexpr std::int64_t fasterWide = 25, fasterSmall = 24, leastGroups = 2;
  const int groups = wide.kernel.roles.back().groups;
  if (wide.parts || !wide.kernel.order || wide.kernel.order->runs || groups <= leastGroups) return std::nullopt;
  LowerOptions narrower = options;
  for (MatrixUnits &units : narrower.machine->units)
    std::erase_if(units.budgets, [&](const GroupBudget &b) { return b.groups >= groups || b.groups < leastGroups; });
  auto made = lowerWith(narrower);
  if (!made || !*made || (*made)->kernel.roles.back().groups >= groups) return std::nullopt;
  OnMatrixUnits small = **made;
  const Expr wideRows = busyRows(wide.kernel, options.machine->processors),
             smallRows = busyRows(small.kernel, options.machine->processors);
  wide.kernel.when =
      simplify(Expr::make(Op::Le, {wideRows * Expr::integer(fasterSmall), smallRows * Expr::integer(fasterWide)}));
  small.kernel.when = otherwise(wide.kernel.when);
  small.kernel.name += "_small";
  if (small.unlisted) small.unlisted->name += "_small";
  if (small.lists)
    for (Kernel &kernel : small.lists->kernels) kernel.name += "_small";
  return small;
}

} // namespace polymend
