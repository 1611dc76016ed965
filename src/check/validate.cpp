// The source's order, lowered statement by statement, is the reference: both programs are interpreted on the same small
// data. A second run of the program counts stores instead of making them. What kernels with roles compute is also
// looked at where those cannot run. Sizes lie around the tile extents; what is too large to interpret or undefined in
// the source (an access out of bounds) is left out.
// One file: both validations share what they compare.
#include "polymend/validate.h"

#include "polymend/interpret.h"
#include "polymend/lower.h"

#include "tile/visit.h"

#include "backwards.h"
#include "exceptional.h"
#include "run.h"
#include "small_arrays.h"
#include "small_runs.h"
#include "steady.h"

#include <isl/set.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace polymend {
namespace {

/// The program with each store to an argument replaced by counting it.
TileProgram counting(const TileProgram &program) {
  std::set<std::string> outputs;
  for (const TileArray &array : program.arrays)
    if (array.space == Space::Argument && array.written) outputs.insert(array.name);
  TileProgram result = program;
  for (Kernel &kernel : result.kernels)
    kernel = rewrite(kernel, [&](const TileAssign &assign) {
      TileAssign counted = assign;
      if (outputs.count(assign.target.array) == 0) return counted;
      counted.update = Update::Sum;
      counted.value = Expr::real(1, Type::Float64);
      return counted;
    });
  return result;
}

bool reads(const TileBlock &block, const std::string &array) {
  bool found = false;
  eachAssign(block, [&](const TileAssign &assign) { found = found || reads(assign.value, array); });
  return found;
}

/// The program without the kernels that compute again what kernels with roles marked.
TileProgram withoutFallback(const TileProgram &program) {
  TileProgram result = program;
  std::erase_if(result.kernels, [&](const Kernel &kernel) {
    return std::any_of(program.kernels.begin(), program.kernels.end(), [&](const Kernel &roles) {
      return !roles.fallback.empty() && roles.name != kernel.name && reads(kernel.body, roles.fallback);
    });
  });
  return result;
}

/// Does a kernel with roles hand values on to other kernels? Then these need all of its grid points.
bool handsOn(const TileProgram &program) {
  std::set<std::string> work;
  for (const TileArray &array : program.arrays)
    if (array.space == Space::Work) work.insert(array.name);
  bool found = false;
  for (const Kernel &kernel : program.kernels)
    if (!kernel.roles.empty())
      eachAssign(kernel, [&](const TileAssign &assign) {
        found = found || (work.count(assign.target.array) > 0 && assign.target.array != kernel.fallback);
      });
  return found;
}

/// `got` where an element is no longer what it was at the start, `wanted` elsewhere.
Memory whereStored(const Memory &start, const Memory &got, const Memory &wanted) {
  Memory result = got;
  for (std::size_t a = 0; a < got.arrays.size(); ++a)
    for (std::size_t k = 0; k < got.arrays[a].second.size(); ++k)
      if (got.arrays[a].second[k] == start.arrays[a].second[k]) result.arrays[a].second[k] = wanted.arrays[a].second[k];
  return result;
}

/// How many points the regions of roles have at the first `most` grid points; those of products, which are quick to
/// run, count less.
double roleWork(const TileProgram &program, const Values &sizes, double most = 1e18) {
  constexpr double quick = 0.05;
  double total = 0;
  for (const Kernel &kernel : program.kernels) {
    if (kernel.roles.empty()) continue;
    double visits = 1;
    for (const PointDim &d : kernel.grid) {
      const auto first = valueOf(d.first, sizes), limit = valueOf(d.limit, sizes);
      visits *= first && limit ? static_cast<double>(std::max<std::int64_t>(0, *limit - *first)) : 1;
    }
    double points = 0;
    const std::function<void(const TilePoints &, double)> add = [&](const TilePoints &region, double weight) {
      for (const PointDim &d : region.dims)
        weight *= d.limit.op() == Op::Integer ? static_cast<double>(d.limit->integer) : 1;
      points += weight;
    };
    const std::function<void(const TileBlock &)> count = [&](const TileBlock &block) {
      for (const TileNode &node : block) {
        if (const auto *region = as<TilePoints>(node)) add(*region, 1);
        if (const auto *async = as<TileAsync>(node))
          add(async->points, async->kind == TileAsync::Kind::Contract ? quick : 1);
        if (const auto *branch = as<TileBranch>(node)) count(branch->then);
      }
    };
    for (const TileRole &role : kernel.roles) count(role.body);
    total += std::min(visits, most) * points;
  }
  return total;
}

std::string sizeText(const Values &sizes) {
  std::string text;
  for (const auto &[name, value] : sizes) text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return text.empty() ? "its sizes" : text;
}

/// The first element at which two memories differ, in words. Where 16-bit numbers are summed, roundings count against
/// the array's largest element, not against the sum's own size. `excusesNaN`: nothing is said of what is to be NaN.
std::optional<std::string> difference(const TileProgram &program, const Memory &wanted, const Memory &got,
                                      bool excusesNaN = false) {
  const bool narrow = std::any_of(program.arrays.begin(), program.arrays.end(),
                                  [](const TileArray &array) { return isNarrow(array.type); });
  for (std::size_t a = 0; a < wanted.arrays.size(); ++a) {
    double scale = 0;
    for (const double x : wanted.arrays[a].second)
      if (narrow && std::isfinite(x)) scale = std::max(scale, std::abs(x));
    for (std::size_t k = 0; k < wanted.arrays[a].second.size(); ++k) {
      const double x = wanted.arrays[a].second[k], y = got.arrays[a].second[k];
      if (!(excusesNaN && std::isnan(x)) && !isClose(x, y, scale))
        return wanted.arrays[a].first + "[" + std::to_string(k) + "] is " + std::to_string(y) + ", not " +
               std::to_string(x);
    }
  }
  return std::nullopt;
}

/// The first element at which the program's memory differs from what the source makes of the start, and that is no
/// matter of roundings.
std::optional<std::string> differenceFrom(const TileProgram &reference, const TileProgram &program, const Memory &start,
                                          const Memory &wanted, const Memory &got, bool excusesNaN = false) {
  if (!difference(program, wanted, got, excusesNaN)) return std::nullopt;
  return difference(program, wanted, whereSteady(reference, start, wanted, got), excusesNaN);
}

/// An element that is stored more than once: each count is one at most.
std::optional<std::string> storedTwice(const TileProgram &program, const Memory &zeroed) {
  Memory counts = zeroed;
  if (interpret(counting(program), counts)) return std::nullopt;
  for (std::size_t a = 0; a < counts.arrays.size(); ++a)
    for (std::size_t k = 0; k < counts.arrays[a].second.size(); ++k)
      if (counts.arrays[a].second[k] - zeroed.arrays[a].second[k] > 1)
        return counts.arrays[a].first + "[" + std::to_string(k) + "] is stored more than once";
  return std::nullopt;
}

Memory withoutValues(const Memory &memory, const TileProgram &program) {
  Memory result = memory;
  for (auto &[name, values] : result.arrays)
    for (const TileArray &array : program.arrays)
      if (array.name == name && array.written) std::fill(values.begin(), values.end(), 0.0);
  return result;
}

/// May an index that is read from an array lie outside what it indexes at these sizes? Then the source has no meaning.
bool gathersOutside(const TileProgram &program, const Values &sizes) {
  constexpr std::int64_t indices = 3;
  const bool gathers = std::any_of(program.arrays.begin(), program.arrays.end(), [](const TileArray &array) {
    return array.space == Space::Argument && !isFloating(array.type);
  });
  return gathers && std::any_of(sizes.begin(), sizes.end(), [](const auto &size) { return size.second < indices; });
}

/// The source, in its order, as a program.
Result<TileProgram> inSourceOrder(const FunctionTrace &trace) {
  if (trace.source) return inSourceOrder(*trace.source);
  Schedule inOrder;
  inOrder.order = trace.scop->schedule;
  return lower(trace.function, *trace.scop, *trace.dependences, *trace.relaxed, inOrder, {});
}

/// Does the program differ where an element of an argument is exceptional, so that rows are computed again?
std::optional<std::string> exceptionalFault(const FunctionTrace &trace, const TileProgram &reference,
                                            const TileProgram &program, const Memory &start) {
  for (const ExceptionalRun &run : exceptionalRuns(program, *trace.relaxed, start)) {
    Memory wanted = run.start, got = run.start;
    if (interpretSource(reference, wanted)) continue;
    if (auto fault = interpret(program, got)) return "where " + run.what + ": " + *fault;
    if (auto differs = differenceFrom(reference, program, run.start, wanted, got, run.excusesNaN))
      return "where " + run.what + ": " + *differs;
  }
  return std::nullopt;
}

/// Little enough to run for several exceptional elements.
bool isSmall(const Instances &instances, const TileProgram &program, const Values &sizes, const Effort &effort) {
  constexpr double mostRoleWork = 3e5;
  return instances.at(sizes) <= static_cast<double>(effort.exceptional) && roleWork(program, sizes) <= mostRoleWork;
}

/// A function's source and what stands in its place.
struct Pair {
  const FunctionTrace &trace;
  const Instances &instances;
  const TileProgram &reference, &program;
};

/// What is wrong with what the program makes of `start`, where its source makes `wanted`.
std::optional<std::string> compareOn(const TileProgram &reference, const TileProgram &program, const Memory &start,
                                     const Memory &wanted) {
  Memory got = start;
  if (auto fault = interpret(program, got)) return fault;
  if (auto differs = differenceFrom(reference, program, start, wanted, got)) return differs;
  const Memory empty = withoutValues(start, program);
  if (!hasRoles(program)) return storedTwice(program, empty);
  for (std::string &fault : protocolFaults(program, start)) return std::move(fault);
  if (auto twice = storedTwice(withoutFallback(program), empty)) return twice;
  const TileProgram general = withoutRoles(program);
  Memory other = start;
  if (auto fault = interpret(general, other)) return "without roles: " + *fault;
  if (auto differs = differenceFrom(reference, program, start, wanted, other)) return "without roles: " + *differs;
  return storedTwice(general, empty);
}

/// What is wrong at these sizes, or nothing; refused: they say nothing, as the source does not run there.
Result<std::optional<std::string>> compareOneAt(const Pair &pair, const Values &sizes, const Effort &effort) {
  const auto &[trace, instances, reference, program] = pair;
  const Result<Memory> start = memoryFor(program, reference, sizes, effort.elements);
  if (!start) return start.refusal();
  Memory wanted = *start;
  if (const auto fault = interpretSource(reference, wanted))
    return Refusal{"the source has no meaning on small data: " + *fault, {}};
  if (isSmall(instances, program, sizes, effort))
    if (auto fault = exceptionalFault(trace, reference, program, *start)) return fault;
  return compareOn(reference, program, *start, wanted);
}
/// As compareOneAt, for each way that the program may go at these sizes.
Result<std::optional<std::string>> compareAt(const Pair &pair, const Values &sizes, const Effort &effort) {
  Result<std::optional<std::string>> last = std::optional<std::string>();
  for (const TileProgram &settled : alternatives(pair.program)) {
    last = compareOneAt({pair.trace, pair.instances, pair.reference, settled}, sizes, effort);
    if (!last || *last) return last;
  }
  return last;
}

/// What is wrong where the parallel loops of a program whose loops are the source's run backwards, and, where their
/// order is not the source's, where they run at all: every value is the same.
Result<std::optional<std::string>> compareLoops(const TileProgram &reference, const TileProgram &program, bool isMoved,
                                                const Values &sizes, const Effort &effort) {
  const Result<Memory> start = memoryFor(program, reference, sizes, effort.elements);
  if (!start) return start.refusal();
  Memory wanted = *start, got = *start;
  if (const auto fault = interpretSource(reference, wanted))
    return Refusal{"the source has no meaning on small data: " + *fault, {}};
  if (auto fault = interpret(backwards(program), got)) return fault;
  auto differs = difference(program, wanted, got);
  if (differs || !isMoved) return differs;
  got = *start;
  if (auto fault = interpret(program, got)) return fault;
  return difference(program, wanted, got);
}

/// Sizes, and how much there is to run at them.
struct Trial {
  Values sizes;
  Extents extents; // of large arrays
  double instances = 0, work = 0;
  bool hasRoles = false, chosen = false;
};

/// How many points of grids there are to visit, whether anything runs at them or not.
double gridPoints(const TileProgram &program, const Values &sizes) {
  double all = 0;
  for (const Kernel &kernel : program.kernels) {
    double points = 1;
    for (const PointDim &d : kernel.grid) {
      const auto first = valueOf(d.first, sizes), limit = valueOf(d.limit, sizes);
      if (first && limit) points *= static_cast<double>(std::max<std::int64_t>(*limit - *first, 0));
    }
    all += points;
  }
  return all;
}

/// Which sizes to run, small ones first. Large ones are chosen first, each for a quarter of what is left at most, so
/// that sizes of every magnitude are among them; the smallest at which anything runs is always one.
std::vector<Trial> affordable(const FunctionTrace &trace, const Instances &instances, const TileProgram &program,
                              const Effort &effort) {
  constexpr double pointsPerInstance = 12;   // regions of roles run over whole tiles, however small the sizes
  constexpr double elementsPerInstance = 16; // to draw, to copy, to compare
  const auto most = static_cast<double>(effort.instances);
  std::vector<Trial> trials;
  for (const Values &sizes : sizesToRun(program, *trace.schedule)) {
    if (gathersOutside(program, sizes)) continue;
    const double points = instances.at(sizes), roles = roleWork(program, sizes) / pointsPerInstance;
    const double visits = gridPoints(program, sizes), turns = instances.turns(sizes);
    if (std::max(turns, visits) > most) continue;
    Extents extents = extentsTouched(*trace.scop, program, sizes);
    const double elements = elementsIn(withExtents(program, extents), sizes) / elementsPerInstance;
    trials.push_back({sizes, std::move(extents), points, turns + roles + visits + elements, roles > 0});
  }
  std::sort(trials.begin(), trials.end(),
            [](const Trial &a, const Trial &b) { return std::tie(a.work, a.sizes) < std::tie(b.work, b.sizes); });
  int taken = 0;
  for (Trial &trial : trials) trial.chosen = trial.hasRoles && taken++ < effort.withRoles;
  const auto runs = std::find_if(trials.begin(), trials.end(), [](const Trial &trial) { return trial.instances > 0; });
  if (runs != trials.end() && !runs->hasRoles) runs->chosen = true;
  double left = static_cast<double>(effort.total);
  for (auto trial = trials.rbegin(); trial != trials.rend(); ++trial) {
    if (trial->chosen || trial->work > left / 4) continue;
    trial->chosen = true;
    left -= trial->work;
  }
  std::erase_if(trials, [](const Trial &trial) { return !trial.chosen; });
  return trials;
}

Validation trialOf(const FunctionTrace &trace, const TileProgram &reference, const TileProgram &program) {
  constexpr double mostInstances = 200'000, mostWork = 1.5e6;
  constexpr std::size_t visits = 1;
  const bool whole = handsOn(program);
  const Instances instances(*trace.scop, trace.function.body);
  for (const std::int64_t size : {3, 1}) {
    Values wished;
    for (const std::string &name : program.sizes) wished[name] = size;
    const auto found = whereGiven(program, wished);
    if (!found) continue;
    const Values &sizes = *found;
    if (gathersOutside(program, sizes) || instances.turns(sizes) > mostInstances) continue;
    if (roleWork(program, sizes, whole ? 1e18 : visits) > mostWork) continue;
    const Result<Memory> start = memoryFor(program, reference, sizes);
    if (!start) continue;
    Memory wanted = *start, got = *start;
    if (interpretSource(reference, wanted)) continue;
    const auto fault = whole ? interpret(program, got) : interpret(program, got, visits);
    if (fault) return {{"at " + sizeText(sizes) + ": " + *fault}, {}};
    if (auto differs = difference(program, wanted, whole ? got : whereStored(*start, got, wanted)))
      return {{"at " + sizeText(sizes) + ": " + *differs}, {}};
    return {};
  }
  return {{}, "kernels on matrix units do too much even at small sizes"};
}

/// Do threads share the turns of a loop within another?
bool sharesLoops(const TileProgram &program) {
  return std::ranges::any_of(program.kernels, [](const Kernel &kernel) {
    return any<TileLoop>(kernel.body, [](const TileLoop &loop) { return loop.kind == TileLoop::Kind::Shared; });
  });
}

} // namespace

