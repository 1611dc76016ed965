// The command line tool: reads its words, runs the pipeline on each job, puts what comes back where it belongs.
#include "commandline.h"
#include "difference.h"
#include "guard.h"
#include "records.h"
#include "said.h"

#include "polymend/banner.h"
#include "polymend/report.h"
#include "polymend/run.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>

using namespace polymend;

namespace {

/// Says what is wrong in the tool's own name.
int complain(const std::string &reason) {
  std::string text = "polymend: error: " + reason;
  if (text.back() != '\n') text += '\n';
  std::fputs(text.c_str(), stderr);
  return static_cast<int>(ExitCode::Usage);
}

PipelineOutcome run(const CommandLine &line, const PipelineOptions &options) {
  switch (line.verb) {
  case Verb::Deps: return inspectDeps(options, line.format);
  case Verb::Explain: return explain(options, line.format);
  case Verb::Check: return check(options);
  case Verb::Transform: break;
  }
  return transform(options);
}

/// To a file, or to stdout when there is none or it is "-"; under --write-if-changed not where it holds the text.
std::optional<Refusal> write(const CommandLine &line, const std::string &path, const std::string &text) {
  if (!path.empty() && path != "-") {
    if (const auto there = line.writesChangesOnly ? readFile(path) : Result<std::string>(Refusal{});
        there && *there == text)
      return std::nullopt;
    return replaceFile(path, text);
  }
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
std::string rule(const PipelineOptions &options, const PipelineOutcome &outcome, bool hasPhony) {
  std::vector<std::string> files = outcome.inputs;
  if (files.empty()) files = filesReadFor(options);
  std::string text = dependencyRule(options.depTarget.empty() ? options.output : options.depTarget, files);
  for (std::size_t k = 1; hasPhony && k < files.size(); ++k) text += "\n" + dependencyRule(files[k], {});
  return text;
}

/// Are the results of several files one JSON document, an array?
bool isOneArray(const CommandLine &line) {
  const auto isPrinted = [&](const Job &job) {
    const bool isJson = line.verb == Verb::Check ? job.options.checkAsJson : line.format == DepsFormat::Json;
    return isJson && job.options.output.empty();
  };
  return line.verb != Verb::Transform && line.jobs.size() > 1 && std::ranges::all_of(line.jobs, isPrinted);
}

std::string arrayOf(const std::vector<PipelineOutcome> &outcomes) {
  std::string text;
  for (const PipelineOutcome &outcome : outcomes)
    if (!outcome.text.empty()) text += (text.empty() ? "" : ",\n") + outcome.text.substr(0, outcome.text.rfind('\n'));
  return "[" + text + "]\n";
}

/// The result itself: to its place, or what would change; `name`: the input's, for people.
std::optional<Refusal> deliverText(const CommandLine &line, const Job &job, const std::string &name,
                                   const PipelineOutcome &outcome) {
  const PipelineOptions &options = job.options;
  if (isOneArray(line)) return std::nullopt;
  if (line.showsDiff) return write(line, "", unifiedDiff(name, outcome.source, outcome.text));
  if (!job.fixes.empty()) {
    const std::string path = std::filesystem::absolute(options.file).lexically_normal().string();
    return write(line, job.fixes, replacementsFor(path, outcome.source, outcome.text));
  }
  if (line.isInPlace && outcome.text == outcome.source) return std::nullopt;
  return write(line, options.output, outcome.text);
}

/// Report, text and rule to their places: an output only when all went well, the report also when it did not.
std::optional<Refusal> deliver(const CommandLine &line, const Job &job, const std::string &name,
                               const PipelineOutcome &outcome, bool isDone) {
  const PipelineOptions &options = job.options;
  if (!options.reportFile.empty() && !outcome.report.empty())
    if (auto failure = write(line, options.reportFile, outcome.report)) return failure;
  if (!job.record.empty())
    if (auto failure = write(line, job.record, optimizationRecord(outcome.remarks))) return failure;
  if (!options.treeFile.empty() && !outcome.trees.empty())
    if (auto failure = write(line, options.treeFile, outcome.trees)) return failure;
  if (!options.dumpDirectory.empty()) return writeStages(options.dumpDirectory, outcome.stages);
  if (isDone && !job.header.empty())
    if (auto failure = write(line, job.header, outcome.header)) return failure;
  if (isDone || (line.verb != Verb::Transform && !outcome.text.empty()))
    if (auto failure = deliverText(line, job, name, outcome)) return failure;
  if (isDone && !options.depFile.empty()) return write(line, options.depFile, rule(options, outcome, line.writesPhony));
  return std::nullopt;
}

/// POLYMEND_FAULTS=error, as tests and CI set it: no fault of ours is passed over because there was another way.
bool faultsAreErrors() {
  const char *const said = std::getenv("POLYMEND_FAULTS");
  return said && std::strcmp(said, "error") == 0;
}

/// Stdin as a file while the tool runs; people read of "<stdin>".
class Stdin {
public:
  /// Takes all of stdin for the jobs that ask for it.
  std::optional<Refusal> take(CommandLine &line) {
    for (Job &job : line.jobs) {
      if (job.options.file != standardInput) continue;
      if (path.empty()) {
        const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
        path = scratch.emplace().file("stdin.cpp");
        if (auto failure = replaceFile(path, text)) return failure;
      }
      job.options.file = path;
      std::error_code error; // what stdin includes, and how it is laid out, is as of a file in this directory
      const std::filesystem::path here = std::filesystem::current_path(error);
      job.options.clangArgs.insert(job.options.clangArgs.begin(), {"-iquote", here.string()});
      for (std::filesystem::path folder = here; job.options.style == "file"; folder = folder.parent_path()) {
        if (std::filesystem::is_regular_file(folder / ".clang-format", error))
          job.options.style = "file:" + (folder / ".clang-format").string();
        if (!folder.has_relative_path()) break;
      }
    }
    return std::nullopt;
  }

  /// What people call a file.
  [[nodiscard]] std::string nameOf(const std::string &file) const {
    return !path.empty() && file == path ? "<stdin>" : file;
  }

  void rename(PipelineOutcome &outcome, bool isPage) const {
    if (path.empty()) return;
    replace(outcome.text, isPage ? "&lt;stdin&gt;" : "<stdin>");
    replace(outcome.report);
    for (StageDump &stage : outcome.stages) replace(stage.text);
    for (Diagnostic &said : outcome.diagnostics) rename(said);
    for (SaidRemark &remark : outcome.remarks) rename(remark.said);
  }

private:
  void replace(std::string &text, const std::string &name = "<stdin>") const {
    for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos; at += name.size())
      text.replace(at, path.size(), name);
  }
  void rename(Diagnostic &said) const {
    replace(said.where.file);
    replace(said.message);
    for (Diagnostic &note : said.notes) rename(note);
  }

  std::optional<ScratchDirectory> scratch;
  std::string path;
};

/// The code of a run: that of the worst job. Our own faults are worst, then usage, then what --require asked for.
int worse(int a, int b) {
  constexpr ExitCode order[] = {ExitCode::Invalid, ExitCode::Usage, ExitCode::Refused, ExitCode::Untested};
  for (const ExitCode code : order)
    if (a == static_cast<int>(code) || b == static_cast<int>(code)) return static_cast<int>(code);
  return 0;
}

/// A job that ends before it begins.
PipelineOutcome refusedFile(const std::string &name, const std::string &reason) {
  PipelineOutcome outcome;
  outcome.exitCode = ExitCode::Usage;
  outcome.diagnostics.push_back({Severity::Error, {}, reason, {}});
  outcome.diagnostics.back().where.file = name;
  return outcome;
}

/// A text of our own is none to begin with: its functions are entries that call the source's.
std::optional<PipelineOutcome> refusedResult(const std::string &name, const std::string &text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (!isResult(text.starts_with(mark) ? text.substr(mark.size()) : text)) return std::nullopt;
  PipelineOutcome outcome = refusedFile(name, "it is a result of polymend: transform its source");
  SourceRange &where = outcome.diagnostics.back().where;
  where.line = where.endLine = where.column = 1;
  where.end = static_cast<unsigned>(text.find('\n'));
  where.endColumn = where.end + 1;
  outcome.source = text;
  return outcome;
}

/// Why a file was not read; of what is no file, how it can be.
std::string whyUnread(const std::string &reason) {
  return reason + (reason.ends_with("no ordinary file") ? "; use - and let it be stdin: polymend - < FILE" : "");
}

/// What is said if a signal ends the job.
std::string lastWords(const Job &job, const Progress &progress) {
  const std::string goesOn = job.options.journal.empty() ? "" : "; --resume=" + job.options.journal + " goes on";
  return std::string(progress.isShown() ? "\n" : "") + "polymend: stopped" + goesOn + "\n";
}

/// Runs a job, and says what it has to say.
PipelineOutcome runJob(const CommandLine &line, Job &job, const Stdin &input) {
  job.options.faultsAreErrors = faultsAreErrors();
  const std::string name = input.nameOf(job.options.file);
  const auto text = readFile(job.options.file);
  if (!text) {
    const std::string reason = whyUnread(text.refusal().reason);
    complain(reason);
    return refusedFile(name, reason);
  }
  const Progress progress(line, name);
  if (progress.isShown()) job.options.progress = [&](const CheckProgress &at) { progress.show(at); };
  sayWhenInterrupted(lastWords(job, progress));
  const auto refused = refusedResult(name, *text);
  PipelineOutcome outcome = refused ? *refused : run(line, job.options);
  progress.clear();
  input.rename(outcome, line.format == DepsFormat::Html || line.format == DepsFormat::Svg);
  const std::string &source = outcome.source.empty() ? *text : outcome.source;
  if (line.verb == Verb::Transform && outcome.text != source) {
    outcome.text = withEndsOf(source, outcome.text);
    outcome.header = withEndsOf(source, outcome.header);
  }
  const bool inColour = hasColours(line.colour);
  for (const Diagnostic &said : wantedOf(outcome, line.remarks))
    std::fputs(painted(said, source, inColour).c_str(), stderr);
  if (line.hasTimings) std::fputs(timingTable(name, outcome.times).c_str(), stderr);
  return outcome;
}

/// Hands over what a job made; what cannot be written makes it a failure.
void handOver(const CommandLine &line, const Job &job, const Stdin &input, bool isDone, PipelineOutcome &outcome) {
  const std::string name = input.nameOf(job.options.file);
  const auto failure = deliver(line, job, name, outcome, isDone);
  if (!failure) return;
  complain(failure->reason);
  const PipelineOutcome unwritten = refusedFile(name, failure->reason);
  outcome.exitCode = unwritten.exitCode;
  outcome.diagnostics.push_back(unwritten.diagnostics.front());
}

int codeOf(const std::vector<PipelineOutcome> &outcomes) {
  int code = 0;
  for (const PipelineOutcome &outcome : outcomes) code = worse(code, static_cast<int>(outcome.exitCode));
  return code;
}

/// All jobs, each handed over when it ends; under -i no input is replaced unless all can be.
std::vector<PipelineOutcome> runJobs(CommandLine &line, const Stdin &input) {
  std::vector<PipelineOutcome> outcomes;
  for (Job &job : line.jobs) {
    PipelineOutcome &outcome = outcomes.emplace_back(runJob(line, job, input));
    if (!line.isInPlace) handOver(line, job, input, outcome.exitCode == ExitCode::Done, outcome);
  }
  const bool areDone = codeOf(outcomes) == 0;
  if (line.isInPlace && !areDone && line.jobs.size() > 1)
    complain("no input is replaced, as not every result was made");
  for (std::size_t k = 0; line.isInPlace && k < line.jobs.size(); ++k)
    handOver(line, line.jobs[k], input, areDone, outcomes[k]);
  return outcomes;
}

/// The logs of --sarif, each of the jobs that name it.
std::optional<Refusal> writeLogs(const CommandLine &line, const std::vector<PipelineOutcome> &outcomes) {
  std::map<std::string, std::vector<PipelineOutcome>> logs;
  for (std::size_t k = 0; k < outcomes.size(); ++k)
    if (!line.jobs[k].sarif.empty()) logs[line.jobs[k].sarif].push_back(outcomes[k]);
  for (const auto &[path, ofPath] : logs)
    if (auto failure = write(line, path, sarifLog(ofPath, toolVersion()))) return failure;
  return std::nullopt;
}

/// What stands against the run as a whole; the place of results is made.
std::optional<Refusal> prepared(const CommandLine &line) {
  if (auto wrong = overwritten(line)) return wrong;
  std::error_code failure;
  if (!line.directory.empty()) std::filesystem::create_directories(line.directory, failure);
  if (failure) return Refusal{"cannot make the directory '" + line.directory + "': " + failure.message(), {}};
  for (const Job &job : line.jobs)
    if (auto wrong = contradiction(line, job)) return wrong;
  return std::nullopt;
}

/// All that the tool does with its words.
int runTool(int argc, char **argv) {
  auto reading = readCommandLine(argc, argv);
  if (!reading) return complain(reading.refusal().reason);
  if (!reading->answer.empty()) {
    const auto failure = write(reading->line, reading->place, reading->answer);
    return failure ? complain(failure->reason) : 0;
  }
  CommandLine &line = reading->line;
  Stdin input;
  if (auto failure = input.take(line)) return complain(failure->reason);
  if (auto wrong = prepared(line)) return complain(wrong->reason);
  const std::vector<PipelineOutcome> outcomes = runJobs(line, input);
  if (isOneArray(line))
    if (auto failure = write(line, "", arrayOf(outcomes))) return complain(failure->reason);
  if (auto failure = writeLogs(line, outcomes)) return complain(failure->reason);
  return codeOf(outcomes);
}

} // namespace

int main(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN);
  cleanUpWhenInterrupted();
  return guarded([&] { return runTool(argc, argv); });
}
