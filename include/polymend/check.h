// check, the part that runs: original and result are built as they would be used and run side by side on the CPU, on
// the same data, against the original in long double. Data and sizes are chosen to hurt: exceptional values, empty
// and odd sizes, poisoned outputs, guard zones around every array, unaligned arrays.
#pragma once

#include "polymend/parse.h"

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

/// A function to be run, as the parser describes it, and what the parser cannot know.
struct CheckedFunction {
  Function function;                          // an extent that is absent is bounded from the subscripts
  std::vector<IndexRange> ranges;             // default: [0, smallest array dimension it indexes or smallest size)
  std::map<std::string, std::int64_t> limits; // sizes that may not exceed a value (local arrays of fixed extent)
  bool assumesNoNaN = false; // a comparison-based maximum was reordered: runs with NaN may differ and are not counted
  std::map<std::string, std::set<std::int64_t>> tiles; // by size: the extents of the tiles along it
};

struct CheckRequest {
  std::string file;     // the input's name; quoted includes are found beside it
  std::string original; // its text
  std::string result;   // the text of the output
  std::vector<CheckedFunction> functions;
  std::vector<Sizes> sizes;           // empty: usualSizes
  std::vector<std::string> clangArgs; // what follows `--`
  std::string compiler;               // empty: the usual one
  std::uint64_t seed = 0;             // 0: a fresh one
  bool bitEqual = false;              // --fp=strict: nothing may differ
  unsigned secondsPerRun = 60;
  double seconds = 18; // that all runs of usual sizes may take together, by estimate, one after the other
};

/// One function on one set of data.
struct CheckRun {
  std::string function, sizes, data; // "n=65", "-inf in q"
  bool agrees = false, skipped = false, assumed = false;
  double errorOriginal = 0, errorResult = 0; // largest, in units of what rounding the inputs does to an element
  double shareOriginal = 0, shareResult = 0; // largest, as a share of a well-determined element
  std::int64_t elements = 0;                 // that were measured
  std::string what;                          // first difference, crash, time-out, or why it was skipped
};

struct CheckTable {
  std::uint64_t seed = 0;
  std::vector<CheckRun> runs;
  std::vector<std::pair<std::string, std::string>> tooLong; // function and usual sizes that were not run for their time
  [[nodiscard]] bool agrees() const;
};

/// Builds and runs; refuses when a text cannot be built (the compiler's words are the reason).
Result<CheckTable> runSideBySide(const CheckRequest &request);
/// A row per function and kind of data, the sizes that were run, then each failed run; the last line sums up.
std::string show(const CheckTable &table);

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
