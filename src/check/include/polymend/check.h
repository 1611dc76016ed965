// check, the part that runs: original and result are built as they would be used and run side by side on the same data,
// against the original in a wider type; text for a GPU on the GPU, or on an emulated one. Data and sizes are chosen to
// hurt and to reach every path of the result: exceptional values, empty and odd sizes, shared memory, poisoned outputs,
// guard zones around every array, unaligned arrays.
#pragma once

#include "polymend/parse.h"
#include "polymend/print.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace polymend {

/// A value for each size parameter.
using Sizes = std::map<std::string, std::int64_t>;

/// The half-open range of the values of an integer array, over the sizes.
struct IndexRange {
  std::string array;
  Expr first, limit;
};

/// What a result takes for granted, by names of the source: only where data break it may its elements differ.
struct Assumed {
  std::set<std::string> noNaN;   // a maximum or minimum by comparison, of no NaN
  std::set<std::string> finite;  // what a mask gives weight 0, or a sum takes out of itself
  std::set<std::string> notZero; // of these, what it divides by
  [[nodiscard]] bool any() const { return !noNaN.empty() || !finite.empty(); }
};
/// What the assumptions of a report's text say.
Assumed assumedBy(const std::vector<std::string> &texts);

/// A function to be run, as the parser describes it, and what the parser cannot know.
struct CheckedFunction {
  Function function;                          // an extent that is absent is bounded from the subscripts
  std::vector<IndexRange> ranges;             // default: [0, smallest array dimension it indexes or smallest size)
  std::map<std::string, std::int64_t> limits; // sizes that may not exceed a value (local arrays of fixed extent)
  Assumed assumed;
  std::map<std::string, std::set<std::int64_t>> tiles; // by size: the extents of the tiles along it
  Expr given;                // over sizes: where it does not hold the result runs the source's own body; absent: always
  std::vector<Expr> choices; // over sizes: which of several kernels runs
  std::int64_t alignment = 1; // of addresses and rows, in elements, that some kernel of the result asks for
  bool onDeviceAlone = false; // the result is the entry on memory of a device; that on the host's is the source's own
};

/// How far a check has come: runs of a function.
struct CheckProgress {
  std::string function;
  std::size_t done = 0, all = 0;
};

struct CheckRequest {
  std::string file;     // the input's name; quoted includes are found beside it
  std::string original; // its text
  std::string result;   // the text of the output
  Target target = Target::Cpp;
  std::string arch; // of the target; empty: the usual one
  std::vector<CheckedFunction> functions;
  std::vector<Sizes> sizes;           // empty: usualSizes
  std::vector<std::string> clangArgs; // what follows `--`
  std::string compiler;               // empty: the usual one
  std::uint64_t seed = 1;
  bool bitEqual = false; // --fp=strict: nothing may differ
  unsigned secondsPerRun = 60;
  double seconds = 18;      // that all runs of usual sizes may take together, by estimate, one after the other
  std::string journal = {}; // a file that keeps what runs gave, and whose runs are not made again; empty: none
  std::function<void(const CheckProgress &)> progress = nullptr; // hears of each run that ended
};

/// One function on one set of data.
struct CheckRun {
  std::string function, sizes, data; // "n=65", "-inf in q"
  bool agrees = false, skipped = false, assumed = false;
  double errorOriginal = 0, errorResult = 0; // largest, in units of what rounding the inputs does to an element
  double shareOriginal = 0, shareResult = 0; // largest, as a share of a well-determined element
  std::int64_t elements = 0;                 // that were measured
  bool timedOut = false;                     // no verdict: it ran longer than it may
  std::vector<std::size_t> ran;              // which of the paths
  std::string what;                          // first difference, crash, time-out, or why it was skipped
};

/// A way through the text of the result that a call may take.
struct ResultPath {
  std::string function, name; // "fallback", "full tiles", ...
  unsigned line = 0;          // in the result
  bool fallback = false;      // the copy of the source's own body
};

struct CheckTable {
  enum class Verdict { Agree, Disagree, Unfinished };
  std::uint64_t seed = 0;
  std::string place; // what the result ran on: "the CPU", "the GPU", "an emulated device"
  std::vector<std::string> functions;
  std::vector<CheckRun> runs;
  std::vector<ResultPath> paths;
  std::vector<std::pair<std::string, std::string>> tooLong; // function and usual sizes that were not run for their time
  [[nodiscard]] Verdict verdict() const;
  /// Why the verdict is neither: nothing ran, nothing but copies of the source did, or time ran out. Empty: it did not.
  [[nodiscard]] std::vector<std::string> unfinished() const;
};

/// Why a file cannot keep what runs gave: it holds something else; absent: it can.
std::optional<Refusal> noJournal(const std::string &path);
/// Builds and runs; refuses when a text cannot be built (the compiler's words are the reason).
Result<CheckTable> runSideBySide(const CheckRequest &request);
/// What text for this target can be run on here, or why on nothing.
Result<std::string> placeFor(Target target, const std::string &arch);
/// A row per function and kind of data, the sizes and paths that were run, then each failed run; the last line sums up.
std::string show(const CheckTable &table);
/// The same as one JSON object.
std::string writeJson(const CheckTable &table);

/// Sizes to be run with random data and the kinds of data that follow, `kinds` in all where there are so many.
struct SizedRun {
  Sizes sizes;
  std::size_t kinds = 1;
};

/// What is run when no sizes are given, and what would be if it did not take too long.
struct SizePlan {
  std::vector<SizedRun> runs;
  std::vector<Sizes> tooLong;
};

/// Sizes around the tiles of the function whose runs take no more than `seconds` in all, by estimate.
SizePlan usualSizes(const CheckedFunction &checked, double seconds);

/// The C++ text with every floating type made `wide`: the reference that both sides are measured against.
std::string promote(const std::string &source, const std::string &wide = "long double");

} // namespace polymend
