// The tile program: what every printer prints. Loops over tiles, whole-tile assignments and per-point regions, over
// arrays in named memory spaces. It is free of isl: bounds, guards and subscripts are integer Exprs over sizes,
// grid and loop variables (quasi-affine: +, -, * by constants, FloorDiv, FloorMod, Min, Max). Text form: see writeText.
#pragma once

#include "polymend/atoms.h"
#include "polymend/expr.h"

#include <map>
#include <optional>
#include <set>
#include <variant>

namespace polymend {

enum class Space {
  Argument, // lives with the caller
  Work,     // allocated for one call, kept between kernels
  Thread,   // one per executing thread or block: a stack array of constant extents
  Row,      // one per executing thread, extents may be symbolic (allocated per thread)
  Shared,   // a channel between roles: `ring` slots of constant extents, filled by copies and read by contractions
  Fragment  // spread over the registers of a role's warp groups; the first dimension is divided among them
};

struct TileArray {
  std::string name;
  Type type = Type::Float32;
  std::vector<Expr> extents; // outermost first; scalars have none
  Space space = Space::Thread;
  bool flat = false; // Argument passed as `T *`: print one linear subscript from extents
  bool written = false;
  int ring = 1;                // Shared: slots that may be filled ahead of their use
  TileLayout layout = {};      // Shared: of a slot; Fragment: over the threads of its role; none: not laid out yet
  std::vector<Expr> used = {}; // Argument: so much of each dimension, from its first element on, is touched by the
                               // function (a matrix of a wider one); empty: all. Copies bring zeros beyond it
};

/// How much of dimension d is used.
inline const Expr &usedExtent(const TileArray &array, std::size_t d) {
  return array.used.empty() ? array.extents[d] : array.used[d];
}

/// An element of an array.
struct Ref {
  std::string array;
  std::vector<Expr> subscripts;
};

enum class Update { Set, Sum, Product, Max, Min, FMax, FMin };
/// By what an update other than Set joins the old value and the new.
Op operationOf(Update update);

/// target (update)= value [if where].
struct TileAssign {
  Ref target;
  Update update = Update::Set;
  Expr value; // reads are Op::Read by array name
  Expr where; // absent: always
};

struct TileLoop;
struct TileBranch;
struct TilePoints;
/// A remark for the reader, printed as a comment on its own line.
struct TileNote {
  std::string text;
};
struct TileAsync;
/// Where a role waits for, or hands back, what another role or the matrix units made, or its threads what they made.
struct TileSync {
  enum class Kind {
    Get,     // waits until the next slot of the channel `name` is full; its tile means that slot from here on
    Release, // hands the slot back: it may be filled again
    Await,   // waits until the contractions issued under `name` are done
    Combine  // adds up the parts of the row of sums `name`, whose layout has such: from here on each copy is the whole
  };
  Kind kind = Kind::Get;
  std::string name;
};
using TileNode = std::variant<TileAssign, TileNote, std::shared_ptr<const TileLoop>, std::shared_ptr<const TileBranch>,
                              std::shared_ptr<const TilePoints>, std::shared_ptr<const TileAsync>, TileSync>;
using TileBlock = std::vector<TileNode>;

/// for variable in [first, limit) step `step`, in order; Unroll: few constant trips, to be written out by the compiler;
/// Shared: in any order, threads may share the iterations, and all are done before what follows.
struct TileLoop {
  enum class Kind { Serial, Unroll, Shared };
  std::string variable;
  Expr first, limit;
  std::int64_t step = 1;
  Kind kind = Kind::Serial;
  TileBlock body;
};

struct TileBranch {
  Expr condition;
  TileBlock then, otherwise;
};

/// One dimension of a per-point region. Parallel: iterations are independent. Reduced: they update the same element
/// through the assignment's monoid and may be reordered. Serial: in order.
struct PointDim {
  enum class Kind { Parallel, Reduced, Serial };
  std::string variable;
  Expr first, limit;
  Kind kind = Kind::Parallel;
};

/// Runs `body` at every point of a nest of dimensions (outermost first; a bound may use outer dimensions).
/// All assignments of the body run at each point before the next one in Serial and Reduced order.
struct TilePoints {
  std::vector<PointDim> dims;
  std::vector<TileAssign> body;
};

/// One indexed assignment over a box of constant extents that runs beside the threads, and is `points` in meaning.
/// Copy: fills the next free slot of the channel it assigns (waits for one); what lies outside the source, or where
/// `where` does not hold, is zero: that compares a row of the slot with how many are filled.
/// Contract: a sum of products on matrix units, into a fragment; done only after the Await of its `name`.
struct TileAsync {
  enum class Kind { Copy, Contract };
  Kind kind = Kind::Copy;
  std::string name; // Contract: what Await waits for; Copy: empty
  TilePoints points;
};

/// Threads of a block that run a program of their own beside the other roles.
struct TileRole {
  std::string name;
  int groups = 1;    // warp groups of 128 threads; they share the rows of every Fragment tile evenly
  int registers = 0; // per thread; 0: what the launch gives
  TileBlock body;    // runs for every grid point
};

/// Runs of tiles whose lengths data say: tile 0, 1, ... of run 0, then those of run 1, ...
struct TicketRuns {
  std::string run, tile; // their numbers, named for what follows; a tile's counts from its run's first
  Expr count;            // of runs, over sizes
  Expr length;           // of a run, over sizes, its number and arguments that nobody writes; none where it is below 1
};

/// How blocks that live as long as the launch take grid points: ticket t = 0, 1, ... stands for the point at(t). Of
/// runs: there are so many tickets for each tile, and those of one tile follow one another.
struct TicketOrder {
  std::string ticket;
  std::vector<std::pair<std::string, Expr>> lets; // names for what follows, over sizes, the ticket and earlier names
  Expr count;                                     // of tickets: the number of grid points
  std::vector<Expr> at;                // per grid dimension, over sizes and the ticket; a bijection onto the grid
  std::optional<TicketRuns> runs = {}; // then lets and points are over the run, the tile, and what data say of the run
};

/// A launch: a box of independent grid points, each running `body` with its own Thread and Row arrays, or its roles
/// beside one another with their Shared and Fragment tiles.
struct Kernel {
  std::string name;
  std::vector<PointDim> grid; // all Parallel; empty: runs once
  std::vector<TileArray> tiles;
  TileBlock body;
  std::vector<TileRole> roles;                         // if any, `body` is empty
  std::optional<TicketOrder> order;                    // absent: any
  std::vector<std::pair<std::string, Expr>> lets = {}; // with roles: integers named for their bodies, over sizes, the
                                                       // grid point, earlier names and arguments that nobody writes
  Expr when = {};        // a < b or a <= b, over sizes, or several joined by &&: the kernel runs only where it holds;
                         // absent: always
  std::string atom = {}; // with roles: what products are made of (atoms.h)
  std::string fallback;  // with roles: the Work array that marks what later kernels compute again; where the roles
                        // cannot run (no such device, addresses that copies cannot reach), all of it is marked instead.
                        // Without roles: the kernel does nothing where nothing of this array is marked.
};

/// Elements that accesses to an argument touch, where a condition on sizes holds: the values of `element` over a box.
struct TouchedPart {
  Expr where;                 // over sizes; absent: always
  std::vector<PointDim> dims; // bounds over sizes
  Expr element;               // row-major, from the pointer on: over sizes, dims and reads of index arrays
};

/// What a program touches of an argument.
struct TouchedElements {
  std::string array;
  bool stored = false;            // some are written
  bool plain = true;              // [0, n), n being what its extents tell
  std::vector<TouchedPart> parts; // where not plain; none: nothing. Where plain: where any are; none: where n > 0
  bool around = false; // not plain: the parts lie around them, and some of theirs may be none of the caller's
  std::string unknown; // why no bounds of them are known; empty: they are
  Expr filled = {};    // plain: for these sizes each of them is written whatever was there before; absent: for none
  Expr first = {};     // plain: for these sizes, where n is 0, the first element alone is read; absent: for none
};

/// What must hold of an index array before the program runs, asked by a loop nest of its own over what the source
/// reads, so that empty ranges and what a condition leaves out are never asked about.
struct IndexCheck {
  enum class Kind {
    Within,  // least <= value < limit; a bound that is absent holds
    Distinct // value differs at different points of the one loop
  };
  Kind kind = Kind::Within;
  Expr element;               // Op::Read of the index array, told with its place and its number
  Expr value, least, limit;   // over sizes, variables of `dims` and reads of index arrays
  std::vector<PointDim> dims; // outermost first; bounds may read index arrays
  Expr where;                 // asked only where it holds; absent: everywhere
  std::string why;            // what is wrong otherwise, behind "column[17] = 3 ": "leads out of 'x'"
};

/// All of a function, none of which reads further than those before it allow; and what cannot be checked, and why.
struct IndexGuard {
  std::vector<IndexCheck> checks;
  std::vector<Refusal> open;
};

struct TileProgram {
  std::string function;                              // the source function it replaces
  std::vector<std::string> sizes;                    // integer arguments used in bounds and subscripts
  std::vector<std::pair<std::string, Type>> scalars; // scalar arguments used in values
  Expr given = {};                                   // over sizes, what the program rests on: where it does not hold,
                                                     // the entry runs the source's own body; absent: always
  std::vector<TileArray> arrays;                     // Argument and Work
  std::vector<Kernel> kernels;                       // in order
  std::optional<Type> returns;                       // the function returns the scalar array named "return"
  std::vector<std::pair<std::string, std::string>>
      approximations;                        // what --fp=approx did, and its bound; not in the text
  std::vector<Refusal> plain = {};           // why products are not on matrix units; not in the text
  std::vector<TouchedElements> touched = {}; // of arguments; those that are missing are plain; not in the text
  Expr work = {};   // about how many simple operations the source takes, a Float64 over sizes; absent: unknown; not in
                    // the text
  Expr starts = {}; // about how often threads are started, in the time that the first start takes: an integer that is
                    // known, or a Float64 over sizes; absent: once; not in the text
  IndexGuard guard = {};                  // what entries ask of index arrays first; not in the text
  std::vector<std::string> declared = {}; // index arrays that the source declares to keep rows apart; not in the text
  std::vector<Expr> versions = {};        // over sizes: where one holds, a version of its own runs; not in the text
  std::map<std::string, SourceRange> finiteWhereMasked = {}; // arrays that count as finite where a mask gives weight
                                                             // 0: where they are read; not in the text
};

/// Simple operations below which the start of threads costs more than they save, as measured (scripts/never_worse).
constexpr int leastWork = 400000;

/// The documented text form (grammar at the top of src/tile/write.cpp); readText(writeText(p)) == p.
std::string writeText(const TileProgram &program);
Result<TileProgram> readText(const std::string &text);
bool equal(const TileProgram &a, const TileProgram &b);
/// The atom that a kernel with roles names; of one that names none, a warp's for the elements of its channels.
MatrixAtom atomOf(const Kernel &kernel);
/// Does a kernel have roles?
bool hasRoles(const TileProgram &program);
/// Of one comparison as a condition of kernels, that of those that run in their place.
Expr otherwise(const Expr &when);
/// Where both conditions hold; an absent one always does.
Expr bothOf(const Expr &a, const Expr &b);
/// Where kernels stand in for each other, by sizes (Kernel::when), the programs that always run the same of them; else
/// the program.
std::vector<TileProgram> alternatives(const TileProgram &program);
/// What the program is where kernels with roles cannot run: all that they would mark is marked.
TileProgram withoutRoles(const TileProgram &program);

} // namespace polymend
