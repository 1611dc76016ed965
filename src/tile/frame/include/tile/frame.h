// The coordinates of a kernel while it is being lowered: which loop variables and tile indices stand for an equation's
// dimensions, where values live, and the loops over an equation's points.
#pragma once

#include "polymend/lower_options.h"
#include "polymend/schedule.h"
#include "polymend/tile.h"

#include "tile/padding.h"

#include <map>

namespace polymend {

/// How one dimension runs: global index = base + local; local is the index within a tile.
struct Axis {
  std::string point;       // variable of the point loop; empty: the dimension is a single value (`base`)
  Expr base;               // over loop variables outside the point loop; absent: 0
  std::int64_t extent = 1; // of the tile; 0: symbolic
  [[nodiscard]] Expr global() const;
  [[nodiscard]] Expr local() const;
};

/// Where a value is found: array name and the subscripts for given equation keys.
struct Residence {
  std::string array;
  bool global = false;            // subscripts are the keys themselves
  const Member *member = nullptr; // else: whose rows and rolled dimensions are left to the tile
};

/// One row of the kernel's grid.
struct RowAxis {
  Axis axis;
  std::string grid;     // grid variable
  std::int64_t own = 0; // rows of the tile; the box along `axis` may have more
  /// The condition that a row of the box is one of the tile's; absent: all are.
  [[nodiscard]] Expr isOwn() const;
};

/// Everything about a kernel that its phases share.
struct KernelFrame {
  const Scop &scop;
  const System &system;
  const Relaxed &relaxed;
  const Schedule &schedule;
  const KernelPlan &plan;
  const LowerOptions &options;
  std::vector<RowAxis> rows;
  isl::set known;                 // over no dimensions: what the grid guarantees of its variables
  std::map<int, Residence> homes; // per equation
  std::vector<TileArray> tiles;
  std::set<std::string> names;                    // taken
  const std::vector<TileArray> *arrays = nullptr; // rectangular: of the program
  bool rectangular = false; // every region is a box; what lies outside a domain is guarded, neutral or not stored
  bool boundedParts =
      false; // parts that a rectangular kernel left are combined: their pivots did not move beyond a bound
  std::vector<std::pair<std::string, std::string>> approximations = {}; // as in TileProgram
  std::optional<Padding> padding = {};                                  // rectangular
  std::set<std::pair<int, std::size_t>> atFirstRow = {}; // equation and operand: read at a padded tile's first row
  std::vector<std::string> marks = {}; // rectangular: tiles over the rows that say which must be computed again
  /// Finds what padded tiles read at their first row.
  void takeAtFirstRow();
  std::string unique(const std::string &wanted);
  /// `where` and that the row is one of the tile's.
  [[nodiscard]] Expr onOwnRows(const Expr &where) const;
  [[nodiscard]] const Equation &equation(int index) const { return system.equations[static_cast<std::size_t>(index)]; }
};

/// The axes of an equation's dimensions in one phase.
using Axes = std::vector<Axis>;

/// The source's name of a dimension.
std::string plainName(const std::string &dim);

/// The set of points of `domain` (a set over dims with these axes): loop variables outside become parameters, the
/// dimensions are the point variables of `order` (indices into axes), each within its tile.
isl::set pointSet(const isl::set &domain, const Axes &axes, const std::vector<unsigned> &order);

/// Loops over the points of a set: one region per convex part. `known` holds outside (over the same parameters).
struct PointLoops {
  std::vector<PointDim> dims;
  Expr outside; // a condition on outer variables only; absent: none
  Expr inside;  // a condition at each point; absent: none
};
std::vector<PointLoops> loopsOver(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order,
                                  const isl::set &known);
/// As loopsOver; the points run in order along all dimensions but the first `parallel`: pieces that lie one behind the
/// other stay so, others share one nest.
std::vector<PointLoops> sortedLoops(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order,
                                    std::size_t parallel, const isl::set &known);

/// As loopsOver, for points that are added up in any order: where at most one point of each line along the last
/// dimension is left out (j != i), one nest with a condition, whose lines vectors hold.
std::vector<PointLoops> summedLoops(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order,
                                    const isl::set &known);

/// As loopsOver, in one nest: each point once, in ascending order, whatever parts the set has.
PointLoops loopsInOrder(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order,
                        const isl::set &known);

/// The axes with the point variables of `dims` as values that are given from outside.
Axes given(Axes axes, const std::vector<unsigned> &dims);

/// What holds of the point variables of a set of points, as of parameters.
isl::set asParameters(const isl::set &points, const Axes &axes, const std::vector<unsigned> &order);

/// Points over the whole tile: constant bounds.
PointLoops boxOf(const Axes &axes, const std::vector<unsigned> &order);

/// Wraps assignments into point regions; order entries in `reduced` are reduced (or serial) dimensions.
TileBlock emitPoints(std::vector<PointLoops> loops, const std::vector<TileAssign> &body, std::size_t parallel,
                     bool reorder);

/// The bounds of one dimension of a set given the variables outside: loose where the set is not convex.
std::pair<Expr, Expr> boundsOf(const isl::set &line, const std::string &name);

/// The same; where no bound of a piece serves for all, the outermost of theirs, also for sizes at which that piece has
/// no points: enough for a loop, too much for what is touched.
std::pair<Expr, Expr> outermostBounds(const isl::set &line, const std::string &name);

/// One past the largest value of a key, over the sizes.
Expr keyExtent(const Equation &e, unsigned key);
/// The name of the array that keeps all values of an equation for later kernels.
std::string workName(const Equation &e);
/// Its subscripts, and its extents: a key that may be negative is counted from its least value on.
std::vector<Expr> workPlace(const Equation &e, std::vector<Expr> keys);
std::vector<Expr> workExtents(const Equation &e);

} // namespace polymend
