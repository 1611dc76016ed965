// Tile extents for matrix units: as many groups of 64 rows as registers allow, then chunks as long as registers and two
// slots of every channel allow. Registers of a group's thread: an accumulator of 64 x N takes N / 2, twice as many
// where it holds doubles, and N / 4 more where it is the operand of a product that goes on beside the next one.
#include "boxes.h"
#include "tile_cost.h"
#include "warp_shapes.h"

#include "polymend/window.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <utility>

namespace polymend {
namespace {

std::int64_t chosen(const std::string &dim, const LowerOptions &options, std::int64_t otherwise) {
  const auto found = options.tiles.find(plainName(dim));
  return found == options.tiles.end() ? otherwise : found->second;
}

/// Makes the tiles of the row dimension along which most rows share what the phase streams as long as they do; absent:
/// there is none.
std::optional<Padding> padded(const System &system, const Phase &phase, const MatrixAtom &atom, KernelPlan &plan) {
  std::size_t row = 0;
  std::int64_t most = 0;
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const std::int64_t rows = rowsThatShare(system, phase, r);
    if (rows < most || rows == 0) continue;
    row = r;
    most = rows;
  }
  if (most == 0) return std::nullopt;
  plan.tiles[row] = most;
  return Padding{row, groupRows(atom)};
}

/// Of the loops of a phase, the one that comes in chunks, and how long these may be.
struct Chunked {
  std::size_t loop = 0;
  std::int64_t longest = 0;
};

/// How far inside arrays the elements are that a sum reads along a dimension: the subscripts that move, by position.
std::size_t nearness(const Equation &e, unsigned dim) {
  std::size_t near = 0;
  for (const Operand &operand : e.operands) {
    const unsigned rank = rangeDimension(operand.map);
    for (unsigned d = 0; d < rank && operand.equation < 0 && domainDimension(operand.map) == e.dims.size(); ++d)
      if (movesAlong(onlyOutput(operand.map, d), dim, 1)) near += d + 1;
  }
  return near;
}

/// The loop along which the elements that the phase's products read are nearest to each other in memory, short ones
/// left out. The others turn beside it, and each turn ends with a part of a chunk: chunks are shorter where that may be
/// most of one. Absent: all loops are short.
std::optional<Chunked> chunkedLoop(const System &system, const Phase &phase, const Products &products, bool positions) {
  constexpr std::int64_t whole = 128, least = 16;
  const std::int64_t part = positions ? whole : 64; // chunks of positions are chosen by what rows see of them
  if (phase.rolled.size() == 1) return Chunked{0, whole};
  std::optional<Chunked> best;
  std::size_t nearest = 0;
  for (std::size_t k = 0; k < phase.rolled.size(); ++k) {
    std::size_t near = 0;
    std::int64_t extent = 0;
    for (const Member &member : phase.members) {
      const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
      const auto dim = static_cast<unsigned>(member.rolled[k]);
      extent = std::max(extent, constantExtent(e.domain, dim).value_or(part));
      if (products.take(e)) near += nearness(e, dim);
    }
    if (extent < least || (best && near <= nearest)) continue;
    best = Chunked{k, std::min((extent + 15) / 16 * 16, whole)};
    nearest = near;
  }
  return best;
}

/// The plan with two of its rows exchanged.
KernelPlan exchanged(KernelPlan plan, std::size_t a, std::size_t b) {
  std::string from, to;
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const std::size_t other = r == a ? b : r == b ? a : r;
    from += (r ? ", r" : "r") + std::to_string(r);
    to += (r ? ", r" : "r") + std::to_string(other);
  }
  plan.domain = plan.domain.apply(isl::manage(
      isl_map_read_from_str(isl_set_get_ctx(plan.domain.get()), ("{ [" + from + "] -> [" + to + "] }").c_str())));
  std::swap(plan.rows[a], plan.rows[b]);
  std::swap(plan.tiles[a], plan.tiles[b]);
  for (Phase &phase : plan.phases)
    for (Member &member : phase.members) std::swap(member.rows[a], member.rows[b]);
  return plan;
}

/// Why products of the phase cannot be taken as they stand.
std::optional<Refusal> untaken(const System &system, const Phase &phase, const LowerOptions &options,
                               const MovingFactors &moving) {
  for (const Member &member : phase.members) {
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    if (const auto why = whyNotNarrow(e, options, moving)) return Refusal{*why, placeOf(e.value)};
    if (member.role == Member::Role::Inner && e.reduced() > 1 && productBytes(e, options, moving) > 0)
      return Refusal{"'" + e.array + "' is summed over several loops that are not one over neighbours in memory",
                     placeOf(e.value)};
  }
  return std::nullopt;
}

