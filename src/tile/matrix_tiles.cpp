// Tile extents for matrix units: as many groups of 64 rows as registers allow, then chunks as long as registers and two
// slots of every channel allow. Registers of a group's thread: an accumulator of 64 x N takes N / 2, and N / 4 more
// where it is the operand of a product that goes on beside the next one.
#include "tile/matrix.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

std::int64_t chosen(const std::string &dim, const LowerOptions &options, std::int64_t otherwise) {
  const auto found = options.tiles.find(plainName(dim));
  return found == options.tiles.end() ? otherwise : found->second;
}

/// At least `least` factors are widened from 16 bits.
bool readsNarrow(const Expr &value, int least) {
  int narrow = 0;
  visit(value, [&](const Expr &node) {
    if (node.op() == Op::Cast && isFloating(node.type()) && isNarrow(node.arg(0).type())) ++narrow;
  });
  return narrow >= least;
}

/// Makes the tiles of the row dimension along which most rows share what the phase streams as long as they do; absent:
/// there is none.
std::optional<Padding> padded(const System &system, const Phase &phase, KernelPlan &plan) {
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
  return Padding{row, groupRows};
}

/// Extents of a plan's tiles on matrix units.
struct Extents {
  std::vector<std::int64_t> rows; // per row dimension: of the box
  std::int64_t chunk = 0;
};

/// Is the member a sum of products that matrix units can take?
bool isProduct(const Equation &e, const LowerOptions &options) {
  return e.monoid == Monoid::Sum && readsNarrow(e.value, options.approximate ? 1 : 2);
}

/// Bytes of the tile that a product copies of an operand, as panels of 64 columns.
std::int64_t tileBytes(const KernelPlan &plan, const Equation &e, const Member &member, const Operand &operand,
                       const Extents &extents) {
  const isl::map column = projectOutRange(operand.map, 0, rangeDimension(operand.map) - 1);
  std::int64_t rows = 1, columns = 1;
  for (unsigned d = 0; d < e.dims.size(); ++d) {
    if (!movesAlong(operand.map, d, 1)) continue;
    const auto at = [d](const std::vector<int> &dims) {
      return std::find(dims.begin(), dims.end(), static_cast<int>(d));
    };
    std::int64_t extent = constantExtent(e.domain, d).value_or(1);
    if (const auto row = at(member.rows); row != member.rows.end()) {
      const auto r = static_cast<std::size_t>(row - member.rows.begin());
      extent = sameForTile(e, operand, d, plan.tiles[r]) ? 1 : extents.rows[r];
    }
    if (at(member.rolled) != member.rolled.end()) extent = extents.chunk;
    (movesAlong(column, d, 1) ? columns : rows) *= extent;
  }
  return 2 * rows * ((columns + 63) / 64 * 64);
}

/// Do two slots of every tile that the phase's products copy in each chunk, and one of every other, fit shared memory?
bool fitsShared(const System &system, const KernelPlan &plan, const Phase &phase, const Extents &extents,
                const LowerOptions &options) {
  std::int64_t bytes = 0;
  for (const Member &member : phase.members) {
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    if (!isProduct(e, options)) continue;
    for (const Operand &operand : e.operands) {
      if (operand.equation >= 0 || rangeDimension(operand.map) < 2) continue;
      const bool each = std::any_of(member.rolled.begin(), member.rolled.end(),
                                    [&](int d) { return movesAlong(operand.map, static_cast<unsigned>(d), 1); });
      bytes += (each ? 2 : 1) * tileBytes(plan, e, member, operand, extents);
    }
  }
  return bytes <= options.units->sharedBytes;
}

} // namespace

std::optional<MatrixPlan> matrixTiles(const Relaxed &relaxed, const KernelPlan &plan, const LowerOptions &options) {
  const auto rolling =
      std::find_if(plan.phases.begin(), plan.phases.end(), [](const Phase &p) { return !p.rolled.empty(); });
  if (rolling == plan.phases.end() || rolling->rolled.size() != 1) return std::nullopt;
  std::vector<std::size_t> wide; // rows that come in tiles
  for (std::size_t r = 0; r < plan.tiles.size(); ++r)
    if (plan.tiles[r] > 1) wide.push_back(r);
  if (wide.size() > 2) return std::nullopt;
  MatrixPlan result{plan, std::nullopt};
  if (wide.empty()) {
    result.padding = padded(*relaxed.system, *rolling, result.plan);
    if (!result.padding) return std::nullopt;
  }
  bool products = false;
  std::int64_t fixed = 0, perChunk = 0; // registers in quarters of a column: constant, and per element of a chunk
  const bool beside = options.units->instructions == MatrixInstructions::Wgmma; // products go on while threads do
  std::int64_t open = 0; // the same, per column of a tile that the loop over chunks leaves open
  for (const Member &member : rolling->members) {
    const Equation &e = relaxed.system->equations[static_cast<std::size_t>(member.equation)];
    const bool product = isProduct(e, options);
    products = products || product;
    if (member.role == Member::Role::Inner) {
      perChunk += product && beside ? 3 : 2; // the accumulator, and its narrowed copy where a product still reads that
      continue;
    }
    std::int64_t extent = wide.size() == 2 ? 1 : 0;
    for (unsigned d = 0; d < e.keys; ++d)
      if (std::find(member.rows.begin(), member.rows.end(), static_cast<int>(d)) == member.rows.end())
        extent = std::max<std::int64_t>(extent, 1) * constantExtent(e.keyDomain, d).value_or(0);
    (wide.size() == 2 ? open : fixed) += 2 * extent;
  }
  if (!products) return std::nullopt;
  const std::vector<std::int64_t> none{0};
  for (const GroupBudget &budget : options.units->budgets) {
    if (result.padding && budget.groups > 1) continue;
    if (wide.size() == 2 && budget.groups == 3) continue;
    for (const std::int64_t columns : wide.size() == 2 ? options.units->columns : none) {
      const std::int64_t room = budget.registers * 4 - fixed - open * columns;
      if (room < 0) continue;
      const std::int64_t longest = perChunk == 0 ? 64 : std::min<std::int64_t>(128, room / perChunk / 16 * 16);
      if (!wide.empty()) result.plan.tiles[wide[0]] = chosen(plan.rows[wide[0]], options, budget.groups * groupRows);
      if (wide.size() == 2) result.plan.tiles[wide[1]] = chosen(plan.rows[wide[1]], options, columns);
      Extents extents{result.plan.tiles, longest};
      if (result.padding) extents.rows[result.padding->row] = result.padding->rows;
      while (extents.chunk > 16 && !fitsShared(*relaxed.system, result.plan, *rolling, extents, options))
        extents.chunk -= 16;
      if (extents.chunk < budget.leastChunk) continue;
      for (Phase &phase : result.plan.phases)
        for (std::size_t k = 0; k < phase.rolled.size(); ++k)
          phase.chunks[k] = chosen(phase.rolled[k], options, extents.chunk);
      return result;
    }
  }
  return std::nullopt;
}

} // namespace polymend
