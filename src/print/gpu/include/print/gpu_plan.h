// How the threads of a block share the points of a region.
#pragma once

#include "device/product.h"
#include "print/expression.h"
#include "print/gpu_bounds.h"

namespace polymend::print_room {

constexpr int blockThreads = 256;

/// A dimension over which points are dealt out: its variable runs over [low, low + size), or, where the plan is not
/// fixed, over the box [first, limit); the checks tell whether a point must still be compared with its bounds.
struct DealtDim {
  std::size_t dim = 0;
  std::int64_t low = 0, size = 0;
  Expr first, limit;
  bool checkFirst = false, checkLimit = false;
};

/// What the terms of a region read, and the arrays of registers that hold it, by number of the term.
using TermsRead = std::vector<std::pair<Expr, std::string>>;

/// Elements of a global array that stand side by side along a region's dimension.
struct Stream {
  std::string array;
  std::vector<Expr> subscripts;
  bool kept = false;   // what the group holds of it outlives the region
  bool window = false; // and lies in shared memory where registers cannot hold it
};

struct RegionPlan {
  enum class Form {
    Each,    // a thread a point, the inner dimensions one after another
    Lanes,   // `lanes` neighbouring threads a point, which share the dimension `split`
    Whole,   // all threads share `split` of the one point
    Blocked, // a product, in blocks of registers
    Fours    // the one dimension in fours of neighbours, read through what a group holds of its streams
  };
  Form form = Form::Each;
  bool fixed = false;             // the box is constant: the same element belongs to the same thread in every region
  std::vector<DealtDim> dealt;    // the fastest first; none: one thread runs everything (Form::Each)
  std::vector<std::size_t> inner; // indices of the other dimensions, outermost first
  bool aside = false;             // the one update can be combined in a register, then stored
  bool ahead = false;             // Each, Lanes: the few terms are read several at a time; nothing dealt: by each warp
  bool any = false;               // Whole: asks whether any of its elements, of which there are some, has a property
  int lanes = 1;
  int threads = blockThreads; // of the block
  std::size_t split = 0;
  std::optional<device_room::Product> product;
  std::vector<Stream> streams;
  int fours = 4; // that each thread holds
  bool crossed =
      false; // two dealt dimensions, in squares of 8 by 4: one is contiguous where read, the other where written
  std::map<std::string, Interval> known; // of the region's variables
  TermsRead loaded;                      // ahead: what is at hand before the terms are computed
};

/// What planning needs to know about memory.
struct Memory {
  std::set<std::string> tiles;      // arrays in shared memory
  std::set<std::string> replicated; // scalars that every thread holds for itself
  bool grouped = false;             // groups of threads run the points, one each
  std::set<std::string> readOnly{}; // global arrays whose elements stay the same as long as they are read
  std::set<std::string> kept{};     // those that several regions read
  int fours = 4;                    // of neighbours that each thread of a group holds
  bool windows = false;             // what is kept lies in shared memory where registers cannot hold it
  int threads = blockThreads;       // of a block
  bool termsAhead = false;          // what the first terms read is read at the start of a point: see gpu_ahead.h
};

RegionPlan planRegion(const TilePoints &points, const Memory &memory, const Context &context);

/// Whether `e` reads the elements of `s`.
bool isStream(const Expr &e, const Stream &s);

/// Every dimension of the region in order, by one thread.
RegionPlan planAlone(const TilePoints &points, const Context &context);

/// Who touches the elements of `array` in the region: see Touches.
std::string ownerOf(const std::string &array, const TilePoints &points, const RegionPlan &plan);

/// Whether a variable with these bounds fits an `int` also after the arithmetic of a subscript.
bool isNarrow(const Interval &bounds);

} // namespace polymend::print_room