/// The choice of one plan's tiles. Registers are counted in quarters of a column of an accumulator.
class TileChoice {
public:
  TileChoice(const System &s, const KernelPlan &plan, std::size_t phase, const Chunked &c, const LowerOptions &o,
             const Products &p)
      : system(s), options(o), products(p), units(p.units), chunked(c), rolling(phase), result{plan, units, {}} {}

  /// `window`: how many elements each row sees at most of a loop over positions; 0: of all. `windows`: along several
  /// rows; none: along one.
  Result<MatrixPlan> run(bool wholeRows, std::int64_t window, const std::vector<SlidingWindow> &windows) {
    if (const auto refusal = chooseRows()) return *refusal;
    countRegisters();
    if (wide.size() == 1 && chooseBoxes(windows)) return result;
    if (window > 0 && wide.size() == 1 && chooseByWindow(window)) return result;
    if (!wholeRows && wide.size() == 2 && perChunk == 0 && !units.atom.asynchronous && chooseWarps()) return result;
    if (chooseGroups()) return result;
    return Refusal{"no tiles of its products fit registers and shared memory", {}};
  }

private:
  [[nodiscard]] const Phase &streamed() const { return result.plan.phases[rolling]; }
  [[nodiscard]] bool shares(std::size_t row) const;
  std::optional<Refusal> chooseRows();
  void countRegisters();
  bool chooseWarps();
  bool chooseGroups();
  bool chooseByWindow(std::int64_t window);
  bool chooseBoxes(const std::vector<SlidingWindow> &windows);
  bool chooseChunk(const GroupBudget &budget, std::int64_t most);
  void setRows(std::size_t side, std::int64_t extent) {
    result.plan.tiles[wide[side]] = chosen(result.plan.rows[wide[side]], options, extent);
  }
  void setChunks(std::int64_t chunk);

  const System &system;
  const LowerOptions &options;
  const Products &products;
  const MatrixUnits &units;
  const Chunked chunked;
  const std::size_t rolling;
  MatrixPlan result;
  std::vector<std::size_t> wide;        // rows that come in tiles
  std::int64_t fixed = 0, perChunk = 0; // constant, and per element of a chunk
  std::int64_t open = 0;                // per column of a tile that the loop over chunks leaves open
  std::int64_t ahead = 0;               // what is computed ahead, per element of a chunk
  std::int64_t longest = 0, widest = 0; // chunk, and tile across
};

/// Is a factor that the phase's loop streams the same along the row? Else a tile of its rows saves products nothing.
bool TileChoice::shares(std::size_t row) const {
  return std::ranges::any_of(streamed().members, [&](const Member &member) {
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    if (!products.take(e)) return false;
    const std::set<std::size_t> &moving = products.factors.along(e, member.rows[row]);
    return std::ranges::any_of(member.rolled, [&](int d) {
      const std::set<std::size_t> &streams = products.factors.along(e, d);
      return !std::includes(moving.begin(), moving.end(), streams.begin(), streams.end());
    });
  });
}

/// Keeps at most one row of each side of the products in tiles, the one that is computed first; where none is left, the
/// rows that share what is streamed are padded to a tile.
std::optional<Refusal> TileChoice::chooseRows() {
  for (std::size_t r = 0; r < result.plan.tiles.size(); ++r) {
    if (result.plan.tiles[r] > 1 && shares(r))
      wide.push_back(r);
    else
      result.plan.tiles[r] = 1;
  }
  const std::vector<std::size_t> tiled = oneOfEachSide(system, streamed(), result.plan, wide, products);
  for (const std::size_t r : wide)
    if (std::find(tiled.begin(), tiled.end(), r) == tiled.end()) result.plan.tiles[r] = 1;
  wide = tiled;
  if (wide.size() > 2) return Refusal{"more than two dimensions come in tiles", {}};
  if (wide.size() == 2 && computesRight(system, streamed(), wide, products))
    result.plan = exchanged(result.plan, wide[0], wide[1]);
  if (!wide.empty()) return std::nullopt;
  result.padding = padded(system, streamed(), units.atom, result.plan);
  return result.padding ? std::nullopt : std::optional(Refusal{"no rows share what a sum streams", {}});
}

