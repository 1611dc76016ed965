// A grid point is a tile of rows: the quotients of the rows by the tiles' extents, scanned as loops.
#include "tile/grid.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// Names of dims r0, r1, ... for a map that divides each by its tile.
isl::map tileMap(isl_ctx *ctx, const std::vector<std::int64_t> &tiles) {
  std::string in, out, where;
  for (std::size_t r = 0; r < tiles.size(); ++r) {
    const std::string row = "r" + std::to_string(r), tile = "t" + std::to_string(r), size = std::to_string(tiles[r]);
    in += (r ? ", " : "") + row;
    out += (r ? ", " : "") + tile;
    where += (r ? " and " : "") + size + tile + " <= " + row + " < " + size + tile + " + " + size;
  }
  return isl::manage(isl_map_read_from_str(
      ctx, ("{ [" + in + "] -> [" + out + "]" + (where.empty() ? "" : " : " + where) + " }").c_str()));
}

/// Moves all set dimensions to parameters of these names.
isl::set asParameters(const isl::set &set, const std::vector<std::string> &names) {
  isl_set *raw = set.copy();
  const auto count = static_cast<unsigned>(names.size());
  const auto position = static_cast<unsigned>(isl_set_dim(raw, isl_dim_param));
  raw = isl_set_move_dims(raw, isl_dim_param, position, isl_dim_set, 0, count);
  for (unsigned k = 0; k < count; ++k) raw = isl_set_set_dim_name(raw, isl_dim_param, position + k, names[k].c_str());
  return isl::manage(isl_set_params(raw));
}

/// The smallest box around a set.
isl::basic_set boxAround(const isl::basic_set &set) {
  isl_basic_set *box = isl_basic_set_universe(isl_basic_set_get_space(set.get()));
  const auto dims = static_cast<unsigned>(isl_basic_set_dim(box, isl_dim_set));
  for (unsigned d = 0; d < dims; ++d) {
    isl_basic_set *line = set.copy();
    line = isl_basic_set_project_out(line, isl_dim_set, d + 1, dims - d - 1);
    line = isl_basic_set_project_out(line, isl_dim_set, 0, d);
    line = isl_basic_set_insert_dims(line, isl_dim_set, 0, d);
    line = isl_basic_set_add_dims(line, isl_dim_set, dims - d - 1);
    box = isl_basic_set_intersect(box, line);
  }
  return isl::manage(box);
}

/// Is no dimension bounded by another?
bool isBox(const ScanBounds &bounds, const std::vector<std::string> &names) {
  return std::all_of(bounds.dims.begin(), bounds.dims.end(), [&](const auto &dim) {
    const std::set<std::string> low = symbols(lowest(dim)), high = symbols(highest(dim));
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string &name) { return low.count(name) + high.count(name) > 0; });
  });
}

/// 1 where a conjunction of comparisons of integers holds, else 0, as a product; absent: it is something else.
Expr oneWhere(const Expr &condition) {
  if (condition.op() == Op::And) {
    const Expr a = oneWhere(condition.arg(0)), b = oneWhere(condition.arg(1));
    return a && b ? a * b : Expr();
  }
  if (condition.op() == Op::Eq)
    return oneWhere(Expr::make(Op::And, {Expr::make(Op::Le, {condition.arg(0), condition.arg(1)}),
                                         Expr::make(Op::Le, {condition.arg(1), condition.arg(0)})}));
  if (condition.op() != Op::Le) return {};
  const Expr room = condition.arg(1) - condition.arg(0) + Expr::integer(1);
  return Expr::make(Op::Max, {Expr::integer(0), Expr::make(Op::Min, {Expr::integer(1), room})});
}

/// What bounds the dimensions of a set, without conditions on sizes alone.
isl::basic_set boundsAlone(const isl::basic_set &set) {
  const auto dims = static_cast<unsigned>(isl_basic_set_dim(set.get(), isl_dim_set));
  return isl::manage(isl_basic_set_drop_constraints_not_involving_dims(set.copy(), isl_dim_set, 0, dims));
}

