// Element-wise results take the registers of the matrix that they are made from, where that matrix is not read again in
// the chunk: X[i, j] = f(Y[i, j]) becomes Y[i, j] = f(Y[i, j]). An accumulator that is both product and operand of the
// next step needs no second copy.
#include "tile/matrix.h"
#include "tile/touched.h"
#include "tile/visit.h"

#include <algorithm>
#include <set>

namespace polymend {
namespace {

bool writes(const TilePoints &points, const std::string &name) {
  return std::any_of(points.body.begin(), points.body.end(),
                     [&](const TileAssign &assign) { return assign.target.array == name; });
}

bool sameSubscripts(const std::vector<Expr> &a, const std::vector<Expr> &b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const Expr &x, const Expr &y) { return equal(x, y); });
}

/// In this body, is `made` set once, from the elements of `from` at the same place, which nothing reads afterwards?
bool replaces(const TileBlock &body, const std::string &made, const std::string &from) {
  int places = 0;
  bool after = false;
  for (const TileNode &node : body) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points) continue;
    if (after && reads(*points, from)) return false;
    if (after && writes(*points, from)) return false;
    if (!writes(*points, made)) continue;
    if (after && reads(*points, made)) continue; // changed in place
    const TileAssign &assign = points->body[0];
    const bool element = points->body.size() == 1 && assign.update == Update::Set && !assign.where &&
                         reads(*points, from) && !reads(*points, made) &&
                         std::all_of(points->dims.begin(), points->dims.end(),
                                     [](const PointDim &d) { return d.kind == PointDim::Kind::Parallel; });
    if (!element || ++places > 1) return false;
    bool same = true;
    visit(assign.value, [&](const Expr &e) {
      if (e.op() == Op::Read && e->name == from) same = same && sameSubscripts(e->args, assign.target.subscripts);
    });
    if (!same) return false;
    after = true;
  }
  return places == 1;
}

bool mentions(const TileBlock &body, const std::string &name) {
  return std::any_of(body.begin(), body.end(), [&](const TileNode &node) {
    const TilePoints *points = as<TilePoints>(node);
    return points && (reads(*points, name) || writes(*points, name));
  });
}

TileBlock renamed(const TileBlock &body, const std::string &from, const std::string &to) {
  const auto change = [&](const Expr &e) {
    return !e ? e : rewrite(e, [&](const Expr &node) {
      if (node.op() != Op::Read || node->name != from) return node;
      ExprNode read = *node;
      read.name = to;
      return Expr{read};
    });
  };
  TileBlock result;
  for (const TileNode &node : body) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points) {
      result.push_back(node);
      continue;
    }
    TilePoints copy = *points;
    for (TileAssign &assign : copy.body) {
      if (assign.target.array == from) assign.target.array = to;
      assign.value = change(assign.value);
      assign.where = change(assign.where);
    }
    result.push_back(nodeOf(copy));
  }
  return result;
}

bool sameShape(const TileArray &a, const TileArray &b) {
  return a.type == b.type && a.extents.size() == 2 && sameSubscripts(a.extents, b.extents);
}

} // namespace

Result<RectangularKernel> overlay(RectangularKernel kernel, const PassContext & /*context*/) {
  if (!kernel.loop) return kernel;
  for (std::size_t x = kernel.tiles.size(); x-- > 0;)
    for (std::size_t y = 0; y < kernel.tiles.size(); ++y) {
      const std::string made = kernel.tiles[x].name, from = kernel.tiles[y].name;
      const bool fits = x != y && sameShape(kernel.tiles[x], kernel.tiles[y]) && !mentions(kernel.before, made) &&
                        !mentions(kernel.after, made) && !mentions(kernel.before, from) &&
                        !mentions(kernel.after, from) && replaces(kernel.loop->full, made, from) &&
                        replaces(kernel.loop->masked, made, from);
      if (!fits) continue;
      kernel.loop->full = renamed(kernel.loop->full, made, from);
      kernel.loop->masked = renamed(kernel.loop->masked, made, from);
      kernel.tiles.erase(kernel.tiles.begin() + static_cast<std::ptrdiff_t>(x));
      break;
    }
  return kernel;
}

} // namespace polymend
