// Functions with what became of them arrive, a report, remarks and the exit code leave.
#include "verdict.h"

#include "polymend/remarks.h"
#include "polymend/tell.h"

#include <algorithm>

namespace polymend {
namespace {

std::string spell(FloatMode mode) {
  return mode == FloatMode::Strict ? "strict" : mode == FloatMode::Approx ? "approx" : "algebraic";
}

std::string spell(Target target) { return target == Target::Cuda ? "cuda" : target == Target::Hip ? "hip" : "cpp"; }

Processors processorsOf(const PipelineOptions &options) {
  return options.target == Target::Cpp ? Processors::Threads : Processors::Gpu;
}

} // namespace

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

void praise(Compilation &compilation, const PipelineOptions &options) {
  for (const FunctionTrace &trace : compilation.traces)
    if (!trace.left)
      compilation.outcome.remarks.push_back(
          passedRemark(trace, programOf(trace.function, compilation.programs), processorsOf(options)));
}

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

} // namespace polymend