/// 1 where the set holds a point, else 0, where the bounds of its dimensions alone may leave room for one; else absent.
/// Where that is no conjunction, 1 where the conditions on sizes alone hold.
Expr oneWhereAny(const isl::basic_set &set) {
  const auto dims = static_cast<unsigned>(isl_basic_set_dim(set.get(), isl_dim_set));
  const isl::set sizes = isl::set(set).params().gist(isl::set(boundsAlone(set)).params());
  if (isl_set_plain_is_universe(sizes.get()) == isl_bool_true) return {};
  if (const Expr any = oneWhere(toCondition(sizes, {}))) return any;
  const isl::set alone = isl::manage(
      isl_set_from_basic_set(isl_basic_set_drop_constraints_involving_dims(set.copy(), isl_dim_set, 0, dims)));
  return oneWhere(toCondition(alone.params(), {}));
}

/// The bounds of a dimension of a union; where no bound of a piece serves for all, the outermost of theirs.
std::pair<Expr, Expr> boundsOverPieces(const isl::set &tiles, const ScanBounds &hull,
                                       const std::vector<std::string> &names, std::size_t dim) {
  Expr low = lowest(hull.dims[dim]), high = highest(hull.dims[dim]);
  if (low && high) return {low, high};
  const isl::set all = isl::manage(isl_set_universe(isl_set_get_space(tiles.get())));
  const auto outermost = [](Op op, const Expr &a, const Expr &b) {
    return a && b ? Expr::make(op, Type::Int64, {a, b}) : Expr();
  };
  bool first = true;
  Expr least, most;
  for (const isl::basic_set &piece : parts(tiles)) {
    const isl::basic_set own = isl::manage(isl_set_simple_hull(isl_set_remove_divs(isl::set(piece).release())));
    const ScanBounds bounds = scan(own, symbolsOf(names), all);
    const Expr from = lowest(bounds.dims[dim]), to = highest(bounds.dims[dim]);
    least = first ? from : outermost(Op::Min, least, from);
    most = first ? to : outermost(Op::Max, most, to);
    first = false;
  }
  return {low ? low : least, high ? high : most};
}

} // namespace

void bindGrid(KernelFrame &frame, Kernel &kernel) {
  const KernelPlan &plan = frame.plan;
  std::vector<std::string> names;
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const std::string name = plainName(plan.rows[r]);
    RowAxis row;
    const bool padded = frame.padding && frame.padding->row == r;
    row.own = plan.tiles[r];
    row.axis.extent = padded ? frame.padding->rows : row.own;
    row.grid = frame.unique(row.axis.extent == 1 ? name : name + "_tile");
    const Expr grid = Expr::symbol(row.grid, Type::Int64);
    row.axis.base = row.own == 1 ? grid : Expr::integer(row.own) * grid;
    if (row.axis.extent > 1) row.axis.point = frame.unique(name);
    names.push_back(row.grid);
    frame.rows.push_back(row);
  }
  const isl::set tiles = plan.domain.apply(tileMap(frame.scop.context.get(), plan.tiles));
  const isl::set all = isl::manage(isl_set_universe(isl_set_get_space(tiles.get())));
  isl::basic_set hull = isl::manage(isl_set_simple_hull(isl_set_remove_divs(tiles.copy())));
  ScanBounds bounds = scan(hull, symbolsOf(names), all);
  if (frame.rectangular && !isBox(bounds, names)) {
    hull = boxAround(hull);
    bounds = scan(hull, symbolsOf(names), all);
  }
  for (std::size_t r = 0; r < names.size(); ++r) {
    const auto [low, high] = boundsOverPieces(tiles, bounds, names, r);
    kernel.grid.push_back({names[r], low, high, PointDim::Kind::Parallel});
  }
  const Expr any = names.empty() || frame.rectangular ? Expr() : oneWhereAny(hull);
  if (any) {
    PointDim &last = kernel.grid.back();
    last.limit = simplify(last.first + (last.limit - last.first) * any);
  }
  frame.known = asParameters(isl::set(any ? hull : boundsAlone(hull)), names);
  if (names.empty())
    kernel.grid.push_back({frame.unique("once"), Expr::integer(0), Expr::integer(1), PointDim::Kind::Parallel});
}

} // namespace polymend
