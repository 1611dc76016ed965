// A planned function arrives, its kernels leave: on matrix units, where a trial run beside the source finds them right.
#include "lowered.h"

#include "polymend/lower.h"
#include "polymend/order.h"
#include "polymend/remarks.h"
#include "polymend/validate.h"
#include "polymend/verify.h"
#include "polymend/verify_device.h"

namespace polymend {
namespace {

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

/// What the program takes for finite, as assumptions on the function.
void assumeFinite(const TileProgram &program, FunctionTrace &trace) {
  for (const auto &[array, read] : program.finiteWhereMasked) {
    const SourceRange &where = read.valid() ? read : trace.function.where;
    const std::string text = array + " is finite where a mask gives weight 0";
    std::vector<std::string> &all = trace.relaxed->assumptions;
    if (std::ranges::none_of(all, [&](const std::string &known) { return known.starts_with(text); }))
      all.push_back(text + " (" + where.file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) +
                    ")");
  }
}

} // namespace

Refusal invalid(const std::string &fault, FunctionTrace &trace) {
  trace.invalid = true;
  trace.faults.push_back(fault);
  return {fault, trace.function.where};
}

std::map<std::string, std::int64_t> tilesOf(const Function &function, const PipelineOptions &options) {
  std::map<std::string, std::int64_t> tiles;
  for (const auto &[variable, name] : loopNames(function))
    if (const auto asked = options.tiles.find(name); asked != options.tiles.end()) tiles[variable] = asked->second;
  return tiles;
}

const Machine &machineFor(const PipelineOptions &options) {
  if (options.target == Target::Cpp) return *machineNamed("cpu");
  const Machine *named = machineNamed(options.arch);
  return named ? *named : machines().front();
}

Result<Lowered> lowerPlanned(const PipelineOptions &options, FunctionTrace &trace, Dumps &dumps) {
  LowerOptions general{options.fp != FloatMode::Strict, options.fp == FloatMode::Approx,
                       tilesOf(trace.function, options)};
  std::vector<std::string> broken;
  general.guardsIndices = options.guardsIndices;
  general.sharesWithin = trace.sharesWithin;
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
    const std::vector<std::string> assumed = trace.relaxed->assumptions;
    Lowered lowered{*program};
    if (hasUnits) assumeFinite(*program, trace);
    Validation tried = hasUnits ? tryOnUnits(options, trace, lowered) : Validation();
    if (hasUnits) tried.faults.insert(tried.faults.end(), broken.begin(), broken.end());
    if (tried.faults.empty()) {
      for (const std::string &fault : faults) lowered.program.plain.push_back({fault + std::string(askForReport), {}});
      return lowered;
    }
    trace.relaxed->assumptions = assumed; // what it took for finite is not asked of anyone
    trace.faults.insert(trace.faults.end(), tried.faults.begin(), tried.faults.end());
    faults = tried.faults;
    broken.clear();
  }
  return invalid("validation failed: " + faults.front(), trace);
}

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

std::optional<Refusal> brokenBy(FunctionTrace &trace) {
  const std::vector<int> broken = brokenEdges(*trace.dependences, *trace.schedule);
  if (broken.empty()) return std::nullopt;
  const Dependence &edge = trace.dependences->edges[static_cast<std::size_t>(broken.front())];
  const std::string found = violation(*trace.scop, edge);
  if (!trace.schedule->given) return invalid("validation failed: the schedule breaks a dependence: " + found, trace);
  return Refusal{"it breaks the " + spell(edge.kind) + " dependence through '" + edge.array + "': " + found,
                 trace.scop->statements[static_cast<std::size_t>(edge.to)].where};
}

} // namespace polymend
