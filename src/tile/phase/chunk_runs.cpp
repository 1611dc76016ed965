// A union of domains (the first keys and those below the diagonal; a window and what all see) leaves chunks in several
// runs of neighbours. With c the number of a chunk of s columns, over sizes and the grid point p:
//   visited V = { [c] : some member has a point with s c <= j < s c + s },  full F = { [c] : every member's box is full
//   }, masked M = V \ F.
// isl makes the convex parts of M and of F disjoint, each of them is an interval [lo_k(p), lo_k(p) + n_k(p)), and the
// loop counts turns t over all of them, M's first: chunk number t + o_k, where t is in [e_k, e_k + n_k), e_k = the sum
// of n before it, o_k = lo_k - e_k. Sums and maxima take chunks in any order. V may be too large, and F too small, by
// what isl cannot say without quotients. A chunk without a mask may run with it: the first turn does, whichever chunk
// it is.
#include "chunk_runs.h"

#include "turns.h"

#include "polymend/affine.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

constexpr std::size_t mostRuns = 6;

/// A run of chunks: its first number, and how many they are.
struct Run {
  Expr first, count;
};

/// { [c] : the loop's variable is `step` c }, of what is known of the variable as a parameter.
isl::set chunkNumbers(const isl::set &known, const std::string &variable, std::int64_t step) {
  const std::string at = "{ [x] -> [c] : x = " + std::to_string(step) + " c }";
  return parameterAsDimension(known, variable)
      .apply(isl::manage(isl_map_read_from_str(isl_set_get_ctx(known.get()), at.c_str())));
}

/// The variables outside at which a member has a point in the chunk.
isl::set visitedChunks(const PhaseContext &context) {
  isl::set all;
  for (const Seated &seated : context.seats) {
    const isl::set reached =
        isl::manage(isl_set_params(pointSet(seated.equation.domain, seated.axes, seated.order()).release()));
    all = all.is_null() ? reached : all.unite(reached);
  }
  return all;
}

/// The variables outside at which every member fills the chunk's box, also in rows that are none of the tile's: what
/// bounds rows alone would only tell the last tile apart.
isl::set filledChunks(const PhaseContext &context, const isl::set &visited) {
  isl::set filled = visited;
  for (const Seated &seated : context.seats) {
    const Equation &e = seated.equation;
    const auto reduced = static_cast<unsigned>(e.dims.size()) - e.keys;
    isl::set domain = isl::manage(isl_set_reset_tuple_id(e.domain.copy()));
    if (seated.member.role != Member::Role::Map)
      domain =
          domain.gist(isl::manage(isl_set_reset_tuple_id(isl_set_add_dims(e.keyDomain.copy(), isl_dim_set, reduced))));
    const isl::set all = isl::manage(isl_set_universe(isl_set_get_space(domain.get())));
    const isl::set box = pointSet(all, seated.axes, seated.order());
    const isl::set lacking =
        isl::manage(isl_set_params(box.subtract(pointSet(domain, seated.axes, seated.order())).release()));
    filled = filled.subtract(lacking);
  }
  return filled;
}

/// The set's convex parts that need no quotient.
isl::set withoutQuotients(const isl::set &set) {
  isl::set kept = isl::manage(isl_set_empty(isl_set_get_space(set.get())));
  isl::manage(isl_set_compute_divs(set.copy())).foreach_basic_set([&](const isl::basic_set &part) {
    if (isl_basic_set_dim(part.get(), isl_dim_div) == 0) kept = kept.unite(isl::set(part));
  });
  return kept;
}

/// The disjoint runs of a set of chunks; absent: one of them has no bounds.
std::optional<std::vector<Run>> runsOf(const isl::set &chunks, const isl::set &around) {
  std::vector<Run> runs;
  for (const isl::basic_set &part : parts(chunks)) {
    const ScanBounds bounds = scan(part, symbolsOf({"c"}), around);
    const Expr first = lowest(bounds.dims[0]), limit = highest(bounds.dims[0]), none = Expr::integer(0);
    if (!first || !limit) return std::nullopt;
    Expr count = Expr::make(Op::Max, Type::Int64, {simplify(limit - first), none});
    if (bounds.rest) count = Expr::make(Op::Select, Type::Int64, {bounds.rest, count, none});
    runs.push_back({first, simplify(count)});
  }
  return runs;
}

/// Is a set of chunks one run of neighbours wherever `around` holds?
bool isOneRun(const isl::set &chunks, const isl::set &around) {
  const isl::set slim = coalesced(chunks.gist(around));
  if (isl_set_n_basic_set(slim.get()) <= 1) return true;
  const isl::set hull = isl::manage(isl_set_from_basic_set(isl_set_simple_hull(chunks.copy())));
  return hull.intersect(around).is_subset(chunks);
}

