// --fp=strict over the corpus: every function has the bits of the source's results, NaN payloads apart, on data that
// are drawn anew each time. Files are compiled together, those apart that declare more than functions. The seed is
// told; POLYMEND_SEED repeats one.
#include "check/run.h"

#include "polymend/pipeline.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <regex>
#include <set>

using namespace polymend;

namespace {

using Files = std::vector<std::string>;

constexpr std::size_t groups = 6;

bool declaresData(const std::string &text) {
  static const std::regex data(R"((^|\n)(constexpr|static|const|float|double|int)\b[^(\n]*;)");
  return std::regex_search(text, data);
}

/// The files of the corpus that are compiled as one; what is left as it is may call what is nowhere, and some take a
/// place in their rows by a size, or copies of what holds fewer elements, or assert that they stay within these: the
/// sizes that are drawn here lead beyond them. Of records_of_pixels the harness gives the last record other bytes
/// twice.
std::vector<Files> together() {
  static const std::set<std::string> leaveTheirRows{"asserted_in_each_turn", "exchanged_each_turn",
                                                    "own_values_within_steps", "records_of_pixels", "waves_recorded"};
  Files all;
  for (const auto &entry : std::filesystem::directory_iterator(std::string(POLYMEND_SOURCE_DIR) + "/tests/corpus"))
    if (entry.path().extension() == ".cpp" && !leaveTheirRows.contains(entry.path().stem().string()) &&
        readFile(entry.path())->find("// expect: left") == std::string::npos)
      all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  std::vector<Files> result(groups);
  std::size_t next = 0;
  for (const std::string &file : all)
    if (declaresData(*readFile(file)))
      result.push_back({file});
    else
      result[next++ % groups].push_back(file);
  return result;
}

std::uint64_t seedOfToday() {
  const char *const given = std::getenv("POLYMEND_SEED");
  return given ? std::strtoull(given, nullptr, 10) : std::random_device()();
}

std::string built(const ScratchDirectory &scratch, const std::string &name, const std::string &text,
                  const std::string &source, const std::vector<CheckedFunction> &functions) {
  BuildRequest request;
  request.source = scratch.file(name + ".cpp");
  request.output = scratch.file(name + ".so");
  request.flags = {"-std=c++20",
                   "-O0",
                   "-w",
                   "-fopenmp",
                   "-ffp-contract=off",
                   "-DPOLYMEND_LEAST_WORK=0",
                   "--rtlib=compiler-rt",
                   "--unwindlib=libgcc"};
#if defined(__x86_64__) // without a processor's own arithmetic of 16-bit floats, as the source was read
  if (__builtin_cpu_supports("x86-64-v3")) request.flags.push_back("-march=x86-64-v3");
#endif
  EXPECT_FALSE(replaceFile(request.source, withEntries(text, source, functions)));
  const auto output = build(request);
  EXPECT_TRUE(output) << output.refusal().reason;
  return output ? *output : "";
}

bool isSame(long double a, long double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

/// Tiles of some loops, by names that many files use: none of them may change a sum's order.
std::map<std::string, std::int64_t> tilesOf(std::uint64_t seed) {
  std::map<std::string, std::int64_t> tiles;
  std::mt19937_64 random(seed);
  for (const char *loop : {"i", "j", "k", "l", "d", "e", "t", "h", "x", "y", "dx", "dy", "row", "column", "c"})
    if (const std::int64_t size = std::array{0, 0, 1, 2, 3, 33}[random() % 6]) tiles[loop] = size;
  return tiles;
}

/// Where two effects differ; empty: nowhere.
std::string difference(const Effect &wanted, const Effect &got) {
  for (std::size_t a = 0; a < wanted.arrays.size(); ++a)
    for (std::size_t k = 0; k < wanted.arrays[a].size(); ++k)
      if (!isSame(wanted.arrays[a][k], got.arrays[a][k]))
        return "element " + std::to_string(k) + " of array " + std::to_string(a) + ": " +
               std::to_string(got.arrays[a][k]) + ", not " + std::to_string(wanted.arrays[a][k]);
  return got.damage;
}

std::vector<Sizes> sizesOf(const Function &function) {
  // Of containers that lie apart nobody sees where a row or their list ends, and a quotient of sizes may be 0 or lead
  // beyond an array in the source itself: there all sizes are one.
  const bool isApart = std::ranges::any_of(function.arrays, [](const Array &array) { return !array.rows.empty(); });
  const bool divides = std::ranges::any_of(function.derived, [](const auto &derived) {
    bool found = false;
    visit(derived.second, [&](const Expr &e) { found = found || e.op() == Op::Div || e.op() == Op::FloorDiv; });
    return found;
  });
  const std::vector<std::vector<std::int64_t>> any{{1}, {9, 5}, {8, 3, 4}, {0, 4}, {7, 66}}, equal{{1}, {9}},
      &drawn = isApart || divides ? equal : any;
  std::vector<Sizes> result;
  for (const auto &values : drawn) {
    Sizes sizes;
    std::size_t k = 0;
    for (const std::string &name : function.sizes) sizes[name] = values[k++ % values.size()];
    result.push_back(sizes);
  }
  return result;
}

std::string told(const Sizes &sizes) {
  std::string text;
  for (const auto &[name, value] : sizes) text += " " + name + "=" + std::to_string(value);
  return text;
}

/// Runs one function at all sizes at which the source is well defined, on all kinds of data; how many runs there were.
std::size_t compareAll(const Library &original, const Library &result, int index, const CheckedFunction &checked,
                       std::uint64_t seed) {
  std::size_t runs = 0;
  for (const Sizes &drawn : sizesOf(checked.function)) {
    const Sizes sizes = withDerived(checked, drawn);
    const auto arrays = shapes(checked, sizes);
    if (!arrays) continue;
    for (const DataKind &kind : dataKinds(*arrays)) {
      const std::vector<Shape> places = withOverlap(*arrays, kind);
      Data data = makeData(checked, sizes, places, kind, seed + runs);
      takeConstants(original, index, places, data);
      const auto after = [&](const Library &library) {
        return call(library, index, checked, places, data, kind, Widened::No, 0);
      };
      const Effect wanted = after(original);
      if (!wanted.damage.empty()) continue;
      const std::string differs = difference(wanted, after(result));
      EXPECT_EQ(differs, "") << checked.function.name << told(sizes) << ", " << kind.name << ", seed " << seed;
      if (!differs.empty()) return runs + 1;
      ++runs;
    }
  }
  return runs;
}

class StrictResults : public testing::TestWithParam<Files> {};

} // namespace

TEST_P(StrictResults, HaveTheBitsOfTheSource) {
  const ScratchDirectory scratch;
  std::string text;
  for (const std::string &file : GetParam()) text += *readFile(file);
  PipelineOptions options;
  options.file = scratch.file("corpus.cpp");
  options.fp = FloatMode::Strict;
  options.faultsAreErrors = true;
  const std::uint64_t seed = seedOfToday();
  options.tiles = tilesOf(seed);
  ASSERT_FALSE(replaceFile(options.file, text));
  const ParseOutcome parsed = parse(options.file, {});
  ASSERT_TRUE(parsed.nest);
  const PipelineOutcome outcome = transform(options);
  ASSERT_EQ(outcome.exitCode, ExitCode::Done);
  std::vector<CheckedFunction> functions(parsed.nest->functions.size());
  for (std::size_t k = 0; k < functions.size(); ++k) functions[k].function = parsed.nest->functions[k];
  const Library original(built(scratch, "original", text, text, functions)),
      result(built(scratch, "result", outcome.text, text, functions));
  ASSERT_TRUE(original.loaded() && result.loaded());
  for (std::size_t k = 0; k < functions.size(); ++k)
    EXPECT_GT(compareAll(original, result, static_cast<int>(k), functions[k], seed), 0U)
        << functions[k].function.name << " was not run";
}

INSTANTIATE_TEST_SUITE_P(Corpus, StrictResults, testing::ValuesIn(together()), [](const auto &info) {
  const std::string first = std::filesystem::path(info.param.front()).stem().string();
  return info.param.size() == 1 ? first : "from_" + first;
});
