// The whole of polymend on a page: C++ source in, C++ source out, a line a room. A function that a room refuses is left
// as it is, with that room's reason.
#include "polymend/pipeline.h"

#include "polymend/account.h"
#include "polymend/lower.h"
#include "polymend/off_units.h"
#include "polymend/order.h"
#include "polymend/run.h"
#include "polymend/uses.h"
#include "polymend/validate.h"

#include <algorithm>
#include <set>

namespace polymend {
namespace {

/// A file on its way through the rooms.
struct Journey {
  PipelineOutcome outcome;
  std::optional<Nest> nest;
  std::vector<Passage> passages;
  std::vector<TileProgram> programs;
  std::string dumped;
};

Diagnostic remark(Severity severity, const SourceRange &where, const std::string &text) {
  return {severity, where, text, {}};
}

/// The input as a place without a line.
SourceRange whole(const PipelineOptions &options) {
  SourceRange where;
  where.file = options.file;
  return where;
}

/// What we got wrong on the function: it stays as it is, and people are asked to tell us.
Refusal invalid(const std::string &fault, Passage &passage) {
  passage.invalid = true;
  passage.faults.push_back(fault);
  return {fault, passage.function.where};
}

void addLoops(const Body &body, std::map<std::string, std::string> &names) {
  for (const Node &node : body)
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      names[(*loop)->variable] = (*loop)->sourceName;
      addLoops((*loop)->body, names);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      addLoops((*branch)->then, names);
      addLoops((*branch)->otherwise, names);
    }
}

/// The source's name of every loop variable: several may share one.
std::map<std::string, std::string> loopNames(const Function &function) {
  std::map<std::string, std::string> names;
  addLoops(function.body, names);
  return names;
}

/// --tile by loop variable: what is said of a name holds for all loops of the source that have it.
std::map<std::string, std::int64_t> tilesOf(const Function &function, const PipelineOptions &options) {
  std::map<std::string, std::int64_t> tiles;
  for (const auto &[variable, name] : loopNames(function))
    if (const auto asked = options.tiles.find(name); asked != options.tiles.end()) tiles[variable] = asked->second;
  return tiles;
}

/// The matrix units that the target's kernels may use.
std::optional<MatrixUnits> unitsOf(const PipelineOptions &options) {
  return options.target == Target::Cuda ? matrixUnitsOf(options.arch) : std::nullopt;
}

PrintOptions printing(const PipelineOptions &options) {
  PrintOptions result{options.target, options.fp};
  if (const auto units = unitsOf(options)) result.instructions = units->instructions;
  return result;
}

/// Why what was made of a function is not worth printing, at the dependence that keeps its loops in order.
std::optional<Refusal> idle(const Passage &passage, const TileProgram &program, Target target) {
  const bool isFew = program.work && program.work.op() == Op::Real &&
                     program.work->real < leastWork * static_cast<double>(program.kernels.size());
  if (target == Target::Cpp && isFew)
    return Refusal{"nothing gained: it is done before threads have started", passage.function.where};
  const auto why = nothingGained(program, target == Target::Cpp ? Processor::Cpu : Processor::Gpu);
  if (!why || !passage.schedule->order) return std::nullopt;
  const Relaxed &relaxed = *passage.relaxed;
  const SourceRange &where = relaxed.system ? passage.function.where : relaxed.why.where;
  return Refusal{"nothing gained: " + *why + ", as " + passage.schedule->why, where};
}

/// What a remark on a fault of ours ends with.
const std::string askForReport = "; this is a fault of polymend's, please report it";

bool hasRoles(const TileProgram &program) {
  return std::any_of(program.kernels.begin(), program.kernels.end(),
                     [](const Kernel &kernel) { return !kernel.roles.empty(); });
}

/// A kernel on matrix units is tried on the spot: where it fails, the general one takes its place.
Validation tryRoles(const Passage &passage, const TileProgram &program) {
  if (!hasRoles(program)) return {};
  for (const std::string &fault : verify(program)) return {{"its tile program is ill-formed: " + fault}, {}};
  Validation tried = trial(passage, program);
  for (std::string &fault : tried.faults) fault = "a trial run fails " + fault;
  return tried;
}

/// How many loops, and how many choices, stand around the innermost statement of a body.
std::pair<int, int> depthOf(const Body &body) {
  std::pair<int, int> most;
  const auto look = [&](const Body &inside, int loops, int choices) {
    const auto [innerLoops, innerChoices] = depthOf(inside);
    most = {std::max(most.first, innerLoops + loops), std::max(most.second, innerChoices + choices)};
  };
  for (const Node &node : body)
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      look((*loop)->body, 1, 0);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      look((*branch)->then, 0, 1);
      look((*branch)->otherwise, 0, 1);
    }
  return most;
}

