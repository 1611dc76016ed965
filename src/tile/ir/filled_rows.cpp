// The condition of a copy is `row < so many`, over what stands for the whole tile.
#include "tile/filled_rows.h"

#include <algorithm>

namespace polymend {

Expr filledRows(const TileAssign &copy) {
  if (!copy.where || copy.where.op() != Op::Lt || copy.target.subscripts.empty()) return {};
  const Expr &row = copy.where.arg(0), &rows = copy.where.arg(1);
  const Expr &own = copy.target.subscripts.front();
  if (row.op() != Op::Symbol || own.op() != Op::Symbol || row->name != own->name) return {};
  for (const Expr &subscript : copy.target.subscripts)
    if (subscript.op() == Op::Symbol && symbols(rows).contains(subscript->name)) return {};
  return rows;
}

bool takesSlice(const TileAssign &copy, const TileArray &source) {
  if (source.extents.size() < 3 || source.extents[0] || copy.value->args.size() != source.extents.size()) return false;
  const std::set<std::string> used = symbols(copy.value->args[0]);
  return std::none_of(copy.target.subscripts.begin(), copy.target.subscripts.end(),
                      [&](const Expr &own) { return own.op() != Op::Symbol || used.contains(own->name); });
}

bool staysWithin(const TileAssign &copy, const TileArray &source) {
  if (copy.target.subscripts.empty() || copy.target.subscripts.front().op() != Op::Symbol) return false;
  const std::string &row = copy.target.subscripts.front()->name;
  for (std::size_t d = 0; d < source.extents.size(); ++d)
    if (!source.extents[d] && !(d == 0 && takesSlice(copy, source)) &&
        !(filledRows(copy) && symbols(copy.value->args[d]).contains(row)))
      return false;
  return true;
}

} // namespace polymend
