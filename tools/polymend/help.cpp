// Texts for people and shells, all made from the table of options.
#include "commandline.h"

#include <sstream>

namespace polymend {

namespace {

struct Use {
  const char *words, *meaning;
};
constexpr Use uses[] = {
    {"polymend FILE.cpp -o OUT.cpp", "the file with its loops fused, tiled and parallel"},
    {"polymend deps FILE.cpp", "what depends on what, what carries it, what is dropped"},
    {"polymend explain FILE.cpp", "each decision in words and formulas, with its proof"},
    {"polymend check FILE.cpp", "original and result side by side on hard data"},
};

constexpr Use exitCodes[] = {
    {"0", "done; functions left alone have a remark"},
    {"1", "usage or parse error, output not writable"},
    {"2", "under --require: something selected was refused, left alone, gained nothing or is not as asked"},
    {"3", "our own validation failed under --require (beats 2, no output), check disagrees, or polymend itself broke"},
    {"4", "check ran nothing, or time ran out before every path had run"},
};

const char *const summary = "fuses and tiles plain C++ loop nests, mending the dependences that forbid it";

const char *const selection =
    "A function is chosen by --entry, by #pragma scop ... #pragma endscop around its loops, or by "
    "[[clang::annotate(\"polymend\")]]; with none of them every function of the file is tried. `-` as FILE is stdin.";

const char *const files =
    "The first file named .polymend in the input's directory or above holds options, a word to a line as they stand "
    "on the command line (# begins a comment); those of the command line win. Options that name outputs, and inputs, "
    "stand on the command line alone.";

const char *const failures = "Of an input that fails no result is written; under -i none is of any input.";

/// `text` in lines of at most `width` columns, each but the first after `indent` blanks.
std::string wrapped(const std::string &text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string out;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + "\n";
}

/// A row of two columns; the second begins at `indent`, on the next line where the first is too long.
void row(std::string &out, const std::string &left, const std::string &right, std::size_t indent, std::size_t width) {
  out += left;
  if (left.size() + 2 > indent)
    out += "\n" + std::string(indent, ' ');
  else
    out += std::string(indent - left.size(), ' ');
  out += wrapped(right, indent, width);
}

/// Calls `heading` before the first option of each heading, and `each` on every option of the verbs.
template <class Heading, class Each> void walk(unsigned verbs, const Heading &heading, const Each &each) {
  std::string last;
  for (const Option &option : optionTable()) {
    if ((option.verbs & verbs) == 0) continue;
    if (option.heading != last) heading(option.heading);
    last = option.heading;
    each(option);
  }
}

/// Verbs of an option that not all have: "deps, check".
std::string someVerbs(const Option &option) {
  if (option.verbs == everyVerb) return "";
  std::string text;
  for (const Verb verb : verbs)
    if ((option.verbs & bit(verb)) != 0)
      text += (text.empty() ? "" : ", ") + (verb == Verb::Transform ? "the transformation" : spell(verb));
  return text;
}

/// Text for man(7): no character of it means anything there.
std::string roff(const std::string &text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '-') out += '\\';
    if (c == '\'' || c == '.') out += "\\&";
    out += c == '\\' ? 'e' : c;
  }
  return out;
}

/// Text within single quotes of a shell.
std::string quoted(const std::string &text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + out + "'";
}

std::string choicesOf(const Option &option) {
  std::string words;
  for (const Choice &choice : option.choices) words += (words.empty() ? "" : " ") + choice.word;
  return words;
}

