// Words of a command line or of an option file, sorted by the table of options.
#pragma once

#include "options.h"

#include "polymend/support.h"

#include <map>

namespace polymend {

/// What was given: files, options by name with their values in order (a switch has the value ""), Clang's words.
struct Words {
  Verb verb = Verb::Transform;
  std::vector<std::string> files, clangArgs;
  std::map<std::string, std::vector<std::string>> given;
  std::map<std::string, std::string> from; // options that an option file alone gives, and that file

  [[nodiscard]] bool has(const std::string &name) const { return given.contains(name); }
  /// The last value; `otherwise` where the option was not given.
  [[nodiscard]] std::string last(const std::string &name, const std::string &otherwise = "") const;
  /// All values; those of an option that takes Words are split at commas.
  [[nodiscard]] std::vector<std::string> all(const std::string &name) const;
};

/// A build's words for its compiler without those that change nothing that is read, and those that Clang does not know.
std::vector<std::string> flagsToRead(const std::vector<std::string> &words);

/// The words with each "@FILE" replaced by what the file holds: a word to a line, one that begins with "SHELL:" split
/// as a shell does, empty lines left out. Behind "--" it holds the flags of a build, of which flagsToRead are taken.
Result<std::vector<std::string>> expandFiles(const std::vector<std::string> &words);

/// Sorts the words behind the program's name. Refuses what the table does not know, and says what it does know.
Result<Words> sortWords(const std::vector<std::string> &words);

/// The first file named .polymend in the directory of `input` or above; empty: there is none.
std::string optionFileFor(const std::string &input);
/// `words` with what the option file says behind it: a single value of the command line wins, lists add up. Options
/// that belong to other verbs are passed over; a refusal names the line.
Result<Words> withOptionFile(const Words &words, const std::string &file);

} // namespace polymend