/// The runs of a loop, those that need a mask first.
struct Runs {
  std::vector<Run> all;
  std::size_t masked = 0;
};

/// Absent: there is one of each kind at most, or there are too many.
std::optional<Runs> runsOf(const PhaseContext &outside, const ChunkLoop &loop) {
  const isl::set around = isl::manage(isl_set_add_dims(isl_set_from_params(outside.known.copy()), isl_dim_set, 1));
  const isl::set reached = visitedChunks(outside);
  isl::set visited = chunkNumbers(reached, loop.variable, loop.step);
  visited = coalesced(isl::manage(isl_set_remove_divs(visited.release())).intersect(around));
  const isl::set filled = chunkNumbers(filledChunks(outside, reached), loop.variable, loop.step);
  const isl::set full = coalesced(withoutQuotients(filled).intersect(visited));
  if (isOneRun(visited, around) && isOneRun(full, around)) return std::nullopt;
  const auto masked = runsOf(coalesced(visited.subtract(full)), around), plain = runsOf(full, around);
  if (!masked || !plain || masked->size() + plain->size() > mostRuns) return std::nullopt;
  Runs runs{*masked, masked->size()};
  runs.all.insert(runs.all.end(), plain->begin(), plain->end());
  return runs;
}

/// The loop over the turns of all runs.
class TurnMaker {
public:
  TurnMaker(KernelFrame &f, const ChunkLoop &l, std::vector<std::pair<std::string, Expr>> &names)
      : frame(f), loop(l), lets(names) {}
  ChunkLoop run(const Runs &runs);

private:
  Expr let(const std::string &wanted, const Expr &value) {
    if (value.op() == Op::Integer || value.op() == Op::Symbol) return value;
    lets.emplace_back(frame.unique(loop.variable + wanted), Expr::cast(Type::Int32, value)); // copies count rows so
    return Expr::symbol(lets.back().first, Type::Int64);
  }
  static Expr before(const Expr &at, const Expr &end, const Expr &then, const Expr &otherwise) {
    if (equal(then, otherwise)) return then;
    return Expr::make(Op::Select, Type::Int64, {Expr::make(Op::Lt, {at, end}), then, otherwise});
  }
  /// What is added to the turn `at`, which is one of the first `count` runs', for the number of its chunk.
  [[nodiscard]] Expr offsetAt(const Expr &at, std::size_t count) const {
    Expr offset = offsets[count - 1];
    for (std::size_t k = count - 1; k-- > 0;) offset = before(at, ends[k + 1], offsets[k], offset);
    return offset;
  }
  [[nodiscard]] TileBlock placed(const TileBlock &chunk, const Expr &turn, const Expr &offset) const {
    return withValues(chunk, {{loop.variable, simplify((turn + offset) * Expr::integer(loop.step))}});
  }

  KernelFrame &frame;
  const ChunkLoop &loop;
  std::vector<std::pair<std::string, Expr>> &lets;
  std::vector<Expr> offsets, ends{Expr::integer(0)};
};

ChunkLoop TurnMaker::run(const Runs &runs) {
  for (const Run &one : runs.all) {
    offsets.push_back(let("_offset", simplify(one.first - ends.back())));
    ends.push_back(let("_end", simplify(ends.back() + one.count)));
  }
  ChunkLoop turns;
  turns.variable = frame.unique(loop.variable + "_turn");
  turns.first = Expr::integer(0);
  turns.limit = turns.fullLimit = ends.back();
  turns.fullFirst = ends[runs.masked];
  turns.endsFull = true;
  const Expr turn = Expr::symbol(turns.variable, Type::Int64);
  const std::size_t count = runs.all.size();
  Expr ofMasked = offsetAt(turn, runs.masked == 0 ? count : runs.masked);
  if (runs.masked > 0 && runs.masked < count) {
    const Expr first = let("_first", simplify(offsetAt(turns.first, count)));
    ofMasked = before(turn, Expr::integer(1), first, ofMasked);
  }
  turns.full = placed(loop.full, turn, offsetAt(turn, count));
  turns.masked = placed(loop.masked, turn, ofMasked);
  return turns;
}

} // namespace

std::optional<ChunkLoop> inRuns(const PhaseContext &outside, const ChunkLoop &loop,
                                std::vector<std::pair<std::string, Expr>> &lets) {
  const auto runs = runsOf(outside, loop);
  return runs ? std::optional(TurnMaker(outside.frame, loop, lets).run(*runs)) : std::nullopt;
}

} // namespace polymend
