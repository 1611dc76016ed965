// Tile extents for matrix units: as many groups of 64 rows as registers allow, then as long chunks. Registers of a
// group's thread: an accumulator of 64 x N takes N / 2, and N / 4 more where it is the next product's operand.
#include "tile/matrix.h"

#include <isl/set.h>

#include <algorithm>
#include <array>

namespace polymend {
namespace {

struct Budget {
  std::int64_t groups, registers;
};
constexpr std::array<Budget, 3> budgets{{{3, 128}, {2, 196}, {1, 200}}};

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
  const std::int64_t columns = wide.size() == 2 ? 256 : 0;
  for (const Member &member : rolling->members) {
    const Equation &e = relaxed.system->equations[static_cast<std::size_t>(member.equation)];
    const bool product = e.monoid == Monoid::Sum && readsNarrow(e.value, options.approximate ? 1 : 2);
    products = products || product;
    if (member.role == Member::Role::Inner) {
      perChunk += product ? 3 : 2; // the accumulator, and its narrowed copy
      continue;
    }
    std::int64_t extent = columns;
    for (unsigned d = 0; d < e.keys; ++d)
      if (std::find(member.rows.begin(), member.rows.end(), static_cast<int>(d)) == member.rows.end())
        extent = std::max<std::int64_t>(extent, 1) * constantExtent(e.keyDomain, d).value_or(0);
    fixed += 2 * extent;
  }
  if (!products) return std::nullopt;
  for (const Budget &budget : budgets) {
    if (result.padding && budget.groups > 1) continue;
    const std::int64_t room = budget.registers * 4 - fixed;
    if (room < 0) continue;
    std::int64_t chunk = perChunk == 0 ? 64 : std::min<std::int64_t>(128, room / perChunk / 16 * 16);
    if (chunk < 64 && budget.groups > 1) continue;
    if (wide.size() == 2 && budget.groups == 3) continue;
    if (!wide.empty()) result.plan.tiles[wide[0]] = chosen(plan.rows[wide[0]], options, budget.groups * groupRows);
    if (wide.size() == 2) result.plan.tiles[wide[1]] = chosen(plan.rows[wide[1]], options, columns);
    for (Phase &phase : result.plan.phases)
      for (std::size_t k = 0; k < phase.rolled.size(); ++k) phase.chunks[k] = chosen(phase.rolled[k], options, chunk);
    return result;
  }
  return std::nullopt;
}

} // namespace polymend
