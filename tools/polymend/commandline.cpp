// Words arrive, a CommandLine leaves; what follows `--` goes to Clang as it is.
#include "commandline.h"
#include "words.h"

#include "polymend/graph.h"
#include "polymend/machine.h"
#include "polymend/report.h"
#include "polymend/run.h"

#include <algorithm>
#include <charconv>
#include <sys/ioctl.h>
#include <unistd.h>

namespace polymend {

namespace {

/// The value behind the position of a word among an option's choices.
template <class T>
T chosen(const Words &words, const std::string &name, const std::vector<std::pair<const char *, T>> &known) {
  const std::string word = words.last(name, known.front().first);
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto &one) { return word == one.first; });
  return found == known.end() ? known.front().second : found->second;
}

/// Several --tile and --sizes words count as one.
std::string joined(const std::vector<std::string> &parts, char separator) {
  std::string text;
  for (const std::string &part : parts) text += (text.empty() ? "" : std::string(1, separator)) + part;
  return text;
}

/// Columns of the terminal; of anything else as many as a page of text has.
std::size_t terminalWidth() {
  winsize size = {};
  const bool isTerminal = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40;
  return isTerminal ? std::min<std::size_t>(size.ws_col, 120) : 100;
}

/// What is asked of the tool rather than of a file.
std::string answerTo(const Words &words) {
  if (words.has("help")) return helpText(words.verb, terminalWidth());
  if (words.has("version")) return "polymend " + toolVersion() + "\n";
  if (words.has("machines")) return machineTable();
  if (!words.has("print")) return "";
  const std::string what = words.last("print");
  return what == "man" ? manualPage(toolVersion()) : what == "reference" ? referenceText() : completionFor(what);
}

Result<std::uint64_t> readSeed(const std::string &text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return Refusal{"--seed wants a number from 0 on, not '" + text + "'", {}};
  return value;
}

std::set<Quality> qualitiesOf(const Words &words) {
  std::set<Quality> wanted;
  for (const std::string &word : words.all("require")) {
    if (word == "parallel") wanted.insert(Quality::Parallel);
    if (word == "mended") wanted.insert(Quality::Mended);
    if (word == "matrix") wanted.insert(Quality::Matrix);
  }
  return wanted;
}

/// What of the options has nothing to do with the target and the outputs' names.
Result<PipelineOptions> optionsOf(const Words &words, const std::string &file) {
  for (const char *const name : {"tile", "sizes"})
    for (const std::string &value : words.all(name))
      if (value.empty()) return Refusal{dashed(*findOption(name, words.verb)) + " is empty", {}};
  const auto tiles = readTiles(joined(words.all("tile"), ','));
  if (!tiles) return tiles.refusal();
  const auto sizes = readSizes(joined(words.all("sizes"), ';'));
  if (!sizes) return sizes.refusal();
  const auto seed = readSeed(words.last("seed", "1"));
  if (!seed) return seed.refusal();
  PipelineOptions options;
  options.file = file;
  options.entries = words.all("entry");
  options.relax = chosen<RelaxMode>(words, "relax",
                                    {{"auto", RelaxMode::Auto},
                                     {"none", RelaxMode::None},
                                     {"rolling", RelaxMode::Rolling},
                                     {"split-k", RelaxMode::SplitK}});
  options.fp = chosen<FloatMode>(
      words, "fp", {{"algebraic", FloatMode::Algebraic}, {"strict", FloatMode::Strict}, {"approx", FloatMode::Approx}});
  options.runtime = chosen<Runtime>(words, "runtime", {{"inline", Runtime::Inline}, {"header", Runtime::Header}});
  options.style = words.last("style", "file");
  options.hasLines = words.has("lines");
  options.guardsIndices = words.has("guard");
  options.tiles = *tiles;
  options.require = words.has("require");
  options.qualities = qualitiesOf(words);
  options.clangArgs = words.clangArgs;
  const std::vector<std::string> extra = words.all("extra-arg");
  options.clangArgs.insert(options.clangArgs.end(), extra.begin(), extra.end());
  options.buildDir = words.last("p");
  options.sizes = *sizes;
  options.seed = *seed;
  options.journal = words.last("resume");
  options.checkAsJson = words.last("format") == "json";
  options.allKinds = words.last("kinds") == "all";
  constexpr std::string_view all = "all=";
  const std::string dump = words.last("dump");
  constexpr std::string_view tree = "schedule=";
  options.treeFile = dump.starts_with(tree) ? dump.substr(tree.size()) : "";
  options.scheduleFile = words.last("schedule");
  options.dumpStage = dump.starts_with(all) ? "all" : dump.starts_with(tree) ? "" : dump;
  options.dumpDirectory = dump.starts_with(all) ? dump.substr(all.size()) : "";
  options.reportFile = words.last("report");
  options.output = words.last("o") == "-" ? "" : words.last("o");
  options.depFile = words.last("MF");
  options.depTarget = words.last("MT");
  return options;
}

