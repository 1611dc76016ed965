// A sum's parts stay apart as long as each use is linear in the sum: (a + b) c = a c + b c. A branch that combines a
// sum combines it on both sides.
#include "tile/parts.h"
#include "tile/visit.h"

#include <algorithm>
#include <map>

namespace polymend {
namespace {

const TileArray *rowOf(const Kernel &kernel, const std::string &name) {
  const auto at = std::find_if(kernel.tiles.begin(), kernel.tiles.end(), [&](const TileArray &t) {
    return t.name == name && t.space == Space::Fragment && t.extents.size() == 1;
  });
  return at == kernel.tiles.end() ? nullptr : &*at;
}

/// Where sums are added to, and where they must be whole.
class Uses {
public:
  explicit Uses(const Kernel &k) : kernel(k) {}
  void look(const TileBlock &block, bool inside);
  [[nodiscard]] std::set<std::string> inParts() const;

private:
  void look(const TileAssign &a, bool overRow, bool inside);
  void needsWhole(const std::string &name, bool inside) { whole.try_emplace(name, inside ? 0 : place); }

  const Kernel &kernel;
  std::map<std::string, int> added; // last
  std::map<std::string, int> whole; // first; in a loop 0
  int place = 0;
};

void Uses::look(const TileAssign &a, bool overRow, bool inside) {
  const std::string &name = a.target.array;
  const TileArray *row = rowOf(kernel, name);
  if (row && isFloating(row->type) && a.update == Update::Sum && overRow) added[name] = place;
  if (row && (!keepsParts(a) || (a.update == Update::Sum && !overRow))) needsWhole(name, inside);
  for (const Expr &e : {a.value, a.where})
    if (e)
      visit(e, [&](const Expr &read) {
        if (read.op() == Op::Read && read->name != name) needsWhole(read->name, inside);
      });
}

void Uses::look(const TileBlock &block, bool inside) {
  for (const TileNode &node : block) {
    ++place;
    if (const auto *l = as<TileLoop>(node)) look(l->body, true);
    if (const auto *b = as<TileBranch>(node)) {
      look(b->then, inside);
      look(b->otherwise, inside);
    }
    if (const TilePoints *points = as<TilePoints>(node))
      for (const TileAssign &a : points->body) look(a, points->dims.size() == 2, inside);
  }
}

std::set<std::string> Uses::inParts() const {
  std::set<std::string> names;
  for (const auto &[name, last] : added)
    if (const auto first = whole.find(name); first == whole.end() || first->second > last) names.insert(name);
  return names;
}

/// The block with what is open combined where it is read; `open` becomes what is open at its end.
TileBlock combined(const TileBlock &block, std::set<std::string> &open) {
  TileBlock result;
  const auto combine = [](TileBlock &where, const std::string &name) {
    where.emplace_back(TileSync{TileSync::Kind::Combine, name});
  };
  for (const TileNode &node : block) {
    if (const auto *l = as<TileLoop>(node)) {
      TileLoop loop = *l;
      loop.body = combined(loop.body, open);
      result.push_back(nodeOf(loop));
      continue;
    }
    if (const auto *b = as<TileBranch>(node)) {
      TileBranch branch = *b;
      std::set<std::string> before = open, other = open;
      branch.then = combined(branch.then, open);
      branch.otherwise = combined(branch.otherwise, other);
      for (const std::string &name : before) {
        if (open.count(name) && !other.count(name)) combine(branch.then, name);
        if (!open.count(name) && other.count(name)) combine(branch.otherwise, name);
        if (!other.count(name)) open.erase(name);
      }
      result.push_back(nodeOf(branch));
      continue;
    }
    if (const TilePoints *points = as<TilePoints>(node))
      for (const std::string &name : wholesRead(*points))
        if (open.erase(name) > 0) combine(result, name);
    result.push_back(node);
  }
  return result;
}

} // namespace

bool keepsParts(const TileAssign &a) {
  const std::string &name = a.target.array;
  if (a.where && reads(a.where, name)) return false;
  if (a.update == Update::Sum) return !reads(a.value, name);
  if (a.update != Update::Set) return false;
  Expr value = a.value;
  if (value.op() == Op::Real) return value->real == 0;
  const auto isOwn = [&](const Expr &e) { return e.op() == Op::Read && e->name == name; };
  const auto isZero = [](const Expr &e) { return e.op() == Op::Real && e->real == 0; };
  if (value.op() == Op::Select) {
    const Expr &test = value.arg(0);
    const bool zeroTest = test.op() == Op::Eq && isOwn(test.arg(0)) && isZero(test.arg(1));
    if (!zeroTest || !isZero(value.arg(1))) return false;
    value = value.arg(2);
  }
  if (isOwn(value)) return true;
  if (value.op() != Op::Mul) return false;
  return (isOwn(value.arg(0)) && !reads(value.arg(1), name)) || (isOwn(value.arg(1)) && !reads(value.arg(0), name));
}

std::set<std::string> sumsInParts(const Kernel &kernel) {
  Uses uses(kernel);
  for (const TileRole &role : kernel.roles) uses.look(role.body, false);
  return uses.inParts();
}

std::set<std::string> wholesRead(const TilePoints &points) {
  std::set<std::string> names;
  for (const TileAssign &a : points.body) {
    std::set<std::string> own;
    for (const Expr &e : {a.value, a.where})
      if (e)
        visit(e, [&](const Expr &node) {
          if (node.op() == Op::Read) own.insert(node->name);
        });
    if (keepsParts(a)) own.erase(a.target.array);
    names.insert(own.begin(), own.end());
  }
  return names;
}

Kernel combineParts(const Kernel &kernel, const std::set<std::string> &sums) {
  Kernel result = kernel;
  for (TileRole &role : result.roles) {
    std::set<std::string> open = sums;
    role.body = combined(role.body, open);
  }
  return result;
}

} // namespace polymend
