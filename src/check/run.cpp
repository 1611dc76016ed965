// The text of the original and of the result arrive, a table of runs leaves. Three libraries are built: the original
// without contraction, the result as a user would build it, and the original in long double. Each run is a forked
// process.
//
// note [contract]: over the runs of one kind of data the largest error of the result may be twice the largest of the
// original, plus a few dozen units where the original was lucky. Units: see run_compare.cpp. Text whose long double
// form does not compile is measured against the original itself, with twice the allowance.
#include "check/run.h"

#include "polymend/run.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace polymend {

namespace {

constexpr double allowance = 48;
constexpr std::int64_t prime = 97, fewElements = 32;

/// Paths of the three libraries; `wide` is empty when there is no reference.
struct Libraries {
  std::string original, result, wide;
};

/// One run to be made.
struct Plan {
  int index = 0;
  const CheckedFunction &checked;
  Sizes sizes;
  std::vector<Shape> shapes;
  DataKind kind;
  std::uint64_t seed = 0;
};

std::string show(const Sizes &sizes) {
  std::string text;
  for (const auto &[name, value] : sizes) text += (text.empty() ? "" : ",") + name + "=" + std::to_string(value);
  return text.empty() ? "-" : text;
}

/// A run that nothing is known of but what it is.
CheckRun named(const CheckedFunction &checked, const Sizes &sizes, const std::string &data) {
  CheckRun run;
  run.function = checked.function.name;
  run.sizes = show(sizes);
  run.data = data;
  return run;
}

/// Compiles one text to a library.
Result<std::string> buildLibrary(const CheckRequest &request, const ScratchDirectory &scratch, const std::string &name,
                                 const std::string &text, const std::vector<std::string> &flags) {
  const std::string source = scratch.file(name + ".cpp");
  if (auto failure = replaceFile(source, withEntries(text, request.functions))) return *failure;
  BuildRequest build;
  build.source = source;
  build.output = scratch.file(name + ".so");
  build.compiler = request.compiler;
  const std::string directory = std::filesystem::path(request.file).parent_path().string();
  build.flags = {"-std=c++20", "-w", "-iquote", directory.empty() ? "." : directory};
  build.flags.insert(build.flags.end(), flags.begin(), flags.end());
  build.flags.insert(build.flags.end(), request.clangArgs.begin(), request.clangArgs.end());
  if (text.find("__bf16") != std::string::npos)
    build.flags.insert(build.flags.end(), {"--rtlib=compiler-rt", "--unwindlib=libgcc"});
  const auto built = polymend::build(build);
  if (!built) return Refusal{"the " + name + " cannot be built: " + built.refusal().reason, {}};
  return *built;
}

Result<Libraries> buildAll(const CheckRequest &request, const ScratchDirectory &scratch) {
  const std::vector<std::string> plain{"-O2", "-ffp-contract=off"};
  std::vector<std::string> fast{"-O3", "-march=native", "-fopenmp"};
  if (request.bitEqual) fast.emplace_back("-ffp-contract=off");
  const auto original = buildLibrary(request, scratch, "original", request.original, plain);
  if (!original) return original.refusal();
  const auto result = buildLibrary(request, scratch, "result", request.result, fast);
  if (!result) return result.refusal();
  const auto wide = buildLibrary(request, scratch, "reference", promote(request.original), plain);
  return Libraries{*original, *result, wide ? *wide : std::string()};
}

/// How far rounding to the arithmetic of the function moves a value.
double roundingOf(const CheckedFunction &checked) {
  bool isSingle = false;
  for (const Array &array : checked.function.arrays)
    isSingle = isSingle || (isFloating(array.type) && array.type != Type::Float64);
  return isSingle ? 0x1p-24 : 0x1p-53;
}

/// Everything one run does, in the forked process: errors on the first line, what differs on the second.
std::string runPlan(const Plan &plan, const Libraries &libraries, bool bitEqual) {
  const Library original(libraries.original), result(libraries.result);
  const bool isWide = !libraries.wide.empty();
  const Library reference(isWide ? libraries.wide : libraries.original);
  const Data data = makeData(plan.checked, plan.sizes, plan.shapes, plan.kind, plan.seed);
  const auto run = [&](const Library &library, const Data &with, bool wide, std::size_t shift) {
    return call(library, plan.index, plan.checked, plan.shapes, with, plan.kind, wide, shift);
  };
  const std::size_t shift = plan.seed % 3;
  const Effect x = run(original, data, false, shift), y = run(result, data, false, shift);
  if (!x.damage.empty()) return "0 0 0 0 0\n!the original " + x.damage;
  if (!y.damage.empty()) return "0 0 0 0 0\nthe result " + y.damage;
  std::vector<Effect> moved;
  for (std::uint64_t i = 1; i <= 2; ++i)
    moved.push_back(
        run(reference, perturb(data, plan.shapes, unitsMoved * roundingOf(plan.checked), plan.seed + i), isWide, 0));
  const Effect r = isWide ? run(reference, data, true, 0) : x;
  const Comparison comparison = compare(plan.shapes, plan.checked.function.returnType, x, y, r, moved, bitEqual);
  std::ostringstream text;
  text << comparison.original << ' ' << comparison.result << ' ' << comparison.shareOriginal << ' '
       << comparison.shareResult << ' ' << comparison.elements << '\n'
       << comparison.difference;
  return text.str();
}

/// Does the original by itself survive this data?
bool originalSurvives(const Plan &plan, const Libraries &libraries, std::chrono::seconds limit) {
  const auto ended = isolate(
      [&] {
        const Data data = makeData(plan.checked, plan.sizes, plan.shapes, plan.kind, plan.seed);
        return call(Library(libraries.original), plan.index, plan.checked, plan.shapes, data, plan.kind, false, 0)
            .damage;
      },
      limit);
  return ended.end == Isolated::End::Done;
}

/// One row from one plan; errors are judged later, over all runs of a kind.
CheckRun execute(const Plan &plan, const Libraries &libraries, const CheckRequest &request) {
  CheckRun run = named(plan.checked, plan.sizes, plan.kind.name);
  const std::chrono::seconds limit(request.secondsPerRun);
  const Isolated ended = isolate([&] { return runPlan(plan, libraries, request.bitEqual); }, limit);
  if (ended.end == Isolated::End::Done) {
    std::istringstream text(ended.text);
    text >> run.errorOriginal >> run.errorResult >> run.shareOriginal >> run.shareResult >> run.elements;
    text.ignore();
    std::getline(text, run.what);
    run.skipped = run.what.starts_with('!');
    if (run.skipped) run.what.erase(0, 1);
  } else if (!originalSurvives(plan, libraries, limit)) {
    run.skipped = true;
    run.what = "the original itself does not survive this data";
  } else if (ended.end == Isolated::End::TimedOut) {
    run.what = "the result takes longer than " + std::to_string(limit.count()) + " s";
  } else {
    run.what =
        "the result crashes" + (ended.signal ? std::string(" (") + strsignal(ended.signal) + ")" : std::string());
  }
  run.assumed = !run.what.empty() && !run.skipped && plan.checked.assumesNoNaN &&
                (plan.kind.value == DataKind::Value::NaN || run.what.find("nan") != std::string::npos);
  return run;
}

/// Memory shared with a written array is written.
std::vector<Shape> withOverlap(std::vector<Shape> shapes, const DataKind &kind) {
  if (kind.onto >= 0) shapes[static_cast<std::size_t>(kind.onto)].written = true;
  return shapes;
}

/// Exceptional data is worth a small odd size and one that leaves a rest of a tile.
bool takesEveryKind(const Sizes &sizes, const CheckRequest &request) {
  if (!request.sizes.empty()) return true;
  return std::all_of(sizes.begin(), sizes.end(), [&](const auto &size) { return size.second == request.tile + 1; }) ||
         std::all_of(sizes.begin(), sizes.end(), [](const auto &size) { return size.second == 3; });
}

/// All runs of one function.
void runFunction(int index, const CheckRequest &request, const Libraries &libraries, CheckTable &table) {
  const CheckedFunction &checked = request.functions[static_cast<std::size_t>(index)];
  const bool mayOverlap = request.original.find("restrict") == std::string::npos;
  std::uint64_t seed = table.seed;
  for (const Sizes &sizes : request.sizes.empty() ? usualSizes(checked, request.tile) : request.sizes) {
    const auto found = shapes(checked, sizes);
    if (!found) {
      CheckRun run = named(checked, sizes, "random");
      run.skipped = true;
      run.what = found.refusal().reason;
      table.runs.push_back(run);
      continue;
    }
    std::vector<DataKind> kinds = dataKinds(*found, mayOverlap);
    if (!takesEveryKind(sizes, request)) kinds.resize(1);
    for (const DataKind &kind : kinds) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      table.runs.push_back(
          execute({index, checked, sizes, withOverlap(*found, kind), kind, seed >> 8}, libraries, request));
    }
  }
}

