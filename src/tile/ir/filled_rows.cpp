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

bool isGathered(const TileAssign &copy, const std::set<std::string> &moving, const std::set<std::string> &ours) {
  bool found = false;
  for (const Expr &subscript : copy.value->args)
    visit(subscript, [&](const Expr &e) {
      const bool isData = e.op() == Op::Read && !ours.contains(e->name);
      const std::set<std::string> used = isData ? symbols(e) : std::set<std::string>();
      found = found || std::ranges::any_of(used, [&](const std::string &name) { return moving.contains(name); });
    });
  return found;
}

namespace {

/// Do rows lie in runs of so many?
bool liesInRuns(const TileAssign &copy, std::int64_t rows, std::int64_t run) {
  const std::string &row = copy.target.subscripts.front()->name;
  const auto at = [&](const Expr &subscript, std::int64_t place) {
    return substitute(subscript, [&](const std::string &name) { return name == row ? Expr::integer(place) : Expr(); });
  };
  std::set<std::size_t> along;
  for (std::size_t d = 0; d < copy.value->args.size(); ++d)
    for (std::int64_t place = 0; place < rows; ++place) {
      const Expr &subscript = copy.value->args[d];
      const std::int64_t begin = place - place % run;
      if (place == begin || !symbols(subscript).contains(row)) continue;
      const Expr step = simplify(at(subscript, place) - at(subscript, begin));
      if (step.op() != Op::Integer || (step->integer != 0 && step->integer != place - begin)) return false;
      if (step->integer != 0) along.insert(d);
      if (step->integer == 0 && along.contains(d)) return false;
    }
  return along.size() == 1;
}

} // namespace

std::int64_t rowsInRun(const TileAssign &copy, std::int64_t rows) {
  constexpr std::int64_t least = 8;
  if (copy.target.subscripts.empty() || copy.target.subscripts.front().op() != Op::Symbol) return 0;
  for (std::int64_t run = rows; run >= least && rows % run == 0; run /= 2)
    if (run % least == 0 && liesInRuns(copy, rows, run)) return run;
  return 0;
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