Validation trial(const FunctionTrace &trace, const TileProgram &program) {
  const auto reference = inSourceOrder(trace);
  if (!reference) return {{}, reference.refusal().reason};
  Validation result;
  for (const TileProgram &settled : alternatives(program)) {
    result = trialOf(trace, *reference, settled);
    if (!result.faults.empty()) return result;
  }
  return result;
}

Validation validate(const FunctionTrace &trace, const TileProgram &program, const Effort &effort) {
  const bool inOrder = trace.schedule->order.has_value();
  const bool isMoved = trace.schedule->moved || (inOrder && sharesLoops(program));
  const auto reference = inOrder && !isMoved && !trace.source ? Result<TileProgram>(program) : inSourceOrder(trace);
  if (!reference) return {{}, reference.refusal().reason};
  Validation result{{}, "its loops run too often even at small sizes"};
  bool ran = false;
  const Instances instances(*trace.scop, trace.function.body);
  const auto compare = [&](const TileProgram &source, const TileProgram &result, const Values &sizes) {
    return inOrder ? compareLoops(source, result, isMoved, sizes, effort)
                   : compareAt({trace, instances, source, result}, sizes, effort);
  };
  for (const Trial &trial : affordable(trace, instances, program, effort)) {
    auto compared = compare(withExtents(*reference, trial.extents), withExtents(program, trial.extents), trial.sizes);
    if (!trial.extents.empty() && (!compared || *compared)) compared = compare(*reference, program, trial.sizes);
    if (!compared && trial.instances > 0) result.unrun = compared.refusal().reason;
    if (compared && *compared) return {{"at " + sizeText(trial.sizes) + ": " + **compared}, {}};
    ran = ran || (compared && trial.instances > 0);
  }
  if (!ran && effort.elements < mostElements) {
    Effort more = effort;
    more.elements = mostElements;
    return validate(trace, program, more);
  }
  if (ran) result.unrun.reset();
  return result;
}

} // namespace polymend
