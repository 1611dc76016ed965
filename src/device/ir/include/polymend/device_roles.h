// What kernels on matrix units have besides: warps that copy and warps that compute (warp specialisation), channels of
// tiles between them in shared memory, products that are issued and awaited, tiles spread over registers.
#pragma once

#include "polymend/tile.h"

#include <set>

namespace polymend {

/// A ring of tiles in shared memory. Each slot has two barriers: full, which its readers wait for, and empty, which its
/// copier waits for.
struct DeviceChannel {
  TileArray tile;            // with its ring and its layout
  std::string source;        // the array of the device whose elements it takes
  std::size_t rowsAlong = 0; // the source's dimension that the tile's rows run along; its columns run along the last
  std::int64_t offset = 0;   // of the first slot, in bytes from the first channel's
  std::int64_t barriers = 0; // the number of its first full barrier; the empty ones follow
  std::int64_t copier = 0;   // which of the copiers fills it
  bool joined = false;       // one copy takes all panels of 128 bytes: they are one more dimension of the source
  std::int64_t run = 0;      // data say where rows are, so many of which lie one behind the other; 0: all of a fill do
  std::int64_t step = 1;     // how many rows of the source a row of the tile is from the one before
  std::vector<std::int64_t> box = {}; // so many rows of the tile lie along each dimension of the source, 1 along the
                                      // last; none: all lie along one dimension
};

/// The place of a tile's row along a dimension of the source, from the first row's on, where its rows lie in a box.
Expr placeInBox(const DeviceChannel &channel, std::size_t dim, const Expr &row);

/// The symbol for the number of a run among those of its tile.
inline constexpr const char *numberOfRun = "number of run";

/// Fills the channel's next slot, once it was given back, with the source's elements from `first` on; what lies outside
/// of the source is zero, and so are rows from `rows` on. Where the channel's rows come in runs, `first` is over
/// `numberOfRun`, and no run is asked for that has no row to be filled.
struct DeviceFill {
  std::string channel;
  std::vector<Expr> first; // a subscript for each dimension of the source
  Expr rows{};             // how many are filled, of those that the source has; absent: all
};

/// Waits until the channel's next slot is full: its tile means that slot from here on.
struct DeviceTake {
  std::string channel;
};

/// Gives the slot back.
struct DeviceGive {
  std::string channel;
  bool meets = false; // one lane does for its warp, whose lanes have not met since they last read the slot
};

/// target[row, column] += left * right, summed over `sum`, on matrix units. Where these run beside the threads, the
/// target stands only after an await.
struct DeviceIssue {
  std::string name;
  PointDim row, column, sum;
  Ref target, left, right; // subscripted by the three variables
  bool fresh = false;      // the target is overwritten
};

/// Waits until no more than `pending` issues go on, the last ones.
struct DeviceAwait {
  std::string name; // of the last issue that is done then
  std::int64_t pending = 0;
  std::vector<std::string> before, after; // tiles whose registers stand from here on: what was computed beside the
                                          // products, what these made or read
};

/// Adds up the parts of a row of sums that threads hold.
struct DeviceCombine {
  std::string sum;
};

/// Symbols of a thread with registers: the column of its first element of every tile, and how far a register's is from
/// there.
inline constexpr const char *columnOfThread = "column of thread", *columnOfRegister = "column of register";
/// The symbol for what a row was reduced to, where something increasing is applied at its end.
inline constexpr const char *resultOfRow = "result of row";

/// A value that is computed before the elements that use it: the same along a row, for each row of a thread, or once;
/// one over `columnOfRegister` is the same along a column.
struct DeviceRowValue {
  std::string name;
  Expr value;
  bool once = false;
};

/// numerator / denominator, which neighbouring elements share; the denominator is in [1, 2^31 + 1], or NaN.
struct DeviceDivision {
  std::string quotient;
  double numerator = 1;
  Expr denominator;
};

/// Names the rows of a thread that a condition holds for, and asks whether it does for any row of its warp: a branch
/// on the name is taken by a warp as one.
struct DeviceVote {
  std::string name;
  PointDim row;
  Expr condition;
};

/// What threads do at their rows of a tile, or at their elements: one assignment, over `columnOfThread +
/// columnOfRegister` in place of the column.
struct DeviceRegisters {
  enum class Form {
    Row,     // for each row
    Element, // for each element
    Fours,   // for each element, where four of a thread share divisions
    Moved,   // the registers of another tile, as they are
    Reduced, // along each row: in four parts of a thread, then among the four threads of a row
    Stored,  // to memory, element by element
    Words    // to memory, 16 bytes at once
  };
  Form form = Form::Row;
  PointDim row;
  std::optional<PointDim> column;
  TileAssign what; // Stored, Words: its target and condition are over the column itself
  std::vector<DeviceRowValue> before{};
  std::string vote{};                      // `where` is what was voted; empty: it is no vote
  bool everywhere = false;                 // where the vote does not hold it changes nothing: nobody asks
  bool open = false;                       // Reduced: each thread keeps its part of the sum, until it is combined
  Expr outer{};                            // Reduced: what is done to `resultOfRow`; absent: nothing
  std::vector<DeviceDivision> divisions{}; // Fours
  std::vector<std::pair<std::string, Expr>> reads{}; // Stored, Words: what an element reads more than once
  Expr each{}, ends{}; // Words: hold for all elements of a word or none; at its first and last if at all
};

/// Points of a general kernel along a dimension of its grid: `count` of them from count * v on, where v is a coordinate
/// of a kernel with roles, as far as they are below the limit.
struct DevicePoints {
  std::string coordinate;
  std::int64_t count = 1;
  Expr limit; // over sizes; absent: all are
};

/// Where a block notes that it marked something.
enum class DeviceMarks {
  Nowhere, // nothing marks
  Never,   // marks are never set: one variable of the host stands for all of them
  Word,    // in a word of its own in memory, which a later kernel reads
  Chain    // at its end it computes again all tiles that it took: the general kernel's points
};

} // namespace polymend
