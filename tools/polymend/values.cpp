// The values of options, read from their text; and options that cannot hold together. Refusals name the option.
#include "commandline.h"

#include "polymend/machine.h"
#include "polymend/run.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <regex>
#include <sstream>

namespace polymend {

namespace {

/// A tile of more elements in one direction fits no memory that a tile is made for.
constexpr std::int64_t largestTile = 1 << 20;

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool isName(const std::string &text) {
  const auto isWord = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), isWord);
}

/// A number that fills the whole text and is at least `least`.
std::optional<std::int64_t> readNumber(const std::string &text, std::int64_t least) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isWhole = error == std::errc() && end == text.data() + text.size();
  return isWhole && value >= least ? std::optional(value) : std::nullopt;
}

/// "name<separator>number", or nothing.
std::optional<std::pair<std::string, std::int64_t>> readPair(const std::string &text, char separator,
                                                             std::int64_t least) {
  const std::size_t at = text.find(separator);
  if (at == std::string::npos || !isName(text.substr(0, at))) return std::nullopt;
  const auto value = readNumber(text.substr(at + 1), least);
  return value ? std::optional(std::pair(text.substr(0, at), *value)) : std::nullopt;
}

/// An architecture of the right kind that nothing is known of.
std::optional<Refusal> archRefused(Target target, const std::string &arch) {
  if (target != Target::Cuda || arch.empty() || arch == "native") return std::nullopt;
  std::string all;
  for (const std::string &known : cudaArchitectures()) {
    if (known == arch) return std::nullopt;
    all += (all.empty() ? "" : ", ") + known;
  }
  return Refusal{"--arch=" + arch + " is not among those known: " + all, {}};
}

} // namespace

Result<std::map<std::string, std::int64_t>> readTiles(const std::string &text) {
  std::map<std::string, std::int64_t> tiles;
  for (const std::string &part : split(text, ',')) {
    const auto tile = readPair(part, ':', 1);
    if (!tile || tile->second > largestTile)
      return Refusal{"--tile wants LOOP:SIZE,... with sizes from 1 to " + std::to_string(largestTile) + ", not '" +
                         part + "'",
                     {}};
    if (!tiles.insert(*tile).second) return Refusal{"--tile names the loop '" + tile->first + "' twice", {}};
  }
  return tiles;
}

Result<std::vector<Sizes>> readSizes(const std::string &text) {
  std::vector<Sizes> all;
  for (const std::string &run : split(text, ';')) {
    Sizes sizes;
    if (run.empty()) return Refusal{"--sizes has a run without sizes in '" + text + "'", {}};
    for (const std::string &part : split(run, ',')) {
      const auto size = readPair(part, '=', 0);
      if (!size) return Refusal{"--sizes wants NAME=NUMBER,...;..., not '" + part + "'", {}};
      if (!sizes.insert(*size).second) return Refusal{"--sizes names '" + size->first + "' twice in one run", {}};
    }
    all.push_back(sizes);
  }
  return all;
}

std::vector<std::string> archsOf(Target target) {
  std::vector<std::string> all = target == Target::Cuda ? cudaArchitectures() : std::vector<std::string>{};
  for (const Machine &machine : machines())
    if (target == Target::Hip && machine.name.starts_with("gfx")) all.push_back(machine.name);
  all.emplace_back("native");
  return all;
}

bool fitsTarget(Target target, const std::string &arch) {
  const char *const pattern = target == Target::Cuda  ? "sm_[1-9][0-9]+[af]?"
                              : target == Target::Hip ? "gfx[0-9a-f]{3,4}"
                                                      : "native";
  return std::regex_match(arch, std::regex(pattern));
}

std::optional<Refusal> contradiction(const CommandLine &line, const Job &job) {
  const PipelineOptions &options = job.options;
  if (auto obstacle = unwritableFor(line, job)) return obstacle;
  if (!options.journal.empty())
    if (auto other = noJournal(options.journal)) return other;
  if (!options.depTarget.empty() && options.depFile.empty()) return Refusal{"-MT needs -MF", {}};
  if (!options.depFile.empty() && options.depTarget.empty() && options.output.empty())
    return Refusal{"-MF needs -MT or -o", {}};
  if (options.relax != RelaxMode::None && options.relax != RelaxMode::Auto && options.fp == FloatMode::Strict)
    return Refusal{"--fp=strict allows no correction, --relax asks for one", {}};
  if (!options.dumpStage.empty() && options.dumpDirectory.empty()) {
    const std::vector<std::string> known = stages();
    std::string all;
    for (const std::string &stage : known) all += stage + ", ";
    if (std::find(known.begin(), known.end(), options.dumpStage) == known.end())
      return Refusal{"--dump knows no stage '" + options.dumpStage + "', only " + all + "all=DIRECTORY", {}};
  }
  return archRefused(options.target, options.arch);
}

} // namespace polymend
