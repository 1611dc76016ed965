// Layouts are facts of the program: products fix those of their sums and factors, element-wise regions make the others
// follow, copies fix those of channels. Atoms of both families of units leave a group's sums in the same place.
#include "faults.h"

#include "polymend/atoms.h"
#include "polymend/contraction.h"
#include "polymend/machine.h"

#include "tile/conversions.h"
#include "tile/parts.h"
#include "tile/touched.h"
#include "tile/visit.h"

#include <algorithm>
#include <map>
#include <utility>

namespace polymend {
namespace {

class LayoutRules {
public:
  explicit LayoutRules(const Kernel &k) : kernel(k) {
    for (const TileArray &tile : kernel.tiles) tiles[tile.name] = &tile;
  }
  std::vector<std::string> run();

private:
  void require(bool holds, const std::string &what) {
    if (!holds) found.push_back(what);
  }
  [[nodiscard]] const TileArray *matrix(const std::string &name) const;
  [[nodiscard]] WarpShares sharesOf(const TileArray &tile) const {
    return {tile.extents[0]->integer / groupRows(atom), warpsN};
  }
  [[nodiscard]] TileLayout sums(const TileArray &tile) const {
    return sumsOf(atom, tile.extents[1]->integer, sharesOf(tile));
  }
  [[nodiscard]] TileLayout factor(const TileArray &tile) const {
    return leftOf(atom, tile.extents[1]->integer, sharesOf(tile));
  }
  void tile(const TileArray &tile);
  void product(const TilePoints &points);
  void region(const TilePoints &points);
  void combine(const std::string &name, bool inLoop);
  void block(const TileBlock &nodes, bool inLoop);

  const Kernel &kernel;
  std::map<std::string, const TileArray *> tiles;
  MatrixAtom atom;
  std::int64_t warpsN = 1;        // warps of a group side by side
  std::set<std::string> combined; // sums whose parts are together
  std::vector<std::string> found;
};

const TileArray *LayoutRules::matrix(const std::string &name) const {
  const auto at = tiles.find(name);
  return at != tiles.end() && at->second->space == Space::Fragment && at->second->extents.size() == 2 ? at->second
                                                                                                      : nullptr;
}

void LayoutRules::tile(const TileArray &tile) {
  const std::string name = "'" + tile.name + "'";
  if (tile.space != Space::Shared && tile.space != Space::Fragment)
    return require(!tile.layout, name + " is no tile of roles and has a layout");
  if (!tile.layout) return require(false, name + " has no layout, others have");
  if (tile.layout.axes.size() != tile.extents.size())
    return require(false, "the layout of " + name + " has not an axis for each extent");
  if (tile.space == Space::Shared) {
    const std::int64_t bytes = multipliedBytes(tile.type);
    require(bytes > 0 && tile.extents.size() == 2 &&
                tile.layout == channelLayout(tile.extents[0]->integer, tile.extents[1]->integer, bytes),
            "the channel " + name + " does not lie as copies fill it");
  } else if (tile.extents.size() == 2) {
    const std::int64_t turn = warpsN == 1 ? atom.columns : 2 * warpsN * atom.columns;
    require(tile.extents[1]->integer % turn == 0, "the columns of " + name + " cannot be shared out");
    require(tile.layout == sums(tile) || tile.layout == factor(tile),
            name + " lies neither as sums of products nor as their left factor");
  } else {
    require(warpsN == 1, "no warp has whole rows for " + name);
    const TileLayout whole = sumsOf(atom, atom.columns, {tile.extents[0]->integer / groupRows(atom), 1});
    require(tile.layout == sliced(whole, 1, false) || tile.layout == sliced(whole, 1, true),
            name + " does not lie as the rows of matrices");
  }
}

void LayoutRules::product(const TilePoints &points) {
  const auto parts = contractionOf(points, kernel.tiles);
  const TileArray *target = parts ? matrix(parts->target.array) : nullptr;
  if (!target) return require(false, "a product of no matrices has layouts");
  require(target->layout == sums(*target), "'" + target->name + "' does not lie as its products leave it");
  const TileArray *left = matrix(parts->a.array);
  if (left)
    require(termsOrder(atom, left->layout, left->extents[1]->integer, sharesOf(*left)).has_value(),
            "'" + left->name + "' does not lie as its product wants its left factor");
}

void LayoutRules::region(const TilePoints &points) {
  const TileArray *first = nullptr;
  const auto alike = [&](const std::string &name) {
    const TileArray *other = matrix(name);
    if (!other) return;
    if (!first) first = other;
    require((first->layout == sums(*first)) == (other->layout == sums(*other)),
            "'" + first->name + "' and '" + other->name + "' meet in a region and do not lie alike");
  };
  if (!movedBy(points, kernel.tiles)) {
    const Touched touched = touchedBy(points);
    for (const std::string &name : touched.writes) alike(name);
    for (const std::string &name : touched.reads) alike(name);
  }
  const auto open = [&](const std::string &name) {
    const auto at = tiles.find(name);
    return at != tiles.end() && !at->second->layout.parts.empty() && !combined.count(name);
  };
  for (const std::string &name : wholesRead(points))
    require(!open(name), "'" + name + "' is read before its parts are combined");
  for (const TileAssign &a : points.body)
    require(!open(a.target.array) || keepsParts(a), "'" + a.target.array + "' does not stay a sum of parts");
}

void LayoutRules::combine(const std::string &name, bool inLoop) {
  const auto at = tiles.find(name);
  require(at != tiles.end() && !at->second->layout.parts.empty(), "'" + name + "' has no parts to combine");
  require(!inLoop, "the parts of '" + name + "' are combined in a loop");
  require(combined.insert(name).second, "the parts of '" + name + "' are combined twice");
}

void LayoutRules::block(const TileBlock &nodes, bool inLoop) {
  for (const TileNode &node : nodes) {
    if (const TilePoints *points = as<TilePoints>(node)) region(*points);
    if (const auto *async = as<TileAsync>(node))
      if (async->kind == TileAsync::Kind::Contract) product(async->points);
    if (const auto *sync = as<TileSync>(node))
      if (sync->kind == TileSync::Kind::Combine) combine(sync->name, inLoop);
    if (const auto *loop = as<TileLoop>(node)) block(loop->body, true);
    if (const auto *branch = as<TileBranch>(node)) {
      const std::set<std::string> before = combined;
      block(branch->then, inLoop);
      const std::set<std::string> then = std::exchange(combined, before);
      block(branch->otherwise, inLoop);
      require(then == combined, "a branch combines parts on one side");
    }
  }
}

std::vector<std::string> LayoutRules::run() {
  const bool any = std::any_of(kernel.tiles.begin(), kernel.tiles.end(), [](const TileArray &t) { return t.layout; });
  atom = atomOf(kernel);
  for (const TileArray &tile : kernel.tiles)
    if (matrix(tile.name) && tile.layout) warpsN = std::max(warpsN, polymend::sharesOf(tile.layout).warpsN);
  if (any) {
    for (const TileArray &t : kernel.tiles) tile(t);
    if (!found.empty()) return found;
  }
  for (const TileRole &role : kernel.roles) {
    combined.clear();
    if (any) block(role.body, false);
  }
  return found;
}

} // namespace

std::vector<std::string> layoutFaults(const Kernel &kernel) { return LayoutRules(kernel).run(); }

} // namespace polymend
