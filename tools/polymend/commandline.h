// The command line as a value: which verb, on what, and whether the words contradict each other.
#pragma once

#include "polymend/pipeline.h"

namespace polymend {

enum class Verb { Transform, Deps, Explain, Check };

struct CommandLine {
  Verb verb = Verb::Transform;
  DepsFormat format = DepsFormat::Text;
  PipelineOptions options;
};

/// Reads the words; --help and --version are answered here and end the program.
Result<CommandLine> readCommandLine(int count, const char *const *words);

/// "i:64,j:32" as loop and tile size.
Result<std::map<std::string, std::int64_t>> readTiles(const std::string &text);
/// "n=64,m=65;n=3,m=4": assignments of sizes, one per run.
Result<std::vector<Sizes>> readSizes(const std::string &text);

/// What stands against doing as the options say (an output that is the input, an unknown architecture), or nothing.
std::optional<Refusal> contradiction(const PipelineOptions &options);

} // namespace polymend
