// deps: Scop -> Dependences. Value-based flow per read, memory-based anti and output, reductions with their monoid,
// what is live in and live out.
#pragma once

#include "polymend/model.h"

#include <optional>

namespace polymend {

struct Dependence {
  enum class Kind { Flow, Anti, Output };
  Kind kind = Kind::Flow;
  int from = 0, to = 0; // indices into Scop::statements
  std::string array;
  isl::map relation; // { From[x] -> To[y] }: this edge's part of the dependence, carried by `loop`
  std::string loop;  // source name of the carrying loop; empty: carried by none
  /// Over the common loops, outermost first, in the direction in which they run; when constant.
  std::optional<std::vector<std::int64_t>> distance;
  bool reduction = false;  // a self edge of a recognised reduction, within its chains (flow, anti or output)
  bool privatised = false; // anti or output edge that vanishes once the array is private
  bool exact = true;
  std::string runtime = {}; // whether it holds an index array says: which, and what would disprove it; empty: none does
  std::string variable = {}; // of the carrying loop: no other loop has it, though it may have that name in the source
};

/// Where the value of one read comes from.
struct Sources {
  int statement = 0, read = 0;
  std::vector<std::pair<int, isl::map>> from; // (writer index, { Reader[x] -> Writer[y] }), value-based, single-valued
  isl::set liveIn;                            // instances of the reader that see the array's value at entry
};

/// statement: X[...] = X[...] (+) element. Its instances fall into chains; reduced[d]: dimension d moves along a chain.
struct Reduction {
  int statement = 0;
  int selfRead = 0; // index into Statement::reads of the accumulator
  Monoid monoid = Monoid::Sum;
  bool comparison = false; // maximum or minimum by comparison (std::max, ?:), not fmax: needs "no NaN" to reorder
  Expr element;            // the statement's value without the accumulator
  std::vector<bool> reduced;
  isl::set first, last; // first and last instance of each chain
};

struct Dependences {
  std::vector<Dependence> edges;
  std::vector<Sources> sources; // one per (statement, read)
  std::vector<Reduction> reductions;
  /// Per array that outlives the function: { Array[x] -> Writer[y] }, the last write of each element.
  std::vector<std::pair<std::string, isl::union_map>> liveOut;
  [[nodiscard]] const Sources &sourcesOf(int statement, int read) const;
  [[nodiscard]] const Reduction *reductionOf(int statement) const;
};

/// Refuses when isl gives up (operation cap) or fails: unknown is never treated as "none".
Result<Dependences> analyse(const Scop &scop);
std::string dump(const Scop &scop, const Dependences &dependences);

/// How far a dependence reaches along one loop, counted in the direction in which that runs; absent: nothing bounds it.
struct Step {
  std::optional<std::int64_t> least, most;
};
/// Per edge, along each loop around both of its statements, outermost first.
std::vector<std::vector<Step>> stepsOf(const Scop &scop, const Dependences &dependences);
/// "(0, 1)", "(>=1, -2..2, any)"; of a dependence whose loops have no common one "()".
std::string spellDistance(const std::vector<Step> &steps);
/// Per loop what Allen and Kennedy write: "<" forward, "=" same iteration, ">" backward, "<=", ">=", "*" any.
std::string spellDirection(const std::vector<Step> &steps);

/// The dependence graph as a table for people. `verdicts` is empty or says, edge by edge, what became of it.
std::string graphText(const Scop &scop, const Dependences &dependences, const std::vector<std::string> &verdicts = {});
/// "m[i][j] = exp(s[i][j])": what a statement writes, and what.
std::string spell(const Statement &statement);
/// "flow", "anti", "output".
std::string spell(Dependence::Kind kind);

} // namespace polymend
