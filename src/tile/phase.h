// Lowering of one phase: a loop over chunks of the rolled dimensions with its members' point regions.
#pragma once

#include "tile/block.h"
#include "tile/frame.h"

namespace polymend {

/// A chunked loop over one dimension around a member's points.
struct OwnLoop {
  unsigned dim = 0;
  std::string variable;
  Expr first, limit;
  std::int64_t step = 1;
};

/// A member with its coordinates.
struct Seated {
  const Member &member;
  const Equation &equation;
  Axes axes;
  std::vector<unsigned> parallel, reduced; // dimensions with a point variable, in loop order
  std::vector<unsigned> extras;            // key dimensions that are neither rows nor rolled
  std::vector<OwnLoop> loops;
  [[nodiscard]] std::vector<unsigned> order() const;
};

/// A subexpression computed once into a tile and read by several points.
struct Outlined {
  Expr value;
  TileArray tile;
  std::vector<Expr> subscripts;
  isl::set points;      // where it is computed, over the point variables in `vars` order
  bool done = false;    // computed in the block being emitted
  bool hoisted = false; // computed before the loop
};

/// A loop over chunks of one dimension in a boxed kernel. Chunks that begin in [fullFirst, fullLimit) fill every box
/// and run `full`; the others run `masked`. Both bounds are multiples of the step away from `first`.
struct ChunkLoop {
  std::string variable;
  Expr first, limit;
  std::int64_t step = 1;
  Expr fullFirst, fullLimit;
  TileBlock full, masked;
};

/// A loop that runs beside the one over chunks: every chunk is visited at each of its turns.
struct Turns {
  std::string variable;
  Expr first, limit;
};

/// A phase of a boxed kernel.
struct BoxedPhase {
  TileBlock before;
  std::optional<ChunkLoop> loop;
  TileBlock after;
  std::vector<std::pair<std::string, Expr>> lets = {}; // as in Kernel
};

/// The producers' values that a group of mended states was taken at.
struct PivotGroup {
  std::string key;
  std::vector<std::string> symbols;       // as in the corrections
  std::vector<int> producers;             // equations
  std::vector<std::string> pivots, nexts; // tile names: value in use, value to move to
  std::string moves;                      // tile, not zero where they move; empty unless tiles lie in registers
  const Seated *owner = nullptr;
  bool looked = false;          // for what follows
  bool isEverBlind = false;     // elements may come before it is regular
  bool strays = false;          // a part may take in elements without ever reaching the reference's own range
  std::vector<double> harmless; // values of it at which none that counts has come
  std::string blind;            // tile, not zero where elements are taken in about a stand-in; empty: they never are
};

class PhaseLowerer {
public:
  PhaseLowerer(KernelFrame &kernel, const Phase &source);
  TileBlock run();
  /// The phase's loop over every `parts`-th chunk from the grid variable `part`; states go to part arrays in memory.
  TileBlock runPart(const std::string &part, std::int64_t parts);
  /// Combines what runPart left behind, then finishes like run.
  TileBlock runCombine(const Expr &parts);
  /// As run, in a boxed kernel; absent: a region has no box of constant extents.
  std::optional<BoxedPhase> runBoxed();
  /// As runPart, in a boxed kernel; each part is a run of neighbouring chunks.
  std::optional<BoxedPhase> runBoxedPart(const std::string &part, const Expr &parts);
  /// The arrays in memory that runPart and runBoxedPart write.
  [[nodiscard]] std::vector<TileArray> partArrays(const Expr &parts);

private:
  KernelFrame &frame;
  const Phase &phase;
  std::vector<Axis> rolledAxes;
  std::vector<Seated> seats;
  std::vector<Outlined> outlines;
  std::vector<PivotGroup> pivotGroups;
  std::map<int, std::vector<std::string>> states; // per mended equation: tile of each state component
  std::set<std::string> phaseVariables;           // loop and point variables that change within the phase's loop
  isl::set known;
  TileBlock prologue;
  bool full = false;

