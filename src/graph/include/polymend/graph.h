// graph: a function's way through the rooms -> its dependence graph as plain data that people look at: statements and
// loops with their places, dependences with all that is known of them, what each forbids, and small replays of the
// source's order and of the planned one. What needs isl is computed here, once; who draws it only draws.
#pragma once

#include "polymend/account.h"
#include "polymend/source_marks.h"

#include <map>

namespace polymend {

/// A loop of the source.
struct DrawnLoop {
  std::string variable, name; // unique within the function; as the source spells it
  int parent = -1;            // index of the loop around it
  bool up = true;
  SourceRange where;
};

struct DrawnStatement {
  std::string id, text, domain, array; // `array` is what it writes
  std::vector<int> loops;              // around it, outermost first
  SourceRange where;
};

/// A dependence: what the report says of it, and what only a drawing shows.
struct DrawnEdge {
  int from = 0, to = 0;
  ReportedDependence account;
  std::vector<Step> steps;
  std::string relation, sentence, decided; // isl's notation; in words; the verdict with its mend
  std::vector<SourceRange> fromAt, toAt;   // the accesses
  bool reduction = false, privatised = false, exact = true;
  int mended = -1; // the correction that makes up for it when it is dropped: its own, or of the reduction it leads into
};

/// A change of the loops, and what forbids it: every obstacle is a chain of dependences that forbids it as long as all
/// of them hold.
struct Change {
  enum class Kind { Fuse, Parallel, Tile };
  Kind kind = Kind::Fuse;
  std::vector<int> loops;
  std::vector<std::vector<int>> obstacles; // indices of edges
  bool complete = true;                    // false: there are more obstacles than are listed
};

struct ReplayPoint {
  int statement = 0;
  std::vector<std::int64_t> at; // every iterator of the statement
};

struct ReplayArrow {
  int from = 0, to = 0, edge = 0; // points, dependence
  bool violated = false;          // by the planned order
};

/// The planned order in tiles of so many elements along each loop that is tiled: points, and which arrows it violates.
struct TiledOrder {
  int tile = 2;
  std::vector<int> planned, violated;
};

/// All points of the statements at small sizes, those along more than two loops at the last iteration of the outer
/// ones.
struct Replay {
  std::map<std::string, std::int64_t> sizes;
  std::vector<ReplayPoint> points; // in the source's order
  std::vector<int> planned;        // the points in the planned order; empty: it is the source's
  std::vector<TiledOrder> tiled;   // the planned order in larger tiles
  std::vector<ReplayArrow> arrows;
  std::vector<int> waves;         // per point: the length of the longest chain of dependences that ends there
  std::vector<std::string> fixed; // "i = 3": iterators that are held
};

/// One element of six in a trial of a correction.
struct TrialStep {
  std::map<std::string, double> elements, producers; // by their names
  std::vector<double> before, after, taken;          // the state: as it was, mended, with this element
  std::vector<double> unmended;                      // what it would be if it were never mended
};

/// A correction on six numbers, evaluated from its formulas over the reals.
struct Trial {
  int mended = 0;
  std::string array;
  std::string why; // there are no steps; empty: there are
  std::vector<TrialStep> steps;
  double result = 0, unmended = 0, expected = 0; // expected: as the source computes it, its producers finished
};

/// A line of the corrected program, and the statements that it stands for.
struct OutlineLine {
  int depth = 0;
  std::string text;
  std::vector<int> statements;
};

struct DrawnFunction {
  std::string name, outcome, reason; // of the report
  SourceRange where, reasonWhere;
  std::vector<DrawnLoop> loops;
  std::vector<DrawnStatement> statements;
  std::vector<DrawnEdge> edges;
  std::vector<Change> changes;
  std::vector<Replay> replays;
  std::string replayNote; // why there is none, or no planned order
  std::string orderName;  // what the planned order is called
  std::vector<Trial> trials;
  std::vector<OutlineLine> outline;
  std::vector<int> reasonEdges = {}; // of a function that keeps its order: what keeps its outermost loops from threads
};

/// A line of the printed text, and the statements of a function that it computes, or copies from the source.
struct PrintedLine {
  int line = 1, function = 0;
  std::vector<int> statements;
  bool isCopy = false;
};

struct Drawing {
  std::string file, source, printed; // texts; `printed` may be empty
  std::vector<DrawnFunction> functions;
  std::vector<PrintedLine> printedLines = {}; // those of some statement
};
/// Fills printedLines, given what each line is made from.
void linkPrinted(Drawing &drawing, const std::vector<LineOrigin> &lines);

/// A drawing of the functions that came as far as their model, and of the others why they did not. `sizes`: at which
/// replays are made, where a size that is not named is as large as the first that is; empty: all sizes 2, 3, 4, 5
/// and 6, and, as far as little is to be kept, of two sizes that matter each of these beside each, of more each in
/// turn; the last has all sizes 6.
struct DrawOptions {
  std::vector<std::map<std::string, std::int64_t>> sizes;
  bool replays = false;
};
DrawnFunction drawn(const FunctionTrace &trace, const DrawOptions &options);
DrawnFunction drawn(const LeftAlone &left);

/// Which dependences a picture shows.
enum class Kinds { Flow, All };
/// How a drawing is laid out for Graphviz. `prefix` begins every id; `folded`: a node for each outermost loop.
struct DotOptions {
  Kinds kinds = Kinds::Flow;
  std::string prefix;
  bool folded = false, legend = true;
};
/// Parallel dependences of one kind and verdict are one arrow, of the class "gK" for the least index K among them.
std::string writeDot(const DrawnFunction &function, const DotOptions &options);
/// How many nodes the folded drawing has.
std::size_t countNests(const DrawnFunction &function);
/// The arrows that writeDot draws: indices of edges, the least first.
std::vector<std::vector<int>> merged(const DrawnFunction &function, const DotOptions &options);
/// One JSON document, of the schema in docs/dependences.md; `texts`: with the source and the printed file.
std::string writeJson(const Drawing &drawing, bool texts = false);

} // namespace polymend
