// Names of outputs: several results of one run each have their own, or the run is refused.
#include "commandline.h"

#include <filesystem>

namespace polymend {

namespace {

const char *endingOf(Target target) { return target == Target::Cuda ? "cu" : target == Target::Hip ? "hip" : "cpp"; }

/// The pattern with %s, %t and %e replaced by the job's words; %% is a percent sign.
std::string expanded(const std::string &pattern, const Job &job) {
  std::string out;
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    const char next = pattern[k] == '%' && k + 1 < pattern.size() ? pattern[k + 1] : '\0';
    if (next == 's')
      out += job.options.file == standardInput ? "stdin" : std::filesystem::path(job.options.file).stem().string();
    else if (next == 't')
      out += spell(job.options.target);
    else if (next == 'e')
      out += endingOf(job.options.target);
    else if (next == '%')
      out += '%';
    else {
      out += pattern[k];
      continue;
    }
    ++k;
  }
  return out;
}

/// What an input's result is called in a directory: C++ keeps the input's name, other targets have their own ending.
std::string nameIn(const std::string &directory, const Job &job) {
  const std::filesystem::path file = job.options.file == standardInput ? "stdin.cpp" : job.options.file;
  const bool isCpp = job.options.target == Target::Cpp;
  const std::string name = isCpp ? file.filename().string() : file.stem().string() + "." + endingOf(job.options.target);
  return (std::filesystem::path(directory) / name).string();
}

} // namespace

std::string spell(Target target) { return target == Target::Cuda ? "cuda" : target == Target::Hip ? "hip" : "cpp"; }

std::optional<Refusal> nameOutputs(CommandLine &line) {
  const std::string &directory = line.directory;
  const bool isOne = line.jobs.size() == 1;
  const bool hasPlace = isOne || line.verb != Verb::Transform || line.isInPlace || line.showsDiff || !directory.empty();
  std::set<std::string> taken;
  for (Job &job : line.jobs) {
    PipelineOptions &options = job.options;
    if (!hasPlace && options.output.empty() && options.dumpStage.empty() && job.fixes.empty())
      return Refusal{"several results want --output-dir=DIRECTORY, or -o with %s (name), %t (target) or %e (ending)",
                     {}};
    if (!directory.empty()) options.output = nameIn(directory, job);
    if (line.isInPlace) options.output = options.file;
    for (std::string *path :
         {&options.output, &options.reportFile, &options.depFile, &options.depTarget, &options.dumpDirectory,
          &options.treeFile, &options.journal, &job.fixes, &job.header, &job.record, &job.sarif}) {
      if (path->empty() || *path == "-" || *path == "/dev/null") continue;
      if (path == &job.record && *path == "%o.opt.yaml") {
        *path = (options.output.empty() ? expanded("%s.%t", job) : options.output) + ".opt.yaml";
      } else if (!isOne && !(path == &options.output && (!directory.empty() || line.isInPlace))) {
        *path = expanded(*path, job);
      }
      const bool isShared = path == &options.depTarget || path == &job.sarif; // one log may be of several jobs
      if (!isShared && !isOne && !taken.insert(*path).second) return severalAt(*path);
    }
  }
  return std::nullopt;
}

} // namespace polymend
