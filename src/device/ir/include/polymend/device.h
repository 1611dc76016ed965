// The device program: what a printer spells, statement by statement. Every choice is made in it: which loop is
// innermost, what runs in vectors, how threads share a grid and the regions at its points, where tiles lie, where
// threads wait for one another, what an entry asks before it trusts the program. It stands for a TileProgram (forget),
// has a text form (write, read), is verified (verify) and runs on small sizes (races). Bounds, subscripts and
// conditions are integer Exprs, as in tile programs.
#pragma once

#include "polymend/device_entry.h"
#include "polymend/device_roles.h"
#include "polymend/device_team.h"

namespace polymend {

/// const name = value, for what follows in the block.
struct DeviceLet {
  std::string name;
  Expr value;
};

/// An assignment.
struct DeviceAssign {
  TileAssign what;
  bool fused = false;    // the value is a product that is added without being rounded, where the machine can
  bool declares = false; // the target's tile begins here (DeviceTile::Place::Assignment)
};

/// target = target (update) the values of all points of `along`, in the machine's own order: lanes of vectors hold
/// parts. The value is of the type `carrier`, in which parts are kept.
struct DeviceFold {
  TileAssign what; // its `where` is none: the value is neutral where nothing is taken
  PointDim along;
  Type carrier = Type::Float32;
};

/// target[row, column] += rowFactor[row, sum] * columnFactor[sum, column], in blocks of registers.
struct DeviceMultiply {
  enum class Walk {
    Columns, // elements of columnFactor that follow one another along the columns do so in memory
    Sums,    // ... along the sum
    Single   // it is computed for each element
  };
  PointDim row, column, sum;
  Ref target;
  Type type = Type::Float32;
  Expr rowFactor, columnFactor;
  Walk walk = Walk::Single;
};

/// target[row, column] = source[row, column], which follow one another in memory along columns and rows: by squares
/// held in registers.
struct DeviceTranspose {
  PointDim row, column;
  Ref target;
  Expr source;
};

/// On the host: the kernel of this number.
struct DeviceLaunch {
  std::size_t kernel = 0;
};

struct DeviceLoop;
struct DeviceBranch;
struct DeviceOne;
struct DeviceShares;
using DeviceNode =
    std::variant<TileNote, DeviceLet, DeviceAssign, DeviceFold, DeviceMultiply, DeviceTranspose,
                 std::shared_ptr<const DeviceLoop>, std::shared_ptr<const DeviceBranch>,
                 std::shared_ptr<const DeviceDeal>, std::shared_ptr<const DeviceOne>, DeviceBarrier, DeviceReadAhead,
                 DeviceLaunch, DeviceFill, DeviceTake, DeviceGive, DeviceIssue, DeviceAwait, DeviceCombine, DeviceVote,
                 DeviceRegisters, std::shared_ptr<const DeviceShares>>;
using DeviceBlock = std::vector<DeviceNode>;

/// What one thread of a team runs, the first, while the others go on.
struct DeviceOne {
  DeviceBlock body;
};

/// What `body` reads of tiles in shared memory is in registers, laid out as sums are: turned ones have the columns of
/// the region as their rows.
struct DeviceShares {
  struct Tile {
    std::string name;
    bool turned = false;
  };
  std::vector<Tile> tiles;
  std::int64_t columns = 0; // of the region
  DeviceBlock body;
};

/// for variable in [first, limit) step `step`, as long as `goesOn` holds before a turn.
struct DeviceLoop {
  enum class Kind {
    Serial, // in order
    Unroll, // in order; few constant trips, to be written out by the compiler
    Vector, // in vectors: no iteration touches what another writes
    Shared  // on the host: threads share the iterations, and wait for one another at the end
  };
  std::string variable;
  Expr first, limit;
  std::int64_t step = 1;
  Kind kind = Kind::Serial;
  DeviceBlock body;
  Expr goesOn = {}; // of a Serial one, over values; absent: always
};

struct DeviceBranch {
  Expr condition;
  DeviceBlock then, otherwise;
};

/// How threads share the points of a grid.
struct DeviceSharing {
  enum class Order {
    Alone,   // one thread runs all
    Static,  // in equal shares
    Guided,  // in shares that shrink
    Dynamic, // in turns of 1 + `turn` points
  };
  enum class Form {
    Collapsed, // all loops of the grid are one; no bound uses another's variable
    Outermost, // the first loop is shared, those within it run in order
    Listed     // points are listed first, as bounds use others' variables; turns are 1 + their number / mostTurns
  };
  Order order = Order::Alone;
  Form form = Form::Collapsed;
  Expr turn;                            // Dynamic, Collapsed or Outermost: absent is 0
  std::vector<std::string> copied = {}; // arguments and sizes of which each thread has its own copy: what the kernel
                                        // stores are characters, which to a compiler may change any other memory
};

/// Turns into which points are handed out at most; each costs about half a microsecond.
constexpr std::int64_t mostTurns = 1024;

/// A tile of a kernel, and where it lies.
struct DeviceTile {
  enum class Place {
    Stack,      // of the thread that runs the point
    Heap,       // of all threads, allocated before they start: a row of it is a thread's
    Point,      // allocated for each point, as its extents use the grid
    Assignment, // a scalar, declared by the first assignment to it in each block that touches it
    Held,       // of a team: a scalar of which every thread has a copy, and computes it alike
    Owned,      // of a team: a row of which each thread has the element of its number, in a register
    Shared,     // of a team: in shared memory, from byte `offset` on
    Slice       // of a team: in global memory, of which every block has a slice
  };
  TileArray array;
  Place place = Place::Stack;
  std::int64_t offset = 0;            // Shared
  std::vector<std::int64_t> padded{}; // Shared: extents with what keeps columns out of one bank
};

/// What the last of `count` points to arrive runs, in the launch of all: the next kernel, at the point they share.
struct DeviceArrival {
  std::string name;
  std::vector<PointDim> grid; // the first dimensions of the kernel's
  std::int64_t count = 1;
  std::vector<DeviceTile> tiles; // all Held
  DeviceBlock body;
};

/// Persistent blocks on matrix units: some warps copy tiles, the others compute. Blocks take points of the grid by
/// tickets.
struct DeviceRoles {
  MatrixAtom atom;
  TicketOrder order;
  std::vector<std::pair<std::string, Expr>> lets; // integers named for both roles, over sizes and the grid point
  std::int64_t groups = 1;                        // of groupThreads(atom) that compute
  std::int64_t copiers = 1;                       // each for channels of its own
  std::int64_t copierWarps = 1;                   // of a copier whose threads copy
  std::int64_t drawing = 0;                       // the copier that draws tickets
  std::int64_t threads = 0;                       // of a block
  int copying = 0, computing = 0;                 // registers of a thread; 0: what the launch gives
  std::int64_t bytes = 0, barriers = 0;           // of all channels
  std::vector<DeviceChannel> channels;
  std::vector<TileArray> tiles; // in registers
  DeviceBlock copies, computes;
  DeviceMarks marks = DeviceMarks::Nowhere;
  std::vector<DevicePoints> again{};  // Chain: per dimension of the general kernel's grid
  std::vector<std::string> aligned{}; // arrays that must begin at 16 bytes, as must each of their rows
  Expr rows{}; // of a tile, over names and the grid point, of which anything is stored: a group of others only takes
               // and gives slots; absent: all
};

/// What is in every DeviceKernel::reach: what loops add to a variable beyond its last value, and roundings of the
/// bounds.
constexpr double reachSlack = 1 << 21;

struct DeviceKernel {
  std::string name;
  std::vector<PointDim> grid; // all Parallel; empty: runs once
  DeviceSharing sharing;
  std::vector<DeviceTile> tiles;
  DeviceBlock body;
  std::optional<DeviceTeam> team = {}; // on a GPU, where `sharing` says nothing
  std::optional<DeviceArrival> arrival = {};
  std::string fallback = {};  // it does nothing where nothing of this array is marked; with roles: which it marks
  bool isCalled = false;      // what it does at a point is a function, which kernels with roles before it call too
  bool byWholeBlocks = false; // then do copying threads join those that compute? Else these alone call it
  std::shared_ptr<const DeviceRoles> roles = {}; // on matrix units, where tiles and body are the roles'
  std::string launch = {}; // roles: the kernel in whose launch its points come, behind that one's; empty: its own
  Expr reach = {}; // on a GPU: where this Float64 over sizes is less than 2^31, no integer that is computed in as
                   // many bits as sizes have is as large; absent: nobody knows
  std::set<std::string> wide = {}; // reach: variables that may be
};

/// What runs where arguments on the device turn out to share memory: the source's statements in the source's order, by
/// one thread.
struct DeviceInOrder {
  std::vector<TileArray> arrays; // as the source declares them; they stand before those of the program
  std::vector<DeviceTile> tiles; // its local arrays: Held by the thread, or a Slice of the memory of a call
  DeviceBlock body;
};

/// The entry on memory of the device, which reads nothing there: on a GPU.
struct DeviceQueue {
  std::vector<EntryTest> tests;         // where one holds it fails
  std::vector<EntryTest> asked;         // of elements that data choose: the device tells, ahead of all kernels
  std::optional<DeviceInOrder> inOrder; // what runs instead of them then
  std::vector<DeviceCopy> copies;       // of arguments, by the entry on the caller's memory, which calls this one
  Expr runs = {};                       // over sizes: elsewhere nothing is to be done; absent: kernels see to that
};

/// What the host does for a kernel of the tile program: loops and branches around launches.
struct DeviceStep {
  Expr when = {};              // over sizes: only then; absent: always
  std::vector<TileArray> work; // memory of the device for as long as the step takes
  DeviceBlock host;
  std::string marks = {}; // of this array all is marked, or nothing: where nothing is, `unmarked` is done instead
  DeviceBlock unmarked = {};
};

struct DeviceProgram;

/// What runs in a program's place where `when` holds of sizes: on a GPU, by the same arguments.
struct DeviceVersion {
  Expr when;
  std::shared_ptr<const DeviceProgram> program;
};

struct DeviceProgram {
  std::string function;
  std::vector<std::string> sizes;                    // integer arguments used in bounds and subscripts
  std::vector<std::pair<std::string, Type>> scalars; // scalar arguments used in values
  Expr given = {};                                   // over sizes, what the program rests on; absent: nothing
  std::vector<TileArray> arrays;                     // Argument and Work
  std::vector<TouchedElements> touched = {};         // of arguments; not in the text
  std::optional<Type> returns;                       // the function returns the scalar array named "return"
  DeviceEntry entry;
  std::optional<DeviceQueue> queue = {};    // on a GPU, once its entries are mapped
  std::vector<DeviceKernel> kernels;        // without steps in order; each is done before the next begins
  std::vector<DeviceStep> steps = {};       // on a GPU: in order, over the numbers of kernels
  std::vector<std::string> declared = {};   // index arrays that the source declares to keep rows apart
  std::vector<IndexCheck> checks = {};      // not in the text; where one fails, entries say so and touch nothing
  std::vector<DeviceVersion> versions = {}; // not in the text
};

/// The text form (grammar: src/device/ir/write.cpp); readDeviceText(writeText(p)) is p but for `touched`.
std::string writeText(const DeviceProgram &program);
Result<DeviceProgram> readDeviceText(const std::string &text);

} // namespace polymend
