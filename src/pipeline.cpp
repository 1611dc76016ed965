// The whole of polymend on a page: C++ source in, C++ source out, a line a room. A function that a room refuses is left
// as it is, with that room's reason.
#include "polymend/pipeline.h"

#include "polymend/account.h"
#include "polymend/lower.h"
#include "polymend/order.h"
#include "polymend/run.h"
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

/// A result that our own check rejects.
Refusal invalid(const std::string &fault, Passage &passage) {
  passage.invalid = true;
  return {"validation failed: " + fault, passage.function.where};
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

/// One function through model, deps, relax, schedule and tile.
Result<TileProgram> travel(const PipelineOptions &options, const IslContext &context, Passage &passage,
                           std::string &dumped) {
  const auto show = [&](const char *stage, const auto &text) {
    if (options.dumpStage == stage) dumped += text();
  };
  const bool strict = options.fp == FloatMode::Strict;
  const std::map<std::string, std::int64_t> tiles = tilesOf(passage.function, options);

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
                             narrowFactors};
  passage.relaxed = withStoredFactors(*passage.relaxed, plan);
  passage.schedule = schedule(*scop, *dependences, *passage.relaxed, plan);
  show("schedule", [&] { return dump(*passage.relaxed, *passage.schedule); });
  for (const std::string &fault : violations(*passage.relaxed, *passage.schedule))
    return invalid("the schedule breaks a dependence: " + fault, passage);
  passage.relaxed = settled(*passage.relaxed, *passage.schedule);

  LowerOptions how{!strict, options.fp == FloatMode::Approx, tiles, unitsOf(options)};
  // A kernel on matrix units is tried on the spot; where it fails, the general one takes its place, which a remark
  // says.
  const auto lowered = [&] {
    return lower(passage.function, *scop, *dependences, *passage.relaxed, *passage.schedule, how);
  };
  auto program = lowered();
  if (!program) return program;
  if (const auto fault = verify(*program).empty() ? trial(passage, *program) : std::nullopt) {
    how.units.reset();
    program = lowered();
    if (program) program->plain.push_back("a trial run fails " + *fault);
  }
  if (!program) return program;
  show("tile", [&] { return writeText(*program); });
  for (const std::string &fault : verify(*program)) return invalid("the tile program is ill-formed: " + fault, passage);
  if (options.thorough)
    for (const std::string &fault : validate(passage, *program, {1'000'000, 2'000'000})) return invalid(fault, passage);
  return program;
}

/// As travel, with isl's own failures as refusals.
Result<TileProgram> carefully(const PipelineOptions &options, const IslContext &context, Passage &passage,
                              std::string &dumped) {
  Result<TileProgram> result = Refusal{"", passage.function.where};
  std::string what;
  if (!capped(context, [&] { result = travel(options, context, passage, dumped); }, what))
    return Refusal{"the polyhedral model became too large: " + what, passage.function.where};
  return result;
}

/// As carefully; a kernel with roles that has no text gives way to the general one.
Result<TileProgram> printably(const PipelineOptions &options, const IslContext &context, const Nest &nest,
                              Passage &passage, std::string &dumped) {
  std::string shown;
  const Passage start = passage;
  auto program = carefully(options, context, passage, shown);
  const bool roles = program && std::any_of(program->kernels.begin(), program->kernels.end(),
                                            [](const Kernel &kernel) { return !kernel.roles.empty(); });
  const auto refused = roles ? unprintable(nest, {*program}, printing(options)) : std::vector<LeftAlone>();
  if (!refused.empty()) {
    PipelineOptions general = options;
    general.arch.clear();
    shown.clear();
    passage = start;
    program = carefully(general, context, passage, shown);
    if (program) program->plain.push_back("no text for " + refused.front().refusal.reason);
  }
  dumped += shown;
  return program;
}

