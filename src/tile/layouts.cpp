// Products decide: what they add up lies as the units leave it, and element-wise regions keep it there, so that the
// matrices of a region lie alike and rows of values are slices of them. A left factor that comes from elsewhere lies
// as the units want it.
#include "tile/layouts.h"

#include "polymend/contraction.h"

#include "tile/block.h"
#include "tile/parts.h"
#include "tile/touched.h"

#include <algorithm>
#include <map>

namespace polymend {
namespace {

constexpr std::int64_t groupRows = 64;

std::int64_t constant(const Expr &e) { return e && e.op() == Op::Integer ? e->integer : 0; }

class LayoutMaker {
public:
  LayoutMaker(const Kernel &k, const MatrixAtom &a, std::int64_t warpsBeside, const std::set<std::string> &taken)
      : kernel(k), atom(a), beside(warpsBeside), names(taken) {
    for (const TileArray &tile : kernel.tiles) names.insert(tile.name);
  }
  Kernel run();

private:
  TileArray *tileOf(const std::string &name);
  [[nodiscard]] bool isMatrix(const std::string &name);
  [[nodiscard]] WarpShares sharesOf(const TileArray &tile) const {
    return {constant(tile.extents[0]) / groupRows, beside};
  }
  void follow(const TilePoints &points);
  void placeMatrix(TileArray &tile);
  TileBlock converted(const TileBlock &block);
  void convert(const std::shared_ptr<const TileAsync> &async, TileBlock &result);

  Kernel kernel;
  const MatrixAtom &atom;
  std::int64_t beside;
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
void LayoutMaker::convert(const std::shared_ptr<const TileAsync> &async, TileBlock &result) {
  const auto parts = contractionOf(async->points, kernel.tiles);
  const TileArray *left = parts && isMatrix(parts->a.array) ? tileOf(parts->a.array) : nullptr;
  const std::int64_t terms = left ? constant(left->extents[1]) : 0;
  const WarpShares shares = left ? sharesOf(*left) : WarpShares();
  if (!left || termsOrder(atom, left->layout, terms, shares)) {
    result.push_back(async);
    return;
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
  for (const PointDim &d : async->points.dims)
    for (const Expr &at : parts->a.subscripts)
      if (at.op() == Op::Symbol && at->name == d.variable)
        move.dims.push_back({d.variable, d.first, d.limit, PointDim::Kind::Parallel});
  move.body = {{{factors[from.name], parts->a.subscripts},
                Update::Set,
                Expr::read(from.name, parts->a.subscripts, from.type),
                {}}};
  TileAsync product = *async;
  product.points.body[0].value = rewrite(product.points.body[0].value, [&](const Expr &node) {
    const bool read = node.op() == Op::Read && node->name == from.name;
    return read ? Expr::read(factors[from.name], node->args, node.type()) : node;
  });
  result.push_back(std::make_shared<const TilePoints>(move));
  result.push_back(std::make_shared<const TileAsync>(product));
}

TileBlock LayoutMaker::converted(const TileBlock &block) {
  TileBlock result;
  for (const TileNode &node : block) {
    if (const auto *l = std::get_if<std::shared_ptr<const TileLoop>>(&node)) {
      TileLoop loop = **l;
      loop.body = converted(loop.body);
      result.push_back(std::make_shared<const TileLoop>(loop));
    } else if (const auto *b = std::get_if<std::shared_ptr<const TileBranch>>(&node)) {
      result.push_back(std::make_shared<const TileBranch>(
          TileBranch{(*b)->condition, converted((*b)->then), converted((*b)->otherwise)}));
    } else if (const auto *a = std::get_if<std::shared_ptr<const TileAsync>>(&node)) {
      convert(*a, result);
    } else {
      result.push_back(node);
    }
  }
  return result;
}

Kernel LayoutMaker::run() {
  for (const TileRole &role : kernel.roles)
    eachLeaf(role.body, [&](const TileNode &node) {
      const auto *async = std::get_if<std::shared_ptr<const TileAsync>>(&node);
      const bool product = async && (*async)->kind == TileAsync::Kind::Contract;
      if (product) sums.insert((*async)->points.body[0].target.array);
    });
  do {
    found = false;
    for (const TileRole &role : kernel.roles)
      eachLeaf(role.body, [&](const TileNode &node) {
        if (const TilePoints *points = regionOf(node)) follow(*points);
      });
  } while (found);
  const std::set<std::string> inParts = sumsInParts(kernel);
  for (TileArray &tile : kernel.tiles) {
    if (tile.space == Space::Shared)
      tile.layout = channelLayout(constant(tile.extents[0]), constant(tile.extents[1]), multipliedBytes(tile.type));
    else if (tile.extents.size() == 2)
      placeMatrix(tile);
    else
      tile.layout = sliced(sumsOf(atom, 2 * beside * atom.columns, sharesOf(tile)), 1, inParts.count(tile.name) > 0);
  }
  for (TileRole &role : kernel.roles) role.body = converted(role.body);
  return combineParts(kernel, inParts);
}

} // namespace

Kernel withLayouts(const Kernel &kernel, const MatrixAtom &atom, std::int64_t beside,
                   const std::set<std::string> &names) {
  return LayoutMaker(kernel, atom, beside, names).run();
}

const TileArray *movedBy(const TilePoints &points, const std::vector<TileArray> &tiles) {
  if (points.body.size() != 1) return nullptr;
  const TileAssign &a = points.body[0];
  const auto matrix = [&](const std::string &name) -> const TileArray * {
    const auto at = std::find_if(tiles.begin(), tiles.end(), [&](const TileArray &t) { return t.name == name; });
    return at != tiles.end() && at->space == Space::Fragment && at->extents.size() == 2 ? &*at : nullptr;
  };
  const TileArray *to = matrix(a.target.array);
  const TileArray *from = a.value && a.value.op() == Op::Read ? matrix(a.value->name) : nullptr;
  const bool moves = from && to && from->type == to->type && a.update == Update::Set && !a.where &&
                     std::equal(a.value->args.begin(), a.value->args.end(), a.target.subscripts.begin(),
                                a.target.subscripts.end(), [](const Expr &x, const Expr &y) { return equal(x, y); });
  return moves ? from : nullptr;
}

std::vector<Converted> conversions(const Kernel &kernel) {
  std::vector<Converted> all;
  const auto tileOf = [&](const std::string &name) {
    return *std::find_if(kernel.tiles.begin(), kernel.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  };
  for (const TileRole &role : kernel.roles)
    eachLeaf(role.body, [&](const TileNode &node) {
      const auto *sync = std::get_if<TileSync>(&node);
      if (sync && sync->kind == TileSync::Kind::Combine) all.push_back({sync->name, sync->name, Conversion::Lanes});
      const TilePoints *points = regionOf(node);
      const TileArray *from = points ? movedBy(*points, kernel.tiles) : nullptr;
      if (!from) return;
      const TileArray to = tileOf(points->body[0].target.array);
      const Conversion how = conversion(from->layout, to.layout);
      if (how != Conversion::None) all.push_back({from->name, to.name, how});
    });
  return all;
}

} // namespace polymend