/// A nest so deep that isl would think for minutes, between two counts of its operations.
std::optional<Refusal> tooDeep(const Function &function) {
  constexpr int mostLoops = 20, mostChoices = 60;
  const auto [loops, choices] = depthOf(function.body);
  if (loops > mostLoops)
    return Refusal{"more than " + std::to_string(mostLoops) + " loops stand within each other", function.where};
  if (choices > mostChoices)
    return Refusal{"more than " + std::to_string(mostChoices) + " choices stand within each other", function.where};
  return std::nullopt;
}

/// One function through model, deps, relax, schedule and tile.
Result<TileProgram> travel(const PipelineOptions &options, const IslContext &context, Passage &passage,
                           std::string &dumped) {
  const auto show = [&](const char *stage, const auto &text) {
    if (options.dumpStage == stage) dumped += text();
  };
  const bool strict = options.fp == FloatMode::Strict;
  const std::map<std::string, std::int64_t> tiles = tilesOf(passage.function, options);

  if (const auto refusal = tooDeep(passage.function)) return *refusal;
  auto scop = model(passage.function, context);
  if (!scop) return scop.refusal();
  passage.scop = *scop;
  show("model", [&] { return dump(*scop); });

  auto dependences = analyse(*scop);
  if (!dependences) return dependences.refusal();
  passage.dependences = *dependences;
  show("deps", [&] { return dump(*scop, *dependences); });

  const bool matrix = unitsOf(options).has_value();
  passage.relaxed = relax(*scop, *dependences, {options.relax, !strict, matrix});
  show("relax", [&] { return dump(*passage.relaxed); });

  const int narrowFactors = !matrix || strict ? 0 : options.fp == FloatMode::Approx ? 1 : 2;
  const ScheduleOptions plan{tiles,
                             !strict,
                             options.relax,
                             options.target == Target::Cpp ? 32 : 1024,
                             options.target == Target::Cpp ? 1024 : 4096,
                             narrowFactors,
                             options.target == Target::Cpp};
  passage.relaxed = withStoredFactors(*passage.relaxed, plan);
  passage.schedule = schedule(*scop, *dependences, *passage.relaxed, plan);
  show("schedule", [&] { return dump(*passage.relaxed, *passage.schedule); });
  for (const std::string &fault : violations(*passage.relaxed, *passage.schedule))
    return invalid("validation failed: the schedule breaks a dependence: " + fault, passage);
  for (const std::string &fault : misreadings(*passage.relaxed))
    return invalid("validation failed: a state of " + fault, passage);
  passage.relaxed = settled(*passage.relaxed, *passage.schedule);

  LowerOptions how{!strict, options.fp == FloatMode::Approx, tiles, unitsOf(options)};
  const auto lowered = [&] {
    auto program = lower(passage.function, *scop, *dependences, *passage.relaxed, *passage.schedule, how);
    if (program && options.beforeChecks) options.beforeChecks(*program);
    return program;
  };
  auto program = lowered();
  const Validation roles = program ? tryRoles(passage, *program) : Validation();
  for (const std::string &fault : roles.faults) {
    passage.faults.push_back(fault);
    how.units.reset();
    program = lowered();
    if (program) program->plain.push_back(fault + askForReport);
  }
  if (!program) return program;
  if (const auto refusal = idle(passage, *program, options.target)) return *refusal;
  show("tile", [&] { return writeText(*program); });
  for (const std::string &fault : verify(*program))
    return invalid("validation failed: the tile program is ill-formed: " + fault, passage);
  const bool isTried = hasRoles(*program) && !roles.unrun && !options.thorough;
  const Effort effort = options.thorough ? Effort{1'000'000, 2'000'000} : quick;
  const Validation tried = isTried ? Validation() : validate(passage, *program, effort);
  for (const std::string &fault : tried.faults) return invalid("validation failed " + fault, passage);
  passage.unvalidated = hasRoles(*program) && !roles.unrun ? std::nullopt : tried.unrun;
  return program;
}

