// One way to look at what a block holds, and one to rebuild it: no other code takes nodes apart to find what is in
// them.
#pragma once

#include "polymend/tile.h"

#include <type_traits>

namespace polymend {

inline void append(TileBlock &block, const TileBlock &more) { block.insert(block.end(), more.begin(), more.end()); }

/// The node as a T, a kind of node; null: it is another.
template <class T> const T *as(const TileNode &node) {
  if constexpr (std::is_constructible_v<TileNode, T>) {
    return std::get_if<T>(&node);
  } else {
    const auto *shared = std::get_if<std::shared_ptr<const T>>(&node);
    return shared ? shared->get() : nullptr;
  }
}

/// A node of such content.
template <class T> TileNode nodeOf(T content) {
  if constexpr (std::is_constructible_v<TileNode, T>)
    return content;
  else
    return std::make_shared<const T>(std::move(content));
}

/// The points that a node runs, by threads or beside them; null: none.
inline const TilePoints *pointsOf(const TileNode &node) {
  if (const auto *async = as<TileAsync>(node)) return &async->points;
  return as<TilePoints>(node);
}

/// Calls `f` on the nodes of a block and on those in their loops and branches, in the order of the text, until it
/// returns false; false: it did.
bool allNodes(const TileBlock &block, const std::function<bool(const TileNode &)> &f);

/// Calls `f` on every T of a block, in loops and branches too, in the order of the text.
template <class T, class F> void each(const TileBlock &block, const F &f) {
  allNodes(block, [&](const TileNode &node) {
    if (const T *found = as<T>(node)) f(*found);
    return true;
  });
}

/// Does `test` hold of a T of a block, in loops and branches too?
template <class T, class F> bool any(const TileBlock &block, const F &test) {
  return !allNodes(block, [&](const TileNode &node) {
    const T *found = as<T>(node);
    return !found || !test(*found);
  });
}

/// Do threads share a kernel: the points of its grid, its roles, or the turns of a loop, as in a wavefront?
bool runsOnThreads(const Kernel &kernel);

/// Calls `f` on every assignment, those of points also, in the order of the text; of a kernel, in its body and roles.
void eachAssign(const TileBlock &block, const std::function<void(const TileAssign &)> &f);
void eachAssign(const Kernel &kernel, const std::function<void(const TileAssign &)> &f);

/// Calls `f` on every expression that a node has itself: bounds, a condition, and what its assignments subscript, read
/// and test.
void eachExpr(const TileNode &node, const std::function<void(const Expr &)> &f);

/// Where the source has what the assignments of the block compute into `array`, or read of it; of any where it is
/// empty.
SourceRange placeOf(const TileBlock &block, const std::string &array = "");
/// The same in the body and all roles.
SourceRange placeOf(const Kernel &kernel, const std::string &array = "");

/// Rebuilds a block from the inside: `f` sees each node with its loops' and branches' blocks rebuilt, and returns what
/// takes its place.
TileBlock rebuild(const TileBlock &block, const std::function<TileBlock(const TileNode &)> &f);
/// Rebuilds a block: `f` sees each assignment, those of points also, and returns it or a replacement.
TileBlock rewrite(const TileBlock &block, const std::function<TileAssign(const TileAssign &)> &f);
/// Rebuilds a block with every expression of its nodes (as eachExpr) replaced.
TileBlock rewriteExprs(const TileBlock &block, const std::function<Expr(const Expr &)> &f);
/// The body and every role.
Kernel rewrite(const Kernel &kernel, const std::function<TileAssign(const TileAssign &)> &f);

} // namespace polymend
