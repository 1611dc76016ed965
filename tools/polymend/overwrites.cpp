// What a run writes beside what it reads: no file is both, and none is written twice. Files are compared by what they
// are, whatever paths lead there, before anything is made.
#include "commandline.h"

#include "polymend/run.h"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>

namespace polymend {

namespace {

namespace fs = std::filesystem;

const std::string toStdout = "-";

/// A file that the run writes, and the option that says so.
struct Written {
  std::string option, path;
  const Job *job = nullptr;
};

/// The same for all paths to one file, also to one that is not there yet.
std::string identityOf(const std::string &path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) == 0) return std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino);
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : whole.string();
}

/// Where Clang's words say that quoted files are looked for.
std::vector<std::string> placesOfHeaders(const std::vector<std::string> &words) {
  std::vector<std::string> places;
  for (std::size_t k = 0; k < words.size(); ++k)
    for (const std::string option : {"-I", "-iquote", "-isystem"}) {
      if (!words[k].starts_with(option)) continue;
      if (words[k] != option)
        places.push_back(words[k].substr(option.size()));
      else if (k + 1 < words.size())
        places.push_back(words[k + 1]);
    }
  return places;
}

/// What the run reads: identities, and what people call such a file.
std::map<std::string, std::string> readBy(const CommandLine &line) {
  std::map<std::string, std::string> files;
  const auto add = [&](const std::string &path, const char *what) {
    if (!path.empty()) files.emplace(identityOf(path), what);
  };
  for (const Job &job : line.jobs) add(job.options.file, "the input file");
  for (const std::string &file : line.wordFiles) add(file, "the option file");
  for (const Job &job : line.jobs) {
    add(job.options.scheduleFile, "the schedule");
    if (!job.options.buildDir.empty()) add(job.options.buildDir + "/compile_commands.json", "the compile commands");
    for (const std::string &file : filesReadFor(job.options)) add(file, "a file that an input includes,");
  }
  return files;
}

/// What a job writes; "-": to stdout.
std::vector<Written> writtenFor(const CommandLine &line, const Job &job) {
  const PipelineOptions &options = job.options;
  const bool hasResult = job.fixes.empty() && options.dumpDirectory.empty();
  const std::string result = line.showsDiff || options.output.empty() ? toStdout : options.output;
  std::vector<Written> all{{line.showsDiff ? "--diff" : line.resultOption, hasResult ? result : "", &job},
                           {"--report", options.reportFile, &job},
                           {"--dump=schedule", options.treeFile, &job},
                           {"-MF", options.depFile, &job},
                           {"--export-fixes", job.fixes, &job},
                           {"--header", job.header, &job},
                           {"--save-optimization-record", job.record, &job},
                           {"--sarif", job.sarif, &job},
                           {"--resume", options.journal, &job}};
  std::erase_if(all, [](const Written &one) { return one.path.empty() || one.path == "/dev/null"; });
  return all;
}

Refusal metBy(const Written &one, const Written &other) {
  if (one.job != other.job && one.option == other.option) return severalAt(one.path);
  return {other.option + " and " + one.option + " name the same file '" + one.path + "'", {}};
}

} // namespace

Refusal severalAt(const std::string &path) {
  return {"several results would be written to '" + path +
              "'; %s in a name stands for the input's, %t for the target, %e for the ending",
          {}};
}

std::vector<std::string> filesReadFor(const PipelineOptions &options) {
  return includedFiles(options.file, placesOfHeaders(options.clangArgs));
}

std::optional<Refusal> overwritten(const CommandLine &line) {
  const std::map<std::string, std::string> read = readBy(line);
  std::map<std::string, Written> written;
  for (const Job &job : line.jobs) {
    std::string atStdout;
    for (const Written &one : writtenFor(line, job)) {
      if (one.path == toStdout) {
        if (!atStdout.empty()) return Refusal{atStdout + " and " + one.option + " both write to stdout", {}};
        atStdout = one.option;
        continue;
      }
      const std::string identity = identityOf(one.path);
      const bool isWrittenBack = line.isInPlace && one.option == line.resultOption;
      if (const auto found = read.find(identity); found != read.end() && !isWrittenBack)
        return Refusal{one.option + " names " + found->second + " '" + one.path + "'", {}};
      const auto [other, isNew] = written.emplace(identity, one);
      const bool isOneLog = one.option == "--sarif" && other->second.option == "--sarif"; // of several jobs
      if (!isNew && !isOneLog) return metBy(one, other->second);
    }
  }
  return std::nullopt;
}

std::optional<Refusal> unwritableFor(const CommandLine &line, const Job &job) {
  for (const Written &one : writtenFor(line, job))
    if (one.path != toStdout)
      if (auto obstacle = unwritable(one.path)) return obstacle;
  return std::nullopt;
}

} // namespace polymend
