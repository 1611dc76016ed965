// schedule: Relaxed -> Schedule. Reductions whose dependences were mended (or that merely share what they read) run in
// one loop; loops over the same rows run in one kernel; rows are independent of each other and become the grid.
#pragma once

#include "polymend/relax.h"

#include <map>
#include <set>

namespace polymend {

/// Where an equation's value lives between the point that computes it and the points that read it.
enum class EquationPlace {
  Stored, // nobody reads it: it only goes to its arrays
  Tile,   // one tile of rows (and of the rolled loop), of constant extents
  Row,    // one tile of rows, other extents symbolic
  Work    // the whole of it, for later kernels
};

/// One equation in a phase, and which of its dimensions runs with which loop.
struct Member {
  enum class Role { Inner, Reduce, Map }; // Inner: computed per point of the rolled loop
  int equation = 0;
  int mended = -1; // index into Relaxed::mended
  Role role = Role::Reduce;
  std::vector<int> rows;   // per row dimension of the kernel: the equation's dimension
  std::vector<int> rolled; // per rolled dimension of the phase: the equation's dimension
};

/// A loop over `rolled` dimensions in chunks, with everything that runs in it.
struct Phase {
  std::vector<std::string> rolled;
  std::vector<std::int64_t> chunks;
  std::vector<Member> members; // in dependence order
};

/// Independent tiles of rows, each running the phases in order.
struct KernelPlan {
  std::vector<std::string> rows;
  std::vector<std::int64_t> tiles; // extent of a tile along each row dimension
  isl::set domain;                 // over the rows
  std::vector<Phase> phases;
  bool divisible = false; // the first phase's only loop may be shared out in parts that are combined (split-K)
  std::int64_t parts = 1; // > 1: the first phase's loops are, in so many
};

struct Schedule {
  std::vector<KernelPlan> kernels;
  std::vector<EquationPlace> places;  // per equation
  std::optional<isl::schedule> order; // a function without a system keeps its order; then `kernels` is empty
  std::string why;                    // why, in that case
  bool moved = false;                 // but `order` is another than the source's, by dependences alone
  bool given = false;                 // and a person wrote it
  std::set<int> apart = {}; // equations whose corrections are left out by choice: in a kernel of their own they run on
                            // matrix units
  std::optional<std::string> doubt = {}; // why the source's order may be better
};

struct ScheduleOptions {
  std::map<std::string, std::int64_t> tiles; // --tile=LOOP:N by loop variable
  bool reorder = true;                       // --fp=strict: false
  RelaxMode mode = RelaxMode::Auto;          // SplitK: share out every loop that can be
  std::int64_t parts = 32;                   // how many parts fill the machine
  std::int64_t stream = 1024;                // chunk of a loop that reuses nothing
  int narrowFactors = 0; // matrix units of the target take sums of products with: 2: 16-bit factors alone, or doubles;
                         // 1: at least one 16-bit factor, others are rounded, and floats; 0: there are none
  bool host = false;     // for cores that take neighbouring elements at once and keep a loop's values in registers
  std::optional<std::string> tree{}; // a person's schedule, a document of by_hand.h, in the place of ours
};

/// The equations in which a factor of a wide product that is computed from what an earlier kernel leaves of its rows (a
/// row divided by its length) is an equation of its own, if that kernel can store it and it is cheaper stored than
/// computed for each tile of the product's columns; values are unchanged. Indices of equations and corrections move.
Relaxed withStoredFactors(const Relaxed &relaxed, const ScheduleOptions &options);
/// The equations with as many copies as let every kernel read an array's values at entry before others overwrite them:
/// what an equation would overwrite too early it keeps in memory of its own, and a late equation copies it. Where there
/// is little to do beside the copies, equations that compute what has been written once more read it instead on a
/// device; on a host, where the order of the source takes no launches, that order touches less memory (gemver: 25 ms,
/// and 29). The same equations where that does not help.
Relaxed withLateStores(const Relaxed &relaxed, const ScheduleOptions &options);
/// Does every instance come after those that it depends on through the edge, also where a sum makes it?
bool runsForwards(const Dependence &edge, const isl::union_map &times);
Schedule schedule(const Scop &scop, const Dependences &dependences, const Relaxed &relaxed,
                  const ScheduleOptions &options);
/// The verdicts as the plan leaves them: a correction that no phase applies is refused, with the reason.
Relaxed settled(const Relaxed &relaxed, const Schedule &schedule);
std::string dump(const Relaxed &relaxed, const Schedule &schedule);

/// Do the loops in the source's order take less time on a GPU than on its host, by an estimate: a launch at each turn
/// of a loop that carries a dependence?
bool gainsInOrder(const Scop &scop, const Dependences &dependences);

} // namespace polymend
