// check, the part that runs: original and result are built as they would be used and run side by side on the CPU, on
// the same data, against the original in long double. Data and sizes are chosen to hurt: exceptional values, empty
// and odd sizes, poisoned outputs, guard zones around every array, unaligned arrays.
#pragma once

#include "polymend/parse.h"

#include <map>
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
};

struct CheckRequest {
  std::string file;     // the input's name; quoted includes are found beside it
  std::string original; // its text
  std::string result;   // the text of the output
  std::vector<CheckedFunction> functions;
  std::vector<Sizes> sizes; // empty: each size in turn over 0, 1, T-1, T, T+1, a prime, others small, and all equal
  std::int64_t tile = 64;   // T
  std::vector<std::string> clangArgs; // what follows `--`
  std::string compiler;               // empty: the usual one
  std::uint64_t seed = 0;             // 0: a fresh one
  bool bitEqual = false;              // --fp=strict: nothing may differ
  unsigned secondsPerRun = 60;
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
  [[nodiscard]] bool agrees() const;
};

/// Builds and runs; refuses when a text cannot be built (the compiler's words are the reason).
Result<CheckTable> runSideBySide(const CheckRequest &request);
/// A row per function and kind of data, then each failed run; the last line sums up.
std::string show(const CheckTable &table);

/// The size assignments that are run when none are given.
std::vector<Sizes> usualSizes(const CheckedFunction &checked, std::int64_t tile);
/// The C++ text with every floating type made long double: the reference that both sides are measured against.
std::string promote(const std::string &source);

} // namespace polymend