void TileChoice::countRegisters() {
  const std::int64_t words = units.elementBytes == 8 ? 2 : 1; // registers of an accumulator's element
  const bool asynchronous = units.atom.asynchronous;          // products go on while threads do
  for (const Member &member : streamed().members) {
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    if (member.role == Member::Role::Inner) {
      // the accumulator, and its narrowed copy where a product still reads that
      perChunk += words * (products.take(e) && asynchronous ? 3 : 2);
      continue;
    }
    std::int64_t extent = wide.size() == 2 ? 1 : 0;
    for (unsigned d = 0; d < e.keys; ++d)
      if (std::find(member.rows.begin(), member.rows.end(), static_cast<int>(d)) == member.rows.end())
        extent = std::max<std::int64_t>(extent, 1) * (constantExtent(e.keyDomain, d).value_or(0) + 15) / 16 * 16;
    (wide.size() == 2 ? open : fixed) += 2 * words * extent;
  }
  const OtherRegisters others = otherRegisters(system, streamed(), chunked.loop, wide, products);
  perChunk += perChunk > 0 ? others.between : 0;
  fixed += perChunk > 0 && asynchronous ? others.held : 0;
  ahead = asynchronous ? others.ahead : 0;
  // Few rows share their loop out among blocks. Short chunks then keep more of them busy where the loop is short, and
  // more copies under way where nothing else hides a copy's time.
  longest = result.padding && asynchronous ? std::min<std::int64_t>(64, chunked.longest) : chunked.longest;
  const auto across =
      wide.size() == 2 ? constantExtent(result.plan.domain, static_cast<unsigned>(wide[1])) : std::nullopt;
  widest = (std::max<std::int64_t>(across.value_or(1 << 20), 1) + 15) / 16 * 16;
}

void TileChoice::setChunks(std::int64_t chunk) {
  for (Phase &phase : result.plan.phases)
    for (std::size_t k = 0; k < phase.rolled.size(); ++k)
      phase.chunks[k] = k == chunked.loop ? chosen(phase.rolled[k], options, chunk) : 1;
}

/// Tiles of which a warp has a part of the columns.
bool TileChoice::chooseWarps() {
  constexpr std::int64_t slots = 3;
  const std::int64_t bytes = units.elementBytes, words = bytes == 8 ? 2 : 1;
  for (const WarpShape &shape : warpShapes(units, open / (2 * words), widest)) {
    const std::int64_t rows = shape.groups * groupRows(units.atom);
    setRows(0, rows);
    setRows(1, shape.columns);
    const Extents extents{result.plan.tiles, chunked.loop, std::min(128 / bytes, chunked.longest)};
    if (extents.rows[wide[0]] != rows || extents.rows[wide[1]] != shape.columns ||
        !fitsShared(system, result.plan, streamed(), extents, products, slots))
      continue;
    setChunks(extents.chunk);
    result.warpsN = shape.warpsN;
    return true;
  }
  return false;
}

/// Tiles of which a warp has whole rows: the most groups first, then the most columns.
bool TileChoice::chooseGroups() {
  const std::vector<std::int64_t> none{0};
  for (const GroupBudget &budget : units.budgets) {
    if (result.padding && budget.groups > 1) continue;
    if (wide.size() == 2 && budget.groups == 3) continue;
    for (const std::int64_t most : wide.size() == 2 ? units.columns : none)
      if (chooseChunk(budget, most)) return true;
  }
  return false;
}

/// What tiles of so many groups take longer: one alone hides nothing (H200).
double weightOf(std::int64_t groups) { return groups == 1 ? 1.5 : groups == 3 ? 0.96 : 1; }

/// The tiles that visit the fewest elements for a row, where the rows of one see windows that begin one after the
/// other: a chunk costs something besides.
bool TileChoice::chooseByWindow(std::int64_t window) {
  const auto extent = constantExtent(result.plan.domain, static_cast<unsigned>(wide[0]));
  double least = 0;
  std::optional<std::pair<std::int64_t, std::int64_t>> best;
  for (const GroupBudget &budget : units.budgets) {
    if (!chooseChunk(budget, 0)) continue;
    const std::int64_t fitting = result.plan.phases[rolling].chunks[chunked.loop];
    const std::int64_t rows = budget.groups * groupRows(units.atom);
    const std::int64_t tiles = (extent.value_or(rows) + rows - 1) / rows;
    const double share = extent ? static_cast<double>(rows * tiles) / static_cast<double>(*extent) : 1;
    for (std::int64_t chunk = std::max<std::int64_t>(16, budget.leastChunk); chunk <= fitting; chunk += 16) {
      const std::int64_t seen = std::min(rows - 1, extent.value_or(rows) - 1) + window;
      const std::int64_t chunks = (std::min(seen, std::max(extent.value_or(seen), window)) + chunk - 1) / chunk;
      const double cost =
          share * static_cast<double>(chunks) * (static_cast<double>(chunk) + costOfChunk) * weightOf(budget.groups);
      if (best && cost >= least) continue;
      least = cost;
      best = {rows, chunk};
    }
  }
  if (!best) return false;
  setRows(0, best->first);
  setChunks(best->second);
  return true;
}

