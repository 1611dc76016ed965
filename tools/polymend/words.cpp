#include "words.h"

#include "polymend/run.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

namespace polymend {

namespace {

std::vector<std::string> splitAt(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// A word that begins an option: name and, behind '=', its value.
struct Begun {
  std::string name;
  std::optional<std::string> value;
};

std::optional<Begun> begun(const std::string &word) {
  if (word.size() < 2 || word[0] != '-') return std::nullopt;
  const std::string rest = word.substr(word[1] == '-' ? 2 : 1);
  const std::size_t at = rest.find('=');
  if (at == std::string::npos) return Begun{rest, std::nullopt};
  return Begun{rest.substr(0, at), rest.substr(at + 1)};
}

/// The option of that name under some verb; null: nobody has one.
const Option *anyOption(const std::string &name) {
  for (const Verb verb : verbs)
    if (const Option *found = findOption(name, verb)) return found;
  return nullptr;
}

std::string called(Verb verb) { return verb == Verb::Transform ? "the transformation" : "'" + spell(verb) + "'"; }

Refusal unknown(const std::string &word, const std::string &name, Verb verb) {
  if (anyOption(name)) return {"the option '" + word + "' is none of " + called(verb), {}};
  const Option *nearest = nullptr;
  unsigned best = 3; // letters apart that a slip of the fingers explains
  for (const Option &option : optionTable())
    if (const unsigned apart = llvm::StringRef(name).edit_distance(option.name, true, best);
        (option.verbs & bit(verb)) != 0 && apart < best && apart < option.name.size()) {
      best = apart;
      nearest = &option;
    }
  return {"there is no option '" + word + "'" +
              (nearest ? "; did you mean '" + dashed(*nearest) + "'?" : "; --help lists them"),
          {}};
}

/// A word that stands for no file and is nearly a verb.
std::optional<Refusal> mistyped(const std::string &word) {
  constexpr unsigned most = 2;
  std::error_code error;
  if (word == "-" || std::filesystem::exists(word, error)) return std::nullopt;
  for (const Verb verb : verbs) {
    if (verb == Verb::Transform || llvm::StringRef(word).edit_distance(spell(verb), true, most) > most) continue;
    if (word == spell(verb)) return Refusal{"the verb '" + word + "' stands before all other words", {}};
    return Refusal{"no file or verb '" + word + "'; did you mean '" + spell(verb) + "'?", {}};
  }
  return std::nullopt;
}

/// What is wrong with a value, by the option's choices; absent: nothing.
std::optional<Refusal> badValue(const Option &option, const std::string &value) {
  if (option.choices.empty()) return std::nullopt;
  const std::vector<std::string> parts =
      option.takes == Takes::Words || option.takes == Takes::MaybeOne ? splitAt(value, ',') : std::vector{value};
  const auto isKnown = [&](const std::string &part) {
    return std::any_of(option.choices.begin(), option.choices.end(),
                       [&](const Choice &choice) { return choice.word == part; });
  };
  std::string known;
  for (const Choice &choice : option.choices) known += (known.empty() ? "" : ", ") + choice.word;
  for (const std::string &part : parts)
    if (!isKnown(part)) return Refusal{dashed(option) + " knows no '" + part + "', only " + known, {}};
  if (parts.empty()) return Refusal{dashed(option) + " wants one of " + known, {}};
  return std::nullopt;
}

/// Reads the option at words[at]; afterwards `at` is its last word.
std::optional<Refusal> readOption(const std::vector<std::string> &words, std::size_t &at, Words &into) {
  const Begun one = *begun(words[at]);
  const Option *option = findOption(one.name, into.verb);
  if (!option) return unknown(words[at].substr(0, words[at].find('=')), one.name, into.verb);
  std::string value = one.value.value_or("");
  if (option->takes == Takes::Nothing && one.value) return Refusal{dashed(*option) + " takes no value", {}};
  if (option->takes != Takes::Nothing && option->takes != Takes::MaybeOne && !one.value) {
    if (at + 1 == words.size()) return Refusal{dashed(*option) + " wants a value: " + usageOf(*option), {}};
    value = words[++at];
  }
  const bool isBare = option->takes == Takes::MaybeOne && !one.value;
  if (option->takes != Takes::Nothing && !isBare)
    if (auto wrong = badValue(*option, value)) return wrong;
  into.given[one.name].push_back(value);
  return std::nullopt;
}

} // namespace

std::string Words::last(const std::string &name, const std::string &otherwise) const {
  const auto found = given.find(name);
  return found == given.end() ? otherwise : found->second.back();
}

std::vector<std::string> Words::all(const std::string &name) const {
  const auto found = given.find(name);
  if (found == given.end()) return {};
  const Option *option = findOption(name, verb);
  if (!option || option->takes == Takes::Values) return found->second;
  return splitAt(found->second.back(), ',');
}

Result<std::vector<std::string>> expandFiles(const std::vector<std::string> &words) {
  std::vector<std::string> result;
  constexpr std::string_view shell = "SHELL:";
  bool isClangs = false;
  for (const std::string &word : words) {
    isClangs = isClangs || word == "--";
    if (word.size() < 2 || word[0] != '@') {
      result.push_back(word);
      continue;
    }
    const auto text = readFile(word.substr(1));
    if (!text) return text.refusal();
    std::vector<std::string> read;
    for (const std::string &line : splitAt(*text, '\n')) {
      if (line.empty()) continue;
      if (!line.starts_with(shell)) {
        read.push_back(line);
        continue;
      }
      llvm::BumpPtrAllocator space;
      llvm::StringSaver saver(space);
      llvm::SmallVector<const char *> parts;
      llvm::cl::TokenizeGNUCommandLine(line.substr(shell.size()), saver, parts);
      read.insert(read.end(), parts.begin(), parts.end());
    }
    if (isClangs) read = flagsToRead(read);
    result.insert(result.end(), read.begin(), read.end());
  }
  return result;
}

Result<Words> sortWords(const std::vector<std::string> &words) {
  Words result;
  std::size_t at = 0;
  for (const Verb verb : verbs)
    if (!words.empty() && verb != Verb::Transform && words[0] == spell(verb)) {
      result.verb = verb;
      at = 1;
    }
  for (; at < words.size(); ++at) {
    if (words[at] == "--") {
      result.clangArgs.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
      break;
    }
    if (!begun(words[at])) {
      if (const auto wrong = result.verb == Verb::Transform ? mistyped(words[at]) : std::nullopt) return *wrong;
      result.files.push_back(words[at]);
    } else if (auto wrong = readOption(words, at, result))
      return *wrong;
  }
  return result;
}

std::string optionFileFor(const std::string &input) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path start = fs::absolute(input == "-"                            ? "."
                                      : fs::path(input).parent_path().empty() ? "."
                                                                              : fs::path(input).parent_path(),
                                      error);
  for (fs::path folder = fs::weakly_canonical(start, error);; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / ".polymend", error)) return (folder / ".polymend").string();
    if (!folder.has_relative_path()) return "";
  }
}

