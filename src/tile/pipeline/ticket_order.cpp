// Neighbours in time that read the same chunks find them in the cache. Longer tiles first leave the short ones to fill
// the last round.
#include "ticket_order.h"
#include "tile/visit.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace polymend {
namespace {

/// Grid points as they are numbered, the last dimension first.
TicketOrder inSequence(const std::vector<PointDim> &grid) {
  TicketOrder order;
  order.ticket = "ticket";
  order.count = Expr::integer(1);
  order.at.resize(grid.size());
  Expr rest = Expr::symbol(order.ticket, Type::Int64);
  for (std::size_t i = grid.size(); i-- > 0;) {
    const Expr size = simplify(grid[i].limit - grid[i].first);
    order.count = simplify(order.count * size);
    order.at[i] = simplify(grid[i].first + (i > 0 ? Expr::make(Op::FloorMod, Type::Int64, {rest, size}) : rest));
    rest = Expr::make(Op::FloorDiv, Type::Int64, {rest, size});
  }
  return order;
}

/// How many values of a grid variable, one after the other, stream the same chunks: one if a subscript of theirs holds
/// it bare, n if all hold it as floor(variable / n); absent: all values, since no subscript holds it.
std::optional<std::int64_t> sharing(const std::string &variable, const RoleTiles &roles) {
  std::optional<std::int64_t> shared;
  const std::function<void(const Expr &)> look = [&](const Expr &e) {
    const bool grouped = e.op() == Op::FloorDiv && e.arg(0).op() == Op::Symbol && e.arg(1).op() == Op::Integer;
    const Expr named = grouped ? e.arg(0) : e;
    if (named.op() == Op::Symbol && named->name == variable)
      shared = std::gcd(shared.value_or(0), grouped ? e.arg(1)->integer : 1);
    else
      for (const Expr &arg : e->args) look(arg);
  };
  for (const TileNode &node : roles.rectangular.loop->full) {
    const TilePoints *copy = as<TilePoints>(node);
    if (copy && roles.isCopy(*copy))
      for (const Expr &subscript : copy->body[0].value->args) look(subscript);
  }
  return shared;
}

/// At most the value, without what is read from arrays; absent: nothing else bounds it.
Expr withoutReads(const Expr &value) {
  if (!reads(value)) return value;
  if (value.op() != Op::Min) return {};
  const Expr a = withoutReads(value.arg(0)), b = withoutReads(value.arg(1));
  return a && b ? Expr::make(Op::Min, Type::Int64, {a, b}) : a ? a : b;
}

/// The value at the last grid point.
Expr atLast(Expr value, const std::vector<PointDim> &grid) {
  for (auto d = grid.rbegin(); d != grid.rend(); ++d)
    value = substitute(
        value, [&](const std::string &name) { return name == d->variable ? d->limit - Expr::integer(1) : Expr(); });
  return simplify(value);
}

Expr extent(const PointDim &d) { return simplify(d.limit - d.first); }

Expr divided(const Expr &a, const Expr &b) { return Expr::make(Op::FloorDiv, Type::Int64, {a, b}); }

/// Bytes that a grid point streams, at least 1, where its loop has so many turns.
Expr streamedBytes(const RoleTiles &roles, const Expr &turns) {
  std::int64_t chunkBytes = 0;
  for (const TileArray &tile : roles.tiles)
    if (roles.channels.count(tile.name) && !roles.hoisted.count(tile.name))
      chunkBytes += roles.units.elementBytes * constant(tile.extents[0]) * constant(tile.extents[1]);
  const std::int64_t ofTurn = std::max<std::int64_t>(1, chunkBytes / roles.rectangular.loop->step);
  return Expr::make(Op::Max, Type::Int64, {turns * Expr::integer(ofTurn), Expr::integer(1)});
}

/// How many neighbours along the grid's other dimensions stream the same chunks.
Expr neighbours(const std::vector<PointDim> &grid, const PointDim &row, const RoleTiles &roles) {
  Expr same = Expr::integer(1);
  for (std::size_t i = grid.size(); i-- > 0;) {
    if (&grid[i] == &row) continue;
    const auto shared = sharing(grid[i].variable, roles);
    same = simplify(same * (shared ? Expr::integer(*shared) : extent(grid[i])));
    if (shared) break;
  }
  return same;
}

/// The grid point of a row and a number over all other dimensions, the last of them first.
std::vector<Expr> pointAt(const std::vector<PointDim> &grid, const PointDim &row, const Expr &atRow, Expr rest) {
  std::vector<Expr> at(grid.size());
  for (std::size_t i = grid.size(); i-- > 0;) {
    const PointDim &d = grid[i];
    if (&d == &row) {
      at[i] = simplify(atRow);
      continue;
    }
    const bool lastOther = std::none_of(grid.begin(), grid.begin() + static_cast<std::ptrdiff_t>(i),
                                        [&](const PointDim &before) { return &before != &row; });
    const Expr size = extent(d);
    at[i] = simplify(d.first + (lastOther ? rest : Expr::make(Op::FloorMod, Type::Int64, {rest, size})));
    rest = divided(rest, size);
  }
  return at;
}

/// The numbers of grid dimensions, one for all, the last first.
std::map<std::string, Expr> numbered(const std::vector<PointDim> &dims, Expr number) {
  std::map<std::string, Expr> at;
  for (std::size_t i = dims.size(); i-- > 0;) {
    const Expr size = extent(dims[i]);
    const Expr own = i > 0 ? Expr::make(Op::FloorMod, Type::Int64, {number, size}) : number;
    at[dims[i].variable] = simplify(dims[i].first + own);
    number = divided(number, size);
  }
  return at;
}

Expr product(const std::vector<PointDim> &dims) {
  Expr all = Expr::integer(1);
  for (const PointDim &d : dims) all = simplify(all * extent(d));
  return all;
}

/// Of a grid of which data bound a dimension: its tiles in runs, one for each point of the dimensions that choose the
/// data; all other dimensions in turn for a tile.
TicketOrder inRuns(const std::vector<PointDim> &grid, const PointDim &ragged, const RoleTiles &roles) {
  std::set<std::string> names = roles.rectangular.names;
  const auto unique = [&](std::string wanted) {
    while (!names.insert(wanted).second) wanted += "_";
    return wanted;
  };
  const std::set<std::string> chosen = symbols(ragged.limit);
  std::vector<PointDim> outer, others;
  for (const PointDim &d : grid)
    if (d.variable != ragged.variable) (chosen.contains(d.variable) ? outer : others).push_back(d);
  TicketOrder order;
  order.ticket = unique("ticket");
  TicketRuns runs{unique("run"), unique("run_tile"), product(outer), {}};
  // The last of all first: its last tile may come row by row, which others then hide.
  const Expr number = simplify(runs.count - Expr::integer(1) - Expr::symbol(runs.run, Type::Int64));
  std::map<std::string, Expr> at = numbered(outer, number);
  runs.length = simplify(substitute(ragged.limit, [&](const std::string &name) {
    const auto here = at.find(name);
    return here == at.end() ? Expr() : here->second;
  }));
  at.merge(numbered(others, Expr::symbol(order.ticket, Type::Int64)));
  order.count = product(others);
  const Expr tile = Expr::symbol(runs.tile, Type::Int64), limit = roles.rectangular.loop->limit;
  const bool longer = symbols(limit).contains(ragged.variable);
  if (longer) {
    const std::string last = unique("last_tile");
    order.lets.emplace_back(last, simplify(runs.length - Expr::integer(1)));
    at[ragged.variable] = Expr::symbol(last, Type::Int64) - tile;
  } else {
    at[ragged.variable] = tile;
  }
  for (const PointDim &d : grid) order.at.push_back(at.at(d.variable));
  order.runs = runs;
  return order;
}

} // namespace

