// A function arrives, the best of several ways through the rooms leaves: as it is written, with fewer scalars where
// nothing is gained so, and with versions for usual row lengths beside the general one.
#include "lowered.h"

#include "polymend/dead_stores.h"
#include "polymend/fixed_sizes.h"
#include "polymend/lower.h"
#include "polymend/partial_sums.h"
#include "polymend/short_windows.h"
#include "polymend/sums_apart.h"
#include "polymend/validate.h"
#include "polymend/widths.h"
#include "polymend/without_rescaling.h"
#include "polymend/without_scalars.h"

#include <isl/ctx.h>
#include <isl/map.h>

#include <algorithm>
#include <array>

namespace polymend {
namespace {

/// A way to write a function that computes the same, of what is modelled; absent: there is none.
struct Rewriting {
  std::optional<Function> (*rewritten)(const Function &, const Scop &, const Dependences &);
  int rounds = 1;        // at most
  bool inOrder = false;  // what a sum chooses was not asked of it: no sum takes another order
  bool regroups = false; // sums are taken in another order, whatever comes after
};

constexpr std::array<Rewriting, 4> rewritings{{{withoutDeadStores, 1, false},
                                               {withSumsApart, 1, false},
                                               {withPartialSums, 1, false, true},
                                               {withoutScalars, 4, true}}};

/// In how many pieces a function reads an array, at most.
int mostPieces(const Scop &scop) {
  int most = 0;
  for (const Statement &statement : scop.statements)
    for (const Access &read : statement.reads) most = std::max(most, isl_map_n_basic_map(read.relation.get()));
  return most;
}

/// As lowerFunction, with loops over the elements that rows see, where the target has matrix units; absent: no loop is
/// one over these, and nothing says how the function is lowered else, or they do not bring it onto the units.
std::optional<Result<Lowered>> lowerByPositions(const PipelineOptions &options, const IslContext &context,
                                                const std::optional<std::string> &tree, FunctionTrace &trace,
                                                Dumps &dumps) {
  if (machineFor(options).units.empty() || tree) return std::nullopt;
  const double checked = options.thorough ? 3 : 1; // all that is run on trial takes longer
  const TimeLimit limit(context, checked * (trace.function.isRegion ? 3 : 16));
  constexpr unsigned long usual = 1, windows = 4, solids = 16; // pieces of several loops' windows take longer
  constexpr int ofTwo = 9;                                     // pieces of two such loops
  for (unsigned long times = usual;;) {
    FunctionTrace moved = trace;
    Dumps shown = dumps;
    Result<Lowered> lowered = Refusal{"", trace.function.where};
    std::string what;
    const auto run = [&] { lowered = lowerFunction(options, context, tree, moved, shown, true); };
    const bool done = capped(context, run, what, times * islOperationCap);
    if (isl_ctx_aborted(context.get()) != 0) break; // what rooms made of that is not their answer
    const bool hasMoved = moved.relaxed && moved.relaxed->positions;
    if (done && (!hasMoved || (lowered && hasRoles(lowered->program)))) {
      trace = moved;
      dumps = shown;
      return lowered;
    }
    const bool isSolid = moved.scop && mostPieces(*moved.scop) > ofTwo;
    const unsigned long more = isSolid ? solids : windows;
    if (done || !(hasMoved || isSolid) || more <= times) break;
    times = more;
  }
  return std::nullopt;
}

/// A function as it is written otherwise, and how it is lowered.
struct Rewritten {
  FunctionTrace trace;
  PipelineOptions options;
};

/// The first rewriting, one upon the other, that gains something; absent: none does. `last` is the last that was tried
/// to its end.
std::optional<Result<Lowered>> byRewritings(const IslContext &context, const std::optional<std::string> &tree,
                                            const std::shared_ptr<const FunctionTrace> &source, Rewritten &last,
                                            FunctionTrace &trace, Dumps &dumps) {
  const FloatMode asked = last.options.fp;
  for (const Rewriting &way : rewritings) {
    if (way.regroups && asked == FloatMode::Strict) continue;
    for (int round = 0; round < way.rounds; ++round) {
      const auto other = way.rewritten(last.trace.function, *last.trace.scop, *last.trace.dependences);
      if (!other) break;
      FunctionTrace next{*other, {}, {}, {}, {}, {}};
      next.source = source;
      Dumps shown = dumps;
      PipelineOptions how = last.options;
      how.fp = way.inOrder ? FloatMode::Strict : asked;
      Result<Lowered> lowered = lowerFunction(how, context, tree, next, shown);
      if (lowered || next.invalid) {
        trace = next;
        dumps = shown;
        return lowered;
      }
      if (!next.schedule) break;
      last = {next, how};
    }
  }
  return std::nullopt;
}

/// As lowerFunction; where nothing is gained by any order of the loops, as it is written otherwise: without stores that
/// nobody reads, with sums in loops of their own or by turns, with fewer scalars, each of which makes turns of a loop
/// wait for one another; at last in its order, with threads for the loops within. `known`: what lowerFunction gives,
/// where it has been asked already.
Result<Lowered> lowerByAnyText(const PipelineOptions &options, const IslContext &context,
                               const std::optional<std::string> &tree, const std::optional<Result<Lowered>> &known,
                               FunctionTrace &trace, Dumps &dumps) {
  constexpr double longest = 4; // seconds for all rewritings, which leaves some for the source's order
  Result<Lowered> asWritten = known ? *known : lowerFunction(options, context, tree, trace, dumps);
  if (asWritten || tree || trace.invalid || !trace.schedule || !trace.schedule->order) return asWritten;
  const auto source = std::make_shared<const FunctionTrace>(trace);
  Rewritten last{trace, options};
  std::optional<Result<Lowered>> otherwise;
  std::string gaveUp;
  {
    const TimeLimit limit(context, longest);
    capped(context, [&] { otherwise = byRewritings(context, tree, source, last, trace, dumps); }, gaveUp);
  }
  if (otherwise) return *otherwise;
  // A GPU keeps in memory what points of a loop have for themselves: the fewer scalars, the better.
  if (options.target != Target::Cpp && last.trace.source) {
    last.trace.sharesWithin = true;
    Dumps shown = dumps;
    if (auto lowered = lowerFunction(last.options, context, tree, last.trace, shown); lowered || last.trace.invalid) {
      trace = last.trace;
      dumps = shown;
      return lowered;
    }
  }
  const auto alive = options.target == Target::Cpp
                         ? withoutDeadStores(source->function, *source->scop, *source->dependences)
                         : std::nullopt;
  FunctionTrace next = alive ? FunctionTrace{*alive, {}, {}, {}, {}, {}} : *source;
  if (alive) next.source = source;
  next.sharesWithin = true;
  Dumps shown = dumps;
  Result<Lowered> lowered = lowerFunction(options, context, tree, next, shown);
  if (!lowered && !next.invalid) return asWritten;
  trace = next;
  dumps = shown;
  return lowered;
}

/// How many corrections kernels of the plan apply.
std::size_t mendedIn(const FunctionTrace &trace) {
  std::size_t count = 0;
  for (const KernelPlan &kernel : trace.schedule->kernels)
    for (const Phase &phase : kernel.phases)
      count += static_cast<std::size_t>(std::count_if(phase.members.begin(), phase.members.end(),
                                                      [](const Member &member) { return member.mended >= 0; }));
  return count;
}

/// Versions for usual values of sizes that say how long rows are, where more is mended in kernels on matrix units then.
void addVersions(const PipelineOptions &options, const IslContext &context, FunctionTrace &trace, Lowered &lowered) {
  const bool isPlain = options.target == Target::Cuda && !machineFor(options).units.empty() &&
                       options.fp != FloatMode::Strict && !trace.schedule->order && !trace.function.isNested &&
                       trace.function.outlined.empty() && lowered.program.guard.checks.empty();
  if (!isPlain || mendedIn(trace) == 0) return;
  for (const std::string &size : widthsOf(trace.function, lowered.program))
    for (const std::int64_t width : usualWidths) {
      FunctionTrace fixed;
      fixed.function = withSize(trace.function, size, width);
      Dumps unseen("");
      const auto version = lowerFunction(options, context, std::nullopt, fixed, unseen);
      trace.faults.insert(trace.faults.end(), fixed.faults.begin(), fixed.faults.end());
      if (!version || !hasRoles(version->program) || mendedIn(fixed) <= mendedIn(trace)) break;
      for (const std::string &assumed : fixed.relaxed->assumptions)
        if (std::ranges::find(trace.relaxed->assumptions, assumed) == trace.relaxed->assumptions.end())
          trace.relaxed->assumptions.push_back(assumed);
      const Expr when = fixed.function.given.back();
      lowered.program.versions.push_back(when);
      lowered.mapped->versions.push_back({when, std::make_shared<const DeviceProgram>(*version->mapped)});
    }
}

/// Dimensions of a kernel's grid that have more than one value.
std::size_t gridDepth(const Kernel &kernel) {
  return static_cast<std::size_t>(std::ranges::count_if(kernel.grid, [](const PointDim &dim) {
    const Expr length = simplify(dim.limit - dim.first);
    return length.op() != Op::Integer || length->integer != 1;
  }));
}

/// Is each point of one grid run by itself, with no more than scalars and a few elements of its own? Beside it no more
/// than loops over what its points leave are run.
bool runsByPoints(const TileProgram &program) {
  int deep = 0;
  for (const Kernel &kernel : program.kernels) {
    if (gridDepth(kernel) + depthOf(kernel.body) <= 1 && program.kernels.size() > 1) continue;
    const auto isRow = [](const TileArray &a) { return a.space == Space::Row; };
    if (++deep > 1 || kernel.grid.empty() || std::ranges::any_of(kernel.tiles, isRow)) return false;
  }
  return deep == 1;
}

/// The function in its own order; absent: its points do not run by themselves.
std::optional<Lowered> byPoints(const PipelineOptions &options, const IslContext &context, FunctionTrace &trace,
                                const std::string &doubt, Dumps &dumps) {
  trace.schedule = inSourceOrder(*trace.scop, doubt);
  Result<Lowered> lowered = lowerFunction(options, context, std::nullopt, trace, dumps);
  if (!lowered || trace.invalid || !runsByPoints(lowered->program)) return std::nullopt;
  return *lowered;
}

/// Takes the source's order, its points in parallel, where the plan may gain nothing beside it; what all points add up
/// is added up for each first, where they wait for one another for that alone.
void takePoints(const PipelineOptions &options, const IslContext &context, FunctionTrace &trace,
                Result<Lowered> &lowered, Dumps &dumps) {
  if (!trace.schedule || !trace.schedule->doubt) return;
  const auto take = [&](FunctionTrace next) {
    Dumps shown = dumps;
    const auto other = byPoints(options, context, next, *trace.schedule->doubt, shown);
    if (!other) return false;
    trace = next;
    dumps = shown;
    lowered = *other;
    return true;
  };
  if (take(trace) || options.fp == FloatMode::Strict) return;
  const auto parts = withPartialSums(trace.function, *trace.scop, *trace.dependences);
  if (!parts) return;
  FunctionTrace next{*parts, {}, {}, {}, {}, {}};
  next.source = std::make_shared<const FunctionTrace>(trace);
  Dumps unseen("");
  if (lowerFunction(options, context, std::nullopt, next, unseen); next.scop && next.dependences && !next.invalid)
    take(next);
}

/// As lowerWithinLimits, of what the function's own text says.
Result<Lowered> lowerAsWritten(const PipelineOptions &options, const IslContext &context,
                               const std::optional<std::string> &tree, FunctionTrace &trace, Dumps &dumps) {
  Result<Lowered> result = Refusal{"", trace.function.where};
  std::string what;
  const auto known = lowerByPositions(options, context, tree, trace, dumps);
  const TimeLimit limit(context, trace.function.isRegion ? 3 : 8);
  if (capped(context, [&] { result = lowerByAnyText(options, context, tree, known, trace, dumps); }, what)) {
    const auto lower = [&] { takePoints(options, context, trace, result, dumps); };
    if (result && !tree) capped(context, lower, what);
    Result<Lowered> withVersions = result; // where isl gives up on these there are none
    if (result && !tree && capped(context, [&] { addVersions(options, context, trace, *withVersions); }, what))
      return withVersions;
    return result;
  }
  return Refusal{"the polyhedral model became too large: " + what, trace.function.where};
}

/// The function with sums that it rescales as it goes taken at last; absent: it has none, or they hinder nothing.
std::optional<Unrescaled> takenAtLast(const PipelineOptions &options, const IslContext &context,
                                      const FunctionTrace &source) {
  if (options.fp == FloatMode::Strict || source.invalid || !source.schedule || !source.schedule->order)
    return std::nullopt;
  std::optional<Unrescaled> other;
  std::string what;
  const TimeLimit limit(context, 1);
  const auto find = [&] { other = withoutRescaling(source.function, *source.scop, *source.dependences); };
  return capped(context, find, what) && isl_ctx_aborted(context.get()) == 0 ? other : std::nullopt;
}

} // namespace

Result<Lowered> lowerWithinLimits(const PipelineOptions &options, const IslContext &context,
                                  const std::optional<std::string> &tree, FunctionTrace &trace, Dumps &dumps) {
  try {
    Result<Lowered> result = lowerAsWritten(options, context, tree, trace, dumps);
    const FunctionTrace &source = trace.source ? *trace.source : trace;
    const auto other = tree ? std::nullopt : takenAtLast(options, context, source);
    if (!other) return result;
    FunctionTrace next{other->function, {}, {}, {}, {}, {}};
    next.source = std::make_shared<const FunctionTrace>(source);
    Dumps shown = dumps;
    Result<Lowered> lowered = lowerAsWritten(options, context, tree, next, shown);
    if (!lowered || !next.schedule || next.schedule->order) return result;
    next.relaxed->assumptions.insert(next.relaxed->assumptions.end(), other->assumptions.begin(),
                                     other->assumptions.end());
    trace = next;
    dumps = shown;
    return lowered;
  } catch (const std::exception &failure) {
    return invalid(std::string("internal error: ") + failure.what(), trace);
  }
}

} // namespace polymend
