// What device programs for a GPU have besides: regions dealt out to the threads of a team, where these wait for one
// another, and how a launch runs a grid by teams.
#pragma once

#include "polymend/tile.h"

#include <set>

namespace polymend {

/// A dimension of a region over which threads deal points out: its variable runs over the constants [low, low + size),
/// or, where the deal is not fixed, over the box [first, limit).
struct DealtDim {
  std::size_t dim = 0; // of the region
  std::int64_t low = 0, size = 0;
  Expr first, limit;
  bool checkFirst = false, checkLimit = false; // a point must be compared with the dimension's own bound
  Expr asked = {}; // checkLimit: the part of the limit that leaves out points of the box; absent: all of it
};

/// Elements of a global array that stand side by side along a region's one dimension.
struct DeviceStream {
  std::string array;
  std::vector<Expr> subscripts;
  bool kept = false;   // what the group holds of it outlives the region
  bool window = false; // and lies in shared memory where registers cannot hold it
  Expr left = {};      // window: how many elements of its run are left at the piece `pieceOfRun`
};
/// The symbol for the number of a piece's first element.
inline constexpr const char *pieceOfRun = "piece of run";

/// The symbol for the place of an element of a row, where rows follow one another in arrays.
inline constexpr const char *elementOfRow = "element of row";

/// What a term of a sum reads, and the array of registers that holds it, by number of the term.
using TermsRead = std::vector<std::pair<Expr, std::string>>;
/// The symbol for the number of a term.
inline constexpr const char *numberOfTerm = "number of a term";

/// A region of which the threads of a team take shares. What is not dealt out runs in order within a thread.
struct DeviceDeal {
  enum class Form {
    Each,    // a thread a point, the other dimensions one after another; nothing dealt: one thread runs everything
    Lanes,   // `lanes` neighbouring threads a point, which share the dimension `split`
    Whole,   // all threads share `split` of the one point
    Blocked, // a product, in blocks of registers
    Fours    // the one dimension in fours of neighbours, read through what a group holds of its streams
  };
  TilePoints points;
  std::set<std::size_t> fused{}; // the assignments whose value is a product that is added without being rounded
  Form form = Form::Each;
  bool fixed = false;          // the box is constant: the same element belongs to the same thread in every region
  bool crossed = false;        // two dealt dimensions, in squares of 8 by 4: one is contiguous where read, the other
                               // where written
  std::vector<DealtDim> dealt; // the fastest first
  bool aside = false;          // the one update can be combined in a register, then stored
  bool ahead = false;          // Each, Lanes: the few terms are read several at a time; nothing dealt: by each warp
  bool any = false;            // Whole: asks whether any of its elements, of which there are some, has a property
  int lanes = 1;
  std::size_t split = 0;                          // of the region's dimensions
  std::size_t row = 0, column = 0, sum = 0;       // Blocked: of the region's dimensions
  Expr rowFactor, columnFactor;                   // Blocked
  bool rowInFours = false, columnInFours = false; // Blocked: four neighbours of a factor, along the sum of the row's
                                                  // and along the columns of the other, are read as one
  int fours = 4;                                  // Fours: that each thread holds
  std::vector<DeviceStream> streams;              // Fours
  std::vector<Expr> early; // ahead: what a term reads that can be read before anything else of it is computed
  bool eager = false;      // ahead: and that is all it reads, so that no branch need stand in it
  TermsRead loaded;        // ahead: what is at hand before the terms are computed
  bool stays = false;      // Each: the elements that it sets are the same at all turns of the one dimension that is not
                           // dealt out, and are in registers through these
  int rows = 1;            // Each, fixed: neighbours along the last dealt dimension that a thread takes together. It
                           // reads for all, also where no point is, before it stores the first
};

/// All threads of a team wait for one another, and see what the others wrote.
struct DeviceBarrier {};

/// What terms of sums read, on its way before anything else runs: as many terms as the launch says.
struct DeviceReadAhead {
  TermsRead reads;             // over `numberOfTerm`, with the name of the registers
  std::optional<PointDim> own; // the dimension of which each thread has the one element of its number
  Expr limit;                  // of the terms
};

/// Threads of a block, unless its kernel has fewer.
constexpr int blockThreads = 256;

/// Bytes in which a team of blockThreads that is not a whole block combines values: behind the tiles.
constexpr std::int64_t teamBytes = 64;

/// How a launch runs the points of a grid.
struct DeviceTeam {
  enum class Kind {
    Thread, // a thread a point; without a grid one thread
    Block,  // a block a point
    Group,  // a group of threads a point, whose size is chosen at every launch
    Launch  // without a grid: all threads of the launch share its region
  };
  Kind kind = Kind::Thread;
  int threads = blockThreads;             // of a block; of groups the launch chooses
  std::vector<std::pair<Expr, Expr>> box; // first and limit of each dimension of the grid, none over another's variable
  std::int64_t sharedBytes = 0;
  int fours = 4;                // Group: that each thread holds of streams
  std::set<std::string> kept{}; // Group: arrays of which what is held outlives a region
  bool window = false;          // Group: and lies in shared memory where registers cannot hold it
  Expr length = {};             // Group: of the longest run of a point, over sizes; absent: unknown
  Expr row = {};                // Group: how many elements the point has, where that is read from arrays: few lanes
                                // serve most points, and the block those of long rows
  Expr terms = {};              // of each sum, over sizes, where so many are read ahead as suits their number
  Expr begin = {};              // Group: where the row's elements begin; they end where those of the next row begin
  Expr element = {};            // begin: what an element is worth, over `elementOfRow`: the one region folds that, so
                                // that blocks share out elements and a thread finishes what a row has been folded to
  bool staged = false;          // begin: the body is more than that; blocks hold what elements are worth for their rows
  bool neighbours = false;      // row: points beside one another have the same, and read neighbours: a thread each
  bool spread = false;          // Thread, or Launch of one region: threads have loops of their own, so that where they
                                // are few they are in smaller blocks, which more processors run
  bool backwards = false;       // Block: points with more to do come later in the grid, and are begun first
  int residents = 0;            // Block: that a processor is meant to hold; 0: any number
  bool beside = false; // Group: points beside one another read neighbours: where points are many, a thread runs each,
                       // and threads of a group take elements in turn
  bool apart = false;  // beside: threads of a group are as far apart as its block has points, so that neighbours are of
                       // points beside one another; all points of a block make the same turns

  /// Do blocks share out the elements of rows?
  [[nodiscard]] bool folds() const { return begin && !staged; }
};

} // namespace polymend
