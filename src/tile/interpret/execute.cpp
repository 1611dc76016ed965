// Every access is checked. Fresh arrays hold NaN, so that a value read before it is written shows in the result.
#include "execute.h"

#include <algorithm>
#include <limits>

namespace polymend::tile {

namespace {

constexpr std::int64_t largestArray = std::int64_t{1} << 31;

void box(const Kernel &k, std::size_t dim, GridPoint &point, std::vector<GridPoint> &all, Environment &env) {
  if (dim == k.grid.size()) return all.push_back(point);
  const PointDim &d = k.grid[dim];
  iterate(d.variable, d.first, d.limit, 1, env, [&] {
    point.push_back(env.integers[d.variable]);
    box(k, dim + 1, point, all, env);
    point.pop_back();
  });
}

std::vector<GridPoint> ticketed(const TicketOrder &order, Environment &env) {
  std::vector<GridPoint> all;
  const auto ofTile = [&] {
    iterate(order.ticket, Expr::integer(0), order.count, 1, env, [&] {
      GridPoint &point = all.emplace_back();
      for (const auto &[name, value] : order.lets) env.integers[name] = evaluate(value, env).integer();
      for (const Expr &e : order.at) point.push_back(evaluate(e, env).integer());
    });
  };
  if (order.runs)
    iterate(order.runs->run, Expr::integer(0), order.runs->count, 1, env,
            [&] { iterate(order.runs->tile, Expr::integer(0), order.runs->length, 1, env, ofTile); });
  else
    ofTile();
  for (const auto &[name, value] : order.lets) env.integers.erase(name);
  return all;
}

} // namespace

void assign(const TileAssign &a, Environment &env) {
  if (a.where && !lets(a.where, env)) return;
  const Number value = evaluate(a.value, env);
  double *target = locate(a.target.array, a.target.subscripts, env);
  if (!target) return;
  put(*target, env.arrays[a.target.array].shape->type, a.update, value);
}

std::int64_t shape(const TileArray &a, Elements &elements, Environment &env) {
  elements.shape = &a;
  std::int64_t count = 1;
  for (const Expr &extent : a.extents) {
    const std::int64_t value = extent ? std::max<std::int64_t>(evaluate(extent, env).integer(), 0) : -1;
    elements.extents.push_back(value);
    const auto d = elements.used.size();
    elements.used.push_back(a.used.empty() ? value : std::max<std::int64_t>(evaluate(a.used[d], env).integer(), 0));
    if (value > 0 && count > largestArray / value) env.fail("'" + a.name + "' is too large");
    if (!env.fault) count = value < 0 || count < 0 ? -1 : count * value;
  }
  return count;
}

void allocate(const TileArray &a, Storage &storage, Environment &env) {
  Elements elements;
  const std::int64_t count = shape(a, elements, env);
  if (count < 0) env.fail("'" + a.name + "' has no size");
  if (env.fault) return;
  const double fresh = isFloating(a.type) ? std::numeric_limits<double>::quiet_NaN() : 0;
  storage.emplace_back(static_cast<std::size_t>(count), fresh);
  elements.values = &storage.back();
  env.arrays[a.name] = elements;
}

std::vector<GridPoint> gridPoints(const Kernel &k, Environment &env) {
  std::vector<GridPoint> grid;
  GridPoint point;
  box(k, 0, point, grid, env);
  if (!k.order || env.fault) return grid;
  std::vector<GridPoint> visits = ticketed(*k.order, env), sorted = visits;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != grid) env.fail("kernel '" + k.name + "': the ticket order does not visit every grid point once");
  return visits;
}

void enter(const Kernel &k, const GridPoint &point, Environment &env) {
  for (std::size_t d = 0; d < point.size(); ++d) env.integers[k.grid[d].variable] = point[d];
  for (const auto &[name, value] : k.lets) env.integers[name] = evaluate(value, env).integer();
}

} // namespace polymend::tile