  void seat(const Member &member);
  Axis ownAxis(Seated &seated, unsigned dim);
  Seated &seatOf(int equation);
  [[nodiscard]] Expr realize(const Expr &value, const Seated &seated,
                             const std::map<std::string, Expr> &symbols = {}) const;
  [[nodiscard]] Expr atFirstRow(const Expr &value, const Seated &seated) const;
  [[nodiscard]] Expr stored(const Seated &seated, bool rowsAlone = false) const;
  [[nodiscard]] Expr valueAt(int equation, const std::vector<Expr> &keys) const;
  [[nodiscard]] Ref resultOf(const Seated &seated, const std::string &array) const;
  [[nodiscard]] std::vector<Expr> resultSubscripts(const Seated &seated) const;
  [[nodiscard]] TileArray resultTile(const Seated &seated, const std::string &name) const;
  std::string makeTile(const Seated &seated, const std::string &wanted, Type type);
  [[nodiscard]] Type typeOfTile(const std::string &name) const;
  [[nodiscard]] Type componentType(const Seated &seated, std::size_t k) const;
  std::string freshTile(const Seated &seated, const std::string &tile, Type type);
  std::map<std::string, std::string> freshTiles;
  std::string makeRowTile(const std::string &wanted, Type type);
  [[nodiscard]] std::vector<Expr> rowSubscripts() const;
  [[nodiscard]] Update updateOf(const Equation &e, Monoid monoid) const;

  TileBlock points(const Seated &seated, const std::vector<unsigned> &order, std::size_t parallel,
                   const std::vector<TileAssign> &body);
  TileBlock keyPoints(const Seated &seated, const std::vector<TileAssign> &body, bool perRow = false);
  TileBlock rowPoints(const Seated &seated, const std::vector<TileAssign> &body);
  TileBlock wrapOwn(const Seated &seated, bool keysOnly, TileBlock body) const;

  [[nodiscard]] Expr beginning(const Seated &seated) const;
  void beginMember(const Seated &seated);
  TileBlock stepMember(const Seated &seated);
  TileBlock endMember(const Seated &seated);
  TileBlock markInfinite(const Seated &seated);
  TileBlock stepMap(const Seated &seated);
  TileBlock mapPoints(const Seated &seated, const std::vector<TileAssign> &body);
  TileBlock update(const Seated &seated, const Ref &target, Update update, const Expr &value);
  TileBlock storeWork(const Seated &seated);

  [[nodiscard]] Expr regroup(const Seated &seated, const Expr &value) const;
  Expr outline(const Seated &seated, const Expr &value, bool factors, TileBlock &inner, TileBlock &outer);
  Expr outlineOne(const Seated &seated, const Expr &value, const std::vector<unsigned> &vars, TileBlock &inner,
                  TileBlock &outer);
  [[nodiscard]] const Outlined *knownOutline(const Seated &seated, const Expr &value,
                                             const std::vector<unsigned> &vars) const;
  [[nodiscard]] std::vector<unsigned> pointVars(const Seated &seated, const Expr &value) const;