/// Words that may complete a value.
std::string completionsOf(const Option &option) {
  std::vector<std::string> words;
  if (option.name == "arch")
    for (const Target target : {Target::Cuda, Target::Hip}) {
      const std::vector<std::string> of = archsOf(target);
      words.insert(words.end(), of.begin(), target == Target::Cuda ? of.end() - 1 : of.end()); // "native" once
    }
  if (option.name == "dump") {
    words = stages();
    words.insert(words.end(), {"all=", "schedule="});
  }
  std::string all = choicesOf(option);
  for (const std::string &word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

bool takesFile(const Option &option) { return option.value.starts_with("FILE"); }

std::string bashCompletion() {
  std::string out = "# Completion of polymend for bash.\n_polymend() {\n  local word=${COMP_WORDS[COMP_CWORD]} "
                    "before=${COMP_WORDS[COMP_CWORD-1]} verb=transform\n"
                    "  [ \"$word\" != = ] || word=\n"
                    "  [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}\n"
                    "  local all=${word%\"${word##*,}\"}\n"
                    "  case ${COMP_WORDS[1]} in deps|explain|check) verb=${COMP_WORDS[1]} ;; esac\n"
                    "  case $verb:$before in\n";
  for (const Verb verb : verbs)
    for (const Option &option : optionTable())
      if (const std::string words = completionsOf(option); (option.verbs & bit(verb)) != 0 && !words.empty()) {
        const bool isList = option.takes == Takes::Words || option.takes == Takes::MaybeOne;
        out += "    " + (verb == Verb::Transform ? "transform" : spell(verb)) + ":" + dashed(option) +
               ") COMPREPLY=($(compgen " + (isList ? "-P \"$all\" " : "") + "-W '" + words + "' -- \"" +
               (isList ? "${word##*,}" : "$word") + "\")); return ;;\n";
      }
  out += "  esac\n  case $verb:$word in\n";
  for (const Verb verb : verbs) {
    std::string words;
    for (const Option &option : optionTable())
      if ((option.verbs & bit(verb)) != 0) words += (words.empty() ? "" : " ") + dashed(option);
    out += "    " + (verb == Verb::Transform ? "transform" : spell(verb)) + ":-*) COMPREPLY=($(compgen -W '" + words +
           "' -- \"$word\")); return ;;\n";
  }
  return out + "  esac\n  COMPREPLY=($(compgen -f -- \"$word\"))\n"
               "  [ \"$COMP_CWORD\" != 1 ] || COMPREPLY+=($(compgen -W 'deps explain check' -- \"$word\"))\n}\n"
               "complete -o filenames -F _polymend polymend\n";
}

std::string zshCompletion() {
  std::string out = "#compdef polymend\n# Completion of polymend for zsh.\n_arguments -s \\\n"
                    "  '1:file or verb:(( deps explain check ))' '*:file:_files' \\\n";
  std::string last;
  for (const Option &option : optionTable()) {
    if (option.name == last) continue; // one verb's --format stands for all of them
    last = option.name;
    std::string help;
    for (const char c : option.help) help += c == '[' || c == ']' || c == ':' ? ' ' : c;
    std::string spec = "*" + dashed(option);
    if (option.takes != Takes::Nothing && dashed(option).starts_with("--")) spec += "=";
    spec += "[" + help + "]";
    if (option.takes != Takes::Nothing)
      spec += std::string(option.takes == Takes::MaybeOne ? "::" : ":") + "value:" +
              (!completionsOf(option).empty() ? "(" + completionsOf(option) + ")"
               : takesFile(option)            ? "_files"
                                              : "");
    out += "  " + quoted(spec) + " \\\n";
  }
  return out + "  && return 0\n";
}

std::string fishCompletion() {
  std::string out = "# Completion of polymend for fish.\n"
                    "complete -c polymend -n __fish_use_subcommand -a 'deps explain check'\n";
  for (const Option &option : optionTable()) {
    const bool isShort = option.name.size() == 1, isOld = option.name[0] == 'M';
    out += std::string("complete -c polymend ") + (isShort ? "-s " : isOld ? "-o " : "-l ") + option.name;
    if (option.takes != Takes::Nothing && option.takes != Takes::MaybeOne) out += " -r";
    if (const std::string words = completionsOf(option); !words.empty()) out += " -a '" + words + "'";
    out += " -d " + quoted(option.help) + "\n";
  }
  return out;
}

} // namespace

std::string helpText(Verb verb, std::size_t width) {
  std::string out = "polymend: " + std::string(summary) + "\n\n";
  for (const Use &use : uses) row(out, std::string("  ") + use.words, use.meaning, 41, width);
  walk(
      bit(verb), [&](const std::string &heading) { out += "\n" + heading + ":\n"; },
      [&](const Option &option) {
        row(out, "  " + usageOf(option), option.help, 30, width);
        for (const Choice &choice : option.choices)
          row(out, std::string(6, ' ') + choice.word, choice.meaning, 30, width);
      });
  out += "\n" + wrapped(selection, 0, width) + "\n" + wrapped(files, 0, width) + "\nExit codes:\n";
  for (const Use &code : exitCodes) row(out, std::string("  ") + code.words, code.meaning, 5, width);
  return out + wrapped(failures, 0, width);
}

std::string manualPage(const std::string &version) {
  std::string out = ".TH POLYMEND 1 \"\" \"polymend " + version + "\" \"User Commands\"\n.SH NAME\npolymend \\- " +
                    roff(summary) + "\n.SH SYNOPSIS\n";
  for (const Verb verb : verbs)
    out += std::string(verb == Verb::Transform ? "" : ".br\n") + ".B polymend\n" +
           (verb == Verb::Transform ? "" : ".B " + spell(verb) + "\n") +
           "[\\fIOPTION\\fR]... \\fIFILE\\fR... [\\fB\\-\\-\\fR \\fIFLAG\\fR...]\n";
  out += ".SH DESCRIPTION\n";
  for (const Use &use : uses) out += ".TP\n.B " + roff(use.words) + "\n" + roff(use.meaning) + "\n";
  out += ".PP\n" + roff(selection) + "\n.SH OPTIONS\n";
  walk(
      everyVerb, [&](const std::string &heading) { out += ".SS " + roff(heading) + "\n"; },
      [&](const Option &option) {
        out += ".TP\n.B " + roff(usageOf(option)) + "\n" + roff(option.help);
        if (const std::string some = someVerbs(option); !some.empty()) out += " (" + roff(some) + ")";
        out += "\n";
        for (const Choice &choice : option.choices)
          out += ".RS\n.TP\n.B " + roff(choice.word) + "\n" + roff(choice.meaning) + "\n.RE\n";
      });
  out += ".SH FILES\n.TP\n.B .polymend\n" + roff(files) + "\n.SH EXIT STATUS\n";
  for (const Use &code : exitCodes) out += ".TP\n.B " + roff(code.words) + "\n" + roff(code.meaning) + "\n";
  return out + ".PP\n" + roff(failures) + "\n";
}

std::string completionFor(const std::string &shell) {
  if (shell == "bash") return bashCompletion();
  if (shell == "zsh") return zshCompletion();
  return shell == "fish" ? fishCompletion() : "";
}

std::string referenceText() {
  std::string out;
  walk(
      everyVerb, [&](const std::string &heading) { out += (out.empty() ? "### " : "\n### ") + heading + "\n\n"; },
      [&](const Option &option) {
        out += "- `" + usageOf(option) + "`";
        if (const std::string some = someVerbs(option); !some.empty()) out += " (" + some + ")";
        out += ": " + option.help + "\n";
        for (const Choice &choice : option.choices) out += "  - `" + choice.word + "`: " + choice.meaning + "\n";
      });
  out += "\n### Exit codes\n\n";
  for (const Use &code : exitCodes) out += std::string("- `") + code.words + "`: " + code.meaning + "\n";
  return out;
}

} // namespace polymend
