// The table of options: what the parser, --help, the manual page, shell completion and the reference are made from.
#pragma once

#include <string>
#include <vector>

namespace polymend {

enum class Verb { Transform, Deps, Explain, Check };

/// Verbs as bits, for the options that several share.
constexpr unsigned bit(Verb verb) { return 1U << static_cast<unsigned>(verb); }
constexpr unsigned everyVerb = bit(Verb::Transform) | bit(Verb::Deps) | bit(Verb::Explain) | bit(Verb::Check);

/// The word that chooses a verb; empty: that of the transformation, which has none.
std::string spell(Verb verb);
inline constexpr Verb verbs[] = {Verb::Transform, Verb::Deps, Verb::Explain, Verb::Check};

/// A value that an option knows, and what it means.
struct Choice {
  std::string word, meaning;
};

/// What an option may be given.
enum class Takes {
  Nothing,  // a switch
  Value,    // one; the last one counts
  Values,   // any number, each time one
  Words,    // any number, separated by commas
  MaybeOne, // one or none; a value must follow '='
};

struct Option {
  std::string name;    // without dashes
  std::string heading; // under which help lists it
  Takes takes = Takes::Nothing;
  std::string value; // a word for its value in help; with choices their words stand there
  std::string help;
  unsigned verbs = everyVerb;
  std::vector<Choice> choices = {}; // the first is the default of an option that takes one value
  bool inFiles = true;              // may stand in an option file
};

/// Every option, in the order of help.
const std::vector<Option> &optionTable();
/// The option of that name under a verb; null: there is none.
const Option *findOption(const std::string &name, Verb verb);
/// "--target", "-o": as people write an option.
std::string dashed(const Option &option);
/// "--target=cpp|cuda|hip", "-o FILE".
std::string usageOf(const Option &option);

/// What --help prints under a verb; `width` is that of a terminal in columns.
std::string helpText(Verb verb, std::size_t width);
/// The manual page, in the language of man(7).
std::string manualPage(const std::string &version);
/// Completion for bash, zsh or fish; empty: another shell.
std::string completionFor(const std::string &shell);
/// The reference of options in Markdown.
std::string referenceText();

} // namespace polymend
