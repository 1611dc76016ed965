// The command line tool: reads its words, runs the pipeline, puts what comes back where it belongs.
#include "commandline.h"
#include "guard.h"

#include "polymend/run.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

using namespace polymend;

namespace {

/// Says what is wrong in the tool's own name.
int complain(const std::string &reason) {
  if (reason.empty()) return static_cast<int>(ExitCode::Usage);
  std::string text = reason.find("polymend") == 0 ? reason : "polymend: error: " + reason;
  if (text.empty() || text.back() != '\n') text += '\n';
  std::fputs(text.c_str(), stderr);
  return static_cast<int>(ExitCode::Usage);
}

PipelineOutcome run(const CommandLine &line) {
  switch (line.verb) {
  case Verb::Deps: return inspectDeps(line.options, line.format);
  case Verb::Explain: return explain(line.options);
  case Verb::Check: return check(line.options);
  case Verb::Transform: break;
  }
  return transform(line.options);
}

/// To a file, or to stdout when there is none or it is "-".
std::optional<Refusal> write(const std::string &path, const std::string &text) {
  if (!path.empty() && path != "-") return replaceFile(path, text);
  const bool isWritten = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return isWritten ? std::nullopt : std::optional(Refusal{"cannot write to stdout", {}});
}

/// Every stage of a run in a file of its own, numbered in the order of the run: "07.softmax.tile.roles.txt".
std::optional<Refusal> writeStages(const std::string &directory, const std::vector<StageDump> &stages) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  if (failure) return Refusal{"cannot make the directory '" + directory + "': " + failure.message(), {}};
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const std::string number = (k < 9 ? "0" : "") + std::to_string(k + 1);
    const std::string name = stages[k].function.empty() ? "" : stages[k].function + ".";
    if (auto refusal = replaceFile(directory + "/" + number + "." + name + stages[k].stage + ".txt", stages[k].text))
      return refusal;
  }
  return std::nullopt;
}

/// The -MF rule: the output needs every file that was read.
std::string rule(const PipelineOptions &options, const PipelineOutcome &outcome) {
  std::vector<std::string> files = outcome.inputs;
  if (files.empty()) {
    std::vector<std::string> directories;
    for (const std::string &flag : options.clangArgs)
      if (flag.size() > 2 && flag.starts_with("-I")) directories.push_back(flag.substr(2));
    files = includedFiles(options.file, directories);
  }
  return dependencyRule(options.depTarget.empty() ? options.output : options.depTarget, files);
}

/// Report, text and rule to their places: an output only when all went well, the report also when it did not.
std::optional<Refusal> deliver(const CommandLine &line, const PipelineOutcome &outcome) {
  const PipelineOptions &options = line.options;
  const bool isDone = outcome.exitCode == ExitCode::Done;
  if (!options.reportFile.empty() && !outcome.report.empty())
    if (auto failure = write(options.reportFile, outcome.report)) return failure;
  if (!options.dumpDirectory.empty()) return writeStages(options.dumpDirectory, outcome.stages);
  if (isDone || (line.verb != Verb::Transform && !outcome.text.empty()))
    if (auto failure = write(options.output, outcome.text)) return failure;
  if (isDone && !options.depFile.empty()) return write(options.depFile, rule(options, outcome));
  return std::nullopt;
}

/// POLYMEND_FAULTS=error, as tests and CI set it: no fault of ours is passed over because there was another way.
bool faultsAreErrors() {
  const char *const said = std::getenv("POLYMEND_FAULTS");
  return said && std::strcmp(said, "error") == 0;
}

/// All that the tool does with its words.
int runTool(int argc, char **argv) {
  auto line = readCommandLine(argc, argv);
  if (!line) return complain(line.refusal().reason);
  line->options.faultsAreErrors = faultsAreErrors();
  const auto input = readFile(line->options.file);
  if (!input) return complain(input.refusal().reason);
  if (auto obstacle = contradiction(line->options)) return complain(obstacle->reason);
  const PipelineOutcome outcome = run(*line);
  for (const Diagnostic &diagnostic : outcome.diagnostics)
    std::fputs(render(diagnostic, outcome.source.empty() ? *input : outcome.source).c_str(), stderr);
  if (auto failure = deliver(*line, outcome)) return complain(failure->reason);
  return static_cast<int>(outcome.exitCode);
}

} // namespace

int main(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN);
  cleanUpWhenInterrupted();
  return guarded([&] { return runTool(argc, argv); });
}