/// The original's largest errors over all runs of a kind.
struct Population {
  double units = 0, share = 0;
};

/// What is wrong with the errors of a run, or nothing (note [contract]).
std::string excess(const CheckRun &run, const Population &population, bool hasReference, double rounding) {
  const double own = run.elements < fewElements ? population.units : run.errorOriginal;
  const double limit = 2 * own + (hasReference ? 1 : 2) * allowance;
  const double share = 2 * population.share + 4 * std::sqrt(rounding);
  std::ostringstream text;
  text.precision(3);
  if (!(run.errorResult <= limit))
    text << "the largest error is " << run.errorResult << " units, allowed are " << limit;
  else if (!(run.shareResult <= share))
    text << "an element is off by " << run.shareResult << " of itself, allowed are " << share;
  return text.str();
}

/// Completes every run with its verdict.
void judge(CheckTable &table, const CheckRequest &request, bool hasReference) {
  std::map<std::pair<std::string, std::string>, Population> populations;
  std::map<std::string, double> rounding;
  for (const CheckedFunction &checked : request.functions) rounding[checked.function.name] = roundingOf(checked);
  for (const CheckRun &run : table.runs) {
    Population &population = populations[{run.function, run.data}];
    population.units = std::max(population.units, run.errorOriginal);
    population.share = std::max(population.share, run.shareOriginal);
  }
  for (CheckRun &run : table.runs) {
    if (run.what.empty())
      run.what = excess(run, populations[{run.function, run.data}], hasReference, rounding[run.function]);
    run.agrees = run.what.empty();
  }
}

} // namespace

