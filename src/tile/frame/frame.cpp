// Point loops are read off the domain with the tile coordinates as parameters: the set { points : base + point in the
// domain, 0 <= point < extent } is scanned in loop order, so a partial tile visits exactly its points.
#include "tile/frame.h"

#include "polymend/joined_by.h"
#include "tile/visit.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

namespace polymend {
namespace {

isl::map addParameter(isl::map map, const std::string &name, unsigned &position) {
  isl_map *raw = map.release();
  const int found = isl_map_find_dim_by_name(raw, isl_dim_param, name.c_str());
  if (found >= 0) {
    position = static_cast<unsigned>(found);
    return isl::manage(raw);
  }
  position = static_cast<unsigned>(isl_map_dim(raw, isl_dim_param));
  raw = isl_map_add_dims(raw, isl_dim_param, 1);
  return isl::manage(isl_map_set_dim_name(raw, isl_dim_param, position, name.c_str()));
}

/// Collects `e` as an affine form: variable -> coefficient, "" -> constant.
void linear(const Expr &e, std::int64_t factor, std::map<std::string, std::int64_t> &form) {
  switch (e.op()) {
  case Op::Integer: form[""] += factor * e->integer; break;
  case Op::Symbol: form[e->name] += factor; break;
  case Op::Add: linear(e.arg(0), factor, form), linear(e.arg(1), factor, form); break;
  case Op::Mul:
    if (e.arg(0).op() == Op::Integer)
      linear(e.arg(1), factor * e.arg(0)->integer, form);
    else
      linear(e.arg(0), factor * e.arg(1)->integer, form);
    break;
  default: break;
  }
}

/// Adds `dim = base + point` to { [dims] -> [points] }; point < 0: no point variable.
isl::map bind(isl::map map, unsigned dim, const Expr &base, int point) {
  std::map<std::string, std::int64_t> form;
  if (base) linear(base, 1, form);
  std::map<std::string, unsigned> positions;
  for (const auto &[name, factor] : form)
    if (!name.empty()) map = addParameter(map, name, positions[name]);
  isl_constraint *equal = isl_constraint_alloc_equality(isl_local_space_from_space(isl_map_get_space(map.get())));
  equal = isl_constraint_set_coefficient_si(equal, isl_dim_in, static_cast<int>(dim), -1);
  if (point >= 0) equal = isl_constraint_set_coefficient_si(equal, isl_dim_out, point, 1);
  for (const auto &[name, factor] : form) {
    if (name.empty())
      equal = isl_constraint_set_constant_si(equal, static_cast<int>(factor));
    else
      equal = isl_constraint_set_coefficient_si(equal, isl_dim_param, static_cast<int>(positions[name]),
                                                static_cast<int>(factor));
  }
  return isl::manage(isl_map_add_constraint(map.release(), equal));
}

} // namespace

Expr Axis::global() const {
  Expr index = local();
  if (!base) return index;
  return point.empty() ? base : simplify(base + index);
}

Expr Axis::local() const { return point.empty() ? Expr::integer(0) : Expr::symbol(point, Type::Int64); }

void KernelFrame::takeAtFirstRow() {
  const std::size_t row = padding->row;
  for (const Phase &phase : plan.phases)
    for (const Member &member : phase.members) {
      const Equation &e = equation(member.equation);
      for (std::size_t k = 0; k < e.operands.size(); ++k)
        if (takenAtFirstRow(e, member, e.operands[k], row, plan.tiles[row])) atFirstRow.emplace(member.equation, k);
    }
}

Expr RowAxis::isOwn() const {
  if (own == axis.extent || axis.point.empty()) return {};
  return Expr::make(Op::Lt, {axis.local(), Expr::integer(own)});
}

Expr KernelFrame::onOwnRows(const Expr &where) const {
  Expr result = where;
  for (const RowAxis &row : rows)
    if (const Expr own = row.isOwn()) result = result ? Expr::make(Op::And, {own, result}) : own;
  return result;
}

std::string KernelFrame::unique(const std::string &wanted) {
  std::string name = wanted;
  for (int n = 2; names.count(name); ++n) name = wanted + "_" + std::to_string(n);
  names.insert(name);
  return name;
}

std::string plainName(const std::string &dim) {
  const auto cut = dim.rfind('_');
  return cut == std::string::npos || cut == 0 ? dim : dim.substr(0, cut);
}

isl::set pointSet(const isl::set &domain, const Axes &axes, const std::vector<unsigned> &order) {
  isl_space *space = isl_space_add_dims(isl_space_from_domain(isl_set_get_space(domain.get())), isl_dim_out,
                                        static_cast<unsigned>(order.size()));
  isl::map map = isl::manage(isl_map_universe(space));
  for (unsigned d = 0; d < axes.size(); ++d) {
    int point = -1;
    for (std::size_t k = 0; k < order.size(); ++k)
      if (order[k] == d) point = static_cast<int>(k);
    const bool hidden = point < 0 && !axes[d].point.empty();
    if (!hidden) map = bind(map, d, axes[d].base, point);
    if (hidden) {
      const Axis &axis = axes[d];
      isl::map wide = isl::manage(isl_map_add_dims(map.release(), isl_dim_out, 1));
      const auto last = static_cast<unsigned>(isl_map_dim(wide.get(), isl_dim_out)) - 1;
      wide = bind(wide, d, axis.base, static_cast<int>(last));
      if (axis.extent > 0) {
        wide = isl::manage(isl_map_lower_bound_si(wide.release(), isl_dim_out, last, 0));
        wide =
            isl::manage(isl_map_upper_bound_si(wide.release(), isl_dim_out, last, static_cast<int>(axis.extent) - 1));
      }
      map = isl::manage(isl_map_project_out(wide.release(), isl_dim_out, last, 1));
    }
  }
  isl::set points = isl::manage(isl_set_apply(domain.copy(), map.release()));
  for (unsigned k = 0; k < order.size(); ++k) {
    if (axes[order[k]].extent == 0) continue;
    points = isl::manage(isl_set_lower_bound_si(points.release(), isl_dim_set, k, 0));
    points = isl::manage(
        isl_set_upper_bound_si(points.release(), isl_dim_set, k, static_cast<int>(axes[order[k]].extent) - 1));
  }
  return points.coalesce();
}

namespace {

/// Convex pieces of a set of points, and what is known outside, over the same parameters.
struct Pieces {
  std::vector<isl::basic_set> all;
  isl::set known;
};

Pieces piecesOf(const isl::set &points, const isl::set &known) {
  isl::set context = isl::manage(isl_set_align_params(known.copy(), isl_set_get_space(points.get())));
  const isl::set aligned = isl::manage(isl_set_align_params(points.copy(), isl_set_get_space(context.get())));
  const isl::set lifted = isl::manage(
      isl_set_intersect_params(isl_set_universe(isl_set_get_space(aligned.get())), isl_set_params(context.release())));
  return {parts(aligned), lifted};
}

std::vector<PointLoops> loopsOver(const Pieces &pieces, const Axes &axes, const std::vector<unsigned> &order) {
  DimNames names;
  for (unsigned d : order) names.push_back(axes[d].local());
  std::vector<PointLoops> result;
  for (const isl::basic_set &part : pieces.all) {
    const ScanBounds bounds = scan(part, names, pieces.known);
    PointLoops loops;
    for (std::size_t k = 0; k < order.size(); ++k) {
      Expr low = lowest(bounds.dims[k]), high = highest(bounds.dims[k]);
      loops.dims.push_back({axes[order[k]].point, low ? low : Expr::integer(0),
                            high ? high : Expr::integer(axes[order[k]].extent), PointDim::Kind::Parallel});
    }
    const auto isOnPoint = [&](const Expr &condition) {
      const std::set<std::string> names = symbols(condition);
      return std::any_of(order.begin(), order.end(), [&](unsigned d) { return names.contains(axes[d].point); });
    };
    // Bounds hold where the conditions on no point do: elsewhere they may lead out of a tile.
    for (const Expr &condition : joinedBy(Op::And, bounds.rest)) {
      Expr &all = isOnPoint(condition) ? loops.inside : loops.outside;
      all = all ? Expr::make(Op::And, {all, condition}) : condition;
    }
    result.push_back(loops);
  }
  return result;
}

/// Does no point of `a` lie behind one of `b` along the last dimension, where the others are the same?
bool comesFirst(const isl::basic_set &a, const isl::basic_set &b, const isl::set &known) {
  const auto last = static_cast<unsigned>(isl_basic_set_dim(a.get(), isl_dim_set)) - 1;
  isl_map *behind = isl_map_from_domain_and_range(isl::set(a).intersect(known).release(), isl::set(b).release());
  for (unsigned d = 0; d < last; ++d)
    behind = isl_map_equate(behind, isl_dim_in, static_cast<int>(d), isl_dim_out, static_cast<int>(d));
  behind = isl_map_order_gt(behind, isl_dim_in, static_cast<int>(last), isl_dim_out, static_cast<int>(last));
  return isl::manage(behind).is_empty();
}

/// The pieces one behind the other along the last dimension; absent: some lie between the points of others.
std::optional<Pieces> inOrder(Pieces pieces) {
  const auto end = pieces.all.end();
  for (auto next = pieces.all.begin(); next != end; ++next) {
    const auto first = std::find_if(next, end, [&](const isl::basic_set &one) {
      return std::all_of(next, end, [&](const isl::basic_set &other) {
        return &one == &other || comesFirst(one, other, pieces.known);
      });
    });
    if (first == end) return std::nullopt;
    std::rotate(next, first, first + 1);
  }
  return pieces;
}

} // namespace

std::vector<PointLoops> loopsOver(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order,
                                  const isl::set &known) {
  return loopsOver(piecesOf(points, known), axes, order);
}

namespace {

isl::set hullOf(const isl::set &points) {
  return isl::manage(isl_set_from_basic_set(isl_set_simple_hull(isl_set_remove_divs(points.copy()))));
}

/// What holds of the points of the hull that are points; what is left out may be shorter to say.
Expr conditionWithin(const isl::set &hull, const isl::set &points, const DimNames &names) {
  const isl::set left = hull.subtract(points).coalesce();
  if (isl_set_n_basic_set(left.get()) == 1) {
    const Expr without = simplify(toCondition(left.gist(hull), names));
    if (without.op() == Op::Eq) return Expr::make(Op::Ne, Type::Bool, {without.arg(0), without.arg(1)});
  }
  return toCondition(points.gist(hull).coalesce(), names);
}

/// One nest around all pieces, with a condition.
std::vector<PointLoops> withinHull(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order,
                                   const isl::set &known) {
  const isl::set hull = hullOf(points);
  std::vector<PointLoops> loops = loopsOver(hull, axes, order, known);
  DimNames names;
  for (unsigned d : order) names.push_back(axes[d].local());
  const Expr own = conditionWithin(hull, points, names);
  Expr &inside = loops.front().inside;
  inside = inside ? Expr::make(Op::And, {inside, own}) : own;
  return loops;
}

/// Is at most one point of each line along the last dimension left out between others?
bool leavesOutPoints(const isl::set &points, const isl::set &known) {
  const isl::set left = hullOf(points).subtract(points);
  const auto last = static_cast<unsigned>(isl_set_dim(left.get(), isl_dim_set)) - 1;
  isl_map *two =
      isl_map_from_domain_and_range(isl_set_intersect_params(left.copy(), isl_set_params(known.copy())), left.copy());
  for (unsigned d = 0; d < last; ++d)
    two = isl_map_equate(two, isl_dim_in, static_cast<int>(d), isl_dim_out, static_cast<int>(d));
  two = isl_map_order_lt(two, isl_dim_in, static_cast<int>(last), isl_dim_out, static_cast<int>(last));
  return isl::manage(two).is_empty();
}

} // namespace

std::vector<PointLoops> sortedLoops(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order,
                                    std::size_t parallel, const isl::set &known) {
  const Pieces pieces = piecesOf(points, known);
  if (pieces.all.size() < 2) return loopsOver(pieces, axes, order);
  if (order.size() == parallel + 1)
    if (const std::optional<Pieces> sorted = inOrder(pieces)) return loopsOver(*sorted, axes, order);
  return withinHull(points, axes, order, known);
}

std::vector<PointLoops> summedLoops(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order,
                                    const isl::set &known) {
  const Pieces pieces = piecesOf(points, known);
  const bool isOne = pieces.all.size() == 2 && leavesOutPoints(points, known);
  return isOne ? withinHull(points, axes, order, known) : loopsOver(pieces, axes, order);
}

PointLoops loopsInOrder(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order,
                        const isl::set &known) {
  const std::vector<PointLoops> pieces = loopsOver(points, axes, order, known);
  if (pieces.size() == 1) return pieces.front();
  PointLoops all;
  for (unsigned d : order) all.dims.push_back({axes[d].point, Expr::integer(0), Expr::integer(0)});
  for (std::size_t k = 0; k < order.size(); ++k)
    for (const PointLoops &piece : pieces) {
      const bool isFirst = &piece == &pieces.front();
      const auto with = [&](Op op, const Expr &sum, const Expr &bound) {
        return isFirst ? bound : simplify(Expr::make(op, Type::Int64, {sum, bound}));
      };
      all.dims[k].first = with(Op::Min, all.dims[k].first, piece.dims[k].first);
      all.dims[k].limit = with(Op::Max, all.dims[k].limit, piece.dims[k].limit);
    }
  DimNames names;
  for (unsigned d : order) names.push_back(axes[d].local());
  const isl::set context = isl::manage(isl_set_params(known.copy()));
  all.inside = simplify(toCondition(isl::manage(isl_set_gist_params(points.copy(), context.copy())), names));
  return all;
}

Axes given(Axes axes, const std::vector<unsigned> &dims) {
  for (unsigned d : dims)
    if (!axes[d].point.empty()) axes[d] = {"", axes[d].global(), 1};
  return axes;
}

isl::set asParameters(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order) {
  isl_set *raw = points.copy();
  const auto position = static_cast<unsigned>(isl_set_dim(raw, isl_dim_param));
  const auto count = static_cast<unsigned>(order.size());
  raw = isl_set_move_dims(raw, isl_dim_param, position, isl_dim_set, 0, count);
  for (unsigned k = 0; k < count; ++k)
    raw = isl_set_set_dim_name(raw, isl_dim_param, position + k, axes[order[k]].point.c_str());
  return isl::manage(isl_set_params(raw));
}

PointLoops boxOf(const Axes &axes, const std::vector<unsigned> &order) {
  PointLoops loops;
  for (unsigned d : order)
    loops.dims.push_back({axes[d].point, Expr::integer(0), Expr::integer(axes[d].extent), PointDim::Kind::Parallel});
  return loops;
}

TileBlock emitPoints(std::vector<PointLoops> loops, const std::vector<TileAssign> &body, std::size_t parallel,
                     bool reorder) {
  TileBlock block;
  if (body.empty()) return block;
  const bool sums =
      std::all_of(body.begin(), body.end(), [](const TileAssign &assign) { return assign.update != Update::Set; });
  for (PointLoops &part : loops) {
    TilePoints points;
    for (std::size_t k = 0; k < part.dims.size(); ++k) {
      if (k >= parallel) part.dims[k].kind = reorder && sums ? PointDim::Kind::Reduced : PointDim::Kind::Serial;
      points.dims.push_back(part.dims[k]);
    }
    for (TileAssign assign : body) {
      if (part.inside) assign.where = assign.where ? Expr::make(Op::And, {part.inside, assign.where}) : part.inside;
      points.body.push_back(assign);
    }
    TileBlock run;
    if (points.dims.empty())
      run.assign(points.body.begin(), points.body.end());
    else
      run.push_back(nodeOf(points));
    if (part.outside) run = {nodeOf(TileBranch{part.outside, run, {}})};
    block.insert(block.end(), run.begin(), run.end());
  }
  return block;
}

std::pair<Expr, Expr> boundsOf(const isl::set &line, const std::string &name) {
  const isl::basic_set hull = isl::manage(isl_set_simple_hull(isl_set_remove_divs(line.copy())));
  const ScanBounds bounds =
      scan(hull, {Expr::symbol(name, Type::Int64)}, isl::manage(isl_set_universe(isl_set_get_space(line.get()))));
  return {lowest(bounds.dims[0]), highest(bounds.dims[0])};
}

std::pair<Expr, Expr> outermostBounds(const isl::set &line, const std::string &name) {
  const auto [low, high] = boundsOf(line, name);
  if ((low && high) || isl_set_n_basic_set(line.get()) < 2) return {low, high};
  const auto outermost = [](Op op, const Expr &a, const Expr &b) {
    return a && b ? simplify(Expr::make(op, Type::Int64, {a, b})) : Expr();
  };
  bool isFirst = true;
  std::pair<Expr, Expr> around;
  for (const isl::basic_set &piece : parts(line)) {
    const auto [from, to] = boundsOf(isl::set(piece), name);
    around.first = isFirst ? from : outermost(Op::Min, around.first, from);
    around.second = isFirst ? to : outermost(Op::Max, around.second, to);
    isFirst = false;
  }
  return {low ? low : around.first, high ? high : around.second};
}

Expr keyExtent(const Equation &e, unsigned key) {
  const isl::set line = onlyDimension(e.keyDomain, key);
  const Expr own = boundsOf(line, "x").second;
  return own ? own : outermostBounds(line, "x").second; // where no piece's bound is that of all
}

std::string workName(const Equation &e) { return e.name + "_all"; }

namespace {

/// The least value of a key, where that may be negative; absent: it is not.
Expr firstBelowZero(const Equation &e, unsigned key) {
  const isl::set line = onlyDimension(e.keyDomain, key);
  if (isl::manage(isl_set_upper_bound_si(line.copy(), isl_dim_set, 0, -1)).is_empty()) return {};
  const Expr own = boundsOf(line, "x").first;
  return own ? own : outermostBounds(line, "x").first;
}

} // namespace

std::vector<Expr> workPlace(const Equation &e, std::vector<Expr> keys) {
  for (unsigned d = 0; d < keys.size() && d < e.keys; ++d)
    if (const Expr first = firstBelowZero(e, d)) keys[d] = simplify(keys[d] - first);
  return keys;
}

std::vector<Expr> workExtents(const Equation &e) {
  std::vector<Expr> extents;
  for (unsigned d = 0; d < e.keys; ++d) {
    const Expr extent = keyExtent(e, d), first = firstBelowZero(e, d);
    extents.push_back(first ? simplify(extent - first) : extent);
  }
  return extents;
}

} // namespace polymend
