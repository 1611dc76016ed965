#include "rows.h"

#include "device/dealt.h"
#include "device/depends.h"
#include "device/stride.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

constexpr std::int64_t mostRows = 16, leastRows = 4, mostReads = 128;

std::vector<Expr> readsOfTiles(const Expr &value) {
  std::vector<Expr> all;
  visit(value, [&](const Expr &e) {
    if (e.op() == Op::Read) all.push_back(e);
  });
  return all;
}

/// Does every element of the array exist, whatever the variables are within their bounds?
bool existsInTile(const Expr &read, const std::map<std::string, Interval> &known, const Scope &scope) {
  const std::vector<Expr> &extents = scope.find(read->name)->extents;
  for (std::size_t d = 0; d < read->args.size(); ++d) {
    const Interval at = boundsOf(read->args[d], known);
    const Expr extent = simplify(extents[d]);
    if (!at.low() || !at.high() || *at.low() < 0 || extent.op() != Op::Integer || *at.high() >= extent->integer)
      return false;
  }
  return true;
}

/// Could the machine stop at it, or would it take long?
bool mayStop(const Expr &value) {
  bool found = false;
  visit(value, [&](const Expr &e) {
    const bool divides = e.op() == Op::Div || e.op() == Op::Mod || e.op() == Op::FloorDiv || e.op() == Op::FloorMod;
    found = found || e.op() == Op::Call || (divides && isInteger(e.type()));
  });
  return found;
}

/// Is what one reads at a point what the other reads at a neighbour along the variable?
bool meetAlong(const Expr &a, const Expr &b, const std::string &variable) {
  if (a->name != b->name || a->args.size() != b->args.size()) return false;
  bool isApart = false;
  for (std::size_t d = 0; d < a->args.size(); ++d) {
    const auto apart = differenceOf(a->args[d], b->args[d]);
    if (!apart) return false;
    if (*apart == 0) continue;
    if (isApart || stepOf(a->args[d], variable) != 1) return false;
    isApart = true;
  }
  return isApart;
}

/// Rows of the box as long as those of the tile that is assigned, of which threads find their point sooner; points that
/// are none are left out as they were.
void widen(const Scope &scope, DeviceDeal &deal) {
  const Ref &target = deal.points.body.front().target;
  for (std::size_t k = 0; k + 1 < deal.dealt.size(); ++k) {
    DealtDim &d = deal.dealt[k];
    for (std::size_t s = 0; s < target.subscripts.size(); ++s) {
      const Expr at = simplify(target.subscripts[s]), extent = simplify(scope.find(target.array)->extents[s]);
      const bool isOwn = at.op() == Op::Symbol && at->name == deal.points.dims[d.dim].variable;
      if (!isOwn || !d.checkFirst || !d.checkLimit || extent.op() != Op::Integer) continue;
      if (d.low < 0 || d.low + d.size > extent->integer || 2 * d.size < extent->integer) continue;
      d.low = 0;
      d.size = extent->integer;
      d.asked = {};
    }
  }
}

} // namespace

void takeRows(const Memory &memory, const Scope &scope, DeviceDeal &deal) {
  if (deal.form != DeviceDeal::Form::Each || !deal.fixed || deal.crossed || deal.ahead || memory.grouped) return;
  if (deal.dealt.size() < 2 || deal.points.body.size() != 1 || !innerOf(deal).empty()) return;
  const TileAssign &a = deal.points.body.front();
  if (a.where || a.update != Update::Set || !memory.tiles.contains(a.target.array) || reads(a.value, a.target.array))
    return;
  const std::vector<Expr> all = readsOfTiles(a.value);
  const std::map<std::string, Interval> known = boundsOfDims(deal.points);
  const bool areThere = std::ranges::all_of(
      all, [&](const Expr &read) { return memory.tiles.contains(read->name) && existsInTile(read, known, scope); });
  if (all.size() < 2 || !areThere || mayStop(a.value)) return;
  const DealtDim &last = deal.dealt.back();
  const std::string &variable = deal.points.dims[last.dim].variable;
  const bool meets = std::ranges::any_of(all, [&](const Expr &one) {
    return std::ranges::any_of(all, [&](const Expr &other) { return meetAlong(one, other, variable); });
  });
  if (!meets) return;
  DeviceDeal wide = deal;
  widen(scope, wide);
  std::int64_t beside = 1;
  for (std::size_t k = 0; k + 1 < wide.dealt.size(); ++k) beside *= wide.dealt[k].size;
  std::int64_t rows = mostRows;
  const auto isTooMany = [&] {
    const std::int64_t parts = (last.size + rows - 1) / rows;
    return rows > last.size || beside * parts < memory.threads ||
           rows * static_cast<std::int64_t>(all.size()) > mostReads;
  };
  while (rows >= leastRows && isTooMany()) rows /= 2;
  if (rows < leastRows) return;
  wide.rows = static_cast<int>(rows);
  deal = std::move(wide);
}

} // namespace polymend::device_room
