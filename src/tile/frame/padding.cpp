// Rows of matrix units are many; the rows of a kernel that share what they stream may be few. Then a tile has as many
// rows as share it, and the box around it holds more: the rest is computed from what the box reaches and never stored.
#include "tile/padding.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <set>

namespace polymend {
namespace {

/// { E[x] -> E[x'] : x' is x, but dimension `dim` is the first of its aligned tile of `rows` }
isl::map toFirstOfTile(const isl::set &domain, unsigned dim, std::int64_t rows) {
  const unsigned count = dimension(domain);
  std::string from, to;
  for (unsigned d = 0; d < count; ++d) {
    const std::string name = "x" + std::to_string(d), size = std::to_string(rows);
    from += (d ? ", " : "") + name;
    to += (d ? ", " : "") + (d == dim ? size + "*floor(" + name + "/" + size + ")" : name);
  }
  return isl::manage(
      isl_map_read_from_str(isl_set_get_ctx(domain.get()), ("{ [" + from + "] -> [" + to + "] }").c_str()));
}

bool streams(const Member &member, const Operand &operand) {
  return std::any_of(member.rolled.begin(), member.rolled.end(),
                     [&](int d) { return movesAlong(operand.map, static_cast<unsigned>(d), 1); });
}

/// Is the operand a matrix whose other dimension is the member's own?
bool isMatrix(const Equation &e, const Member &member, const Operand &operand) {
  for (unsigned d = 0; d < e.dims.size(); ++d) {
    const auto at = static_cast<int>(d);
    const bool shared = std::find(member.rows.begin(), member.rows.end(), at) != member.rows.end() ||
                        std::find(member.rolled.begin(), member.rolled.end(), at) != member.rolled.end();
    if (!shared && movesAlong(operand.map, d, 1)) return true;
  }
  return false;
}

bool isElement(const Equation &e, const Operand &operand) {
  return operand.equation < 0 && domainDimension(operand.map) == e.dims.size();
}

/// The symbols of a subscript outside of what it reads.
std::set<std::string> ownSymbols(const Expr &subscript) {
  if (subscript.op() == Op::Read) return {};
  if (subscript.op() == Op::Symbol) return {subscript->name};
  std::set<std::string> own;
  for (const Expr &arg : subscript->args) own.merge(ownSymbols(arg));
  return own;
}

/// Is a subscript that data choose the same for the tile? It is where all that it reads is, and nothing else of it
/// names the dimension.
bool choosesSame(const Equation &e, const Expr &subscript, unsigned dim, std::int64_t rows) {
  bool same = !ownSymbols(subscript).contains(e.dims[dim]);
  visit(subscript, [&](const Expr &node) {
    if (node.op() != Op::Read) return;
    same = same && node->access >= 0 && sameForTile(e, e.operands[static_cast<std::size_t>(node->access)], dim, rows);
  });
  return same;
}

/// The same of all subscripts of an operand that its map does not tell.
bool choosesSame(const Equation &e, const Operand &operand, unsigned dim, std::int64_t rows) {
  bool same = true, found = false;
  visit(e.value, [&](const Expr &node) {
    if (node.op() != Op::Read || node->access < 0 || &e.operands[static_cast<std::size_t>(node->access)] != &operand)
      return;
    found = true;
    for (unsigned d = 0; d < node->args.size(); ++d)
      same = same && (onlyOutput(operand.map, d).is_single_valued() || choosesSame(e, node->args[d], dim, rows));
  });
  return same && found;
}

} // namespace

bool sameForTile(const Equation &e, const Operand &operand, unsigned dim, std::int64_t rows) {
  if (!isElement(e, operand) || (!operand.exact && !choosesSame(e, operand, dim, rows))) return false;
  const isl::map map = isl::manage(isl_map_reset_tuple_id(operand.map.copy(), isl_dim_in));
  const isl::set domain = map.domain();
  const isl::map everywhere = isl::manage(isl_map_gist_domain(map.copy(), domain.copy()));
  return toFirstOfTile(domain, dim, rows).intersect_domain(domain).apply_range(everywhere).is_equal(map);
}

std::int64_t rowsThatShare(const System &system, const Phase &phase, std::size_t row) {
  constexpr std::int64_t most = 64;
  for (std::int64_t rows = most; rows > 0; rows /= 2) {
    bool shared = true;
    for (const Member &member : phase.members) {
      const Equation &e = system.equations[static_cast<std::size_t>(member.equation)];
      for (const Operand &operand : e.operands)
        if (operand.equation < 0 && (!isElement(e, operand) || streams(member, operand)))
          shared = shared && sameForTile(e, operand, static_cast<unsigned>(member.rows[row]), rows);
    }
    if (shared) return rows;
  }
  return 0;
}

bool takenAtFirstRow(const Equation &e, const Member &member, const Operand &operand, std::size_t row,
                     std::int64_t rows) {
  return isElement(e, operand) && (streams(member, operand) || !isMatrix(e, member, operand)) &&
         sameForTile(e, operand, static_cast<unsigned>(member.rows[row]), rows);
}

} // namespace polymend
