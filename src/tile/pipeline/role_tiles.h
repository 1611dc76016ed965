// The tiles of a kernel on its way to roles: which of them are channels, filled by copies, and which stay in registers.
#pragma once

#include "tile/matrix.h"
#include "tile/touched.h"
#include "tile/visit.h"

namespace polymend {

struct RoleTiles {
  RoleTiles(const RectangularKernel &kernel, const MatrixUnits &target)
      : rectangular(kernel), units(target), tiles(kernel.tiles) {}

  const RectangularKernel &rectangular;
  const MatrixUnits &units;
  std::vector<TileArray> tiles;
  std::set<std::string> channels; // tiles that copies fill
  std::set<std::string> hoisted;  // of them, those that all chunks share

  [[nodiscard]] const TileArray *tileOf(const std::string &name) const;
  /// Is it a whole tile of the units' elements taken from one of the program's arrays?
  [[nodiscard]] bool isCopy(const TilePoints &points) const;
  /// Do data say for each row of a copied tile which row of its array it is?
  [[nodiscard]] bool isGathered(const TileAssign &copy) const;
  /// Such a copy in runs of rows that lie one behind the other, as quotients and remainders of its own rows tell.
  [[nodiscard]] TileAssign inRuns(const TileAssign &copy) const;
  /// The contraction that a region is, of elements that the units multiply into sums as they make them.
  [[nodiscard]] std::optional<Contraction> productOf(const TilePoints &points) const;
  /// Is the value known only where arrays are read?
  [[nodiscard]] bool endsAtData(const Expr &value) const;
  /// Contractions go on while their threads do.
  [[nodiscard]] bool isAsynchronous() const { return units.atom.asynchronous; }

  /// Sets the spaces of tiles. Refused: a copied tile that something else writes or reads otherwise.
  std::optional<Refusal> findChannels();
  /// Sets the rings of channels: as many slots as shared memory has room for, at most four; then two for what is copied
  /// once for a grid point, so that the next one's chunks need not wait for this one's end.
  std::optional<Refusal> sizeRings();
  /// Rows that data choose come in runs, and only those that the source reads.
  [[nodiscard]] std::optional<Refusal> checkGathered() const;
  /// Registers hold 16-bit elements to be rounded to, not to be computed with.
  [[nodiscard]] std::optional<Refusal> checkTypes() const;
  /// All fragments share their rows, and have at most one more dimension.
  [[nodiscard]] std::optional<Refusal> checkFragments() const;

private:
  [[nodiscard]] bool followsLoop(const TileAssign &copy) const;
  [[nodiscard]] std::string whyNotGathered(const TileAssign &copy) const;
  [[nodiscard]] bool readsElements(const TilePoints &points, const std::string &name) const;
};

} // namespace polymend
