// The online rescale: states of mended members follow their pivots.
#pragma once

#include "hoist.h"
#include "pivots.h"

namespace polymend {

/// What the places of a phase at which states are mended share: the tiles for factors, inverses and values that wait.
class OnlineRescale {
public:
  OnlineRescale(const MendedStates &mended, BlindRows &blindRows) : states(mended), blind(blindRows) {}

  /// In a chunk: the pivots move, the state is mended, the chunk's elements are taken in.
  Emitted step(const PhaseContext &context, const Seated &seated, Hoisting &hoisting);
  /// After the loops: the state at the final pivots becomes the result.
  TileBlock end(const PhaseContext &context, const Seated &seated);

private:
  const MendedStates &states;
  BlindRows &blind;
  std::map<std::string, std::string> freshTiles;
  std::map<std::pair<int, std::size_t>, std::string> inverseTiles;
  std::vector<std::pair<Expr, std::string>> factorTiles; // entries held since the pivots last moved
  std::vector<std::pair<std::string, Type>> factorPool;  // tiles for such entries

  Emitted moveAndMend(const PhaseContext &context, const Seated &seated, bool last);
  TileBlock mendStates(const PhaseContext &context, const Seated &seated, bool last);
  std::string freshTile(const PhaseContext &context, const Seated &seated, const std::string &tile, Type type);
  std::string factorName(const PhaseContext &context, const Seated &seated, Type type);
  std::string factorTile(const PhaseContext &context, const Seated &seated, const Expr &entry, const Expr &moved,
                         std::vector<TileAssign> &factors);
  Expr byInverse(const PhaseContext &context, const Seated &seated, const Expr &element,
                 const std::map<std::string, Expr> &bound, TileBlock &block);
  std::string inverseTile(const PhaseContext &context, const Seated &seated, std::size_t k, Type type);
};

/// The comment that explains a mend.
std::string explain(const PhaseContext &context, const Seated &seated);

} // namespace polymend
