#include "tile_cost.h"

#include <isl/set.h>

#include <algorithm>

namespace polymend {

namespace {

/// Bytes of the tile that a product copies of an operand.
std::int64_t tileBytes(const KernelPlan &plan, const Equation &e, const Member &member, const Operand &operand,
                       const Extents &extents, const Products &products) {
  std::int64_t rows = 1, columns = 1;
  for (unsigned d = 0; d < e.dims.size(); ++d) {
    const Products::Moves moves = products.moves(e, operand, d);
    if (!moves.at) continue;
    const auto at = [d](const std::vector<int> &dims) {
      return std::find(dims.begin(), dims.end(), static_cast<int>(d));
    };
    std::int64_t extent = constantExtent(e.domain, d).value_or(1);
    if (const auto row = at(member.rows); row != member.rows.end()) {
      const auto r = static_cast<std::size_t>(row - member.rows.begin());
      extent = sameForTile(e, operand, d, plan.tiles[r]) ? 1 : extents.rows[r];
    }
    if (const auto rolled = at(member.rolled); rolled != member.rolled.end())
      extent = rolled - member.rolled.begin() == static_cast<std::ptrdiff_t>(extents.rolled) ? extents.chunk : 1;
    (moves.column ? columns : rows) *= extent;
  }
  return slotBytes(rows, columns, products.units.elementBytes);
}

/// Is the operand a value of the plan itself?
bool isWithin(const KernelPlan &plan, const Operand &operand) {
  const auto makes = [&](const Member &m) { return m.equation == operand.equation; };
  return std::any_of(plan.phases.begin(), plan.phases.end(), [&](const Phase &phase) {
    return std::any_of(phase.members.begin(), phase.members.end(), makes);
  });
}

/// The arguments' elements that a part looks up for each element along a loop.
std::vector<Expr> lookedUp(const Equation &e, const Expr &part, unsigned loop, const Products &products) {
  std::vector<Expr> reads;
  visit(part, [&](const Expr &node) {
    if (node.op() != Op::Read || node->access < 0) return;
    const Operand &operand = e.operands[static_cast<std::size_t>(node->access)];
    if (operand.equation < 0 && products.moves(e, operand, loop).at) reads.push_back(node);
  });
  return reads;
}

/// Does what is read move along one of the rows in tiles?
bool movesInTile(const Equation &e, const Expr &read, const Member &member, const std::vector<std::size_t> &wide,
                 const Products &products) {
  const Operand &operand = e.operands[static_cast<std::size_t>(read->access)];
  return std::any_of(wide.begin(), wide.end(), [&](std::size_t r) {
    return products.moves(e, operand, static_cast<unsigned>(member.rows[r])).at;
  });
}

} // namespace

bool fitsShared(const System &system, const KernelPlan &plan, const Phase &phase, const Extents &extents,
                const Products &products, std::int64_t slots) {
  std::int64_t bytes = 0;
  for (const Member &member : phase.members) {
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    if (!products.take(e)) continue;
    for (const Operand &operand : e.operands) {
      if (isWithin(plan, operand) || rangeDimension(operand.map) < 2) continue;
      const bool each = std::any_of(member.rolled.begin(), member.rolled.end(),
                                    [&](int d) { return products.moves(e, operand, static_cast<unsigned>(d)).at; });
      bytes += (each ? slots : 1) * tileBytes(plan, e, member, operand, extents, products);
    }
  }
  return bytes <= products.units.sharedBytes;
}

OtherRegisters otherRegisters(const System &system, const Phase &phase, std::size_t chunked,
                              const std::vector<std::size_t> &wide, const Products &products) {
  constexpr std::int64_t kept = 1, computed = 2; // halves of a register for each element
  constexpr std::int64_t forChoice = 48;         // 12 registers (H200: chunks of 64 columns and no spills)
  OtherRegisters others;
  for (const Member &member : phase.members) {
    const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
    if (member.role == Member::Role::Inner || member.rolled.size() <= chunked) continue;
    const bool inPieces = isl_set_n_basic_set(isl::set(e.domain).coalesce().get()) > 1;
    if (inPieces) others.held = forChoice;
    for (const Expr &part : computedParts(e, products)) {
      const std::vector<Expr> reads = lookedUp(e, part, static_cast<unsigned>(member.rolled[chunked]), products);
      for (const Expr &node : reads) {
        const bool each = movesInTile(e, node, member, wide, products);
        if (!products.take(e)) (each ? others.between : others.held) = each ? 1 : forChoice;
        if (wide.size() == 2 && products.take(e) && each)
          others.ahead = std::max<std::int64_t>(others.ahead, computed + kept + (isNarrow(node.type()) ? 1 : 2));
      }
    }
  }
  return others;
}

} // namespace polymend
