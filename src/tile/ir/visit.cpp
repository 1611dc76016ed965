// The walks over blocks; note that a node keeps its place in memory as long as its block does.
#include "tile/visit.h"

#include <algorithm>

namespace polymend {

bool allNodes(const TileBlock &block, const std::function<bool(const TileNode &)> &f) {
  return std::all_of(block.begin(), block.end(), [&](const TileNode &node) {
    if (!f(node)) return false;
    if (const auto *loop = as<TileLoop>(node)) return allNodes(loop->body, f);
    if (const auto *branch = as<TileBranch>(node)) return allNodes(branch->then, f) && allNodes(branch->otherwise, f);
    return true;
  });
}

bool runsOnThreads(const Kernel &kernel) {
  const auto isShared = [](const TileLoop &loop) { return loop.kind == TileLoop::Kind::Shared; };
  return !kernel.grid.empty() || !kernel.roles.empty() || any<TileLoop>(kernel.body, isShared);
}

void eachAssign(const TileBlock &block, const std::function<void(const TileAssign &)> &f) {
  allNodes(block, [&](const TileNode &node) {
    if (const auto *assign = as<TileAssign>(node)) f(*assign);
    if (const TilePoints *points = pointsOf(node)) std::for_each(points->body.begin(), points->body.end(), f);
    return true;
  });
}

void eachAssign(const Kernel &kernel, const std::function<void(const TileAssign &)> &f) {
  eachAssign(kernel.body, f);
  for (const TileRole &role : kernel.roles) eachAssign(role.body, f);
}

namespace {

template <class Tree> SourceRange placeIn(const Tree &tree, const std::string &array) {
  SourceRange place;
  eachAssign(tree, [&](const TileAssign &assign) {
    const bool isAbout = array.empty() || assign.target.array == array || reads(assign.value, array);
    if (isAbout && !place.valid()) place = placeOf(assign.value);
  });
  return place;
}

} // namespace

SourceRange placeOf(const TileBlock &block, const std::string &array) { return placeIn(block, array); }

SourceRange placeOf(const Kernel &kernel, const std::string &array) { return placeIn(kernel, array); }

namespace {

void eachExpr(const TileAssign &assign, const std::function<void(const Expr &)> &f) {
  std::for_each(assign.target.subscripts.begin(), assign.target.subscripts.end(), f);
  f(assign.value);
  if (assign.where) f(assign.where);
}

} // namespace

void eachExpr(const TileNode &node, const std::function<void(const Expr &)> &f) {
  if (const auto *assign = as<TileAssign>(node)) eachExpr(*assign, f);
  if (const auto *branch = as<TileBranch>(node)) f(branch->condition);
  if (const auto *loop = as<TileLoop>(node)) {
    f(loop->first);
    f(loop->limit);
  }
  if (const TilePoints *points = pointsOf(node)) {
    for (const PointDim &d : points->dims) {
      f(d.first);
      f(d.limit);
    }
    for (const TileAssign &assign : points->body) eachExpr(assign, f);
  }
}

TileBlock rebuild(const TileBlock &block, const std::function<TileBlock(const TileNode &)> &f) {
  TileBlock result;
  for (const TileNode &node : block) {
    if (const auto *loop = as<TileLoop>(node)) {
      TileLoop copy = *loop;
      copy.body = rebuild(copy.body, f);
      append(result, f(nodeOf(std::move(copy))));
    } else if (const auto *branch = as<TileBranch>(node)) {
      append(result, f(nodeOf(TileBranch{branch->condition, rebuild(branch->then, f), rebuild(branch->otherwise, f)})));
    } else {
      append(result, f(node));
    }
  }
  return result;
}

TileBlock rewrite(const TileBlock &block, const std::function<TileAssign(const TileAssign &)> &f) {
  const auto changed = [&](TilePoints points) {
    std::transform(points.body.begin(), points.body.end(), points.body.begin(), f);
    return points;
  };
  return rebuild(block, [&](const TileNode &node) -> TileBlock {
    if (const auto *assign = as<TileAssign>(node)) return {f(*assign)};
    if (const auto *points = as<TilePoints>(node)) return {nodeOf(changed(*points))};
    if (const auto *async = as<TileAsync>(node)) {
      TileAsync copy = *async;
      copy.points = changed(copy.points);
      return {nodeOf(std::move(copy))};
    }
    return {node};
  });
}

TileBlock rewriteExprs(const TileBlock &block, const std::function<Expr(const Expr &)> &f) {
  const auto all = [&](std::vector<Expr> list) {
    std::transform(list.begin(), list.end(), list.begin(), f);
    return list;
  };
  const auto assigned = [&](const TileAssign &a) {
    return TileAssign{{a.target.array, all(a.target.subscripts)}, a.update, f(a.value), a.where ? f(a.where) : a.where};
  };
  const auto replaced = [&](TilePoints points) {
    for (PointDim &d : points.dims) d = {d.variable, f(d.first), f(d.limit), d.kind};
    std::transform(points.body.begin(), points.body.end(), points.body.begin(), assigned);
    return points;
  };
  return rebuild(block, [&](const TileNode &node) -> TileBlock {
    if (const auto *assign = as<TileAssign>(node)) return {assigned(*assign)};
    if (const auto *points = as<TilePoints>(node)) return {nodeOf(replaced(*points))};
    if (const auto *async = as<TileAsync>(node))
      return {nodeOf(TileAsync{async->kind, async->name, replaced(async->points)})};
    if (const auto *branch = as<TileBranch>(node))
      return {nodeOf(TileBranch{f(branch->condition), branch->then, branch->otherwise})};
    if (const auto *loop = as<TileLoop>(node))
      return {nodeOf(TileLoop{loop->variable, f(loop->first), f(loop->limit), loop->step, loop->kind, loop->body})};
    return {node};
  });
}

Kernel rewrite(const Kernel &kernel, const std::function<TileAssign(const TileAssign &)> &f) {
  Kernel result = kernel;
  result.body = rewrite(kernel.body, f);
  for (TileRole &role : result.roles) role.body = rewrite(role.body, f);
  return result;
}

} // namespace polymend