TicketOrder ticketOrder(const std::vector<PointDim> &grid, const RoleTiles &roles) {
  const RectangularKernel &rectangular = roles.rectangular;
  for (const PointDim &d : grid)
    if (reads(d.limit)) return inRuns(grid, d, roles);
  constexpr std::int64_t cacheBytes = std::int64_t{32} << 20;
  const auto row =
      std::find_if(grid.begin(), grid.end(), [&](const PointDim &d) { return d.variable == rectangular.rowTile; });
  if (row == grid.end()) {
    return inSequence(grid);
  }
  Expr others = Expr::integer(1);
  for (const PointDim &d : grid)
    if (&d != &*row) others = simplify(others * extent(d));
  const Expr rows = extent(*row), one = Expr::integer(1);
  const Expr last = simplify(row->limit - one);
  const auto atRow = [&](const Expr &e, const Expr &value) {
    return simplify(substitute(e, [&](const std::string &name) { return name == row->variable ? value : Expr(); }));
  };
  const Expr limit = withoutLets(rectangular.loop->limit, rectangular.lets);
  const Expr known = withoutReads(limit);
  const Expr bytes = known ? streamedBytes(roles, atLast(atRow(known, last), grid)) : Expr::integer(cacheBytes);
  const Expr same = neighbours(grid, *row, roles);
  const auto minimum = [](const Expr &a, const Expr &b) { return Expr::make(Op::Min, Type::Int64, {a, b}); };
  const auto maximum = [](const Expr &a, const Expr &b) { return Expr::make(Op::Max, Type::Int64, {a, b}); };
  TicketOrder order;
  std::set<std::string> names = rectangular.names;
  const auto unique = [&](std::string wanted) {
    while (!names.insert(wanted).second) wanted += "_";
    return wanted;
  };
  order.ticket = unique("ticket");
  const auto let = [&](const std::string &wanted, const Expr &value) {
    const std::string name = unique(wanted);
    order.lets.emplace_back(name, simplify(value));
    return Expr::symbol(name, Type::Int64);
  };
  const Expr ticket = Expr::symbol(order.ticket, Type::Int64);
  const Expr tiles1 = let("row_tiles", rows);
  const Expr group = let("group", maximum(minimum(divided(Expr::integer(cacheBytes), bytes) * same, others), one));
  const Expr number = let("group_number", divided(ticket, group * tiles1));
  const Expr within = let("within_group", ticket - number * group * tiles1);
  const Expr width = let("group_width", minimum(group, others - number * group));
  const Expr step = let("row_number", divided(within, width));
  const Expr other = let("other", number * group + (within - step * width));
  order.count = simplify(others * rows);
  const bool longer = !equal(atRow(limit, one), atRow(limit, Expr::integer(0)));
  order.at = pointAt(grid, *row, longer ? last - step : row->first + step, other);
  return order;
}

} // namespace polymend