/// The architecture of those asked for that a target takes: the first that fits.
std::string archFor(Target target, const std::vector<std::string> &archs) {
  for (const std::string &arch : archs)
    if (arch == "native" || fitsTarget(target, arch)) return arch;
  return "";
}

Target targetNamed(const std::string &name) {
  return name == "cuda" ? Target::Cuda : name == "hip" ? Target::Hip : Target::Cpp;
}

/// An architecture that none of the targets takes. One that an option file asks for is passed over unless that file
/// chose the targets as well.
std::optional<Refusal> misfit(const Words &words, const std::vector<std::string> &archs,
                              const std::vector<std::string> &targets) {
  const auto inherited = words.from.find("arch");
  const bool isInherited = inherited != words.from.end();
  if (isInherited && !words.from.contains("target")) return std::nullopt;
  for (const std::string &arch : archs) {
    const bool fits = std::any_of(targets.begin(), targets.end(), [&](const std::string &name) {
      return arch == "native" || fitsTarget(targetNamed(name), arch);
    });
    if (fits) continue;
    std::string known;
    for (const std::string &name : targets)
      for (const std::string &one : archsOf(targetNamed(name))) known += (known.empty() ? "" : ", ") + one;
    return Refusal{(isInherited ? inherited->second + ": " : "") + "--arch=" + arch +
                       " does not fit --target=" + joined(targets, ',') + "; known are " + known,
                   {}};
  }
  return std::nullopt;
}

/// One job per target of the file.
std::optional<Refusal> addJobs(CommandLine &line, const Words &words, const std::string &file) {
  const auto options = optionsOf(words, file);
  if (!options) return options.refusal();
  std::vector<std::string> targets = words.all("target"), archs = words.all("arch");
  if (targets.empty()) targets.emplace_back("cpp");
  if (auto wrong = misfit(words, archs, targets)) return wrong;
  for (const std::string &name : targets) {
    Job job{*options, words.last("export-fixes"), words.last("header"), words.last("save-optimization-record"),
            words.last("sarif")};
    job.options.target = targetNamed(name);
    job.options.arch = archFor(job.options.target, archs);
    job.options.wantsHeader = words.has("header");
    job.options.replacesInput = words.has("i") || words.has("diff") || words.has("export-fixes");
    if (words.has("save-optimization-record") && job.record.empty()) job.record = "%o.opt.yaml";
    line.jobs.push_back(job);
  }
  return std::nullopt;
}

/// Remarks to print.
std::set<RemarkKind> remarksOf(const Words &words) {
  if (words.has("quiet")) return {};
  std::set<RemarkKind> kinds;
  std::vector<std::string> asked = words.all("remarks");
  if (asked.empty()) asked.emplace_back("all");
  for (const std::string &word : asked) {
    if (word == "passed" || word == "all") kinds.insert(RemarkKind::Passed);
    if (word == "missed" || word == "all") kinds.insert(RemarkKind::Missed);
    if (word == "analysis" || word == "all") kinds.insert(RemarkKind::Analysis);
  }
  return kinds;
}