std::vector<Sizes> usualSizes(const CheckedFunction &checked, std::int64_t tile) {
  const std::vector<std::string> &names = checked.function.sizes;
  const std::int64_t values[] = {0, 1, 3, tile - 1, tile, tile + 1, prime};
  std::vector<Sizes> all;
  const auto add = [&](const Sizes &sizes) {
    if (std::find(all.begin(), all.end(), sizes) == all.end()) all.push_back(sizes);
  };
  for (std::int64_t value : values) {
    Sizes equal;
    for (const std::string &name : names) equal[name] = value;
    add(equal);
  }
  for (const std::string &chosen : names)
    for (std::int64_t value : values) {
      Sizes sizes;
      std::int64_t odd = 3;
      for (const std::string &name : names) {
        sizes[name] = name == chosen ? value : odd;
        odd += 2;
      }
      add(sizes);
    }
  return all;
}

Result<CheckTable> runSideBySide(const CheckRequest &request) {
  const ScratchDirectory scratch;
  const auto libraries = buildAll(request, scratch);
  if (!libraries) return libraries.refusal();
  CheckTable table;
  table.seed = request.seed ? request.seed : std::random_device()() | 1u;
  for (int index = 0; index < static_cast<int>(request.functions.size()); ++index)
    runFunction(index, request, *libraries, table);
  judge(table, request, !libraries->wide.empty());
  return table;
}

} // namespace polymend