/// Boxes of rows that see windows along several dimensions, in the place of rows of a line.
bool TileChoice::chooseBoxes(const std::vector<SlidingWindow> &windows) {
  std::size_t side = 0;
  while (side < windows.size() && windows[side].row != wide[0]) ++side;
  if (side == windows.size()) return false;
  constexpr std::int64_t whole = 128;
  const std::int64_t ofLine = std::exchange(longest, whole); // a loop of a line may be shorter than what a box holds
  std::optional<std::int64_t> rows;
  for (const GroupBudget &budget : units.budgets) {
    if (budget.groups == 3 || !chooseChunk(budget, 0)) continue; // whose rows are no power of two
    const std::int64_t own = budget.groups * groupRows(units.atom);
    auto boxes = boxesFor(windows, own, std::max<std::int64_t>(16, budget.leastChunk),
                          result.plan.phases[rolling].chunks[chunked.loop]);
    if (!boxes) continue;
    boxes->cost *= weightOf(budget.groups);
    if (result.boxes && result.boxes->cost <= boxes->cost) continue;
    result.boxes = boxes;
    result.boxes->tiled = wide[0];
    rows = own;
  }
  longest = ofLine;
  if (!result.boxes) return false;
  std::int64_t keys = 1;
  for (const BoxSide &box : result.boxes->sides) keys *= box.keys;
  setRows(0, *rows);
  setChunks(keys);
  return true;
}

/// How many elements rows see at most of the loop in chunks, where that runs over positions; 0: nobody knows.
std::int64_t windowOf(const System &system, const Phase &phase, const Chunked &chunked, const Products &products) {
  std::int64_t most = 0;
  for (const Member &member : phase.members) {
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    if (!products.take(e)) continue;
    const auto own = constantWindow(e.domain, static_cast<unsigned>(member.rolled[chunked.loop]));
    if (!own) return 0;
    most = std::max(most, *own);
  }
  return most;
}

/// The longest chunk beside at most so many columns.
bool TileChoice::chooseChunk(const GroupBudget &budget, std::int64_t most) {
  const std::int64_t bytes = units.elementBytes, columns = std::min(most, widest);
  const std::int64_t registers = budget.registers - (perChunk == 0 ? 0 : budget.between);
  const std::int64_t room = registers * 4 - fixed - open * columns - ahead * std::min(128 / bytes, longest);
  if (room < 0) return false;
  if (!wide.empty()) setRows(0, budget.groups * groupRows(units.atom));
  if (wide.size() == 2) setRows(1, columns);
  const std::int64_t fitting = perChunk == 0 ? 128 / bytes : std::min<std::int64_t>(128, room / perChunk / 16 * 16);
  Extents extents{result.plan.tiles, chunked.loop, std::min(fitting, longest)};
  if (result.padding) extents.rows[result.padding->row] = result.padding->rows;
  while (extents.chunk > 16 && !fitsShared(system, result.plan, streamed(), extents, products)) extents.chunk -= 16;
  if (extents.chunk < budget.leastChunk) return false;
  setChunks(extents.chunk);
  return true;
}

} // namespace

std::optional<Result<MatrixPlan>> matrixTiles(const Relaxed &relaxed, const KernelPlan &plan,
                                              const LowerOptions &options, bool wholeRows, bool takesBoxes) {
  const System &system = *relaxed.system;
  const auto rolling =
      std::find_if(plan.phases.begin(), plan.phases.end(), [](const Phase &p) { return !p.rolled.empty(); });
  if (rolling == plan.phases.end()) return std::nullopt;
  const MovingFactors moving;
  if (const auto refusal = untaken(system, *rolling, options, moving)) return *refusal;
  const std::int64_t bytes = productBytes(system, *rolling, options, moving);
  if (bytes == 0) return std::nullopt;
  const Products products(options, *options.machine->unitsFor(bytes), moving);
  const auto chunked = chunkedLoop(system, *rolling, products, relaxed.positions);
  if (!chunked) return Refusal{"each of the loops that a sum runs over is short", {}};
  const auto phase = static_cast<std::size_t>(rolling - plan.phases.begin());
  const std::int64_t window = relaxed.positions ? windowOf(system, *rolling, *chunked, products) : 0;
  std::vector<SlidingWindow> windows;
  if (takesBoxes && relaxed.positions && products.units.atom.asynchronous && options.tiles.empty())
    windows = slidingWindows(system, plan, *rolling, products);
  return TileChoice(system, plan, phase, *chunked, options, products).run(wholeRows, window, windows);
}

} // namespace polymend
