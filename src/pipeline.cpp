// The whole of polymend on a page: C++ source in, C++ source out, a line a room. A function that a room refuses is left
// as it is, with that room's reason. How a step is done stands in pipeline/.
#include "polymend/pipeline.h"

#include "pipeline/given_orders.h"
#include "pipeline/result_text.h"
#include "pipeline/time_tiled.h"
#include "pipeline/verdict.h"
#include "pipeline/worth.h"

#include "polymend/by_hand.h"
#include "polymend/lengths.h"
#include "polymend/order.h"
#include "polymend/plan.h"
#include "polymend/remarks.h"
#include "polymend/short_windows.h"
#include "polymend/tell.h"
#include "polymend/uses.h"
#include "polymend/validate.h"
#include "polymend/verify.h"
#include "polymend/verify_device.h"

#include "tile/passes.h"

#include <algorithm>
#include <chrono>

namespace polymend {

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

Result<Lowered> lowerFunction(const PipelineOptions &options, const IslContext &context,
                              const std::optional<std::string> &tree, FunctionTrace &trace, Dumps &dumps,
                              bool positions) {
  const bool strict = options.fp == FloatMode::Strict, isHost = options.target == Target::Cpp;
  if (strict && trace.function.anyOrder.valid())
    return Refusal{"the library chooses the order of this sum, whose bits are those of no other: write std::accumulate",
                   trace.function.anyOrder};
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
  if (!trace.schedule) // it may be lowered once more, in another way
    if (const auto refusal = plan(trace, context, {options.relax, !strict, matrix, matrix && positions}, how, show))
      return *refusal;
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
  if (const auto refusal = tileTime(options, trace, *lowered)) return *refusal;
  show("tile", [&] { return writeText(program); });
  for (const std::string &fault : verify(program))
    return invalid("validation failed: the tile program is ill-formed: " + fault, trace);
  if (const auto refusal = mapLowered(options, trace, *lowered, dumps)) return *refusal;
  const Effort effort = options.thorough ? Effort{1'000'000, 2'000'000} : quick;
  const bool isTried = lowered->isTried && !options.thorough;
  const TileProgram &inOrder = lowered->untiled ? *lowered->untiled : program;
  const TileProgram meaning = trace.schedule->order ? inOrder : forget(*lowered->mapped);
  const Validation tried = isTried ? Validation() : validate(trace, meaning, effort);
  for (const std::string &fault : tried.faults) return invalid("validation failed " + fault, trace);
  trace.unvalidated = lowered->isTried ? std::nullopt : tried.unrun;
  dumps.passed("validate");
  return lowered;
}

namespace {

/// Nobody means a program's main or a helper without a loop, unless by name or when the file holds nothing else.
void forgetHelpers(Nest &nest, const PipelineOptions &options) {
  const auto isHelper = [](const LeftAlone &left) { return left.name == "main" || left.refusal.reason == "no loop"; };
  const bool others = !nest.functions.empty() || !std::all_of(nest.left.begin(), nest.left.end(), isHelper);
  if (options.entries.empty() && others) std::erase_if(nest.left, isHelper);
}

/// The function as rooms behind the parser see it, in the place of the one that was read.
void replaceFunction(const Function &function, Compilation &compilation) {
  for (Function &read : compilation.nest->functions)
    if (read.name == function.name) read = function;
}

/// Is it a part of a function that is left for what it takes or returns, not for what its loops do?
bool isLeftByItsHead(const Nest &nest, const Function &part) {
  return std::any_of(nest.left.begin(), nest.left.end(), [&](const LeftAlone &left) {
    return left.isByHead && part.name.starts_with(left.name + "_part_");
  });
}

/// A function on its way through the rooms behind the parser: its program joins the others, or it is left. Of a part of
/// a function that is left anyway nobody hears that it is left as well, unless another loop around it would help.
void compileFunction(const PipelineOptions &options, const IslContext &context, const Function &function, bool isPart,
                     Compilation &compilation, Dumps &dumps) {
  FunctionTrace trace;
  trace.function = options.guardsIndices ? withLengths(function) : function;
  const auto tree = takeTree(compilation, function.name);
  Dumps shown = dumps;
  auto lowered = lowerWithinLimits(options, context, tree, trace, dumps);
  if (needsLengths(lowered ? lowered->mapped->entry.source : lowered.refusal().reason)) {
    FunctionTrace whole;
    whole.function = withLengths(function);
    auto copied = lowerWithinLimits(options, context, tree, whole, shown);
    if (copied && (!lowered || copied->mapped->entry.source.empty())) {
      trace = std::move(whole);
      lowered = std::move(copied);
      dumps = std::move(shown);
    }
  }
  if (trace.schedule && !options.treeFile.empty())
    compilation.outcome.trees += writeTree(*trace.scop, *trace.schedule) + "---\n";
  if (!lowered && isPart && !trace.invalid) {
    if (lowered.refusal().reason == copiedEachTurn || isLeftByItsHead(*compilation.nest, function))
      leave(compilation, function.name, lowered.refusal(), false);
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
    trace.keptOnHost = lowered->mapped->entry.source;
    say(compilation, RemarkKind::Missed, "OnDeviceAlone", function.name, keptRemarks(trace));
    for (const Refusal &why : program.plain)
      say(compilation, RemarkKind::Missed, "NoMatrixUnits", function.name, {offUnitsRemark(trace, why)});
    compilation.programs.push_back(program);
    compilation.mapped.push_back(*lowered->mapped);
  }
  compilation.traces.push_back(trace);
}

/// How many loops are around each other, at most.
std::size_t depthOf(const Body &body) {
  std::size_t depth = 0;
  for (const Node &node : body) {
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node))
      depth = std::max(depth, 1 + depthOf((*loop)->body));
    if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node))
      depth = std::max({depth, depthOf((*branch)->then), depthOf((*branch)->otherwise)});
  }
  return depth;
}