/// As travel; where isl gives up the function is refused, and what we get wrong costs no other function anything.
Result<TileProgram> carefully(const PipelineOptions &options, const IslContext &context, Passage &passage,
                              std::string &dumped) {
  Result<TileProgram> result = Refusal{"", passage.function.where};
  std::string what;
  try {
    if (capped(context, [&] { result = travel(options, context, passage, dumped); }, what)) return result;
  } catch (const std::exception &failure) {
    return invalid(std::string("internal error: ") + failure.what(), passage);
  }
  return Refusal{"the polyhedral model became too large: " + what, passage.function.where};
}

/// As carefully; a kernel with roles that has no text gives way to the general one.
Result<TileProgram> printably(const PipelineOptions &options, const IslContext &context, const Nest &nest,
                              Passage &passage, std::string &dumped) {
  std::string shown;
  const Passage start = passage;
  auto program = carefully(options, context, passage, shown);
  const auto refused =
      program && hasRoles(*program) ? unprintable(nest, {*program}, printing(options)) : std::vector<LeftAlone>();
  if (!refused.empty()) {
    PipelineOptions general = options;
    general.arch.clear();
    shown.clear();
    passage = start;
    program = carefully(general, context, passage, shown);
    passage.faults.push_back("a kernel on matrix units would need " + refused.front().refusal.reason);
    if (program) program->plain.push_back(passage.faults.back() + askForReport);
  }
  dumped += shown;
  return program;
}

/// A function stays as it is: by a remark where that is the source's doing, by a warning where it is ours.
void leave(Journey &journey, const std::string &name, const Refusal &refusal, bool ours) {
  const std::string text = "'" + name + "' is left as it is: " + refusal.reason;
  journey.outcome.diagnostics.push_back(ours ? remark(Severity::Warning, refusal.where, text + askForReport)
                                             : remark(Severity::Remark, refusal.where, text));
}

/// Remarks on what a transformed function rests on, and on why it was not run beside its source.
void remarkTrust(Journey &journey, const Passage &passage) {
  const auto say = [&](const std::string &text) {
    journey.outcome.diagnostics.push_back(
        remark(Severity::Remark, passage.function.where, "'" + passage.function.name + "' " + text));
  };
  std::string all;
  for (const std::string &assumption : assumptionsOf(passage)) all += (all.empty() ? "" : "; ") + assumption;
  if (!all.empty()) say("assumes " + all);
  if (!passage.left && passage.unvalidated) say("is not validated: " + *passage.unvalidated);
}

/// Remarks on what is refused although the function was transformed.
void remarkRefusals(Journey &journey, const Passage &passage) {
  for (std::size_t k = 0; passage.relaxed && k < passage.relaxed->verdicts.size(); ++k) {
    const EdgeVerdict &verdict = passage.relaxed->verdicts[k];
    if (verdict.verdict != Verdict::Refused) continue;
    const Dependence &edge = passage.dependences->edges[k];
    Diagnostic diagnostic = remark(Severity::Remark, passage.scop->statements[static_cast<std::size_t>(edge.to)].where,
                                   "the dependence on '" + edge.array + "' cannot be dropped: " + verdict.reason);
    diagnostic.notes.push_back(remark(Severity::Note,
                                      passage.scop->statements[static_cast<std::size_t>(edge.from)].where,
                                      "it waits for this value"));
    journey.outcome.diagnostics.push_back(diagnostic);
  }
}

/// A remark on a function whose loops keep the order of the source.
void remarkOrder(Journey &journey, const Passage &passage) {
  if (!passage.schedule->order) return;
  const SourceRange &where = passage.relaxed->system ? passage.function.where : passage.relaxed->why.where;
  journey.outcome.diagnostics.push_back(
      remark(Severity::Remark, where,
             "the loops of '" + passage.function.name + "' keep their order: " + passage.schedule->why));
}

/// Why a program for a GPU whose source has sums of narrow products runs them without matrix units; absent: it does
/// not, or has said so.
std::optional<std::string> offUnits(const PipelineOptions &options, const Passage &passage,
                                    const TileProgram &program) {
  const bool present = unitsOf(options).has_value();
  if (options.target == Target::Cpp || (options.target == Target::Cuda && !present)) return std::nullopt;
  if (hasRoles(program) || !program.plain.empty()) return std::nullopt;
  const UnitsAsked asked{present, options.fp != FloatMode::Strict, options.fp == FloatMode::Approx};
  return whyOffUnits(*passage.scop, asked, passage.schedule->order ? passage.schedule->why : "");
}

