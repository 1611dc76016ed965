// Products decide: what they add up lies as the units leave it, and element-wise regions keep it there, so that the
// matrices of a region lie alike and rows of values are slices of them. A left factor that comes from elsewhere lies
// as the units want it.
#include "layouts.h"

#include "polymend/contraction.h"

#include "tile/parts.h"
#include "tile/touched.h"
#include "tile/visit.h"

#include <algorithm>
#include <map>

namespace polymend {
namespace {

class LayoutMaker {
public:
  LayoutMaker(const Kernel &k, const MatrixAtom &a, std::int64_t warps, const std::set<std::string> &taken)
      : kernel(k), atom(a), warpsN(warps), names(taken) {
    for (const TileArray &tile : kernel.tiles) names.insert(tile.name);
  }
  Kernel run();

private:
  TileArray *tileOf(const std::string &name);
  [[nodiscard]] bool isMatrix(const std::string &name);
  [[nodiscard]] WarpShares sharesOf(const TileArray &tile) const {
    return {constant(tile.extents[0]) / groupRows(atom), warpsN};
  }
  void follow(const TilePoints &points);
  void placeMatrix(TileArray &tile);
  TileBlock converted(const TileBlock &block);
  TileBlock converted(const TileAsync &async);

  Kernel kernel;
  const MatrixAtom &atom;
  std::int64_t warpsN;
  std::set<std::string> names;
  std::set<std::string> sums;                 // matrices that lie as the sums of products do
  std::map<std::string, std::string> factors; // by left factors that no order of terms makes one: what they move to
  bool found = false;                         // another one of `sums`
};

TileArray *LayoutMaker::tileOf(const std::string &name) {
  const auto at =
      std::find_if(kernel.tiles.begin(), kernel.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == kernel.tiles.end() ? nullptr : &*at;
}

bool LayoutMaker::isMatrix(const std::string &name) {
  const TileArray *tile = tileOf(name);
  return tile && tile->space == Space::Fragment && tile->extents.size() == 2;
}

/// The matrices of a region all lie as sums if one does.
void LayoutMaker::follow(const TilePoints &points) {
  std::set<std::string> together;
  const auto note = [&](const std::string &name) {
    if (isMatrix(name)) together.insert(name);
  };
  const Touched touched = touchedBy(points);
  for (const std::string &name : touched.writes) note(name);
  for (const std::string &name : touched.reads) note(name);
  if (std::none_of(together.begin(), together.end(), [&](const std::string &name) { return sums.count(name) > 0; }))
    return;
  for (const std::string &name : together) found = sums.insert(name).second || found;
}

void LayoutMaker::placeMatrix(TileArray &tile) {
  const WarpShares shares = sharesOf(tile);
  const std::int64_t columns = constant(tile.extents[1]);
  tile.layout = sumsOf(atom, columns, shares);
  const bool factor = !sums.count(tile.name) && columns % atom.terms == 0;
  if (factor && !termsOrder(atom, tile.layout, columns, shares)) tile.layout = leftOf(atom, columns, shares);
}

/// A left factor that no order of terms makes one is moved to a matrix that lies as the units want it.
TileBlock LayoutMaker::converted(const TileAsync &async) {
  const auto parts = contractionOf(async.points, kernel.tiles);
  const TileArray *left = parts && isMatrix(parts->a.array) ? tileOf(parts->a.array) : nullptr;
  const std::int64_t terms = left ? constant(left->extents[1]) : 0;
  const WarpShares shares = left ? sharesOf(*left) : WarpShares();
  if (!left || termsOrder(atom, left->layout, terms, shares)) {
    return {nodeOf(async)};
  }
  const TileArray from = *left;
  if (!factors.count(from.name)) {
    TileArray factor = from;
    factor.name += "_factor";
    while (!names.insert(factor.name).second) factor.name += "_";
    factor.layout = leftOf(atom, terms, shares);
    factors[from.name] = factor.name;
    kernel.tiles.push_back(factor);
  }
  TilePoints move;
  for (const PointDim &d : async.points.dims)
    for (const Expr &at : parts->a.subscripts)
      if (at.op() == Op::Symbol && at->name == d.variable)
        move.dims.push_back({d.variable, d.first, d.limit, PointDim::Kind::Parallel});
  move.body = {{{factors[from.name], parts->a.subscripts},
                Update::Set,
                Expr::read(from.name, parts->a.subscripts, from.type),
                {}}};
  TileAsync product = async;
  product.points.body[0].value = rewrite(product.points.body[0].value, [&](const Expr &node) {
    const bool read = node.op() == Op::Read && node->name == from.name;
    return read ? Expr::read(factors[from.name], node->args, node.type()) : node;
  });
  return {nodeOf(move), nodeOf(product)};
}

TileBlock LayoutMaker::converted(const TileBlock &block) {
  return rebuild(block, [&](const TileNode &node) {
    const auto *async = as<TileAsync>(node);
    return async ? converted(*async) : TileBlock{node};
  });
}

Kernel LayoutMaker::run() {
  for (const TileRole &role : kernel.roles)
    each<TileAsync>(role.body, [&](const TileAsync &async) {
      if (async.kind == TileAsync::Kind::Contract) sums.insert(async.points.body[0].target.array);
    });
  do {
    found = false;
    for (const TileRole &role : kernel.roles)
      each<TilePoints>(role.body, [&](const TilePoints &points) { follow(points); });
  } while (found);
  const std::set<std::string> inParts = sumsInParts(kernel);
  for (TileArray &tile : kernel.tiles) {
    if (tile.space == Space::Shared)
      tile.layout = channelLayout(constant(tile.extents[0]), constant(tile.extents[1]), multipliedBytes(tile.type));
    else if (tile.extents.size() == 2)
      placeMatrix(tile);
    else
      tile.layout = sliced(sumsOf(atom, 2 * warpsN * atom.columns, sharesOf(tile)), 1, inParts.count(tile.name) > 0);
  }
  for (TileRole &role : kernel.roles) role.body = converted(role.body);
  return kernel;
}

} // namespace

Kernel withLayouts(const Kernel &kernel, const MatrixAtom &atom, std::int64_t warpsN,
                   const std::set<std::string> &names) {
  return LayoutMaker(kernel, atom, warpsN, names).run();
}

Kernel layOut(Kernel kernel, const RoleContext &context) {
  return withPartsCombined(withLayouts(kernel, context.units.atom, context.warpsN, context.names));
}

Kernel withPartsCombined(const Kernel &kernel) {
  std::set<std::string> sums;
  for (const TileArray &tile : kernel.tiles)
    if (!tile.layout.parts.empty()) sums.insert(tile.name);
  return combineParts(kernel, sums);
}

} // namespace polymend
