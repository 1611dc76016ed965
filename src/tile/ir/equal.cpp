// Structural equality of tile programs: expressions by value, shared nodes by content.
#include "tile/equal.h"

#include <algorithm>

namespace polymend {

namespace {

bool same(const Expr &a, const Expr &b) { return equal(a, b); }
bool same(const TileNode &a, const TileNode &b);
bool same(const PointDim &a, const PointDim &b);
bool same(const TileArray &a, const TileArray &b);
bool same(const TileAssign &a, const TileAssign &b);
bool same(const Kernel &a, const Kernel &b);
bool same(const TileRole &a, const TileRole &b);
bool same(const std::pair<std::string, Expr> &a, const std::pair<std::string, Expr> &b);

template <class T> bool same(const std::vector<T> &a, const std::vector<T> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T &x, const T &y) { return same(x, y); });
}

bool same(const TileArray &a, const TileArray &b) {
  return a.name == b.name && a.type == b.type && same(a.extents, b.extents) && same(a.used, b.used) &&
         a.space == b.space && a.flat == b.flat && a.written == b.written && a.ring == b.ring && a.layout == b.layout;
}

bool same(const PointDim &a, const PointDim &b) {
  return a.variable == b.variable && same(a.first, b.first) && same(a.limit, b.limit) && a.kind == b.kind;
}

bool same(const TileAssign &a, const TileAssign &b) {
  return a.target.array == b.target.array && same(a.target.subscripts, b.target.subscripts) && a.update == b.update &&
         same(a.value, b.value) && same(a.where, b.where);
}

bool same(const TileNote &a, const TileNote &b) { return a.text == b.text; }

bool same(const TileLoop &a, const TileLoop &b) {
  return a.variable == b.variable && same(a.first, b.first) && same(a.limit, b.limit) && a.step == b.step &&
         a.kind == b.kind && same(a.body, b.body);
}

bool same(const TileBranch &a, const TileBranch &b) {
  return same(a.condition, b.condition) && same(a.then, b.then) && same(a.otherwise, b.otherwise);
}

bool same(const TilePoints &a, const TilePoints &b) { return same(a.dims, b.dims) && same(a.body, b.body); }

bool same(const TileAsync &a, const TileAsync &b) {
  return a.kind == b.kind && a.name == b.name && same(a.points, b.points);
}

bool same(const TileSync &a, const TileSync &b) { return a.kind == b.kind && a.name == b.name; }

template <class T> bool same(const std::shared_ptr<const T> &a, const std::shared_ptr<const T> &b) {
  return a == b || (a && b && same(*a, *b));
}

bool same(const TileNode &a, const TileNode &b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto &x) {
        using T = std::decay_t<decltype(x)>;
        return same(x, std::get<T>(b));
      },
      a);
}

bool same(const TileRole &a, const TileRole &b) {
  return a.name == b.name && a.groups == b.groups && a.registers == b.registers && same(a.body, b.body);
}

bool same(const std::pair<std::string, Expr> &a, const std::pair<std::string, Expr> &b) {
  return a.first == b.first && same(a.second, b.second);
}

bool same(const TicketRuns &a, const TicketRuns &b) {
  return a.run == b.run && a.tile == b.tile && same(a.count, b.count) && same(a.length, b.length);
}

bool same(const TicketOrder &a, const TicketOrder &b) {
  return a.ticket == b.ticket && same(a.lets, b.lets) && same(a.count, b.count) && same(a.at, b.at) &&
         a.runs.has_value() == b.runs.has_value() && (!a.runs || same(*a.runs, *b.runs));
}

bool same(const Kernel &a, const Kernel &b) {
  return a.name == b.name && same(a.grid, b.grid) && same(a.tiles, b.tiles) && same(a.body, b.body) &&
         same(a.roles, b.roles) && same(a.lets, b.lets) && a.order.has_value() == b.order.has_value() &&
         (!a.order || same(*a.order, *b.order)) && same(a.when, b.when) && a.fallback == b.fallback && a.atom == b.atom;
}

} // namespace

bool equal(const std::vector<PointDim> &a, const std::vector<PointDim> &b) { return same(a, b); }

bool equal(const TileBlock &a, const TileBlock &b) { return same(a, b); }

bool equal(const TileProgram &a, const TileProgram &b) {
  return a.function == b.function && a.sizes == b.sizes && a.scalars == b.scalars && same(a.arrays, b.arrays) &&
         same(a.given, b.given) && same(a.kernels, b.kernels) && a.returns == b.returns;
}

} // namespace polymend
