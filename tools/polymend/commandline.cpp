// Words arrive, a CommandLine leaves. llvm::cl reads them, with Clang's conventions; what follows `--` goes to Clang as
// it is.
#include "commandline.h"

#include "polymend/graph.h"
#include "polymend/machine.h"
#include "polymend/report.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace polymend {

namespace cl = llvm::cl;

namespace {

constexpr const char *overview =
    "polymend: fuses and tiles plain C++ loop nests, mending the dependences that forbid it\n\n"
    "  polymend FILE.cpp -o OUT.cpp           the file with its loops fused, tiled and parallel\n"
    "  polymend deps FILE.cpp                 what depends on what, what carries it, what is dropped\n"
    "  polymend explain FILE.cpp              each decision in words and formulas, with its proof\n"
    "  polymend check FILE.cpp                original and result side by side on hard data\n\n"
    "  Exit codes: 0 done, functions left alone have a remark; 1 usage or parse error, output not writable;\n"
    "  2 under --require: something selected was refused, left alone or gained nothing;\n"
    "  3 our own validation failed under --require (beats 2, no output), check disagrees, or polymend itself broke;\n"
    "  4 check ran nothing, or time ran out before every path had run.\n"
    "  A failure writes no output file. What follows -- is passed to Clang.\n";

constexpr const char *moreHelp =
    "\nA function is chosen by --entry, by #pragma scop ... #pragma endscop around its loops, or by\n"
    "[[clang::annotate(\"polymend\")]]; with none of them every function of the file is tried.\n";

/// The options as llvm::cl knows them, alive only while a command line is read.
struct Words {
  cl::OptionCategory category{"polymend options"};
  cl::SubCommand deps{"deps", "Show what depends on what, what carries it, what is dropped"};
  cl::SubCommand explain{"explain", "Tell each decision in words and formulas, with its proof"};
  cl::SubCommand check{"check", "Run original and result side by side"};
  cl::sub everywhere{cl::SubCommand::getAll()};
  cl::sub transforming{cl::SubCommand::getTopLevel()};