void leave(Journey &journey, const std::string &name, const Refusal &refusal) {
  journey.outcome.diagnostics.push_back(
      remark(Severity::Remark, refusal.where, "'" + name + "' is left as it is: " + refusal.reason));
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

/// --require: everything selected must have been transformed without a refusal.
void require(Journey &journey, const PipelineOptions &options) {
  const bool stopped =
      !journey.nest->left.empty() || std::any_of(journey.passages.begin(), journey.passages.end(), blocked);
  if (!options.require || !stopped || journey.outcome.exitCode != ExitCode::Done) return;
  journey.outcome.exitCode = ExitCode::Refused;
  for (Diagnostic &diagnostic : journey.outcome.diagnostics)
    if (diagnostic.severity == Severity::Remark) diagnostic.severity = Severity::Error;
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

Journey go(const PipelineOptions &options) {
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
  for (const LeftAlone &left : journey.nest->left) leave(journey, left.name, left.refusal);
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
      leave(journey, function.name, program.refusal());
      if (passage.invalid) journey.outcome.exitCode = ExitCode::Invalid;
    } else {
      remarkOrder(journey, passage);
      remarkRefusals(journey, passage);
      for (const std::string &reason : program->plain)
        journey.outcome.diagnostics.push_back(
            remark(Severity::Remark, function.where, "'" + function.name + "' does not use matrix units: " + reason));
      journey.programs.push_back(*program);
    }
    journey.passages.push_back(passage);
  }
  for (const LeftAlone &left : unprintable(*journey.nest, journey.programs, printing(options))) {
    for (Passage &passage : journey.passages)
      if (passage.function.name == left.name) passage.left = left.refusal;
    leave(journey, left.name, left.refusal);
  }
  writeReport(journey, options);
  require(journey, options);
  return journey;
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

} // namespace

std::vector<std::string> stages() { return {"parse", "model", "deps", "relax", "schedule", "tile", "print"}; }

PipelineOutcome transform(const PipelineOptions &options) {
  Journey journey = go(options);
  if (!journey.nest) return journey.outcome;
  const bool isPrinted = options.dumpStage.empty() || options.dumpStage == "print";
  journey.outcome.text = isPrinted ? print(*journey.nest, journey.programs, printing(options)) : journey.dumped;
  return journey.outcome;
}

PipelineOutcome inspectDeps(const PipelineOptions &options, DepsFormat format) {
  Journey journey = go(options);
  for (const Passage &passage : journey.passages) {
    if (!passage.dependences) continue;
    const std::vector<std::string> verdicts = verdictLabels(passage);
    if (format == DepsFormat::Dot)
      journey.outcome.text += graphDot(*passage.scop, *passage.dependences, verdicts);
    else if (format == DepsFormat::Json)
      journey.outcome.text += graphJson(*passage.scop, *passage.dependences, verdicts);
    else
      journey.outcome.text += graphText(*passage.scop, *passage.dependences, verdicts);
  }
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
  CheckRequest request;
  request.file = options.file;
  request.original = journey.nest->source;
  for (TileProgram &program : journey.programs) program = withoutRoles(program);
  request.result = print(*journey.nest, journey.programs, {Target::Cpp, options.fp});
  for (const Passage &passage : journey.passages)
    if (!passage.left)
      request.functions.push_back({passage.function,
                                   {},
                                   {},
                                   !passage.relaxed->assumptions.empty(),
                                   tileExtents(programOf(passage.function, journey.programs))});
  request.sizes = options.sizes;
  if (const auto wrong = sizesRefused(request.sizes, request.functions)) {
    journey.outcome.exitCode = ExitCode::Usage;
    journey.outcome.diagnostics.push_back(remark(Severity::Error, whole(options), *wrong));
    return journey.outcome;
  }
  request.clangArgs = options.clangArgs;
  request.seed = options.seed;
  request.bitEqual = options.fp == FloatMode::Strict;
  const auto table = runSideBySide(request);
  if (!table) {
    journey.outcome.exitCode = ExitCode::Invalid;
    journey.outcome.diagnostics.push_back(remark(Severity::Error, table.refusal().where, table.refusal().reason));
    return journey.outcome;
  }
  journey.outcome.text = show(*table);
  if (!table->agrees()) journey.outcome.exitCode = ExitCode::Invalid;
  return journey.outcome;
}

} // namespace polymend