/// Remarks on calls of functions that now run on a device: each brings its arguments there and back.
void remarkCalls(Journey &journey, const PipelineOptions &options) {
  if (options.target == Target::Cpp) return;
  for (const CallSite &call : journey.nest->calls) {
    const bool onDevice = std::any_of(journey.passages.begin(), journey.passages.end(), [&](const Passage &passage) {
      return passage.function.name == call.callee && !passage.left;
    });
    if (!onDevice || call.caller == call.callee) continue;
    journey.outcome.diagnostics.push_back(
        remark(Severity::Remark, call.where,
               "'" + call.caller + "' calls '" + call.callee +
                   "', which copies its arguments to the device and its results back at each call: call '" +
                   call.callee + "_on' on device pointers to keep them there"));
  }
}

std::string spell(FloatMode mode) {
  return mode == FloatMode::Strict ? "strict" : mode == FloatMode::Approx ? "approx" : "algebraic";
}
std::string spell(Target target) { return target == Target::Cuda ? "cuda" : target == Target::Hip ? "hip" : "cpp"; }

void writeReport(Journey &journey, const PipelineOptions &options) {
  Report report;
  report.input = options.file;
  report.target = spell(options.target);
  report.arch = options.arch;
  report.fp = spell(options.fp);
  for (const TileProgram &program : journey.programs)
    for (const auto &[what, bound] : program.approximations) report.approximations.push_back({what, bound});
  for (const Passage &passage : journey.passages) account(report, passage, options.require);
  for (const LeftAlone &left : journey.nest->left) {
    Passage passage;
    passage.function.name = left.name;
    passage.left = left.refusal;
    account(report, passage, options.require);
  }
  journey.outcome.report = writeReport(report);
}

/// --require: everything selected must have been transformed without a refusal; a fault of ours counts for more, and
/// for a check it is what a difference is.
void require(Journey &journey, const PipelineOptions &options) {
  const auto isOurs = [](const Passage &passage) { return passage.left && passage.invalid; };
  for (const Passage &passage : journey.passages)
    for (const std::string &fault : passage.faults)
      journey.outcome.faults.push_back("'" + passage.function.name + "': " + fault);
  for (const LeftAlone &left : journey.nest->left)
    if (left.fault) journey.outcome.faults.push_back("'" + left.name + "': " + left.refusal.reason);
  const bool stopped =
      !journey.nest->left.empty() || std::any_of(journey.passages.begin(), journey.passages.end(), blocked);
  const bool failed = std::any_of(journey.passages.begin(), journey.passages.end(), isOurs) ||
                      std::any_of(journey.nest->left.begin(), journey.nest->left.end(),
                                  [](const LeftAlone &left) { return left.fault; });
  if (((options.require || options.thorough) && failed) || (options.faultsAreErrors && !journey.outcome.faults.empty()))
    journey.outcome.exitCode = ExitCode::Invalid;
  else if (options.require && stopped)
    journey.outcome.exitCode = ExitCode::Refused;
  if (journey.outcome.exitCode == ExitCode::Done) return;
  for (Diagnostic &diagnostic : journey.outcome.diagnostics)
    if (diagnostic.severity == Severity::Remark || diagnostic.message.ends_with(askForReport))
      diagnostic.severity = Severity::Error;
}

/// Nobody means a program's main or a helper without a loop, unless by name or when the file holds nothing else.
void forgetHelpers(Nest &nest, const PipelineOptions &options) {
  const auto isHelper = [](const LeftAlone &left) { return left.name == "main" || left.refusal.reason == "no loop"; };
  const bool others = !nest.functions.empty() || !std::all_of(nest.left.begin(), nest.left.end(), isHelper);
  if (options.entries.empty() && others) std::erase_if(nest.left, isHelper);
}

/// A warning for each loop that --tile names and no function has.
void warnOfTiles(Journey &journey, const PipelineOptions &options) {
  std::set<std::string> names;
  for (const Function &function : journey.nest->functions)
    for (const auto &[variable, name] : loopNames(function)) names.insert(name);
  for (const auto &[name, size] : options.tiles)
    if (!names.contains(name))
      journey.outcome.diagnostics.push_back(remark(Severity::Warning, whole(options),
                                                   "--tile names the loop '" + name + "', which no function here has"));
}

/// The last resort of the rooms: what escapes them ends the run, with words.
PipelineOutcome broken(const PipelineOptions &options, const std::exception &failure) {
  PipelineOutcome outcome;
  outcome.exitCode = ExitCode::Invalid;
  outcome.faults.push_back(failure.what());
  outcome.diagnostics.push_back(
      remark(Severity::Error, whole(options), std::string("internal error: ") + failure.what() + askForReport));
  return outcome;
}

