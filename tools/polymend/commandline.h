// The command line as a value: which verb, what is to be made of what, and whether the words contradict each other.
#pragma once

#include "options.h"

#include "polymend/pipeline.h"

#include <set>

namespace polymend {

/// One input for one target, and where what comes of it goes; empty paths: nowhere.
struct Job {
  PipelineOptions options;
  std::string fixes, header, record, sarif;
};

enum class Colour { Auto, Always, Never };

struct CommandLine {
  Verb verb = Verb::Transform;
  DepsFormat format = DepsFormat::Text;
  std::vector<Job> jobs;
  std::set<RemarkKind> remarks; // to be printed
  Colour colour = Colour::Auto;
  bool isInPlace = false, showsDiff = false, hasTimings = false, writesPhony = false, writesChangesOnly = false;
  std::string resultOption = "-o";    // the one that says where results go
  std::string directory;              // --output-dir, to be made; empty: none
  std::vector<std::string> wordFiles; // that options were read from
};

/// What a job's file is called when it is read from stdin.
inline constexpr const char *standardInput = "-";

/// Reads the words; what only asks for a text (--help, --version, --machines, --print) is in `answer`, and nothing is
/// to be done.
struct ReadCommand {
  CommandLine line;
  std::string answer, place; // and where that goes; empty: stdout
};
Result<ReadCommand> readCommandLine(int count, const char *const *words);

/// The jobs' outputs: several results of one run have names of their own, made by --output-dir or %s, %t and %e.
std::optional<Refusal> nameOutputs(CommandLine &line);
/// Several results would be one file.
Refusal severalAt(const std::string &path);

/// Every file that a job reads as far as its text tells, the input first.
std::vector<std::string> filesReadFor(const PipelineOptions &options);
/// An output that is a file which the run reads, or two outputs that are one file; or nothing.
std::optional<Refusal> overwritten(const CommandLine &line);
/// What of a job's outputs cannot be written, or nothing.
std::optional<Refusal> unwritableFor(const CommandLine &line, const Job &job);

/// "i:64,j:32" as loop and tile size.
Result<std::map<std::string, std::int64_t>> readTiles(const std::string &text);
/// "n=64,m=65;n=3,m=4": assignments of sizes, one per run.
Result<std::vector<Sizes>> readSizes(const std::string &text);
/// What --arch knows for a target.
std::vector<std::string> archsOf(Target target);
/// Does an architecture belong to the target, known or not?
bool fitsTarget(Target target, const std::string &arch);
std::string spell(Target target);

/// What stands against doing as the options say (a place that cannot be written, an unknown architecture), or nothing.
std::optional<Refusal> contradiction(const CommandLine &line, const Job &job);

} // namespace polymend
