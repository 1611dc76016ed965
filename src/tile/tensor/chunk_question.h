// What both ways to tell the kinds of chunks need.
#pragma once

#include "chunk_kinds.h"

namespace polymend {

inline std::string freshName(std::set<std::string> &names, std::string wanted) {
  while (!names.insert(wanted).second) wanted += "_";
  return wanted;
}

/// An array in memory with an element for each point of these dimensions, which begin at zero.
TileArray elementFor(const std::vector<PointDim> &dims, const std::string &name, Type type);
/// The subscripts of the element for a point.
std::vector<Expr> variablesOf(const std::vector<PointDim> &dims);
/// A tile of one element.
TileArray scalarTile(const std::string &name, Type type);

/// An array in memory of the kind of each chunk at each grid point.
TileArray kindsFor(const ChunkQuestion &question);

/// Does the chunk begin in a range of the loop?
Expr beginsWithin(const ChunkQuestion &question, const Expr &first, const Expr &limit);
/// The kind of a chunk that has points, where none takes part or all do.
Expr kindWhere(const ChunkQuestion &question, const Expr &never, const Expr &always);

} // namespace polymend