Result<Words> withOptionFile(const Words &words, const std::string &file) {
  const auto text = readFile(file);
  if (!text) return text.refusal();
  Words inFile;
  inFile.verb = words.verb;
  const std::vector<std::string> lines = splitAt(*text, '\n');
  for (std::size_t number = 1; number <= lines.size(); ++number) {
    std::string line = lines[number - 1];
    line.erase(std::min(line.find_last_not_of(" \t\r") + 1, line.size()));
    line.erase(0, line.find_first_not_of(" \t"));
    if (line.empty() || line[0] == '#') continue;
    const auto refuse = [&](const std::string &why) {
      return Refusal{file + ":" + std::to_string(number) + ": " + why, {}};
    };
    const auto one = begun(line.substr(0, line.find_first_of("= \t")));
    if (!one) return refuse("'" + line + "' is no option; a line holds one, as on the command line");
    if (const Option *known = anyOption(one->name); known && !known->inFiles)
      return refuse(dashed(*known) + " belongs on the command line");
    if (!findOption(one->name, words.verb) && anyOption(one->name)) continue;
    std::vector<std::string> parts{line};
    if (const std::size_t blank = line.find_first_of("= \t"); blank != std::string::npos && line[blank] != '=')
      parts = {line.substr(0, blank), line.substr(line.find_first_not_of(" \t", blank))};
    std::size_t at = 0;
    if (const auto wrong = readOption(parts, at, inFile)) return refuse(wrong->reason);
    if (at + 1 != parts.size()) return refuse("one option is wanted, not '" + line + "'");
  }
  Words result = words;
  for (const auto &[name, values] : inFile.given) {
    const bool adds = findOption(name, words.verb)->takes == Takes::Values;
    std::vector<std::string> &there = result.given[name];
    if (there.empty()) result.from[name] = file;
    if (adds || there.empty()) there.insert(there.begin(), values.begin(), values.end());
  }
  return result;
}

} // namespace polymend