  cl::opt<std::string> file{cl::Positional, cl::desc("FILE.cpp"), cl::Required, cl::cat(category), everywhere};
  cl::opt<std::string> output{"o", cl::value_desc("file"), cl::desc("Write here instead of to stdout"),
                              cl::cat(category), everywhere};
  cl::opt<Target> target{"target",
                         cl::desc("What to print:"),
                         cl::init(Target::Cpp),
                         cl::cat(category),
                         everywhere,
                         cl::values(clEnumValN(Target::Cpp, "cpp", "OpenMP C++ (default)"),
                                    clEnumValN(Target::Cuda, "cuda", "CUDA"), clEnumValN(Target::Hip, "hip", "HIP"))};
  cl::opt<std::string> arch{"arch", cl::value_desc("name"),
                            cl::desc("sm_80, sm_89, sm_90a, ..., gfx90a, gfx942 or native"), cl::cat(category),
                            everywhere};
  cl::opt<bool> machines{"machines", cl::desc("Print what is known of every architecture, and stop"),
                         cl::ValueDisallowed, cl::cat(category), cl::callback([](const bool &) {
                           std::fputs(machineTable().c_str(), stdout);
                           std::exit(0);
                         })};
  cl::list<std::string> entries{"entry", cl::value_desc("function"), cl::desc("Only this function; may be repeated"),
                                cl::cat(category), everywhere};
  cl::opt<RelaxMode> relax{"relax",
                           cl::desc("How a dropped dependence may be mended:"),
                           cl::init(RelaxMode::Auto),
                           cl::cat(category),
                           everywhere,
                           cl::values(clEnumValN(RelaxMode::Auto, "auto", "whatever fits (default)"),
                                      clEnumValN(RelaxMode::None, "none", "not at all: no dependence is dropped"),
                                      clEnumValN(RelaxMode::Rolling, "rolling", "while the loop runs"),
                                      clEnumValN(RelaxMode::SplitK, "split-k", "when parts of the loop are combined"))};
  cl::opt<FloatMode> fp{
      "fp",
      cl::desc("What may happen to floating-point values:"),
      cl::init(FloatMode::Algebraic),
      cl::cat(category),
      everywhere,
      cl::values(
          clEnumValN(FloatMode::Strict, "strict", "nothing: bit-equal results"),
          clEnumValN(FloatMode::Algebraic, "algebraic", "what is equal over the reals, proved (default)"),
          clEnumValN(FloatMode::Approx, "approx", "also coarser hardware approximations, listed in the report"))};
  cl::opt<Runtime> runtime{"runtime",
                           cl::desc("Where a result has its primitives from:"),
                           cl::init(Runtime::Inline),
                           cl::cat(category),
                           transforming,
                           cl::values(clEnumValN(Runtime::Inline, "inline", "they stand in it (default)"),
                                      clEnumValN(Runtime::Header, "header", "it includes them, from polymend_rt/"))};
  cl::opt<std::string> style{
      "style",
      cl::value_desc("style"),
      cl::desc("How the text is laid out, in clang-format's words (default: file, the .clang-format above the input)"),
      cl::init("file"),
      cl::cat(category),
      transforming};
  cl::list<std::string> tiles{"tile", cl::value_desc("loop:size,..."),
                              cl::desc("Tile sizes, by the source's loop names"), cl::cat(category), everywhere};
  cl::opt<std::string> report{"report", cl::value_desc("file.json"), cl::desc("Write a machine-readable account"),
                              cl::cat(category), everywhere};
  cl::opt<std::string> dump{
      "dump", cl::value_desc("stage"),
      cl::desc(
          "Print what one stage leaves instead: parse, model, deps, relax, schedule, tile.PASS, tile; all=DIRECTORY: "
          "write every stage there, in numbered files"),
      cl::cat(category), transforming};
  cl::opt<bool> require{"require",
                        cl::desc("Exit with 2 when anything selected is refused, left alone or gained nothing"),
                        cl::cat(category), everywhere};
  cl::opt<std::string> depFile{"MF", cl::value_desc("file"), cl::desc("Write a dependency rule for make or ninja"),
                               cl::cat(category), transforming};
  cl::opt<std::string> depTarget{"MT", cl::value_desc("target"),
                                 cl::desc("The target of that rule (default: the output)"), cl::cat(category),
                                 transforming};
  cl::opt<std::string> buildDir{"p", cl::value_desc("directory"), cl::desc("Where compile_commands.json is"),
                                cl::cat(category), everywhere};
  cl::list<std::string> extra{"extra-arg", cl::value_desc("flag"), cl::desc("One more flag for Clang"),
                              cl::cat(category), everywhere};
  cl::opt<DepsFormat> format{"format",
                             cl::desc("How to show the graph, or the table of runs:"),
                             cl::init(DepsFormat::Text),
                             cl::cat(category),
                             cl::sub(deps),
                             cl::sub(check),
                             cl::values(clEnumValN(DepsFormat::Text, "text", "text (default)"),
                                        clEnumValN(DepsFormat::Dot, "dot", "Graphviz (of a graph)"),
                                        clEnumValN(DepsFormat::Json, "json", "JSON"),
                                        clEnumValN(DepsFormat::Html, "html", "a page to look at (of a graph)"),
                                        clEnumValN(DepsFormat::Svg, "svg", "a picture (of a graph)"))};
  cl::opt<Kinds> kinds{"kinds",
                       cl::desc("Which dependences DOT and SVG show:"),
                       cl::init(Kinds::Flow),
                       cl::cat(category),
                       cl::sub(deps),
                       cl::values(clEnumValN(Kinds::Flow, "flow", "what is written, then read (default)"),
                                  clEnumValN(Kinds::All, "all", "also what is overwritten"))};
  cl::list<std::string> sizes{
      "sizes",
      cl::value_desc("n=64,m=65;..."),
      cl::desc("Sizes to run, instead of the edges of a tile and a prime; of deps: sizes to draw points at"),
      cl::cat(category),
      cl::sub(check),
      cl::sub(deps)};
  cl::opt<unsigned long long> seed{"seed",      cl::value_desc("number"), cl::desc("Seed of the data (default: 1)"),
                                   cl::init(1), cl::cat(category),        cl::sub(check)};
};

/// The verb that the first word chose.
Verb verbOf(const Words &words) {
  if (words.deps) return Verb::Deps;
  if (words.explain) return Verb::Explain;
  return words.check ? Verb::Check : Verb::Transform;
}

/// Several --tile and --sizes words count as one.
std::string joined(const cl::list<std::string> &parts, char separator) {
  std::string text;
  for (const std::string &part : parts) text += (text.empty() ? "" : std::string(1, separator)) + part;
  return text;
}

/// What was read, as a value that outlives llvm::cl.
Result<CommandLine> collect(const Words &words, std::vector<std::string> clangArgs) {
  const auto tiles = readTiles(joined(words.tiles, ','));
  if (!tiles) return tiles.refusal();
  const auto sizes = readSizes(joined(words.sizes, ';'));
  if (!sizes) return sizes.refusal();
  clangArgs.insert(clangArgs.end(), words.extra.begin(), words.extra.end());
  CommandLine line;
  line.verb = verbOf(words);
  line.format = words.format;
  PipelineOptions &options = line.options;
  options.file = words.file;
  options.output = words.output == "-" ? std::string() : std::string(words.output);
  options.target = words.target;
  options.arch = words.arch;
  options.entries = {words.entries.begin(), words.entries.end()};
  options.relax = words.relax;
  options.fp = words.fp;
  options.runtime = words.runtime;
  options.style = words.style;
  options.tiles = *tiles;
  options.reportFile = words.report;
  constexpr std::string_view all = "all=";
  const bool isAll = words.dump.getValue().starts_with(all);
  options.dumpStage = isAll ? "all" : words.dump.getValue();
  options.dumpDirectory = isAll ? words.dump.getValue().substr(all.size()) : "";
  options.require = words.require;
  options.depFile = words.depFile;
  options.depTarget = words.depTarget;
  options.clangArgs = std::move(clangArgs);
  options.buildDir = words.buildDir;
  options.sizes = *sizes;
  options.seed = words.seed;
  options.checkAsJson = words.format == DepsFormat::Json;
  options.allKinds = words.kinds == Kinds::All;
  if (words.check && words.format != DepsFormat::Text && words.format != DepsFormat::Json)
    return Refusal{"check knows --format=text and --format=json only", {}};
  return line;
}

} // namespace

Result<CommandLine> readCommandLine(int count, const char *const *words) {
  const auto *const end = words + count;
  const auto *const separator =
      std::find_if(words, end, [](const char *word) { return llvm::StringRef(word) == "--"; });
  const std::vector<std::string> clangArgs(separator == end ? end : separator + 1, end);
  cl::SetVersionPrinter([](llvm::raw_ostream &out) { out << "polymend " << toolVersion() << "\n"; });
  Words known;
  cl::extrahelp more(moreHelp);
  cl::HideUnrelatedOptions(known.category);
  for (cl::SubCommand *verb : {&known.deps, &known.explain, &known.check})
    cl::HideUnrelatedOptions(known.category, *verb);
  std::string complaint;
  llvm::raw_string_ostream out(complaint);
  if (!cl::ParseCommandLineOptions(static_cast<int>(separator - words), words, overview, &out))
    return Refusal{complaint, {}};
  return collect(known, clangArgs);
}

} // namespace polymend
