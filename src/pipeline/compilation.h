// compilation: a file on its way through the rooms, and what is said on the way.
#pragma once

#include "polymend/account.h"
#include "polymend/map.h"
#include "polymend/pipeline.h"

namespace polymend {

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

/// The file through all rooms up to the printer.
Compilation compile(const PipelineOptions &options);

/// The input as a place without a line.
SourceRange whole(const PipelineOptions &options);
/// A run that ends without a result.
PipelineOutcome stop(Compilation &compilation, ExitCode code, const Refusal &why);
/// The program that replaces a function which was not left alone.
const TileProgram &programOf(const Function &function, const std::vector<TileProgram> &programs);

void say(Compilation &compilation, const std::vector<Diagnostic> &remarks);
/// Says remarks of one kind.
void say(Compilation &compilation, RemarkKind kind, const std::string &name, const std::string &function,
         const std::vector<Diagnostic> &remarks);
/// A function stays as it is.
void leave(Compilation &compilation, const std::string &name, const Refusal &refusal, bool ours);

} // namespace polymend