  [[nodiscard]] static Expr nothingOf(const Seated &seated, Monoid monoid, Type type);
  void beginMended(const Seated &seated);
  TileBlock stepMended(const Seated &seated);
  TileBlock endMended(const Seated &seated);
  PivotGroup &pivotGroup(const Seated &seated);
  [[nodiscard]] std::vector<Expr> mendEntries(const Seated &seated, const PivotGroup &group) const;
  [[nodiscard]] Expr moved(const Expr &entry, const Seated &seated, const PivotGroup &group,
                           const std::map<std::string, Expr> &candidate) const;
  [[nodiscard]] Expr movedFar(const Seated &seated, const PivotGroup &group,
                              const std::map<std::string, Expr> &candidate) const;
  TileBlock movePivots(const Seated &seated, bool last);
  [[nodiscard]] Expr moved(const PivotGroup &group) const;
  [[nodiscard]] TileBlock joined(TileBlock first, const TileBlock &second) const;
  TileBlock moveAndMend(const Seated &seated, bool owner, bool last);
  TileBlock mendStates(const Seated &seated, bool last);
  [[nodiscard]] bool countsAt(const Seated &seated, const PivotGroup &group, std::size_t k, double value);
  [[nodiscard]] const Seated *seatIn(int equation) const;
  [[nodiscard]] static double startOf(const Equation &e);
  [[nodiscard]] std::optional<std::vector<double>> harmless(const PivotGroup &group);
  [[nodiscard]] bool shares(const Seated &seated, const PivotGroup &group);
  void noteBlind(PivotGroup &group, const Expr &regular, const std::map<std::string, Expr> &candidate,
                 std::vector<TileAssign> &body);
  void lookForBlind(PivotGroup &group);
  void makeBlind(PivotGroup &group);
  [[nodiscard]] Expr magnifiesPart(const Seated &seated, const Expr &state, const Expr &factor);
  [[nodiscard]] Expr leftPivot(const PivotGroup &group, std::size_t k);
  [[nodiscard]] bool magnifying(const PivotGroup &group) const;
  [[nodiscard]] Expr stands(const PivotGroup &group, int standing) const;
  [[nodiscard]] Expr lost(const Seated &seated, Type type) const;
  void loseBlind(const Seated &seated, std::vector<TileAssign> &body);
  [[nodiscard]] Expr magnifies(const Seated &seated, const Expr &state, const Expr &factor);
  Expr runningValue(const Seated &seated, int producer, bool last);
  Expr finishedSoFar(int producer);
  [[nodiscard]] bool finishesWithSum(int producer) const;
  [[nodiscard]] const Seated *mendedSeat(int equation) const;
  std::map<std::string, Expr> bindings(const Seated &seated, const std::vector<std::string> *pivots,
                                       const std::vector<std::string> *nexts) const;
  std::string factorTile(const Seated &seated, const Expr &entry, const Expr &moved, std::vector<TileAssign> &factors);
  [[nodiscard]] std::string explain(const Seated &seated) const;
  Expr byInverse(const Seated &seated, const Expr &element, const std::map<std::string, Expr> &bound, TileBlock &block);
  std::string inverseTile(const Seated &seated, std::size_t k, Type type);
  std::map<std::pair<int, std::size_t>, std::string> inverseTiles;
  bool lastOf(const PivotGroup &group, const Seated &seated);
  TileBlock settle(const Seated &seated, const PivotGroup &group);
  static Expr combine(const Equation &e, const Expr &a, const Expr &b);
  std::vector<std::pair<std::string, std::string>> pendingCopies;
  std::vector<std::pair<Expr, std::string>> factorTiles; // entries held since the pivots last moved
  std::vector<std::pair<std::string, Type>> factorPool;  // tiles for such entries
  std::string factorName(const Seated &seated, Type type);
  std::set<std::string> scalarHomes;

  TileBlock finishAndReplay(const Seated &seated, const std::map<std::string, Expr> &bound);
  TileBlock replay(const Seated &seated, const std::string &mark, Update rows);
  TileBlock markImages(const Seated &seated, const std::map<std::string, Expr> &bound, const std::string &mark);
  TileBlock markLost(const Seated &seated, const std::map<std::string, Expr> &bound, const std::string &mark);
  TileBlock markOdd(const Seated &seated, const std::string &mark, Update rows, bool values);
  TileBlock replayRow(const Seated &seated, const std::string &mark);
  [[nodiscard]] std::vector<const Seated *> againBefore(const Seated &seated) const;
  TileBlock rowAgain(const Seated &seated, const isl::set &ofRows);
  TileBlock replayInner(const Seated &inner, const std::vector<Axis> &whole);
  [[nodiscard]] isl::set rowKnown(const Seated &seated) const;
  TileBlock markedRows(const Seated &seated, const std::string &mark, TileBlock body);

