// An element belongs to a point of the grid when each of the grid's variables is one of its subscripts, the same one in
// every access: then no other point of the grid, nor any point of the first kernel that it has not waited for, meets
// it.
#include "arrivals.h"
#include "device/team_body.h"
#include "tile/variables.h"
#include "tile/visit.h"

#include <algorithm>
#include <map>
#include <set>

namespace polymend::device_room {

namespace {

constexpr std::int64_t mostArrivals = 1 << 30;

/// The subscripts of an array at which the grid's dimension stands alone, in all accesses seen so far.
class Owned {
public:
  explicit Owned(const std::vector<PointDim> &g) : grid(g) {}
  void look(const TileBlock &nodes);
  /// Whether the array's elements belong to points of the grid.
  [[nodiscard]] bool belongs(const std::string &array) const;

private:
  void look(const Expr &e);
  void note(const std::string &array, const std::vector<Expr> &subscripts);

  const std::vector<PointDim> &grid;
  std::map<std::string, std::vector<std::set<std::size_t>>> places;
};

bool isSingle(const PointDim &d) {
  const Expr length = simplify(d.limit - d.first);
  return length.op() == Op::Integer && length->integer == 1;
}

void Owned::note(const std::string &array, const std::vector<Expr> &subscripts) {
  std::vector<std::set<std::size_t>> now;
  for (const PointDim &d : grid) {
    std::set<std::size_t> at;
    for (std::size_t s = 0; s < subscripts.size(); ++s) {
      const Expr e = simplify(subscripts[s]);
      if (e.op() == Op::Symbol && e->name == d.variable) at.insert(s);
    }
    now.push_back(at);
  }
  const auto [known, isNew] = places.insert({array, now});
  for (std::size_t d = 0; !isNew && d < grid.size(); ++d)
    std::erase_if(known->second[d], [&](std::size_t s) { return !now[d].contains(s); });
}

void Owned::look(const Expr &e) {
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::Read) note(node->name, node->args);
  });
}

void Owned::look(const TileBlock &nodes) {
  allNodes(nodes, [&](const TileNode &node) {
    eachExpr(node, [&](const Expr &e) { look(e); });
    return true;
  });
  eachAssign(nodes, [&](const TileAssign &a) { note(a.target.array, a.target.subscripts); });
}

bool Owned::belongs(const std::string &array) const {
  const auto known = places.find(array);
  if (known == places.end()) return true;
  for (std::size_t d = 0; d < grid.size(); ++d)
    if (known->second[d].empty() && !isSingle(grid[d])) return false;
  return true;
}

/// The tiles of a kernel, which each of its points has for itself.
std::set<std::string> tilesOf(const Kernel &kernel) {
  std::set<std::string> names;
  for (const TileArray &a : kernel.tiles) names.insert(a.name);
  return names;
}

/// The number of points of the dimensions from `from`, where it is a constant and at least one.
std::optional<std::int64_t> pointsFrom(const std::vector<PointDim> &grid, std::size_t from) {
  std::int64_t count = 1;
  for (std::size_t d = from; d < grid.size(); ++d) {
    const Expr first = simplify(grid[d].first), limit = simplify(grid[d].limit);
    if (first.op() != Op::Integer || limit.op() != Op::Integer || limit->integer <= first->integer) return std::nullopt;
    if (__builtin_mul_overflow(count, limit->integer - first->integer, &count) || count > mostArrivals)
      return std::nullopt;
  }
  return count;
}

/// Whether both bodies can stand in one scope: a name is a tile of both, of one type, or of none that the other uses;
/// it is no variable of the other.
bool shareScope(const Kernel &a, const Kernel &b) {
  std::set<std::string> used = usedIn(b.body);
  const std::set<std::string> own = tilesOf(b);
  used.merge(variablesOf(b));
  return std::all_of(a.tiles.begin(), a.tiles.end(), [&](const TileArray &tile) {
    if (!own.contains(tile.name)) return !used.contains(tile.name);
    return std::any_of(b.tiles.begin(), b.tiles.end(), [&](const TileArray &other) {
      return other.name == tile.name && other.type == tile.type && other.extents.empty() && tile.extents.empty();
    });
  });
}

bool isPlain(const Kernel &kernel) { return kernel.roles.empty() && !kernel.order && kernel.fallback.empty(); }

} // namespace

std::optional<std::int64_t> arrivalsFor(const Kernel &parts, const Kernel &next) {
  const std::size_t shared = next.grid.size();
  if (!isPlain(parts) || !isPlain(next) || shared == 0 || shared >= parts.grid.size()) return std::nullopt;
  if (!shareScope(parts, next) || !shareScope(next, parts)) return std::nullopt;
  for (std::size_t d = 0; d < shared; ++d) {
    const PointDim &a = parts.grid[d], &b = next.grid[d];
    if (a.variable != b.variable || !equal(simplify(a.first), simplify(b.first)) ||
        !equal(simplify(a.limit), simplify(b.limit)))
      return std::nullopt;
  }
  Owned owned(next.grid);
  owned.look(parts.body);
  owned.look(next.body);
  std::set<std::string> written = writtenIn(parts.body), own = tilesOf(parts);
  const std::set<std::string> first = usedIn(parts.body), second = usedIn(next.body);
  written.merge(writtenIn(next.body));
  own.merge(tilesOf(next));
  for (const std::string &array : written)
    if (!own.contains(array) && first.contains(array) && second.contains(array) && !owned.belongs(array))
      return std::nullopt;
  return pointsFrom(parts.grid, shared);
}

} // namespace polymend::device_room
