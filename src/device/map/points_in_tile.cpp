// Marks lie along rows: a subscript is stride * v + x for a coordinate v of the grid and a row x of the tile, 0 <= x <
// stride, or v itself. A tile of the kernel with roles has the marks of whole tiles of the general kernel where its
// stride is a multiple of the other's in every dimension.
#include "device/points_in_tile.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {
namespace {

/// stride * coordinate + 0, ..., stride * coordinate + stride - 1.
struct Rows {
  std::string coordinate;
  std::int64_t stride = 1;
  bool operator==(const Rows &) const = default;
};

std::int64_t integerOr(const Expr &e, std::int64_t otherwise) { return e.op() == Op::Integer ? e->integer : otherwise; }

/// At least so many rows are not in [0, limit).
std::int64_t boundOf(const Expr &limit) {
  const Expr e = simplify(limit);
  if (e.op() != Op::Min) return integerOr(e, INT64_MAX);
  return std::min(boundOf(e.arg(0)), boundOf(e.arg(1)));
}

void termsOf(const Expr &e, std::vector<Expr> &terms) {
  if (e.op() != Op::Add) return terms.push_back(e);
  termsOf(e.arg(0), terms);
  termsOf(e.arg(1), terms);
}

bool isCoordinate(const Expr &e, const std::vector<PointDim> &grid) {
  return e.op() == Op::Symbol &&
         std::any_of(grid.begin(), grid.end(), [&](const PointDim &d) { return d.variable == e->name; });
}

/// The rows of a subscript, with what runs along them among the region's dimensions.
std::optional<Rows> rowsOf(const Expr &subscript, const std::vector<PointDim> &grid,
                           const std::vector<PointDim> &dims) {
  std::vector<Expr> terms;
  termsOf(simplify(subscript), terms);
  Rows rows;
  std::int64_t within = 1;
  for (const Expr &term : terms) {
    const bool scaled = term.op() == Op::Mul && term.arg(0).op() == Op::Integer;
    const Expr &variable = scaled ? term.arg(1) : term;
    const auto dim = std::find_if(dims.begin(), dims.end(), [&](const PointDim &d) {
      return !scaled && term.op() == Op::Symbol && d.variable == term->name;
    });
    if (isCoordinate(variable, grid) && rows.coordinate.empty()) {
      rows.coordinate = variable->name;
      rows.stride = scaled ? term.arg(0)->integer : 1;
    } else if (dim != dims.end() && within == 1 && integerOr(simplify(dim->first), -1) == 0) {
      within = boundOf(dim->limit);
    } else {
      return std::nullopt;
    }
  }
  if (rows.coordinate.empty() || rows.stride < 1 || within > rows.stride) return std::nullopt;
  return rows;
}

/// The dimensions as far as a condition lets them run.
std::vector<PointDim> narrowed(std::vector<PointDim> dims, const Expr &where) {
  if (!where) return dims;
  if (where.op() == Op::And) {
    for (const Expr &part : where->args) dims = narrowed(dims, part);
    return dims;
  }
  const bool below = where.op() == Op::Lt && where.arg(0).op() == Op::Symbol && where.arg(1).op() == Op::Integer;
  for (PointDim &d : dims)
    if (below && d.variable == where.arg(0)->name) d.limit = Expr::make(Op::Min, Type::Int64, {d.limit, where.arg(1)});
  return dims;
}

using Look = std::function<void(const TileAssign &, const std::vector<PointDim> &)>;

void eachAssign(const TileBlock &nodes, const Look &look) {
  for (const TileNode &node : nodes) {
    if (const auto *a = as<TileAssign>(node)) look(*a, {});
    if (const auto *l = as<TileLoop>(node)) eachAssign(l->body, look);
    if (const auto *b = as<TileBranch>(node)) {
      eachAssign(b->then, look);
      eachAssign(b->otherwise, look);
    }
    if (const auto *p = as<TilePoints>(node))
      for (const TileAssign &a : p->body) look(a, narrowed(p->dims, a.where));
  }
}

/// Where a kernel touches its marks; absent: at different places, or at some that are no rows.
class Marks {
public:
  explicit Marks(const Kernel &k) : kernel(k) {}
  void at(const std::vector<Expr> &subscripts, const std::vector<PointDim> &dims) {
    std::vector<Rows> here;
    for (const Expr &subscript : subscripts) {
      const std::optional<Rows> rows = rowsOf(subscript, kernel.grid, dims);
      if (rows) here.push_back(*rows);
    }
    clear = clear && here.size() == subscripts.size() && (found.empty() || found == here);
    found = here;
  }
  /// Per subscript; empty: none can be told.
  [[nodiscard]] std::vector<Rows> rows() const { return clear ? found : std::vector<Rows>(); }

private:
  const Kernel &kernel;
  std::vector<Rows> found;
  bool clear = true;
};

std::vector<Rows> written(const Kernel &roles) {
  Marks marks(roles);
  for (const TileRole &role : roles.roles)
    eachAssign(role.body, [&](const TileAssign &a, const std::vector<PointDim> &dims) {
      if (a.target.array == roles.fallback) marks.at(a.target.subscripts, dims);
    });
  return marks.rows();
}

std::vector<Rows> read(const Kernel &general) {
  Marks marks(general);
  eachAssign(general.body, [&](const TileAssign &a, const std::vector<PointDim> &dims) {
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read && e->name == general.fallback) marks.at(e->args, dims);
    });
  });
  return marks.rows();
}

const PointDim &dimOf(const Kernel &kernel, const std::string &variable) {
  return *std::find_if(kernel.grid.begin(), kernel.grid.end(),
                       [&](const PointDim &d) { return d.variable == variable; });
}

bool isOverSizes(const Expr &e, const std::vector<PointDim> &grid) {
  const std::set<std::string> used = symbols(e);
  return std::none_of(grid.begin(), grid.end(), [&](const PointDim &d) { return used.contains(d.variable); });
}

} // namespace

std::optional<std::vector<DevicePoints>> pointsInTile(const Kernel &roles, const Kernel &general) {
  if (roles.order && roles.order->runs) return std::nullopt; // nobody knows how many tickets a chain links
  const std::vector<Rows> tile = written(roles), point = read(general);
  if (point.empty() || tile.size() != point.size() || point.size() != general.grid.size() ||
      tile.size() != roles.grid.size())
    return std::nullopt;
  std::set<std::string> coordinates;
  for (const Rows &rows : tile) coordinates.insert(rows.coordinate);
  if (coordinates.size() != tile.size()) return std::nullopt;
  std::vector<DevicePoints> result;
  for (const PointDim &d : general.grid) {
    const auto at = std::find_if(point.begin(), point.end(), [&](const Rows &r) { return r.coordinate == d.variable; });
    if (at == point.end()) return std::nullopt;
    const Rows &rows = tile[static_cast<std::size_t>(at - point.begin())];
    const PointDim &own = dimOf(roles, rows.coordinate);
    if (rows.stride % at->stride != 0 || integerOr(simplify(d.first), -1) != 0 || !isOverSizes(d.limit, general.grid) ||
        integerOr(simplify(own.first), -1) != 0)
      return std::nullopt;
    const bool same = rows.stride == at->stride && equal(simplify(own.limit), simplify(d.limit));
    result.push_back({rows.coordinate, rows.stride / at->stride, same ? Expr() : d.limit});
  }
  return result;
}

} // namespace polymend::device_room
