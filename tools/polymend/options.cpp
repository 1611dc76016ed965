// One row per option. What stands here is all that help, manual, completion and reference know.
#include "options.h"

#include <algorithm>

namespace polymend {

namespace {

constexpr unsigned transforming = bit(Verb::Transform), deps = bit(Verb::Deps), explaining = bit(Verb::Explain),
                   checking = bit(Verb::Check);

const char *const selecting = "Which functions, and from what";
const char *const deciding = "What is made of them";
const char *const writing = "Where results go";
const char *const telling = "What is said";
const char *const looking = "Looking and checking";
const char *const helping = "The tool itself";

std::vector<Option> makeTable() {
  std::vector<Option> all;
  const auto add = [&](const Option &option) { all.push_back(option); };

  add({"entry", selecting, Takes::Values, "FUNCTION", "Only this function; may be repeated"});
  add({"p", selecting, Takes::Value, "DIRECTORY", "Where compile_commands.json is"});
  add({"extra-arg", selecting, Takes::Values, "FLAG", "One more flag for Clang; what follows -- goes there too"});
  add({"config",
       selecting,
       Takes::Value,
       "FILE",
       "The option file, instead of the first .polymend above the input; `none`: no such file",
       everyVerb,
       {},
       false});

  add({"target",
       deciding,
       Takes::Words,
       "",
       "What to print; several, by commas, in one run",
       everyVerb,
       {{"cpp", "OpenMP C++ (default)"}, {"cuda", "CUDA"}, {"hip", "HIP"}}});
  add({"arch", deciding, Takes::Words, "NAME",
       "sm_80, sm_89, sm_90a, ..., gfx90a, gfx942 or native; of several targets one each"});
  add({"relax",
       deciding,
       Takes::Value,
       "",
       "How a dropped dependence may be mended",
       everyVerb,
       {{"auto", "whatever fits (default)"},
        {"none", "not at all: no dependence is dropped"},
        {"rolling", "while the loop runs"},
        {"split-k", "when parts of the loop are combined"}}});
  add({"fp",
       deciding,
       Takes::Value,
       "",
       "What may happen to floating-point values",
       everyVerb,
       {{"algebraic", "what is equal over the reals, proved (default)"},
        {"strict", "nothing: bit-equal results"},
        {"approx", "also coarser hardware approximations, listed in the report"}}});
  add({"guard",
       deciding,
       Takes::Words,
       "",
       "What entries ask of their arguments before anything else",
       everyVerb,
       {{"index",
         "index arrays lead where there are elements, ranges do not fall, and what is declared of both holds"}}});
  add({"tile", deciding, Takes::Values, "LOOP:SIZE,...", "Tile sizes, by the source's loop names"});
  add({"schedule",
       deciding,
       Takes::Value,
       "FILE",
       "Orders of loops that a person wrote, as --dump=schedule=FILE tells them; each is compared with the dependences",
       transforming | checking | explaining,
       {},
       false});
  add({"runtime",
       deciding,
       Takes::Value,
       "",
       "Where a result has its primitives from",
       transforming,
       {{"inline", "they stand in it (default)"}, {"header", "it includes them, from polymend_rt/"}}});
  add({"style", deciding, Takes::Value, "STYLE",
       "How the text is laid out, in clang-format's words (default: file, the .clang-format above the input)",
       transforming});
  add({"lines", deciding, Takes::Nothing, "", "Put `#line` where text of the source's begins and ends", transforming});
  add({"require",
       deciding,
       Takes::MaybeOne,
       "",
       "Exit with 2 when anything selected is refused, left alone or gained nothing, or is not as asked",
       everyVerb,
       {{"transformed", "nothing more (default)"},
        {"parallel", "each function runs in parallel, in every kernel"},
        {"mended", "each has a dependence that is dropped and mended"},
        {"matrix", "each uses matrix units"}}});

  add({"o",
       writing,
       Takes::Value,
       "FILE",
       "Write here instead of to stdout; for several results %s stands for the input's name without its ending, %t for "
       "the "
       "target, %e for the ending (cpp, cu, hip)",
       everyVerb,
       {},
       false});
  add({"output-dir",
       writing,
       Takes::Value,
       "DIRECTORY",
       "Write each result here, under its input's name",
       transforming,
       {},
       false});
  add({"i",
       writing,
       Takes::Nothing,
       "",
       "Put each result in place of its input, whole or not at all",
       transforming,
       {},
       false});
  add({"diff", writing, Takes::Nothing, "", "Print what would change, as a unified diff", transforming, {}, false});
  add({"export-fixes",
       writing,
       Takes::Value,
       "FILE.yaml",
       "Write what would change for clang-apply-replacements",
       transforming,
       {},
       false});
  add({"header",
       writing,
       Takes::Value,
       "FILE.h",
       "Write a header that declares every entry of the result",
       transforming,
       {},
       false});
  add({"write-if-changed",
       writing,
       Takes::Nothing,
       "",
       "Leave a file alone whose content would stay as it is",
       everyVerb,
       {},
       false});
  add({"report", writing, Takes::Value, "FILE.json", "Write a machine-readable account", everyVerb, {}, false});
  add({"save-optimization-record",
       writing,
       Takes::MaybeOne,
       "FILE.yaml",
       "Write the remarks in LLVM's YAML (default: the output's name with .opt.yaml)",
       everyVerb,
       {},
       false});
  add({"sarif", writing, Takes::Value, "FILE.sarif", "Write all messages as SARIF 2.1.0", everyVerb, {}, false});
  add({"MF", writing, Takes::Value, "FILE", "Write a dependency rule for make or ninja", transforming, {}, false});
  add({"MT",
       writing,
       Takes::Value,
       "TARGET",
       "The target of that rule (default: the output)",
       transforming,
       {},
       false});
  add({"MP",
       writing,
       Takes::Nothing,
       "",
       "Also an empty rule for each header, so that one may disappear",
       transforming,
       {},
       false});

  add({"remarks",
       telling,
       Takes::Words,
       "",
       "Which remarks to print (default: all)",
       everyVerb,
       {{"passed", "what was fused, mended and made parallel"},
        {"missed", "what was left, and why"},
        {"analysis", "what a result rests on"},
        {"all", "every remark"},
        {"none", "no remark"}}});
  add({"quiet", telling, Takes::Nothing, "", "Print warnings and errors alone"});
  add({"color",
       telling,
       Takes::MaybeOne,
       "",
       "Colours of messages",
       everyVerb,
       {{"always", "in a pipe as well (default of --color without a value)"},
        {"auto", "on a terminal, unless NO_COLOR is set (default without --color)"},
        {"never", "not at all"}}});
  add({"timings", telling, Takes::Nothing, "", "Tell what time each room took", everyVerb});

  add({"format",
       looking,
       Takes::Value,
       "",
       "How to show the graph",
       deps,
       {{"text", "a table (default)"},
        {"dot", "Graphviz"},
        {"json", "JSON"},
        {"html", "a page to look at"},
        {"svg", "a picture"}}});
  add({"format",
       looking,
       Takes::Value,
       "",
       "How to tell the decisions",
       explaining,
       {{"text", "words and formulas (default)"}, {"json", "JSON: the report with these words"}, {"html", "a page"}}});
  add({"format",
       looking,
       Takes::Value,
       "",
       "How to show the table of runs",
       checking,
       {{"text", "text (default)"}, {"json", "JSON"}}});
  add({"kinds",
       looking,
       Takes::Value,
       "",
       "Which dependences DOT and SVG show",
       deps,
       {{"flow", "what is written, then read (default)"}, {"all", "also what is overwritten"}}});
  add({"sizes", looking, Takes::Values, "n=64,m=65;...",
       "Sizes to run, instead of the edges of a tile and a prime; of deps: sizes to draw points at", checking | deps});
  add({"seed", looking, Takes::Value, "NUMBER", "Seed of the data (default: 1)", checking});
  add({"resume",
       looking,
       Takes::Value,
       "FILE",
       "Keep in FILE what each run gave, and go on where an earlier check of the same texts was stopped",
       checking,
       {},
       false});
  add({"dump",
       looking,
       Takes::Value,
       "STAGE",
       "Print what one stage leaves instead: parse, model, deps, relax, schedule, tile.PASS, tile, device; "
       "all=DIRECTORY: write every stage there, in numbered files; schedule=FILE: besides the "
       "result, the order of each function as a tree that --schedule takes",
       transforming,
       {},
       false});

  add({"help", helping, Takes::Nothing, "", "Print this, and stop", everyVerb, {}, false});
  add({"version", helping, Takes::Nothing, "", "Print the version, and stop", everyVerb, {}, false});
  add({"machines",
       helping,
       Takes::Nothing,
       "",
       "Print what is known of every architecture, and stop",
       everyVerb,
       {},
       false});
  add({"print",
       helping,
       Takes::Value,
       "",
       "Print what is made from the table of options, and stop",
       everyVerb,
       {{"man", "the manual page"},
        {"bash", "completion for bash"},
        {"zsh", "completion for zsh"},
        {"fish", "completion for fish"},
        {"reference", "the reference in Markdown"}},
       false});
  return all;
}

} // namespace

std::string spell(Verb verb) {
  switch (verb) {
  case Verb::Deps: return "deps";
  case Verb::Explain: return "explain";
  case Verb::Check: return "check";
  case Verb::Transform: break;
  }
  return "";
}

const std::vector<Option> &optionTable() {
  static const std::vector<Option> all = makeTable();
  return all;
}

const Option *findOption(const std::string &name, Verb verb) {
  const std::vector<Option> &all = optionTable();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Option &option) {
    return option.name == name && (option.verbs & bit(verb)) != 0;
  });
  return found == all.end() ? nullptr : &*found;
}

std::string dashed(const Option &option) {
  const bool isShort = option.name.size() == 1 || option.name[0] == 'M';
  return (isShort ? "-" : "--") + option.name;
}

std::string usageOf(const Option &option) {
  std::string value = option.value;
  for (const Choice &choice : option.choices) value += (value.empty() ? "" : "|") + choice.word;
  if (option.takes == Takes::Nothing) return dashed(option);
  if (option.takes == Takes::MaybeOne) return dashed(option) + "[=" + value + "]";
  if (option.takes == Takes::Words) value += ",...";
  return dashed(option) + (dashed(option).starts_with("--") ? "=" : " ") + value;
}

} // namespace polymend
