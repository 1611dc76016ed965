// The whole of polymend on a page: C++ source in, C++ source out, a line a room. A function that a room refuses is left
// as it is, with that room's reason.
// It is longer than other files because every stage, its dump and its exit code is named in it once.
#include "polymend/pipeline.h"

#include "polymend/banner.h"
#include "polymend/by_hand.h"
#include "polymend/fixed_sizes.h"
#include "polymend/lengths.h"
#include "polymend/lower.h"
#include "polymend/map.h"
#include "polymend/off_units.h"
#include "polymend/order.h"
#include "polymend/page.h"
#include "polymend/plan.h"
#include "polymend/remarks.h"
#include "polymend/request.h"
#include "polymend/run.h"
#include "polymend/short_windows.h"
#include "polymend/source_marks.h"
#include "polymend/tell.h"
#include "polymend/text_layout.h"
#include "polymend/uses.h"
#include "polymend/validate.h"
#include "polymend/verify.h"
#include "polymend/verify_device.h"
#include "polymend/widths.h"
#include "polymend/without_scalars.h"

#include "tile/passes.h"

#include <algorithm>
#include <chrono>

namespace polymend {
namespace {

#ifdef NDEBUG
constexpr bool verifiesPasses = false;
#else
constexpr bool verifiesPasses = true; // tile programs are verified after every pass
#endif

/// The stages of a run that were asked for, as text, in order; and what time went by before each was shown.
class Dumps {
public:
  explicit Dumps(std::string stage) : asked(std::move(stage)) {}
  [[nodiscard]] bool wants(const std::string &stage) const { return asked == stage || asked == "all"; }
  template <class F> void show(const std::string &stage, const std::string &function, const F &text) {
    passed(stage.substr(0, stage.find('.')));
    if (wants(stage)) shown.push_back({stage, function, text()});
  }
  /// All time since the last call was the room's.
  void passed(const std::string &room) {
    const auto now = std::chrono::steady_clock::now();
    auto at = std::find_if(times.begin(), times.end(), [&](const RoomTime &time) { return time.room == room; });
    if (at == times.end()) at = times.insert(times.end(), {room, 0});
    at->seconds += std::chrono::duration<double>(now - last).count();
    last = now;
  }
  std::vector<StageDump> shown;
  std::vector<RoomTime> times;

private:
  std::string asked;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

/// A file on its way through the rooms.
struct Compilation {
  PipelineOutcome outcome;
  std::optional<Nest> nest;
  std::vector<FunctionTrace> traces;
  std::vector<TileProgram> programs;
  std::vector<DeviceProgram> mapped;        // what is printed of each
  std::map<std::string, std::string> trees; // schedules that were given and not taken yet, by function
  std::vector<Refusal> wrongTrees;          // why schedules that were given are not followed
};

/// The input as a place without a line.
SourceRange whole(const PipelineOptions &options) {
  SourceRange where;
  where.file = options.file;
  return where;
}

/// What we got wrong on the function: it stays as it is, and people are asked to tell us.
Refusal invalid(const std::string &fault, FunctionTrace &trace) {
  trace.invalid = true;
  trace.faults.push_back(fault);
  return {fault, trace.function.where};
}

/// --tile by loop variable: what is said of a name holds for all loops of the source that have it.
std::map<std::string, std::int64_t> tilesOf(const Function &function, const PipelineOptions &options) {
  std::map<std::string, std::int64_t> tiles;
  for (const auto &[variable, name] : loopNames(function))
    if (const auto asked = options.tiles.find(name); asked != options.tiles.end()) tiles[variable] = asked->second;
  return tiles;
}

/// What kernels of the target run on; a GPU that is not named has no matrix units.
const Machine &machineFor(const PipelineOptions &options) {
  if (options.target == Target::Cpp) return *machineNamed("cpu");
  const Machine *named = machineNamed(options.arch);
  return named ? *named : machines().front();
}

/// A run that ends without a result.
PipelineOutcome stop(Compilation &compilation, ExitCode code, const Refusal &why) {
  compilation.outcome.exitCode = code;
  compilation.outcome.diagnostics.push_back(remark(Severity::Error, why.where, why.reason));
  return compilation.outcome;
}

/// What of the options shapes a text, as words of a command line.
std::string wordsOf(const PipelineOptions &options) {
  std::string words = options.target == Target::Cuda  ? " --target=cuda"
                      : options.target == Target::Hip ? " --target=hip"
                                                      : "";
  if (!options.arch.empty()) words += " --arch=" + options.arch;
  for (const std::string &entry : options.entries) words += " --entry=" + entry;
  if (options.relax == RelaxMode::None) words += " --relax=none";
  if (options.relax == RelaxMode::Rolling) words += " --relax=rolling";
  if (options.relax == RelaxMode::SplitK) words += " --relax=split-k";
  if (options.fp == FloatMode::Strict) words += " --fp=strict";
  if (options.fp == FloatMode::Approx) words += " --fp=approx";
  if (options.runtime == Runtime::Header) words += " --runtime=header";
  if (options.guardsIndices) words += " --guard=index";
  if (options.hasLines) words += " --lines";
  if (!options.scheduleFile.empty()) words += " --schedule=" + options.scheduleFile;
  for (const auto &[loop, size] : options.tiles) words += " --tile=" + loop + ":" + std::to_string(size);
  return words.empty() ? words : words.substr(1);
}

/// A printed file, laid out and below its banner; the source where nothing of it was replaced.
Result<Printed> wholeFile(const Printed &printed, const Nest &nest, const PipelineOptions &options) {
  if (printed.ours.empty()) return printed;
  const Result<Printed> laid = layOut(printed, options.style, options.file);
  if (!laid) return laid.refusal();
  return below(bannerOf(options.file, nest.source, wordsOf(options), options.replacesInput), *laid);
}

/// Its text, with `#line` where they are asked for.
Result<std::string> laidOut(const Printed &printed, const Nest &nest, const PipelineOptions &options) {
  const Result<Printed> whole = wholeFile(printed, nest, options);
  if (!whole) return whole.refusal();
  if (!options.hasLines || whole->ours.empty()) return whole->text;
  return withLineDirectives(*whole, nest.source, options.file, options.output.empty() ? "<stdout>" : options.output);
}

PrintOptions printing(const PipelineOptions &options) { return {options.target, options.fp, options.runtime}; }

constexpr std::string_view copiedEachTurn =
    "nothing gained: each turn of the loop around it would copy its arrays to a device and back";

/// Do the statements compute more than in proportion to the elements of arrays that they read and write?
bool outgrowsItsArrays(const Scop &scop) {
  std::size_t depth = 0, rank = 0;
  for (const Statement &statement : scop.statements) depth = std::max(depth, statement.iterators.size());
  for (const Array &array : scop.arrays)
    if (array.storage == Array::Storage::Parameter) rank = std::max(rank, array.extents.size());
  return depth > rank;
}

/// Why what was made of a function is not worth printing, at the dependence that keeps its loops in order.
std::optional<Refusal> idle(const FunctionTrace &trace, const TileProgram &program, Target target) {
  if (trace.schedule->given) return std::nullopt;
  const bool isKnown = program.work && program.work.op() == Op::Real && program.starts.op() == Op::Integer;
  const bool isFew = isKnown && program.work->real < leastWork * static_cast<double>(program.starts->integer);
  if (target == Target::Cpp && isFew)
    return Refusal{"nothing gained: it is done before threads have started", trace.function.where};
  if (target != Target::Cpp && trace.function.around.valid() && !outgrowsItsArrays(*trace.scop))
    return Refusal{std::string(copiedEachTurn), trace.function.around};
  const auto why = nothingGained(program, target == Target::Cpp ? Processor::Cpu : Processor::Gpu);
  if (!why || !trace.schedule->order) return std::nullopt;
  const Relaxed &relaxed = *trace.relaxed;
  const SourceRange &where = relaxed.system ? trace.function.where : relaxed.why.where;
  return Refusal{"nothing gained: " + *why + ", as " + trace.schedule->why, where};
}

/// What no equation holds is called as the host's own function, which no device runs.
std::optional<Refusal> calledOnHost(const FunctionTrace &trace, Target target) {
  if (target == Target::Cpp || trace.function.outlined.empty()) return std::nullopt;
  return trace.function.outlined.front().why;
}

/// Arrays go to a GPU and back one by one: with the members of one type that are written the others between them would
/// come back as they were before.
std::optional<Refusal> copiedOver(const FunctionTrace &trace, const TileProgram &program, Target target) {
  if (target == Target::Cpp) return std::nullopt;
  for (const Array &array : trace.function.arrays)
    for (const TileArray &stored : program.arrays)
      if (!array.records.empty() && stored.written && stored.name == array.name)
        return Refusal{
            "records with members of several types are written here, which a GPU cannot copy back: keep what "
            "is written in records or arrays of one type",
            array.where};
  return std::nullopt;
}

/// A function's program, what is printed of it once it is mapped, and whether it has run beside its source.
struct Lowered {
  TileProgram program;
  std::optional<DeviceProgram> mapped{};
  bool isTried = false;
};

/// What is wrong with a program that has a kernel on matrix units: it is ill-formed, the units have no form for it, or
/// what its mapping means fails a trial run.
Validation tryOnUnits(const PipelineOptions &options, const FunctionTrace &trace, Lowered &lowered) {
  for (const std::string &fault : verify(lowered.program)) return {{"its tile program is ill-formed: " + fault}, {}};
  const auto mapped = mapKernels(trace.function, lowered.program, options.target, options.fp);
  if (!mapped) return {{"a kernel on matrix units would need " + mapped.refusal().reason}, {}};
  lowered.mapped = *mapped;
  Validation tried = trial(trace, forget(*mapped));
  for (std::string &fault : tried.faults) fault = "a trial run fails " + fault;
  lowered.isTried = !tried.unrun;
  return tried;
}

/// What the program takes for finite, as an assumption on the function.
void assumeFinite(const TileProgram &program, FunctionTrace &trace) {
  for (const std::string &array : program.finiteWhereMasked) {
    const std::string text = array + " is finite where a mask gives weight 0";
    std::vector<std::string> &all = trace.relaxed->assumptions;
    if (std::ranges::none_of(all, [&](const std::string &known) { return known.starts_with(text); }))
      all.push_back(text);
  }
}

/// A planned function through tile: on matrix units, where the target has any and what comes of it is right, else as
/// the general kernels.
Result<Lowered> lowerPlanned(const PipelineOptions &options, FunctionTrace &trace, Dumps &dumps) {
  LowerOptions general{options.fp != FloatMode::Strict, options.fp == FloatMode::Approx,
                       tilesOf(trace.function, options)};
  std::vector<std::string> broken;
  general.guardsIndices = options.guardsIndices;
  general.afterPass = [&](const std::string &pass, const TileProgram &program) {
    dumps.show("tile." + pass, trace.function.name, [&] { return writeText(program); });
    if (options.thorough || verifiesPasses)
      for (const std::string &fault : verify(program)) broken.push_back("after '" + pass + "': " + fault);
  };
  LowerOptions onUnits = general;
  onUnits.machine = machineFor(options);
  std::vector<std::string> faults;
  for (const LowerOptions &how : {onUnits, general}) {
    auto program = lower(trace.function, *trace.scop, *trace.dependences, *trace.relaxed, *trace.schedule, how);
    if (!program) return program.refusal();
    if (options.beforeChecks) options.beforeChecks(*program);
    const bool hasUnits = hasRoles(*program);
    Lowered lowered{*program};
    if (hasUnits) assumeFinite(*program, trace);
    Validation tried = hasUnits ? tryOnUnits(options, trace, lowered) : Validation();
    if (hasUnits) tried.faults.insert(tried.faults.end(), broken.begin(), broken.end());
    if (tried.faults.empty()) {
      for (const std::string &fault : faults) lowered.program.plain.push_back({fault + std::string(askForReport), {}});
      return lowered;
    }
    trace.faults.insert(trace.faults.end(), tried.faults.begin(), tried.faults.end());
    faults = tried.faults;
    broken.clear();
  }
  return invalid("validation failed: " + faults.front(), trace);
}

/// Maps what is not mapped yet: what is printed.
std::optional<Refusal> mapLowered(const PipelineOptions &options, FunctionTrace &trace, Lowered &lowered,
                                  Dumps &dumps) {
  if (!lowered.mapped) {
    const auto kernels = mapKernels(trace.function, lowered.program, options.target, options.fp);
    if (!kernels) return kernels.refusal();
    lowered.mapped = *kernels;
  }
  DeviceProgram &device = *lowered.mapped;
  const bool hasQueue = options.target != Target::Cpp, strict = options.fp == FloatMode::Strict;
  if (hasQueue)
    if (auto refusal = mapEntries(trace.function, lowered.program, strict, device)) return refusal;
  dumps.show("device", trace.function.name, [&] { return writeText(device); });
  if (options.thorough || verifiesPasses)
    for (const std::string &fault : mappingFaults(device, *trace.scop))
      return invalid("validation failed: the device program is wrong: " + fault, trace);
  return std::nullopt;
}

/// A dependence that an order of loops breaks: a fault of ours, or of the person's who wrote the order.
std::optional<Refusal> brokenBy(FunctionTrace &trace) {
  const std::vector<int> broken = brokenEdges(*trace.dependences, *trace.schedule);
  if (broken.empty()) return std::nullopt;
  const Dependence &edge = trace.dependences->edges[static_cast<std::size_t>(broken.front())];
  const std::string found = violation(*trace.scop, edge);
  if (!trace.schedule->given) return invalid("validation failed: the schedule breaks a dependence: " + found, trace);
  return Refusal{"it breaks the " + spell(edge.kind) + " dependence through '" + edge.array + "': " + found,
                 trace.scop->statements[static_cast<std::size_t>(edge.to)].where};
}

/// One function through model, deps, relax, schedule and tile; in the order of `tree`, where there is one.
Result<Lowered> lowerFunction(const PipelineOptions &options, const IslContext &context,
                              const std::optional<std::string> &tree, FunctionTrace &trace, Dumps &dumps) {
  const bool strict = options.fp == FloatMode::Strict, isHost = options.target == Target::Cpp;
  const Machine &machine = machineFor(options);
  const bool matrix = !machine.units.empty();
  const int narrowFactors = !matrix || strict ? 0 : options.fp == FloatMode::Approx ? 1 : 2;
  const ScheduleOptions how{tilesOf(trace.function, options),
                            !strict,
                            options.relax,
                            machine.parts,
                            machine.stream,
                            narrowFactors,
                            isHost,
                            tree};
  const auto show = [&](const std::string &stage, const std::function<std::string()> &text) {
    dumps.show(stage, trace.function.name, text);
  };
  if (const auto refusal = plan(trace, context, {options.relax, !strict, matrix}, how, show)) return *refusal;
  for (const std::string &fault : violations(*trace.relaxed, *trace.schedule))
    return invalid("validation failed: the schedule breaks a dependence: " + fault, trace);
  if (strict)
    for (const std::string &fault : outOfOrder(*trace.relaxed, *trace.schedule))
      return invalid("validation failed: " + fault, trace);
  if (const auto refusal = brokenBy(trace)) return *refusal;
  for (const std::string &fault : misreadings(*trace.relaxed))
    return invalid("validation failed: a state of " + fault, trace);
  trace.relaxed = settled(*trace.relaxed, *trace.schedule);

  auto lowered = lowerPlanned(options, trace, dumps);
  if (!lowered) return lowered.refusal();
  const TileProgram &program = lowered->program;
  if (const auto refusal = calledOnHost(trace, options.target)) return *refusal;
  if (const auto refusal = copiedOver(trace, program, options.target)) return *refusal;
  if (const auto refusal = idle(trace, program, options.target)) return *refusal;
  show("tile", [&] { return writeText(program); });
  for (const std::string &fault : verify(program))
    return invalid("validation failed: the tile program is ill-formed: " + fault, trace);
  if (const auto refusal = mapLowered(options, trace, *lowered, dumps)) return *refusal;
  const Effort effort = options.thorough ? Effort{1'000'000, 2'000'000} : quick;
  const bool isTried = lowered->isTried && !options.thorough;
  const TileProgram meaning = trace.schedule->order ? program : forget(*lowered->mapped);
  const Validation tried = isTried ? Validation() : validate(trace, meaning, effort);
  for (const std::string &fault : tried.faults) return invalid("validation failed " + fault, trace);
  trace.unvalidated = lowered->isTried ? std::nullopt : tried.unrun;
  dumps.passed("validate");
  return lowered;
}

/// How often scalars are done without before what is left of them stays.
constexpr int mostRounds = 4;

/// As lowerFunction; where nothing is gained by any order of the loops, with fewer scalars, each of which makes turns
/// of a loop wait for one another.
Result<Lowered> lowerByAnyScalars(const PipelineOptions &options, const IslContext &context,
                                  const std::optional<std::string> &tree, FunctionTrace &trace, Dumps &dumps) {
  Result<Lowered> asWritten = lowerFunction(options, context, tree, trace, dumps);
  if (asWritten || tree || trace.invalid || !trace.schedule || !trace.schedule->order) return asWritten;
  const auto source = std::make_shared<const FunctionTrace>(trace);
  PipelineOptions inOrder = options; // what a sum chooses was not asked of the scalars: no sum takes another order
  inOrder.fp = FloatMode::Strict;
  FunctionTrace last = trace;
  for (int round = 0; round < mostRounds; ++round) {
    const auto fewer = withoutScalars(last.function, *last.scop, *last.dependences);
    if (!fewer) break;
    FunctionTrace next{*fewer, {}, {}, {}, {}, {}};
    next.source = source;
    Dumps shown = dumps;
    Result<Lowered> lowered = lowerFunction(inOrder, context, tree, next, shown);
    if (lowered || next.invalid) {
      trace = next;
      dumps = shown;
      return lowered;
    }
    if (!next.schedule) break;
    last = next;
  }
  return asWritten;
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

/// As lowerByAnyScalars; where isl gives up the function is refused, and what we get wrong costs no other function
/// anything.
Result<Lowered> lowerWithinLimits(const PipelineOptions &options, const IslContext &context,
                                  const std::optional<std::string> &tree, FunctionTrace &trace, Dumps &dumps) {
  Result<Lowered> result = Refusal{"", trace.function.where};
  std::string what;
  const TimeLimit limit(context, trace.function.isRegion ? 3 : 8);
  try {
    if (capped(context, [&] { result = lowerByAnyScalars(options, context, tree, trace, dumps); }, what)) {
      Result<Lowered> withVersions = result; // where isl gives up on these there are none
      if (result && !tree && capped(context, [&] { addVersions(options, context, trace, *withVersions); }, what))
        return withVersions;
      return result;
    }
  } catch (const std::exception &failure) {
    return invalid(std::string("internal error: ") + failure.what(), trace);
  }
  return Refusal{"the polyhedral model became too large: " + what, trace.function.where};
}

/// Why a program for a GPU whose source has sums of narrow products runs them without matrix units; absent: it does
/// not, or has said so.
std::optional<std::string> offUnits(const PipelineOptions &options, const FunctionTrace &trace,
                                    const TileProgram &program) {
  const bool present = !machineFor(options).units.empty();
  if (options.target == Target::Cpp || (options.target == Target::Cuda && !present)) return std::nullopt;
  if (hasRoles(program) || !program.plain.empty()) return std::nullopt;
  const UnitsAsked asked{present, options.fp != FloatMode::Strict, options.fp == FloatMode::Approx};
  return whyOffUnits(*trace.scop, asked, trace.schedule->order ? trace.schedule->why : "");
}

std::string spell(FloatMode mode) {
  return mode == FloatMode::Strict ? "strict" : mode == FloatMode::Approx ? "approx" : "algebraic";
}
std::string spell(Target target) { return target == Target::Cuda ? "cuda" : target == Target::Hip ? "hip" : "cpp"; }

/// The program that replaces a function which was not left alone.
const TileProgram &programOf(const Function &function, const std::vector<TileProgram> &programs) {
  return *std::find_if(programs.begin(), programs.end(),
                       [&](const TileProgram &program) { return program.function == function.name; });
}

Processors processorsOf(const PipelineOptions &options) {
  return options.target == Target::Cpp ? Processors::Threads : Processors::Gpu;
}

void writeReport(Compilation &compilation, const PipelineOptions &options) {
  Report report;
  report.input = options.file;
  report.target = spell(options.target);
  report.arch = options.arch;
  report.fp = spell(options.fp);
  for (const TileProgram &program : compilation.programs)
    for (const auto &[what, bound] : program.approximations) report.approximations.push_back({what, bound});
  for (const FunctionTrace &trace : compilation.traces) {
    account(report, trace, options.require);
    if (trace.left) continue;
    const TileProgram &program = programOf(trace.function, compilation.programs);
    report.functions.back().expected = expectedOf(trace, program, processorsOf(options));
  }
  for (const LeftAlone &left : compilation.nest->left) {
    FunctionTrace trace;
    trace.function.name = left.name;
    trace.left = left.refusal;
    account(report, trace, options.require);
  }
  compilation.outcome.report = writeReport(report);
}

/// --require: everything selected must have been transformed without a refusal; a fault of ours counts for more, and
/// for a check it is what a difference is.
void require(Compilation &compilation, const PipelineOptions &options) {
  const auto isOurs = [](const FunctionTrace &trace) { return trace.left && trace.invalid; };
  for (const FunctionTrace &trace : compilation.traces)
    for (const std::string &fault : trace.faults)
      compilation.outcome.faults.push_back("'" + trace.function.name + "': " + fault);
  for (const LeftAlone &left : compilation.nest->left)
    if (left.fault) compilation.outcome.faults.push_back("'" + left.name + "': " + left.refusal.reason);
  const bool isNothing = compilation.nest->functions.empty() && compilation.nest->left.empty();
  const bool stopped = isNothing || !compilation.nest->left.empty() ||
                       std::any_of(compilation.traces.begin(), compilation.traces.end(), blocked);
  const bool failed = std::any_of(compilation.traces.begin(), compilation.traces.end(), isOurs) ||
                      std::any_of(compilation.nest->left.begin(), compilation.nest->left.end(),
                                  [](const LeftAlone &left) { return left.fault; });
  if (((options.require || options.thorough) && failed) ||
      (options.faultsAreErrors && !compilation.outcome.faults.empty()))
    compilation.outcome.exitCode = ExitCode::Invalid;
  else if (options.require && stopped)
    compilation.outcome.exitCode = ExitCode::Refused;
  if (compilation.outcome.exitCode == ExitCode::Done) return;
  for (Diagnostic &diagnostic : compilation.outcome.diagnostics)
    if (diagnostic.severity == Severity::Remark || diagnostic.message.ends_with(askForReport))
      diagnostic.severity = Severity::Error;
}

/// Nobody means a program's main or a helper without a loop, unless by name or when the file holds nothing else.
void forgetHelpers(Nest &nest, const PipelineOptions &options) {
  const auto isHelper = [](const LeftAlone &left) { return left.name == "main" || left.refusal.reason == "no loop"; };
  const bool others = !nest.functions.empty() || !std::all_of(nest.left.begin(), nest.left.end(), isHelper);
  if (options.entries.empty() && others) std::erase_if(nest.left, isHelper);
}

/// The last resort of the rooms: what escapes them ends the run, with words.
PipelineOutcome broken(const PipelineOptions &options, const std::exception &failure) {
  PipelineOutcome outcome;
  outcome.exitCode = ExitCode::Invalid;
  outcome.faults.push_back(failure.what());
  outcome.diagnostics.push_back(remark(Severity::Error, whole(options),
                                       std::string("internal error: ") + failure.what() + std::string(askForReport)));
  return outcome;
}

void say(Compilation &compilation, const std::vector<Diagnostic> &remarks) {
  std::vector<Diagnostic> &all = compilation.outcome.diagnostics;
  all.insert(all.end(), remarks.begin(), remarks.end());
}

/// Says remarks of one kind.
void say(Compilation &compilation, RemarkKind kind, const std::string &name, const std::string &function,
         const std::vector<Diagnostic> &remarks) {
  say(compilation, remarks);
  for (const Diagnostic &one : remarks) compilation.outcome.remarks.push_back({kind, name, function, one});
}

/// A function stays as it is.
void leave(Compilation &compilation, const std::string &name, const Refusal &refusal, bool ours) {
  say(compilation, RemarkKind::Missed, "LeftAsItIs", name, {leftRemark(name, refusal, ours)});
}

/// The schedule that a person wrote for a function, taken out of those that wait for theirs.
std::optional<std::string> takeTree(Compilation &compilation, const std::string &function) {
  const auto found = compilation.trees.find(function);
  if (found == compilation.trees.end()) return std::nullopt;
  std::string tree = found->second;
  compilation.trees.erase(found);
  return tree;
}

/// A person's order that is not followed ends the run: nobody wants another in its place.
void refuseTrees(const PipelineOptions &options, Compilation &compilation) {
  for (const auto &[name, tree] : compilation.trees)
    compilation.wrongTrees.push_back({"'" + name + "' is no function that is read here", whole(options)});
  for (const Refusal &why : compilation.wrongTrees)
    stop(compilation, ExitCode::Usage, {"'" + options.scheduleFile + "' is not followed: " + why.reason, why.where});
}

/// The function as rooms behind the parser see it, in the place of the one that was read.
void replaceFunction(const Function &function, Compilation &compilation) {
  for (Function &read : compilation.nest->functions)
    if (read.name == function.name) read = function;
}

/// What of index arrays the entries of a function cannot ask.
void sayUnguarded(const FunctionTrace &trace, const TileProgram &program, Target target, Compilation &compilation) {
  for (const IndexCheck &check : program.guard.checks)
    if (check.kind == IndexCheck::Kind::Distinct && target != Target::Cpp)
      say(compilation, RemarkKind::Analysis, "IndexUnchecked", trace.function.name,
          {remark(Severity::Remark, trace.function.where,
                  "whether '" + check.element->name + "' " + check.why +
                      " is checked by the entry on the caller's memory, "
                      "not by that on device pointers")});
  for (const Refusal &open : program.guard.open)
    say(compilation, RemarkKind::Analysis, "IndexUnchecked", trace.function.name,
        {remark(Severity::Remark, open.where.valid() ? open.where : trace.function.where, open.reason)});
}

/// A function on its way through the rooms behind the parser: its program joins the others, or it is left. Of a part of
/// a function that is left anyway nobody hears that it is left as well, unless another loop around it would help.
void compileFunction(const PipelineOptions &options, const IslContext &context, const Function &function, bool isPart,
                     Compilation &compilation, Dumps &dumps) {
  FunctionTrace trace;
  trace.function = options.guardsIndices ? withLengths(function) : function;
  const auto tree = takeTree(compilation, function.name);
  auto lowered = lowerWithinLimits(options, context, tree, trace, dumps);
  if (!lowered && needsLengths(lowered.refusal())) {
    FunctionTrace whole;
    whole.function = withLengths(function);
    if (auto copied = lowerWithinLimits(options, context, tree, whole, dumps)) {
      trace = std::move(whole);
      lowered = std::move(copied);
    }
  }
  if (trace.schedule && !options.treeFile.empty())
    compilation.outcome.trees += writeTree(*trace.scop, *trace.schedule) + "---\n";
  if (!lowered && isPart && !trace.invalid) {
    if (lowered.refusal().reason == copiedEachTurn) leave(compilation, function.name, lowered.refusal(), false);
    return;
  }
  if (isPart) compilation.nest->functions.push_back(trace.function);
  if (!isPart && lowered) replaceFunction(trace.function, compilation);
  if (!lowered) {
    trace.left = lowered.refusal();
    if (tree)
      compilation.wrongTrees.push_back(
          {lowered.refusal().reason, lowered.refusal().where.line ? lowered.refusal().where : function.where});
    else
      leave(compilation, function.name, lowered.refusal(), trace.invalid);
  } else {
    TileProgram &program = lowered->program;
    say(compilation, RemarkKind::Missed, "DependenceKept", function.name, refusalRemarks(trace));
    if (const auto why = offUnits(options, trace, program)) program.plain.push_back({*why, {}});
    sayUnguarded(trace, program, options.target, compilation);
    for (const Refusal &why : program.plain)
      say(compilation, RemarkKind::Missed, "NoMatrixUnits", function.name, {offUnitsRemark(trace, why)});
    compilation.programs.push_back(program);
    compilation.mapped.push_back(*lowered->mapped);
  }
  compilation.traces.push_back(trace);
}

/// The parts of the functions that are left, but for those that gain nothing as a whole.
void compileParts(const PipelineOptions &options, const IslContext &context, const Nest &nest, Compilation &compilation,
                  Dumps &dumps) {
  std::set<std::string> left;
  for (const LeftAlone &one : nest.left) left.insert(one.name);
  for (const FunctionTrace &trace : compilation.traces)
    if (trace.left && !trace.invalid && !trace.left->reason.starts_with("nothing gained"))
      left.insert(trace.function.name);
  for (const auto &[name, part] : nest.parts)
    if (left.contains(name)) compileFunction(options, context, part, true, compilation, dumps);
}

/// Functions whose program has no text for the target are left.
void leaveUnprintable(const PipelineOptions &options, Compilation &compilation) {
  for (const LeftAlone &left : unprintable(*compilation.nest, compilation.mapped, printing(options))) {
    for (FunctionTrace &trace : compilation.traces)
      if (trace.function.name == left.name) {
        trace.left = left.refusal;
        if (left.fault) static_cast<void>(invalid(left.refusal.reason, trace));
      }
    leave(compilation, left.name, left.refusal, left.fault);
  }
}

/// --require=parallel,...: what a transformed function lacks is an error, as if it had been refused.
void requireQualities(Compilation &compilation, const PipelineOptions &options) {
  if (!options.require) return;
  for (const FunctionTrace &trace : compilation.traces)
    for (const Quality quality : options.qualities) {
      if (trace.left) continue;
      const auto missing =
          lacks(quality, trace, programOf(trace.function, compilation.programs), processorsOf(options));
      if (!missing) continue;
      compilation.outcome.exitCode = ExitCode::Refused;
      say(compilation, {remark(Severity::Error, trace.function.where, "'" + trace.function.name + "' " + *missing)});
    }
}

/// A line on each function that was transformed.
void praise(Compilation &compilation, const PipelineOptions &options) {
  for (const FunctionTrace &trace : compilation.traces)
    if (!trace.left)
      compilation.outcome.remarks.push_back(
          passedRemark(trace, programOf(trace.function, compilation.programs), processorsOf(options)));
}

/// The schedules of --schedule=FILE.
std::optional<Refusal> readTrees(const PipelineOptions &options, Compilation &compilation) {
  if (options.scheduleFile.empty()) return std::nullopt;
  const auto text = readFile(options.scheduleFile);
  if (!text) return Refusal{text.refusal().reason, whole(options)};
  compilation.trees = documentsOf(*text);
  if (compilation.trees.empty())
    return Refusal{"'" + options.scheduleFile + "' has no document that begins with '# function NAME'", whole(options)};
  return std::nullopt;
}

/// The file through all rooms up to the printer.
Compilation compileFile(const PipelineOptions &options) {
  Compilation compilation;
  Dumps dumps(options.dumpStage);
  ParseOutcome parsed =
      parse(options.file, {options.entries, options.clangArgs, options.buildDir, "", options.target != Target::Cpp});
  compilation.outcome.diagnostics = parsed.diagnostics;
  if (!parsed.nest) {
    compilation.outcome.exitCode = ExitCode::Usage;
    return compilation;
  }
  Nest &nest = compilation.nest.emplace(*parsed.nest);
  forgetHelpers(nest, options);
  say(compilation, tileWarnings(nest, options.tiles));
  compilation.outcome.source = nest.source;
  dumps.show("parse", "", [&] { return dump(*parsed.nest); });
  for (const LeftAlone &left : nest.left) leave(compilation, left.name, left.refusal, left.fault);
  if (nest.functions.empty() && nest.left.empty())
    say(compilation, RemarkKind::Missed, "NoFunction", "",
        {remark(Severity::Remark, whole(options), "no function here has a body: the file is left as it is")});
  if (const auto refusal = readTrees(options, compilation)) {
    stop(compilation, ExitCode::Usage, *refusal);
    return compilation;
  }
  const IslContext context = makeIslContext();
  for (const Function &function : parsed.nest->functions)
    compileFunction(options, context, function, false, compilation, dumps);
  compileParts(options, context, *parsed.nest, compilation, dumps);
  for (const auto &[name, tree] : compilation.trees)
    stop(compilation, ExitCode::Usage,
         {"'" + options.scheduleFile + "' orders '" + name + "', which is no function that is read here",
          whole(options)});
  leaveUnprintable(options, compilation);
  compilation.outcome.stages = dumps.shown;
  writeReport(compilation, options);
  requireQualities(compilation, options);
  require(compilation, options);
  refuseTrees(options, compilation);
  if (options.target != Target::Cpp)
    say(compilation, RemarkKind::Analysis, "CopiesAtEachCall", "", hostEntryRemarks(nest, compilation.traces));
  for (const FunctionTrace &trace : compilation.traces)
    say(compilation, RemarkKind::Analysis, "RestsOn", trace.function.name, trustRemarks(trace));
  praise(compilation, options);
  dumps.passed("report");
  compilation.outcome.times = dumps.times;
  return compilation;
}

Compilation compile(const PipelineOptions &options) {
  try {
    return compileFile(options);
  } catch (const std::exception &failure) {
    Compilation compilation;
    compilation.outcome = broken(options, failure);
    return compilation;
  }
}

/// What a function's result rests on, for the printed file: without the directory that the source lies in.
std::vector<std::string> assumedIn(const PipelineOptions &options, const FunctionTrace &trace) {
  std::vector<std::string> result = assumptionsOf(trace);
  const std::string directory = options.file.substr(0, options.file.rfind('/') + 1);
  for (std::string &text : result)
    for (std::size_t at = 0; !directory.empty() && (at = text.find(options.file, at)) != std::string::npos;)
      text.erase(at, directory.size());
  return result;
}

/// What is wrong with the sizes that pictures are asked for at; absent: nothing.
std::optional<Refusal> unknownSize(const Compilation &compilation, const PipelineOptions &options) {
  std::set<std::string> known;
  for (const FunctionTrace &trace : compilation.traces)
    known.insert(trace.function.sizes.begin(), trace.function.sizes.end());
  for (const Sizes &sizes : options.sizes)
    for (const auto &[name, value] : sizes)
      if (!known.contains(name))
        return Refusal{"--sizes names '" + name + "', which is no size of a function here", {}};
  return std::nullopt;
}

/// All that can be shown of the file's functions.
Drawing drawingOf(const Compilation &compilation, const PipelineOptions &options, DepsFormat format) {
  const bool hasPoints = format == DepsFormat::Html || (format == DepsFormat::Svg && !options.sizes.empty());
  Drawing drawing{options.file, compilation.nest->source, "", {}};
  for (const FunctionTrace &trace : compilation.traces)
    drawing.functions.push_back(drawn(trace, {options.sizes, hasPoints}));
  for (const LeftAlone &left : compilation.nest->left) drawing.functions.push_back(drawn(left));
  if (format != DepsFormat::Html || compilation.programs.empty()) return drawing;
  PrintOptions how = printing(options);
  how.runtime = Runtime::Header;
  const auto file = wholeFile(print(*compilation.nest, compilation.mapped, how), *compilation.nest, options);
  if (!file) return drawing;
  drawing.printed = file->text;
  how.hasMarks = true;
  const Printed marked = print(*compilation.nest, compilation.mapped, how);
  const std::string banner = bannerOf(options.file, compilation.nest->source, wordsOf(options), options.replacesInput);
  linkPrinted(drawing, originsOfLines(*file, below(banner, marked).text));
  return drawing;
}

Result<std::string> show(const Drawing &drawing, DepsFormat format, Kinds kinds) {
  if (format == DepsFormat::Json) return writeJson(drawing);
  if (format == DepsFormat::Html) return writePage(drawing);
  if (format == DepsFormat::Svg) return writeSvg(drawing, kinds);
  std::string text;
  for (const DrawnFunction &function : drawing.functions)
    if (!function.statements.empty()) text += writeDot(function, {kinds, "", false, true});
  return text;
}

/// Declarations of what was transformed, and of what was read and is left: its original is in the text.
std::string headerOf(const Compilation &compilation, const PipelineOptions &options) {
  std::vector<std::string> names;
  for (const FunctionTrace &trace : compilation.traces) names.push_back(trace.function.name);
  for (const LeftAlone &left : compilation.nest->left) names.push_back(left.name);
  return entryHeader(*compilation.nest, names, compilation.outcome.text,
                     options.file.substr(options.file.rfind('/') + 1));
}

/// Original and result of every function that was transformed, as the user would build them.
CheckRequest requestOf(const Compilation &compilation, const std::string &result, const PipelineOptions &options) {
  CheckRequest request;
  request.file = options.file;
  request.original = compilation.nest->source;
  request.result = result;
  request.target = options.target;
  request.arch = options.arch;
  for (const FunctionTrace &trace : compilation.traces)
    if (!trace.left) request.functions.push_back(checkedOf(trace, programOf(trace.function, compilation.programs)));
  request.sizes = options.sizes;
  request.clangArgs = options.clangArgs;
  request.seed = options.seed;
  request.bitEqual = options.fp == FloatMode::Strict;
  request.journal = options.journal;
  request.progress = options.progress;
  return request;
}

} // namespace

std::optional<Refusal> plan(FunctionTrace &trace, const IslContext &context, const RelaxOptions &mending,
                            const ScheduleOptions &order, const ShowStage &show) {
  auto scop = model(trace.function, context);
  if (!scop) return scop.refusal();
  trace.scop = *scop;
  show("model", [&] { return dump(*scop); });

  auto dependences = analyse(*scop);
  if (!dependences) return dependences.refusal();
  trace.dependences = *dependences;
  show("deps", [&] { return dump(*scop, *dependences); });
  if (scop->scattered) return scop->scattered;

  trace.relaxed = relax(*scop, *dependences, mending);
  show("relax", [&] { return dump(*trace.relaxed); });

  trace.relaxed = withLateStores(withStoredFactors(*trace.relaxed, order), order);
  const auto given = order.tree ? readTree(*scop, *order.tree) : schedule(*scop, *dependences, *trace.relaxed, order);
  if (!given) return given.refusal();
  trace.schedule = *given;
  const auto shortness =
      order.host && !order.tree ? shortWindows(trace.function, *trace.relaxed, *trace.schedule) : std::nullopt;
  if (shortness) trace.schedule = inSourceOrder(*scop, *shortness);
  show("schedule", [&] { return dump(*trace.relaxed, *trace.schedule); });
  return std::nullopt;
}

std::vector<std::string> stages() {
  std::vector<std::string> names{"parse", "model", "deps", "relax", "schedule"};
  for (const std::string &pass : passNames()) names.push_back("tile." + pass);
  names.insert(names.end(), {"tile.general", "tile.known-bounds", "tile", "device", "print"});
  return names;
}

PipelineOutcome transform(const PipelineOptions &options) {
  Compilation compilation = compile(options);
  if (!compilation.nest) return compilation.outcome;
  PrintOptions how = printing(options);
  for (const FunctionTrace &trace : compilation.traces)
    how.assumptions[trace.function.name] = assumedIn(options, trace);
  const bool prints = options.dumpStage.empty() || options.dumpStage == "print" || options.dumpStage == "all";
  if (prints) {
    const auto start = std::chrono::steady_clock::now();
    const auto text = laidOut(print(*compilation.nest, compilation.mapped, how), *compilation.nest, options);
    if (!text) return stop(compilation, ExitCode::Usage, {text.refusal().reason, whole(options)});
    compilation.outcome.text = *text;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    compilation.outcome.times.push_back({"print", took.count()});
    if (options.wantsHeader) compilation.outcome.header = headerOf(compilation, options);
  }
  if (options.dumpStage == "all") compilation.outcome.stages.push_back({"print", "", compilation.outcome.text});
  if (!prints)
    for (const StageDump &stage : compilation.outcome.stages) compilation.outcome.text += stage.text;
  return compilation.outcome;
}

PipelineOutcome inspectDeps(const PipelineOptions &options, DepsFormat format) {
  Compilation compilation = compile(options);
  if (!compilation.nest) return compilation.outcome;
  if (const auto wrong = unknownSize(compilation, options))
    return stop(compilation, ExitCode::Usage, {wrong->reason, whole(options)});
  if (format == DepsFormat::Text) {
    for (const FunctionTrace &trace : compilation.traces)
      if (trace.dependences)
        compilation.outcome.text += graphText(*trace.scop, *trace.dependences, verdictLabels(trace));
    return compilation.outcome;
  }
  const auto text = show(drawingOf(compilation, options, format), format, options.allKinds ? Kinds::All : Kinds::Flow);
  if (!text) return stop(compilation, ExitCode::Usage, {text.refusal().reason, whole(options)});
  compilation.outcome.text = *text;
  return compilation.outcome;
}

PipelineOutcome explain(const PipelineOptions &options, DepsFormat format) {
  Compilation compilation = compile(options);
  PipelineOutcome &outcome = compilation.outcome;
  std::vector<Explained> functions;
  for (const FunctionTrace &trace : compilation.traces) {
    functions.push_back({trace.function.name, explain(trace), planInWords(trace)});
    for (const std::string &sentence : functions.back().plan) functions.back().text += "  plan of " + sentence + "\n";
  }
  for (std::size_t k = 0; compilation.nest && k < compilation.nest->left.size(); ++k) {
    const LeftAlone &left = compilation.nest->left[k];
    const bool isTold = std::any_of(functions.begin(), functions.end(),
                                    [&](const Explained &function) { return function.name == left.name; });
    if (!isTold) functions.push_back({left.name, left.name + ":\n  left as it is: " + left.refusal.reason + "\n", {}});
  }
  if (!compilation.nest) return outcome;
  if (format == DepsFormat::Json)
    outcome.text = explanationJson(outcome.report, functions);
  else if (format == DepsFormat::Html)
    outcome.text = explanationPage(options.file, compilation.nest->source, functions);
  else
    for (const Explained &function : functions) outcome.text += function.text;
  return outcome;
}

PipelineOutcome check(const PipelineOptions &asked) {
  PipelineOptions options = asked;
  options.thorough = true;
  Compilation compilation = compile(options);
  if (!compilation.nest) return compilation.outcome;
  const auto result =
      laidOut(print(*compilation.nest, compilation.mapped, printing(options)), *compilation.nest, options);
  if (!result) return stop(compilation, ExitCode::Usage, {result.refusal().reason, whole(options)});
  const CheckRequest request = requestOf(compilation, *result, options);
  if (const auto wrong = sizesRefused(request.sizes, request.functions))
    return stop(compilation, ExitCode::Usage, {*wrong, whole(options)});
  if (const auto place = placeFor(options.target, options.arch); !place)
    return stop(compilation, ExitCode::Untested, {"nothing was checked: " + place.refusal().reason, whole(options)});
  const auto table = runSideBySide(request);
  if (!table) {
    const bool isOurs = table.refusal().reason.starts_with("the result ");
    return stop(compilation, isOurs ? ExitCode::Invalid : ExitCode::Untested, table.refusal());
  }
  compilation.outcome.text = options.checkAsJson ? writeJson(*table) : show(*table);
  if (table->verdict() == CheckTable::Verdict::Disagree) compilation.outcome.exitCode = ExitCode::Invalid;
  if (table->verdict() == CheckTable::Verdict::Unfinished && compilation.outcome.exitCode == ExitCode::Done)
    compilation.outcome.exitCode = ExitCode::Untested;
  return compilation.outcome;
}

} // namespace polymend
