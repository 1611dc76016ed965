// Kernels for matrix units: a rectangular kernel whose products are contractions of copied tiles, split into a role
// that copies tiles and a role that computes on them.
#pragma once

#include "polymend/contraction.h"
#include "polymend/machine.h"

#include "tile/padding.h"
#include "tile/phase.h"

#include <map>

namespace polymend {

/// Bytes of a slot for a copied tile: panels of rows of 128 bytes.
constexpr std::int64_t slotBytes(std::int64_t rows, std::int64_t columns, std::int64_t elementBytes) {
  constexpr std::int64_t row = 128;
  return rows * ((columns * elementBytes + row - 1) / row * row);
}

/// Elements begin + x of a dimension that data bound: for 0 <= x < count they are those of a grid point's run of rows,
/// of which `row` is the first of a tile of so many. Elements up to `end` exist where those of all runs are read.
struct RunElements {
  std::string begin, count; // names of the kernel's lets
  Expr row, end;
  std::int64_t rows = 1;
};

/// A kernel as boxes, before it has roles.
struct RectangularKernel {
  std::string name;
  std::vector<PointDim> grid;
  std::vector<std::pair<std::string, Expr>> lets; // as in Kernel
  std::vector<TileArray> tiles;
  TileBlock before;
  std::optional<ChunkLoop> loop;
  TileBlock after;
  std::string rowTile;                // the grid variable whose tiles are divided among warp groups
  std::set<std::string> names = {};   // taken by the program and the kernel
  std::int64_t warpsN = 1;            // warps of a group beside each other, as in WarpShares
  std::vector<RunElements> runs = {}; // of arrays whose extents nobody knows
  std::set<std::string> natural = {}; // arrays no element of which is below zero
};

/// The value in terms of what is known before names are given at a grid point.
Expr withoutLets(Expr value, const std::vector<std::pair<std::string, Expr>> &lets);

/// One dimension of boxes: so many rows of a tile and keys of a chunk.
struct BoxSide {
  std::size_t row = 0;                   // of the plan
  std::int64_t rows = 1, keys = 1;       // of a box
  std::int64_t turns = 1;                // chunks that hold all keys which the rows of a tile see, at most
  Expr first, last;                      // keys that a row sees, over `rowOfWindow` and sizes
  Expr count;                            // of all rows, which are 0, 1, ...
  std::map<std::string, std::size_t> at; // the subscript of arrays that products read which is the key
};

/// Tiles of rows and chunks of keys that are boxes of several dimensions, the outermost first.
struct Boxes {
  std::vector<BoxSide> sides;
  std::size_t tiled = 0; // the row of the plan that comes in tiles where there are no boxes
  double cost = 0;       // elements that are visited for a row
  Expr sizes;            // over sizes, where a row sees anything; absent: for all
};

/// A plan whose tiles fill matrix units.
struct MatrixPlan {
  KernelPlan plan;
  MatrixUnits units; // that its products take
  std::optional<Padding> padding;
  std::int64_t warpsN = 1;         // warps of a group beside each other, as in WarpShares
  std::optional<Boxes> boxes = {}; // tiles and chunks are to be these
};

/// The symbol for a row in the ends of its window.
inline constexpr const char *rowOfWindow = "row of window";

/// What a kernel calls its rows.
struct RowNames {
  std::string grid, point; // of a tile; within it, empty: the tile is one row
};

/// The kernel with tiles of rows and chunks of keys that are boxes; refused: it says something of its rows or keys that
/// no box tells.
Result<RectangularKernel> inBoxes(RectangularKernel kernel, const Boxes &boxes, const std::vector<RowNames> &rows,
                                  const std::vector<TileArray> &arrays);

/// A plan with the tile extents that fill the matrix units of the options and their registers, padded where rows that
/// share what they stream are too few; absent: nothing in it is a sum of products; refused: one is, but fits no tiles.
/// With `wholeRows` a warp has whole rows of every tile; else warps may stand beside each other where a chunk holds
/// nothing but products. With `takesBoxes` tiles may be boxes.
std::optional<Result<MatrixPlan>> matrixTiles(const Relaxed &relaxed, const KernelPlan &plan,
                                              const LowerOptions &options, bool wholeRows, bool takesBoxes = false);

/// A number that divides the first column of a copied tile in its array, for all grid points and chunks of the loop.
std::int64_t copiedAt(const TilePoints &copy, const RectangularKernel &kernel);

/// A subscript of a copied tile, of so many rows, whose quotients and remainders by constants are those of the chunk's
/// begin and of `row` apart, where that is the same.
Expr withRowsApart(const Expr &subscript, const Expr &row, std::int64_t rows, const RectangularKernel &kernel);

/// What passes know beside the kernel.
struct PassContext {
  const std::vector<TileArray> &arrays; // of the program
  const MatrixUnits &units;             // that its products take
};

/// Makes rows of matrices that are a little short as long as units take them, where that changes no result.
Result<RectangularKernel> fillUnits(RectangularKernel kernel, const PassContext &context);

/// Masks one matrix of a masked chunk with -inf instead of guarding every reduction, where that is the same.
Result<RectangularKernel> maskOnce(RectangularKernel kernel, const PassContext &context);

/// Lets element-wise results take the place of the matrices that they are made from.
Result<RectangularKernel> overlay(RectangularKernel kernel, const PassContext &context);

/// Begins sums of products with what is added to them, where that is a term for the position: after overlay().
Result<RectangularKernel> startFromBias(RectangularKernel kernel, const PassContext &context);

/// Matrices of elements as wide as factors that element-wise regions of a chunk read become tiles filled by copies.
Result<RectangularKernel> copyReads(RectangularKernel kernel, const PassContext &context);

/// What regions read from memory outside of an array, at points of a box that are outside the domain, is zero.
Result<RectangularKernel> guardReads(RectangularKernel kernel, const PassContext &context);

/// What lists the chunks that a kernel visits, where arrays decide on them.
struct ChunkLists {
  std::vector<TileArray> arrays;
  std::vector<Kernel> kernels;               // before it, in order
  std::map<std::string, SourceRange> finite; // arrays that count as finite where a mask gives weight 0: where they are
                                             // read
  Expr when = {};                            // a condition on sizes, where finding them pays
};

/// Lets the loop of a kernel visit only chunks in which a condition on arrays leaves a point. Absent: no such condition
/// decides on all that a chunk does.
std::optional<ChunkLists> listChunks(RectangularKernel &kernel, const PassContext &context);

} // namespace polymend
