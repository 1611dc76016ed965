// What a run says, and how it ends early.
#include "compilation.h"

#include "polymend/remarks.h"

#include <algorithm>

namespace polymend {

SourceRange whole(const PipelineOptions &options) {
  SourceRange where;
  where.file = options.file;
  return where;
}

PipelineOutcome stop(Compilation &compilation, ExitCode code, const Refusal &why) {
  compilation.outcome.exitCode = code;
  compilation.outcome.diagnostics.push_back(remark(Severity::Error, why.where, why.reason));
  return compilation.outcome;
}

const TileProgram &programOf(const Function &function, const std::vector<TileProgram> &programs) {
  return *std::find_if(programs.begin(), programs.end(),
                       [&](const TileProgram &program) { return program.function == function.name; });
}

void say(Compilation &compilation, const std::vector<Diagnostic> &remarks) {
  std::vector<Diagnostic> &all = compilation.outcome.diagnostics;
  all.insert(all.end(), remarks.begin(), remarks.end());
}

void say(Compilation &compilation, RemarkKind kind, const std::string &name, const std::string &function,
         const std::vector<Diagnostic> &remarks) {
  say(compilation, remarks);
  for (const Diagnostic &one : remarks) compilation.outcome.remarks.push_back({kind, name, function, one});
}

void leave(Compilation &compilation, const std::string &name, const Refusal &refusal, bool ours) {
  say(compilation, RemarkKind::Missed, "LeftAsItIs", name, {leftRemark(name, refusal, ours)});
}

} // namespace polymend
