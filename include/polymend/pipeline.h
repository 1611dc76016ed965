// pipeline: one input file through all rooms, as the command line asks for it. Files are read here and written by the
// caller: an outcome holds what belongs on stdout or into the output, never a half-written file.
#pragma once

#include "polymend/check.h"
#include "polymend/options.h"
#include "polymend/print.h"
#include "polymend/remark_kinds.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace polymend {

/// What the command line says.
struct PipelineOptions {
  std::string file;
  std::string output; // empty: stdout
  Target target = Target::Cpp;
  std::string arch; // empty: the target's usual one
  std::vector<std::string> entries;
  RelaxMode relax = RelaxMode::Auto;
  FloatMode fp = FloatMode::Algebraic;
  Runtime runtime = Runtime::Inline;
  std::string style = "file";                // of the printed text, as clang-format's --style
  std::map<std::string, std::int64_t> tiles; // the source's name of a loop -> tile size
  std::string scheduleFile;                  // a person's schedules (by_hand.h); empty: none
  std::string reportFile;
  std::string dumpStage;       // one of stages(), or "all"
  std::string dumpDirectory;   // "all": where each stage is written, in a numbered file
  std::string treeFile;        // where the order of each function is written, for people to change; empty: nowhere
  std::set<Quality> qualities; // under `require`: what each function that is transformed must have
  std::string depFile, depTarget;
  std::vector<std::string> clangArgs;
  std::string buildDir;
  std::vector<Sizes> sizes;   // check: the size assignments to run; empty: the usual ones. deps: those of replays
  bool hasLines = false;      // #line says where each line of the text is from
  bool require = false;       // anything selected that is refused, left alone or gained nothing ends the run
  bool replacesInput = false; // the text takes the place of the file: its banner says so
  bool wantsHeader = false;   // declarations of the result's entries are made
  bool allKinds = false;      // deps: DOT and SVG show anti and output dependences as well
  std::uint64_t seed = 1;     // check: of the data
  bool checkAsJson = false;   // check: the table as one JSON object
  std::string journal;        // check: the file that keeps what runs gave, to go on from; empty: none
  std::function<void(const CheckProgress &)> progress; // check: hears of each run that ended
  bool thorough = false;        // the result is interpreted beside the source at larger sizes as well (check does)
  bool faultsAreErrors = false; // a fault of ours ends the run as under --require, also where another way was found
  bool guardsIndices = false;   // entries ask first whether index arrays lead where there are elements
  std::function<void(TileProgram &)> beforeChecks; // sees each lowered program before it is checked: tests bend it
};

/// Done: functions left alone have a remark. Usage: usage or parse error, output not writable. Refused: under
/// --require, something selected was refused, left alone or gained nothing. Invalid: our own validation failed under
/// --require, which beats Refused and gives no output, or check disagrees. Untested: check ran nothing, or not every
/// path.
enum class ExitCode { Done = 0, Usage = 1, Refused = 2, Invalid = 3, Untested = 4 };

/// What a stage left, as text: of the file, or of one function.
struct StageDump {
  std::string stage, function, text;
};

struct PipelineOutcome {
  ExitCode exitCode = ExitCode::Done;
  std::string text;                    // for stdout or the output file
  std::string report;                  // JSON, whenever the input could be parsed
  std::string source;                  // of the input, for carets
  std::vector<Diagnostic> diagnostics; // for stderr
  std::vector<std::string> inputs;     // files read, the input first; empty: unknown
  std::vector<std::string> faults;     // of ours, by function: what failed; each has a diagnostic
  std::vector<StageDump> stages;       // that were asked for, in order
  std::vector<SaidRemark> remarks;     // by kind; those of a kind but Passed are among the diagnostics as well
  std::vector<RoomTime> times;         // what each room took, in the order of the data
  std::string header;                  // declarations of the result's entries
  std::string trees;                   // the order of each function, as documents of by_hand.h
};

enum class DepsFormat { Text, Dot, Json, Html, Svg };

/// The transformed file, or the dump of one stage.
PipelineOutcome transform(const PipelineOptions &options);
/// What depends on what, what carries it, what is dropped and what mends it.
PipelineOutcome inspectDeps(const PipelineOptions &options, DepsFormat format);
/// Each decision in words and formulas, with its proof, and the plan in words: as text, JSON or a page.
PipelineOutcome explain(const PipelineOptions &options, DepsFormat format = DepsFormat::Text);
/// Validates the result, runs it beside the original and tells how far they agree.
PipelineOutcome check(const PipelineOptions &options);

/// Stages that --dump accepts.
std::vector<std::string> stages();

} // namespace polymend
