// A kernel's grid is the box of its row tiles; its phases follow in order. Arrays of the program are the arguments and
// the values that kernels hand to each other.
#include "polymend/lower.h"

#include "arguments.h"
#include "data_ranges.h"
#include "general_kernel.h"
#include "generated.h"
#include "index_guard.h"
#include "known_bounds.h"
#include "matrix_kernel.h"
#include "order.h"
#include "private_values.h"
#include "tile/fallback_rows.h"
#include "tile/frame.h"
#include "work.h"
#include "worth.h"

#include "polymend/segments.h"

#include <isl/set.h>

namespace polymend {
namespace {

/// Elements of a run whose loop costs the same with a constant length and with one that is computed, on one thread:
/// where a team shares it, a computed one costs up to half again (variance, log-sum-exp: 0.68 to 1.09 of the speed).
constexpr std::int64_t longRun = 256;

std::set<std::string> takenNames(const Function &function, const Scop &scop, const TileProgram &program) {
  std::set<std::string> names;
  for (const Parameter &parameter : function.parameters) names.insert(parameter.name);
  for (const Array &array : scop.arrays)
    if (array.storage != Array::Storage::Local) names.insert(array.name);
  for (const TileArray &array : program.arrays) names.insert(array.name);
  return names;
}

/// Values that another kernel reads get an array of their own.
void addWork(TileProgram &program, const System &system, const Schedule &schedule) {
  for (std::size_t e = 0; e < system.equations.size(); ++e) {
    if (schedule.places[e] != EquationPlace::Work) continue;
    const Equation &equation = system.equations[e];
    TileArray work;
    work.name = workName(equation);
    for (const TileArray &other : program.arrays)
      if (other.name == work.name) work.name += "_" + std::to_string(e);
    work.type = equation.type;
    work.space = Space::Work;
    work.written = true;
    work.extents = workExtents(equation);
    program.arrays.push_back(work);
  }
}

/// A kernel of the schedule, its name, and the names that are taken.
struct Planned {
  const Lowering &lowering;
  const KernelPlan &plan;
  std::string name;
  const std::set<std::string> &names;
};

/// The kernels on matrix units, of which sizes choose one, behind what lists chunks for them: that of the usual tiles,
/// of small ones, and, where there are so few chunks that finding lists does not pay, the smallest without them.
void addChosen(const OnMatrixUnits &usual, const std::optional<OnMatrixUnits> &small, const Expr &when,
               TileProgram &program) {
  const OnMatrixUnits &smallest = small ? *small : usual;
  const bool hasOther = usual.lists && usual.unlisted && smallest.lists && smallest.unlisted;
  const Expr pays = hasOther ? usual.lists->when : Expr();
  std::vector<Kernel> kernels;
  for (const OnMatrixUnits *one : {&usual, small ? &*small : nullptr}) {
    if (!one) continue;
    kernels.push_back(one->kernel);
    kernels.back().when = bothOf(bothOf(pays, one->kernel.when), when);
    if (!one->lists) continue;
    addLists(*one->lists, kernels.back().when, program);
    program.finiteWhereMasked.insert(one->lists->finite.begin(), one->lists->finite.end());
  }
  if (pays) {
    kernels.push_back(*smallest.unlisted);
    kernels.back().when = bothOf(otherwise(pays), when);
  }
  for (Kernel &kernel : kernels) program.kernels.push_back(std::move(kernel));
}

/// The kernels on matrix units, and the general one that does what they leave; of `when`, only where it holds.
void addOnUnits(const Planned &planned, const OnMatrixUnits &fast, const std::optional<OnMatrixUnits> &small,
                const Expr &when, std::map<int, Residence> &homes, TileProgram &program) {
  const auto &[lowering, plan, name, names] = planned;
  program.arrays.push_back(fast.fallback);
  program.arrays.insert(program.arrays.end(), fast.handed.begin(), fast.handed.end());
  if (fast.clears) program.kernels.push_back(*fast.clears);
  addChosen(fast, small, when, program);
  program.approximations.insert(program.approximations.end(), fast.approximations.begin(), fast.approximations.end());
  std::set<std::string> taken = names;
  Kernel general = lowerKernel(lowering, plan, name, taken, homes, {}, fast.marked.empty() ? "" : fast.fallback.name);
  TileBlock otherwise;
  if (fast.parts) otherwise = combining(lowering, plan, name, taken, homes, fast.parts, general);
  onlyWhereMarked(general, plan, fast.fallback, fast.marked, otherwise, taken);
  general.when = when;
  program.kernels.push_back(general);
}

/// The same without parts of the loop, for sizes at which there is one part.
std::optional<OnMatrixUnits> inOnePart(const Planned &planned, const OnMatrixUnits &parts,
                                       const std::map<int, Residence> &homes, TileProgram &program) {
  if (!parts.parts) return std::nullopt;
  KernelPlan whole = planned.plan;
  whole.divisible = false;
  std::set<std::string> names = planned.names;
  names.insert(parts.fallback.name);
  auto made = lowerMatrix(planned.lowering, whole, planned.name + "_whole", names, homes, program);
  if (!made || !*made) return std::nullopt;
  OnMatrixUnits result = **made;
  result.approximations.clear(); // they are those of the parts
  return result;
}

/// Operations of isl for the loops of an order.
constexpr unsigned long movedCap = 2'000'000;

/// A refusal with a place: where it has none of its own, that of the last reduction of the plan.
Refusal placed(Refusal refusal, const Lowering &lowering, const KernelPlan &plan) {
  for (const Phase &phase : plan.phases)
    for (const Member &member : phase.members) {
      const Equation &e = lowering.relaxed.system->equations[static_cast<std::size_t>(member.equation)];
      if (!refusal.where.valid() && e.monoid) refusal.where = placeOf(e.value);
    }
  return refusal;
}

/// The kernels of one of the schedule's.
void lowerPlan(const Planned &planned, std::map<int, Residence> &homes, TileProgram &program) {
  const auto &[lowering, plan, name, names] = planned;
  const LowerOptions &options = lowering.options;
  const Expr parts = plan.parts > 1 ? partsOf(plan, *lowering.relaxed.system) : Expr();
  if (parts)
    program.kernels.push_back(lowerParts(lowering, plan, name + "_parts", names, homes, parts, program.arrays));
  const auto lowerWith = [&](const LowerOptions &how) {
    return lowerMatrix({lowering.scop, lowering.relaxed, lowering.schedule, how, lowering.function}, plan, name, names,
                       homes, program);
  };
  const auto fast = options.machine && !options.machine->units.empty() && options.reorder && plan.parts == 1
                        ? lowerWith(options)
                        : std::nullopt;
  if (fast && *fast) {
    OnMatrixUnits usual = **fast;
    const auto small = smallerTiles(usual, options, lowerWith);
    Expr several;
    if (const auto whole = inOnePart(planned, usual, homes, program)) {
      several = Expr::make(Op::Lt, {Expr::integer(1), usual.parts});
      std::map<int, Residence> other = homes;
      addOnUnits({lowering, plan, name + "_whole", names}, *whole, {}, otherwise(several), other, program);
    }
    addOnUnits(planned, usual, small, several, homes, program);
    return;
  }
  std::set<std::string> taken = names;
  Kernel general = lowerKernel(lowering, plan, name, taken, homes, parts, "");
  if (fast) {
    program.plain.push_back(placed(fast->refusal(), lowering, plan));
    general.body.insert(general.body.begin(), TileNote{"not on matrix units: " + program.plain.back().reason});
  }
  program.kernels.push_back(general);
  if (options.afterPass) options.afterPass("general", program);
}

Result<TileProgram> lowered(const Function &function, const Scop &scop, const Dependences &dependences,
                            const Relaxed &relaxed, const Schedule &schedule, const LowerOptions &options) {
  TileProgram program = header(function, scop, schedule.order ? std::vector<Joined>() : relaxed.joined);
  program.declared = declaredApart(function);
  program.work = workOf(function, scop);
  const auto simplified = [&] {
    const bool isPlain = options.machine && options.machine->sharedBytes == 0; // a host, or a GPU that is not named
    TileProgram result = withKnownBounds(program, isPlain ? longRun : 0, isPlain && options.reorder);
    if (options.afterPass) options.afterPass("known-bounds", result);
    return result;
  };
  if (schedule.order) {
    const bool isHost = !options.machine || options.machine->isHost;
    const Processor processor = isHost ? Processor::Cpu : Processor::Gpu;
    const TileProgram start = program;
    TileProgram moved = start;
    std::optional<Refusal> why;
    const auto lowerIn = [&](const isl::schedule &order, bool copies = false) {
      std::string gaveUp;
      moved = start;
      const auto step = [&] { why = lowerMoved(scop, dependences, order, options.reorder, isHost, copies, moved); };
      if (!capped(scop.context, step, gaveUp, movedCap)) why = Refusal{gaveUp, function.where};
      return gaveUp.empty();
    };
    const auto fails = [&] { // tiles of many shapes: the loops as they stand are few
      if (!lowerIn(*schedule.order) && !schedule.given) lowerIn(scop.schedule);
      return why;
    };
    const auto gains = [&] { return !why && !nothingGained(moved, processor); };
    const auto takesMoved = [&] {
      fails();
      const bool hasGained = gains();
      if (hasGained != isHost || PrivateValues(scop, dependences, {}).areNone()) return hasGained;
      const TileProgram plain = moved;
      if (lowerIn(*schedule.order, true) && gains()) return true;
      moved = plain;
      return hasGained;
    };
    const auto sharesWithin = [&] {
      return options.sharesWithin && scop.dataSizes.empty() && (isHost || gainsInOrder(scop, dependences)) &&
             lowerIn(scop.schedule, true) && gains();
    };
    if (schedule.moved && schedule.given) {
      const auto failed = fails();
      return failed ? Result<TileProgram>(*failed) : moved;
    }
    if (schedule.moved && isHost && takesMoved()) return moved; // isl's bounds are as short as they can be
    const auto refusal = lowerInOrder(function, scop, dependences, !isHost && options.reorder, program);
    const bool isIdle = refusal || nothingGained(program, processor);
    if (schedule.moved && !isHost && isIdle && takesMoved()) return moved;
    if (isIdle && sharesWithin()) return moved;
    if (refusal) return *refusal;
    placeSegments(program, function, scop);
    return simplified();
  }
  addWork(program, *relaxed.system, schedule);
  const std::set<std::string> names = takenNames(function, scop, program);
  const Lowering lowering{scop, relaxed, schedule, options, function};
  std::map<int, Residence> homes;
  for (std::size_t k = 0; k < schedule.kernels.size(); ++k) {
    const std::string name = function.name + (schedule.kernels.size() > 1 ? "_" + std::to_string(k) : "");
    lowerPlan({lowering, schedule.kernels[k], name, names}, homes, program);
    for (auto &[e, home] : homes)
      if (schedule.places[static_cast<std::size_t>(e)] == EquationPlace::Work)
        home = {workName(relaxed.system->equations[static_cast<std::size_t>(e)]), true, nullptr};
  }
  placeSegments(program, function, scop);
  return simplified();
}

} // namespace

Result<TileProgram> lower(const Function &function, const Scop &scop, const Dependences &dependences,
                          const Relaxed &relaxed, const Schedule &schedule, const LowerOptions &options) {
  Result<TileProgram> program = lowered(function, scop, dependences, relaxed, schedule, options);
  if (program) program->starts = startsOf(*program);
  if (!program || !options.guardsIndices) return program;
  const IndexGuard guard = indexGuard(function, scop);
  if (hasRoles(*program) && !guard.checks.empty()) { // their blocks live through the launch, and ask nothing first
    LowerOptions general = options;
    general.machine.reset();
    program = lower(function, scop, dependences, relaxed, schedule, general);
    if (program) program->plain.push_back({"its entries ask index arrays first, for which these do not wait", {}});
    return program;
  }
  program->guard = guard;
  return program;
}

} // namespace polymend