Journey through(const PipelineOptions &options) {
  Journey journey;
  ParseOutcome parsed = parse(options.file, {options.entries, options.clangArgs, options.buildDir, ""});
  journey.outcome.diagnostics = parsed.diagnostics;
  if (!parsed.nest) {
    journey.outcome.exitCode = ExitCode::Usage;
    return journey;
  }
  journey.nest = *parsed.nest;
  forgetHelpers(*journey.nest, options);
  warnOfTiles(journey, options);
  journey.outcome.source = parsed.nest->source;
  if (options.dumpStage == "parse") journey.dumped = dump(*parsed.nest);
  for (const LeftAlone &left : journey.nest->left) leave(journey, left.name, left.refusal, left.fault);
  if (journey.nest->functions.empty() && journey.nest->left.empty())
    journey.outcome.diagnostics.push_back(
        remark(Severity::Remark, whole(options), "no function here has a body: the file is left as it is"));
  const IslContext context = makeIslContext();
  for (const Function &function : parsed.nest->functions) {
    Passage passage;
    passage.function = function;
    auto program = printably(options, context, *journey.nest, passage, journey.dumped);
    if (!program) {
      passage.left = program.refusal();
      leave(journey, function.name, program.refusal(), passage.invalid);
    } else {
      remarkOrder(journey, passage);
      remarkRefusals(journey, passage);
      if (const auto why = offUnits(options, passage, *program)) program->plain.push_back(*why);
      for (const std::string &reason : program->plain)
        journey.outcome.diagnostics.push_back(
            remark(Severity::Remark, function.where, "'" + function.name + "' does not use matrix units: " + reason));
      journey.programs.push_back(*program);
    }
    journey.passages.push_back(passage);
  }
  for (const LeftAlone &left : unprintable(*journey.nest, journey.programs, printing(options))) {
    for (Passage &passage : journey.passages)
      if (passage.function.name == left.name) {
        passage.left = left.refusal;
        if (left.fault) static_cast<void>(invalid(left.refusal.reason, passage));
      }
    leave(journey, left.name, left.refusal, left.fault);
  }
  writeReport(journey, options);
  require(journey, options);
  remarkCalls(journey, options);
  for (const Passage &passage : journey.passages) remarkTrust(journey, passage);
  return journey;
}

Journey go(const PipelineOptions &options) {
  try {
    return through(options);
  } catch (const std::exception &failure) {
    Journey journey;
    journey.outcome = broken(options, failure);
    return journey;
  }
}

/// What a function's result rests on, for the printed file: without the directory that the source lies in.
std::vector<std::string> assumedIn(const PipelineOptions &options, const Passage &passage) {
  std::vector<std::string> result = assumptionsOf(passage);
  const std::string directory = options.file.substr(0, options.file.rfind('/') + 1);
  for (std::string &text : result)
    for (std::size_t at = 0; !directory.empty() && (at = text.find(options.file, at)) != std::string::npos;)
      text.erase(at, directory.size());
  return result;
}

/// The program that replaces a function which was not left alone.
const TileProgram &programOf(const Function &function, const std::vector<TileProgram> &programs) {
  return *std::find_if(programs.begin(), programs.end(),
                       [&](const TileProgram &program) { return program.function == function.name; });
}

/// What is wrong with the sizes that were asked for.
std::optional<std::string> sizesRefused(const std::vector<Sizes> &asked,
                                        const std::vector<CheckedFunction> &functions) {
  if (functions.empty()) return std::nullopt; // remarks say why nothing is run
  std::set<std::string> known;
  for (const CheckedFunction &checked : functions)
    known.insert(checked.function.sizes.begin(), checked.function.sizes.end());
  for (const Sizes &sizes : asked) {
    for (const auto &[name, value] : sizes)
      if (!known.contains(name)) return "--sizes names '" + name + "', which is no size of a function that is run";
    for (const CheckedFunction &checked : functions)
      for (const std::string &name : checked.function.sizes)
        if (!sizes.contains(name)) return "--sizes gives '" + name + "' of '" + checked.function.name + "' no value";
  }
  return std::nullopt;
}

