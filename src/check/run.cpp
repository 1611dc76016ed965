// The text of the original and of the result arrive, a table of runs leaves. Three libraries are built: the original
// without contraction, the result as a user would build it, and the original in a wider type. Each run is a forked
// process, two at a time. All are built for this machine: its conversions to 16 bits may flush what others do not.
//
// note [contract]: over the runs of one kind of data the largest error of the result may be twice the largest of the
// original, plus a few dozen units where the original was lucky. Units: see run_compare.cpp. Text whose wide
// form does not compile is measured against the original itself, with twice the allowance.
#include "check/run.h"

#include "polymend/run.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <future>
#include <limits>
#include <sstream>

namespace polymend {

namespace {

constexpr double allowance = 48;
constexpr std::int64_t fewElements = 32;
constexpr unsigned atOnce = 2;

/// Paths of the three libraries; `wide` is empty when there is no reference.
struct Libraries {
  std::string original, result, wide;
  Widened widened = Widened::No;
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

/// What the reference computes in: double holds twice the digits of everything narrower.
Widened widenedFor(const std::vector<CheckedFunction> &functions) {
  const auto isDouble = [](const auto &typed) { return typed.type == Type::Float64; };
  return std::any_of(functions.begin(), functions.end(),
                     [&](const CheckedFunction &checked) {
                       const Function &f = checked.function;
                       return f.returnType == Type::Float64 ||
                              std::any_of(f.arrays.begin(), f.arrays.end(), isDouble) ||
                              std::any_of(f.parameters.begin(), f.parameters.end(), isDouble);
                     })
             ? Widened::LongDouble
             : Widened::Double;
}

Result<Libraries> buildAll(const CheckRequest &request, const ScratchDirectory &scratch) {
  const std::vector<std::string> plain{"-O2", "-march=native", "-ffp-contract=off"};
  std::vector<std::string> fast{"-O3", "-march=native", "-fopenmp"};
  if (request.bitEqual) fast.emplace_back("-ffp-contract=off");
  const Widened widened = widenedFor(request.functions);
  const std::string reference = promote(request.original, widened == Widened::Double ? "double" : "long double");
  const auto start = [&](const char *name, const std::string &text, const std::vector<std::string> &flags) {
    return std::async(std::launch::async, [&, name] { return buildLibrary(request, scratch, name, text, flags); });
  };
  auto original = start("original", request.original, plain), result = start("result", request.result, fast),
       wide = start("reference", reference, plain);
  const auto first = original.get(), second = result.get(), third = wide.get();
  if (!first) return first.refusal();
  if (!second) return second.refusal();
  return third ? Libraries{*first, *second, *third, widened} : Libraries{*first, *second, {}, Widened::No};
}

/// How far rounding to the arithmetic of the function moves a value.
double roundingOf(const CheckedFunction &checked) {
  double rounding = 0x1p-53;
  for (const Array &array : checked.function.arrays) {
    if (array.type == Type::Float32) rounding = std::max(rounding, 0x1p-24);
    if (isNarrow(array.type)) rounding = std::max(rounding, array.type == Type::BFloat16 ? 0x1p-9 : 0x1p-12);
  }
  return rounding;
}

/// Everything one run does, in the forked process: errors on the first line, what differs on the second.
std::string runPlan(const Plan &plan, const Libraries &libraries, bool bitEqual) {
  const Library original(libraries.original), result(libraries.result);
  const bool isWide = libraries.widened != Widened::No;
  const Library reference(isWide ? libraries.wide : libraries.original);
  const Data data = makeData(plan.checked, plan.sizes, plan.shapes, plan.kind, plan.seed);
  const auto run = [&](const Library &library, const Data &with, Widened widened, std::size_t shift) {
    return call(library, plan.index, plan.checked, plan.shapes, with, plan.kind, widened, shift);
  };
  const std::size_t shift = plan.seed % 3;
  const Effect x = run(original, data, Widened::No, shift), y = run(result, data, Widened::No, shift);
  if (!x.damage.empty()) return "0 0 0 0 0\n!the original " + x.damage;
  if (!y.damage.empty()) return "0 0 0 0 0\nthe result " + y.damage;
  std::vector<Effect> moved;
  for (std::uint64_t i = 1; i <= 2; ++i)
    moved.push_back(run(reference, perturb(data, plan.shapes, unitsMoved * roundingOf(plan.checked), plan.seed + i),
                        libraries.widened, 0));
  const Effect r = isWide ? run(reference, data, libraries.widened, 0) : x;
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
        return call(Library(libraries.original), plan.index, plan.checked, plan.shapes, data, plan.kind, Widened::No, 0)
            .damage;
      },
      limit);
  return ended.end == Isolated::End::Done;
}

/// One row from how one plan ended; errors are judged later, over all runs of a kind.
CheckRun rowOf(const Plan &plan, const Isolated &ended, const Libraries &libraries, std::chrono::seconds limit) {
  CheckRun run = named(plan.checked, plan.sizes, plan.kind.name);
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

/// The kinds of data for one run: all, or random data and others spread over what there is.
std::vector<DataKind> chosenKinds(const std::vector<Shape> &shapes, bool mayOverlap, std::size_t most) {
  std::vector<DataKind> kinds = dataKinds(shapes, mayOverlap), chosen;
  if (most >= kinds.size()) return kinds;
  for (std::size_t k = 0; k < most; ++k) chosen.push_back(kinds[k * kinds.size() / most]);
  return chosen;
}

/// The sizes of one function and how many kinds of data each is worth.
std::vector<SizedRun> sizesOf(const CheckedFunction &checked, const CheckRequest &request, CheckTable &table) {
  std::vector<SizedRun> runs;
  for (const Sizes &sizes : request.sizes) runs.push_back({sizes, std::numeric_limits<std::size_t>::max()});
  if (!runs.empty()) return runs;
  const SizePlan plan = usualSizes(checked, request.seconds / static_cast<double>(request.functions.size()));
  for (const Sizes &sizes : plan.tooLong) table.tooLong.emplace_back(checked.function.name, show(sizes));
  return plan.runs;
}

/// All runs of one function.
void runFunction(int index, const CheckRequest &request, const Libraries &libraries, CheckTable &table) {
  const CheckedFunction &checked = request.functions[static_cast<std::size_t>(index)];
  const bool mayOverlap = request.original.find("restrict") == std::string::npos;
  std::uint64_t seed = table.seed;
  std::vector<Plan> plans;
  for (const auto &[sizes, kinds] : sizesOf(checked, request, table)) {
    const auto found = shapes(checked, sizes);
    if (!found) {
      CheckRun run = named(checked, sizes, "random");
      run.skipped = true;
      run.what = found.refusal().reason;
      table.runs.push_back(run);
      continue;
    }
    for (const DataKind &kind : chosenKinds(*found, mayOverlap, kinds)) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      plans.push_back({index, checked, sizes, withOverlap(*found, kind), kind, seed >> 8});
    }
  }
  std::vector<std::function<std::string()>> works;
  for (const Plan &plan : plans) works.emplace_back([&] { return runPlan(plan, libraries, request.bitEqual); });
  const std::chrono::seconds limit(request.secondsPerRun);
  const std::vector<Isolated> ended = isolate(works, limit, atOnce);
  for (std::size_t k = 0; k < plans.size(); ++k) table.runs.push_back(rowOf(plans[k], ended[k], libraries, limit));
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
  // Roundings to 16 bits inside a sum, and errors of the original as large as the element, decide what is nearly zero.
  constexpr double coarse = 0x1p-16;
  const bool sharesTell = population.share < 0.5 && rounding < coarse;
  std::ostringstream text;
  text.precision(3);
  if (!(run.errorResult <= limit))
    text << "the largest error is " << run.errorResult << " units, allowed are " << limit;
  else if (sharesTell && !(run.shareResult <= share))
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

Result<CheckTable> runSideBySide(const CheckRequest &request) {
  const ScratchDirectory scratch;
  const auto libraries = buildAll(request, scratch);
  if (!libraries) return libraries.refusal();
  CheckTable table;
  table.seed = request.seed ? request.seed : std::random_device()() | 1u;
  for (int index = 0; index < static_cast<int>(request.functions.size()); ++index)
    runFunction(index, request, *libraries, table);
  judge(table, request, libraries->widened != Widened::No);
  return table;
}

} // namespace polymend