/// What holds for the whole run.
void readRun(CommandLine &line, const Words &words) {
  line.format = chosen<DepsFormat>(words, "format",
                                   {{"text", DepsFormat::Text},
                                    {"dot", DepsFormat::Dot},
                                    {"json", DepsFormat::Json},
                                    {"html", DepsFormat::Html},
                                    {"svg", DepsFormat::Svg}});
  line.remarks = remarksOf(words);
  const std::string colour = words.has("color") ? words.last("color") : "auto";
  line.colour = colour == "never" ? Colour::Never : colour == "auto" ? Colour::Auto : Colour::Always;
  line.isInPlace = words.has("i");
  line.showsDiff = words.has("diff");
  line.hasTimings = words.has("timings");
  line.writesPhony = words.has("MP");
  line.writesChangesOnly = words.has("write-if-changed");
  line.directory = words.last("output-dir");
  line.resultOption = line.isInPlace ? "-i" : line.directory.empty() ? "-o" : "--output-dir";
}

/// Words that cannot stand beside one another, whatever the files hold.
std::optional<Refusal> clash(const Words &words) {
  const auto count = std::count(words.files.begin(), words.files.end(), standardInput);
  if (words.files.empty()) return Refusal{"no file is named; `polymend --help` tells how", {}};
  if (count > 1 || (count == 1 && words.files.size() > 1)) return Refusal{"stdin is read alone and once", {}};
  if (count == 1 && words.has("i")) return Refusal{"-i cannot write back to stdin", {}};
  if (count == 1 && words.has("MF")) return Refusal{"-MF needs a file: stdin has no name for a rule", {}};
  if (count == 1 && words.has("export-fixes")) return Refusal{"--export-fixes needs a file that has a name", {}};
  const char *const places[] = {"i", "o", "output-dir", "diff", "export-fixes"};
  std::string before;
  for (const char *place : places) {
    if (!words.has(place)) continue;
    const std::string here = dashed(*findOption(place, words.verb));
    if (!before.empty()) return Refusal{before + " and " + here + " both say where the result goes", {}};
    before = here;
  }
  if (const auto found = words.given.find("o"); found != words.given.end() && found->second.size() > 1)
    return Refusal{"-o stands twice: '" + found->second[0] + "' and '" + found->second[1] + "'", {}};
  if (words.has("i") && words.all("target").size() > 1)
    return Refusal{"-i has one place for a result, --target names several", {}};
  for (const char *place : {"i", "diff", "export-fixes", "header"})
    if (words.has(place) && words.has("dump") && !words.last("dump").starts_with("schedule="))
      return Refusal{"--dump prints a stage, " + dashed(*findOption(place, words.verb)) + " wants a result", {}};
  if (words.has("MP") && !words.has("MF")) return Refusal{"-MP needs -MF", {}};
  return std::nullopt;
}

} // namespace

Result<ReadCommand> readCommandLine(int count, const char *const *words) {
  const auto expanded = expandFiles({words + 1, words + count});
  if (!expanded) return expanded.refusal();
  const auto sorted = sortWords(*expanded);
  if (!sorted) return sorted.refusal();
  ReadCommand reading;
  reading.place = sorted->last("o");
  if (reading.answer = answerTo(*sorted); !reading.answer.empty()) {
    for (const std::string &file : sorted->files)
      if (sameFile(file, reading.place)) return Refusal{"-o names the input file '" + reading.place + "'", {}};
    return reading;
  }
  if (auto wrong = clash(*sorted)) return *wrong;
  CommandLine &line = reading.line;
  line.verb = sorted->verb;
  for (int k = 1; k < count; ++k)
    if (words[k][0] == '@') line.wordFiles.emplace_back(words[k] + 1);
  for (const std::string &file : sorted->files) {
    const std::string named = sorted->last("config");
    const std::string config = named == "none" ? "" : named.empty() ? optionFileFor(file) : named;
    if (!config.empty()) line.wordFiles.push_back(config);
    const auto all = config.empty() ? sorted : withOptionFile(*sorted, config);
    if (!all) return all.refusal();
    if (file == sorted->files.front()) readRun(line, *all);
    if (auto wrong = addJobs(line, *all, file)) return *wrong;
    if (auto wrong = clash(*all)) return *wrong;
  }
  if (auto wrong = nameOutputs(line)) return *wrong;
  return reading;
}

} // namespace polymend