/// Is it what a loop does in each of its turns, with loops in loops? A single one would be asked about too often.
bool isWorthATurn(const Function &part) { return part.around.valid() && depthOf(part.body) > 1; }

/// The parts of the functions that are left: of one that gains nothing as a whole, those within its loops alone, unless
/// data end these.
void compileParts(const PipelineOptions &options, const IslContext &context, const Nest &nest, Compilation &compilation,
                  Dumps &dumps) {
  std::set<std::string> left, idle;
  for (const LeftAlone &one : nest.left) left.insert(one.name);
  const auto isLong = [](const DataEnd &end) { return end.isLong; };
  for (const FunctionTrace &trace : compilation.traces) {
    if (!trace.left || trace.invalid) continue;
    const bool isIdle =
        trace.left->reason.starts_with("nothing gained") && !std::ranges::any_of(trace.function.ends, isLong);
    (isIdle ? idle : left).insert(trace.function.name);
  }
  for (const auto &[name, part] : nest.parts)
    if (left.contains(name) || (idle.contains(name) && isWorthATurn(part)))
      compileFunction(options, context, part, true, compilation, dumps);
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

/// The last resort of the rooms: what escapes them ends the run, with words.
PipelineOutcome broken(const PipelineOptions &options, const std::exception &failure) {
  PipelineOutcome outcome;
  outcome.exitCode = ExitCode::Invalid;
  outcome.faults.push_back(failure.what());
  outcome.diagnostics.push_back(remark(Severity::Error, whole(options),
                                       std::string("internal error: ") + failure.what() + std::string(askForReport)));
  return outcome;
}

} // namespace

Compilation compile(const PipelineOptions &options) {
  try {
    return compileFile(options);
  } catch (const std::exception &failure) {
    Compilation compilation;
    compilation.outcome = broken(options, failure);
    return compilation;
  }
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

} // namespace polymend