  [[nodiscard]] std::vector<Expr> partSubscripts(const Seated &seated, const std::vector<unsigned> &keys,
                                                 const Expr &part) const;
  [[nodiscard]] Type partType(const Seated &seated, std::size_t k) const;
  TileBlock savePart(const Seated &seated);
  TileBlock combinePart(const Seated &seated, const Expr &parts);
  TileBlock partPoints(const Seated &seated, const Expr &part, const Expr &parts, const std::vector<TileAssign> &body);
  Expr mendedTerm(const Seated &seated, std::size_t component, const Expr &part);
  Expr finalValue(const Seated &seated, const std::map<std::string, Expr> &bound);
  TileBlock finish(const Seated &seated, const std::map<std::string, Expr> &bound);

  [[nodiscard]] const Steady *steadyOf(const Seated &seated) const;
  [[nodiscard]] bool isReplaced(const Seated &seated) const;
  [[nodiscard]] std::string explain(const Steady &steady) const;
  TileBlock finishTogether(const Seated &seated);
  TileBlock markFarOff(const Steady &steady, const std::string &mark);
  TileBlock replayProducer(const Steady &steady, const std::string &mark);
  std::string partVariable; // grid variable of runPart
  std::int64_t partCount = 1;
  bool inParts = false; // the states are made in parts, or combined from them
  std::optional<BoxedPhase> boxedChunks(const std::function<void(ChunkLoop &)> &shareOut);
  TileBlock neutralStart(const Seated &seated);
  Expr partFirst; // boxed parts: where this one's loop begins

  [[nodiscard]] Expr maskOf(const Seated &seated) const;
  [[nodiscard]] isl::set missing(const Seated &seated) const;
  TileBlock boxedUpdate(const Seated &seated, const Ref &target, Update update, const Expr &value);
  [[nodiscard]] std::vector<unsigned> memoryOrder(const Seated &seated, const Expr &read,
                                                  const std::vector<unsigned> &vars) const;
  Expr boxedFill(const Seated &seated, const Expr &value, const std::vector<unsigned> &vars);
  [[nodiscard]] static Expr timesConstants(const Expr &value);
  void neutralize(const Seated &seated, const Expr &product, TileBlock &block);
  [[nodiscard]] Expr withKnown(const Seated &seated, const Expr &value) const;
  [[nodiscard]] const TileArray *arrayOf(const Operand &operand) const;
  [[nodiscard]] bool copiesZeroOutside(const Seated &seated) const;
  [[nodiscard]] bool bareFactorsZeroOutside(const Seated &seated) const;
  void boundFullChunks(ChunkLoop &loop) const;
  [[nodiscard]] std::size_t chunkedAxis() const;
  std::vector<Turns> turnsBeside(std::size_t main);
  [[nodiscard]] isl::set atTurns(const isl::set &points, const Seated &seated) const;
  [[nodiscard]] isl::set atEveryTurn(const isl::set &filled, const std::string &variable) const;
  ChunkLoop flattened(const ChunkLoop &loop, const std::vector<Turns> &beside,
                      std::vector<std::pair<std::string, Expr>> &lets);
  std::set<int> watched; // boxed: equations whose rows are computed again where a result is not finite
  Expr neutralMask;      // boxed: the points of a product that count, until an operand is made neutral elsewhere

  TileBlock chunkBody();
  TileBlock roll(std::size_t k);
  void bindRolled(std::size_t k, Expr &first, Expr &limit);
  std::optional<Expr> fullCondition();
};

/// That a value is neither infinite nor NaN.
Expr isFinite(const Expr &value);
/// The mark of a row: 1 where it is to be computed again, 0 where the condition holds.
Expr markUnless(const Expr &regular);

bool isZero(const Expr &e);
bool isOne(const Expr &e);

/// What the elements of a correction's state are divided by that depends on the pivots alone.
std::vector<Expr> pivotDivisors(const Correction &correction);

/// Is the size of a float within the bound up to which pivots of matrix kernels move? Of other types: is it finite?
Expr isModerate(const Expr &value);
/// One past the largest value of a key, over the sizes.
Expr keyExtent(const Equation &e, unsigned key);
/// The name of the array that keeps all values of an equation for later kernels.
std::string workName(const Equation &e);

/// The bounds of one dimension of a set given the variables outside: loose where the set is not convex.
std::pair<Expr, Expr> boundsOf(const isl::set &line, const std::string &name);

} // namespace polymend