/// What is to be run of one function, and what its result rests on.
CheckedFunction checkedOf(const Passage &passage, const TileProgram &program) {
  constexpr std::int64_t chunk = 8;
  CheckedFunction checked;
  checked.function = passage.function;
  checked.assumed = assumedBy(passage.relaxed->assumptions);
  checked.tiles = tileExtents(program);
  checked.given = program.given;
  for (const Kernel &kernel : program.kernels)
    if (kernel.when) checked.choices.push_back(kernel.when);
  const auto hasRoles = [](const Kernel &kernel) { return !kernel.roles.empty(); };
  if (std::any_of(program.kernels.begin(), program.kernels.end(), hasRoles)) checked.alignment = chunk;
  return checked;
}

/// Original and result of every function that was transformed, as the user would build them.
CheckRequest requestOf(const Journey &journey, const PipelineOptions &options) {
  CheckRequest request;
  request.file = options.file;
  request.original = journey.nest->source;
  request.result = print(*journey.nest, journey.programs, printing(options));
  request.target = options.target;
  request.arch = options.arch;
  for (const Passage &passage : journey.passages)
    if (!passage.left) request.functions.push_back(checkedOf(passage, programOf(passage.function, journey.programs)));
  request.sizes = options.sizes;
  request.clangArgs = options.clangArgs;
  request.seed = options.seed;
  request.bitEqual = options.fp == FloatMode::Strict;
  return request;
}

} // namespace

std::vector<std::string> stages() { return {"parse", "model", "deps", "relax", "schedule", "tile", "print"}; }

PipelineOutcome transform(const PipelineOptions &options) {
  Journey journey = go(options);
  if (!journey.nest) return journey.outcome;
  const bool isPrinted = options.dumpStage.empty() || options.dumpStage == "print";
  PrintOptions how = printing(options);
  for (const Passage &passage : journey.passages) how.assumptions[passage.function.name] = assumedIn(options, passage);
  journey.outcome.text = isPrinted ? print(*journey.nest, journey.programs, how) : journey.dumped;
  return journey.outcome;
}

PipelineOutcome inspectDeps(const PipelineOptions &options, DepsFormat format) {
  Journey journey = go(options);
  if (!journey.nest) return journey.outcome;
  std::vector<Graph> graphs;
  for (const Passage &passage : journey.passages)
    if (passage.dependences) graphs.push_back({*passage.scop, *passage.dependences, verdictLabels(passage)});
  if (format == DepsFormat::Json) journey.outcome.text = graphJson(graphs);
  for (const Graph &graph : graphs)
    if (format != DepsFormat::Json)
      journey.outcome.text += format == DepsFormat::Dot ? graphDot(graph.scop, graph.dependences, graph.verdicts)
                                                        : graphText(graph.scop, graph.dependences, graph.verdicts);
  return journey.outcome;
}

PipelineOutcome explain(const PipelineOptions &options) {
  Journey journey = go(options);
  for (const Passage &passage : journey.passages) journey.outcome.text += explain(passage);
  for (std::size_t k = 0; journey.nest && k < journey.nest->left.size(); ++k)
    journey.outcome.text +=
        journey.nest->left[k].name + ":\n  left as it is: " + journey.nest->left[k].refusal.reason + "\n";
  return journey.outcome;
}

PipelineOutcome check(const PipelineOptions &asked) {
  PipelineOptions options = asked;
  options.thorough = true;
  Journey journey = go(options);
  if (!journey.nest) return journey.outcome;
  const auto refuse = [&](ExitCode code, const Refusal &why) {
    journey.outcome.exitCode = code;
    journey.outcome.diagnostics.push_back(remark(Severity::Error, why.where, why.reason));
    return journey.outcome;
  };
  const CheckRequest request = requestOf(journey, options);
  if (const auto wrong = sizesRefused(request.sizes, request.functions))
    return refuse(ExitCode::Usage, {*wrong, whole(options)});
  if (const auto place = placeFor(options.target, options.arch); !place)
    return refuse(ExitCode::Untested, {"nothing was checked: " + place.refusal().reason, whole(options)});
  const auto table = runSideBySide(request);
  if (!table) {
    const bool isOurs = table.refusal().reason.starts_with("the result ");
    return refuse(isOurs ? ExitCode::Invalid : ExitCode::Untested, table.refusal());
  }
  journey.outcome.text = options.checkAsJson ? writeJson(*table) : show(*table);
  if (table->verdict() == CheckTable::Verdict::Disagree) journey.outcome.exitCode = ExitCode::Invalid;
  if (table->verdict() == CheckTable::Verdict::Unfinished && journey.outcome.exitCode == ExitCode::Done)
    journey.outcome.exitCode = ExitCode::Untested;
  return journey.outcome;
}

} // namespace polymend
