// The text of the original and of the result arrive, a table of runs leaves. Each run is a forked process, two at a
// time: original, result and the original in a wider type on the same data. A function whose result assumes something
// of its data is compared where the source itself computes nothing from data that break it.
#include "paths.h"
#include "run_journal.h"
#include "run_place.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>
#include <sstream>

namespace polymend {

namespace {

constexpr unsigned atOnce = 2;

/// One run to be made.
struct Plan {
  int index = 0;
  const CheckedFunction &checked;
  Sizes sizes;
  std::vector<Shape> shapes;
  DataKind kind;
  std::uint64_t seed = 0;
  bool isLittleWork = false; // the call is taken for one that is not worth its threads
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

/// The paths that the result took, as numbers.
std::string pathsRun(const Library &result, std::size_t count) {
  const auto marks = reinterpret_cast<const unsigned char *(*)()>(result.symbol("polymend_marks"));
  const unsigned char *const ran = marks ? marks() : nullptr;
  std::string text;
  for (std::size_t k = 0; ran && k < count; ++k)
    if (ran[k]) text += std::to_string(k) + " ";
  return text;
}

/// What an entry on this machine takes for little work: all work, or none.
void setLeastWork(const Library &result, bool isLittleWork) {
  auto *const least = static_cast<double *>(result.symbol("polymend_least_work"));
  if (least) *least = isLittleWork ? std::numeric_limits<double>::infinity() : 0;
}

/// Up to where kernels compute integers in 32 bits: as far as these go, or nowhere.
void setNarrowReach(const Library &result, bool isNarrow) {
  auto *const reach = static_cast<double *>(result.symbol("polymend_narrow_reach"));
  if (reach) *reach = isNarrow ? std::ldexp(1.0, 31) : 0;
}

/// Is the result so far off, beyond what is certain, that the source's own roundings or an assumption must excuse it?
bool isDoubtful(const Comparison &comparison, double certain) {
  return !comparison.difference.empty() || !(comparison.result <= 2 * comparison.original + certain) ||
         comparison.shareResult > 2 * comparison.shareOriginal;
}

/// A result of one run as text: errors on the first line, what differs on the second, then the paths. "~" before a
/// difference: the assumptions excuse it, "!": there is nothing to compare.
std::string told(const Comparison &comparison, const std::string &what, const std::string &paths) {
  std::ostringstream text;
  text << comparison.original << ' ' << comparison.result << ' ' << comparison.shareOriginal << ' '
       << comparison.shareResult << ' ' << comparison.elements << '\n'
       << what << '\n'
       << paths;
  return text.str();
}

/// Elements that one or the other leaves out.
Excused either(Excused a, const Excused &b) {
  if (a.empty()) return b;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    for (std::size_t i = 0; i < std::min(a[k].size(), b[k].size()); ++i) a[k][i] = a[k][i] || b[k][i];
  return a;
}

/// The libraries with the reference that a run has time for.
Libraries affordable(const Libraries &built, const Plan &plan) {
  constexpr double most = 20e-3; // of original, result and a reference in double
  if (built.fewer.empty() || secondsOf(plan.checked, plan.sizes, plan.shapes) <= most) return built;
  return {built.original, built.result, built.fewer, Widened::LongDouble};
}

/// The data of a run, with what the source itself gives its constant arrays.
Data dataOf(const Plan &plan, const Library &original) {
  Data data = makeData(plan.checked, plan.sizes, plan.shapes, plan.kind, plan.seed);
  takeConstants(original, plan.index, plan.shapes, data);
  return data;
}

/// Everything one run does, in the forked process.
std::string runPlan(const Plan &plan, const Libraries &built, bool bitEqual, std::size_t paths) {
  const Libraries libraries = affordable(built, plan);
  const Library original(libraries.original), result(libraries.result);
  setLeastWork(result, plan.isLittleWork);
  setNarrowReach(result, plan.seed % 4 < 2);
  const bool isWide = libraries.widened != Widened::No;
  const Library reference(isWide ? libraries.wide : libraries.original);
  const Data data = dataOf(plan, original);
  const auto run = [&](const Library &library, const Data &with, Widened widened, std::size_t shift) {
    return call(library, plan.index, plan.checked, plan.shapes, with, plan.kind, widened, shift);
  };
  const std::size_t shift = plan.checked.alignment > 1 && plan.seed % 4 != 0 ? 0 : plan.seed % 3;
  const Effect x = run(original, data, Widened::No, shift), y = run(result, data, Widened::No, shift);
  const std::string ran = pathsRun(result, paths);
  if (!x.damage.empty()) return told({}, "!the original " + x.damage, ran);
  if (!y.damage.empty()) return told({}, "the result " + y.damage, ran);
  const auto movedData = [&](double units, std::uint64_t seed) {
    return perturb(data, plan.shapes, units * roundingOf(plan.checked), plan.seed + seed);
  };
  const auto movedBy = [&](double units, std::uint64_t seed) {
    return run(reference, movedData(units, seed), libraries.widened, 0);
  };
  Moves moves{{movedBy(unitsMoved, 1), movedBy(unitsMoved, 2)}, {}, {}};
  const Effect r = isWide ? run(reference, data, libraries.widened, 0) : x;
  Excused left;
  const auto compared = [&](const Excused &excused) {
    return compare(plan.shapes, plan.checked.function.returnType, x, y, r, moves, bitEqual, excused);
  };
  Comparison all = compared(left);
  if (all.shareResult > 2 * all.shareOriginal) {
    for (std::uint64_t seed = 3; seed <= 6; ++seed) moves.far.push_back(movedBy(unitsFar, seed));
    all = compared(left);
  }
  if (!all.difference.empty() && !bitEqual) {
    std::vector<Effect> near;
    for (std::uint64_t seed = 7; seed <= 12; ++seed)
      near.push_back(run(original, movedData(unitsNear, seed), Widened::No, shift));
    left = unsettled(x, near);
    all = compared(left);
  }
  constexpr double byRoundings = 12, byAssumptions = 4;
  if (isDoubtful(all, byRoundings) && !bitEqual) {
    moves.own = roundingsOf(plan.checked, plan.shapes, data, plan.kind);
    if (moves.own) left = either(left, moves.own->decided);
    all = compared(left);
  }
  if (isDoubtful(all, byRoundings) && !bitEqual) { // two may have moved less than most do
    for (std::uint64_t seed = 13; seed <= 18; ++seed) moves.near.push_back(movedBy(unitsMoved, seed));
    all = compared(left);
  }
  if (all.difference.empty() && all.elements == 0 && all.unstable > 0)
    return told({}, "!roundings of the source's own leave nothing to compare", ran);
  if (!plan.checked.assumed.any() || !isDoubtful(all, byAssumptions)) return told(all, all.difference, ran);
  const OutsideAssumptions outside = outsideAssumptions(plan.checked, plan.shapes, data, plan.kind);
  if (outside.takesTooLong && !all.difference.empty())
    return told({}, "!it takes too long to tell whether what is assumed excuses " + all.difference, ran);
  if (!outside.excused) return told(all, all.difference, ran);
  const Comparison rest = compared(either(*outside.excused, left));
  const std::string excuse = all.difference.empty() ? "" : "~" + all.difference;
  return told(rest, rest.difference.empty() ? excuse : rest.difference, ran);
}

/// Does the original by itself survive this data?
bool originalSurvives(const Plan &plan, const Libraries &libraries, std::chrono::seconds limit) {
  const auto ended = isolate(
      [&] {
        const Library original(libraries.original);
        return call(original, plan.index, plan.checked, plan.shapes, dataOf(plan, original), plan.kind, Widened::No, 0)
            .damage;
      },
      limit);
  return ended.end == Isolated::End::Done;
}

/// Is one of the sizes a quotient by 0? What the source does where it divides is nobody's fault.
bool dividesByZero(const Plan &plan) {
  return std::ranges::any_of(plan.checked.function.derived, [&](const auto &derived) {
    const Expr &meaning = derived.second;
    return meaning.op() == Op::Select && holds(meaning.arg(0), plan.sizes).value_or(false);
  });
}

/// One row from how one plan ended; errors are judged later, over all runs of a kind.
CheckRun rowOf(const Plan &plan, const Isolated &ended, const Libraries &libraries, std::chrono::seconds limit) {
  CheckRun run = named(plan.checked, plan.sizes, plan.isLittleWork ? "little work" : plan.kind.name);
  if (ended.end == Isolated::End::Done) {
    std::istringstream text(ended.text);
    text >> run.errorOriginal >> run.errorResult >> run.shareOriginal >> run.shareResult >> run.elements;
    text.ignore();
    std::getline(text, run.what);
    run.skipped = run.what.starts_with('!');
    run.assumed = run.what.starts_with('~');
    if (run.skipped || run.assumed) run.what.erase(0, 1);
    for (std::size_t path = 0; text >> path;) run.ran.push_back(path);
  } else if (!originalSurvives(plan, libraries, plan.checked.function.mayNotEnd ? limit / 8 : limit)) {
    run.skipped = true;
    run.what = "the original itself does not survive this data";
  } else if (ended.signal == SIGFPE && dividesByZero(plan)) {
    run.skipped = true;
    run.what = "a size that the source divides by is 0";
  } else if (ended.end == Isolated::End::TimedOut) {
    run.timedOut = true;
    run.what = "the result takes longer than " + std::to_string(limit.count()) + " s";
  } else {
    run.what =
        "the result crashes" + (ended.signal ? std::string(" (") + strsignal(ended.signal) + ")" : std::string());
  }
  return run;
}

/// The kinds of data for one run: all, or random data and others spread over what there is.
std::vector<DataKind> chosenKinds(const std::vector<Shape> &shapes, std::size_t most) {
  std::vector<DataKind> kinds = dataKinds(shapes), chosen;
  if (most >= kinds.size()) return kinds;
  for (std::size_t k = 0; k < most; ++k) chosen.push_back(kinds[k * kinds.size() / most]);
  return chosen;
}

/// How much longer a run takes than on the CPU, about.
double slowness(RunPlace::Kind kind) { return kind == RunPlace::Kind::Cpu ? 1 : kind == RunPlace::Kind::Gpu ? 8 : 6; }

/// The sizes of one function and how many kinds of data each is worth.
std::vector<SizedRun> sizesOf(const CheckedFunction &checked, const CheckRequest &request, RunPlace::Kind kind,
                              CheckTable &table) {
  std::vector<SizedRun> runs;
  for (const Sizes &sizes : request.sizes)
    runs.push_back({withDerived(checked, sizes), std::numeric_limits<std::size_t>::max()});
  if (!runs.empty()) return runs;
  const double each = request.seconds / static_cast<double>(request.functions.size());
  const SizePlan plan = usualSizes(checked, each / slowness(kind));
  for (const Sizes &sizes : plan.tooLong) table.tooLong.emplace_back(checked.function.name, show(sizes));
  return plan.runs;
}

/// What a run is called in a journal.
std::string nameOf(const Plan &plan) {
  return plan.checked.function.name + "|" + show(plan.sizes) + "|" + plan.kind.name + "|" + std::to_string(plan.seed) +
         (plan.isLittleWork ? "|little" : "");
}

/// How long a run may take. Loops that end when their data say so may never; others are slow.
std::chrono::seconds limitOf(const CheckRequest &request) {
  constexpr unsigned endless = 8;
  const bool mayNotEnd = std::ranges::any_of(request.functions, [](const auto &f) { return f.function.mayNotEnd; });
  return std::chrono::seconds(mayNotEnd ? std::min(endless, request.secondsPerRun) : request.secondsPerRun);
}

/// How each plan ended; what the journal knows is not run again, nor what did not end on like data.
std::vector<Isolated> ends(const std::vector<Plan> &plans, const CheckRequest &request, const Libraries &libraries,
                           std::size_t paths, Journal &journal) {
  std::vector<Isolated> all(plans.size());
  std::vector<std::size_t> missing;
  for (std::size_t k = 0; k < plans.size(); ++k) {
    const auto known = journal.known(nameOf(plans[k]));
    if (known) all[k].text = *known;
    if (!known) missing.push_back(k);
  }
  std::set<std::string> endless; // kinds of data, by the function
  const auto nameOfKind = [](const Plan &plan) { return plan.checked.function.name + "|" + plan.kind.name; };
  std::vector<std::function<std::string()>> works;
  for (const std::size_t k : missing)
    works.emplace_back([&, k] {
      if (endless.contains(nameOfKind(plans[k]))) return told({}, "!a loop does not end on such data", "");
      return runPlan(plans[k], libraries, request.bitEqual, paths);
    });
  std::size_t done = plans.size() - missing.size();
  isolate(works, limitOf(request), atOnce, [&](std::size_t k, const Isolated &one) {
    all[missing[k]] = one;
    const Plan &plan = plans[missing[k]];
    if (one.end == Isolated::End::TimedOut && plan.checked.function.mayNotEnd) endless.insert(nameOfKind(plan));
    if (one.end == Isolated::End::Done) journal.add(nameOf(plans[missing[k]]), one.text);
    if (request.progress) request.progress({plans[missing[k]].checked.function.name, ++done, plans.size()});
  });
  return all;
}

/// Everything that what a run gives depends on.
std::string identity(const CheckRequest &request, const std::string &place) {
  std::string text = request.original + '\0' + request.result + '\0' + place + (request.bitEqual ? "strict" : "");
  for (const std::string &flag : request.clangArgs) text += '\0' + flag;
  return text;
}

/// Is the source's own body one of the function's paths?
bool hasFallback(const CheckTable &table, const std::string &function) {
  return std::any_of(table.paths.begin(), table.paths.end(),
                     [&](const ResultPath &path) { return path.fallback && path.function == function; });
}

/// All runs of one function.
void runFunction(int index, const CheckRequest &request, const Libraries &libraries, RunPlace::Kind place,
                 CheckTable &table, Journal &journal) {
  const CheckedFunction &checked = request.functions[static_cast<std::size_t>(index)];
  std::uint64_t seed = table.seed;
  std::vector<Plan> plans;
  for (const auto &[sizes, kinds] : sizesOf(checked, request, place, table)) {
    auto found = shapes(checked, sizes);
    if (!checked.function.isMakeable)
      found = Refusal{checked.function.isRegion ? "it is a part of a function, whose surroundings are not made here"
                                                : "its arguments are objects that are not made here",
                      {}};
    if (!found) {
      CheckRun run = named(checked, sizes, "random");
      run.skipped = true;
      run.what = found.refusal().reason;
      table.runs.push_back(run);
      continue;
    }
    for (const DataKind &kind : chosenKinds(*found, kinds)) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      plans.push_back({index, checked, sizes, withOverlap(*found, kind), kind, seed >> 8});
    }
  }
  if (!plans.empty() && hasFallback(table, checked.function.name)) {
    // Not where there is nothing: the source may divide by a size that is 0.
    const auto hasAll = [](const Plan &plan) {
      return std::ranges::all_of(plan.sizes, [](const auto &size) { return size.second > 0; });
    };
    const auto some = std::ranges::find_if(plans, hasAll);
    plans.push_back(some == plans.end() ? plans.front() : *some);
    plans.back().isLittleWork = true;
  }
  const std::chrono::seconds limit = limitOf(request);
  const std::vector<Isolated> ended = ends(plans, request, libraries, table.paths.size(), journal);
  for (std::size_t k = 0; k < plans.size(); ++k) table.runs.push_back(rowOf(plans[k], ended[k], libraries, limit));
}

} // namespace

Result<CheckTable> runSideBySide(const CheckRequest &request) {
  CheckTable table;
  table.seed = request.seed;
  const auto place = placeOf(request.target, request.arch);
  if (!place) return place.refusal();
  table.place = place->name;
  for (const CheckedFunction &checked : request.functions) table.functions.push_back(checked.function.name);
  if (request.functions.empty()) return table;
  Journal journal;
  if (!request.journal.empty()) {
    auto opened = Journal::open(request.journal, identity(request, place->name));
    if (!opened) return opened.refusal();
    journal = *opened;
  }
  const ScratchDirectory scratch;
  const MarkedText marked = withMarks(request.result, request.functions, request.target);
  const std::string result = marked.text + marksKept(marked.paths.size(), request.target);
  CheckRequest callable = request;
  auto libraries = buildAll(callable, *place, result, scratch);
  if (!libraries && leaveUncallable(callable, scratch)) libraries = buildAll(callable, *place, result, scratch);
  if (!libraries) return libraries.refusal();
  table.paths = marked.paths;
  for (int index = 0; index < static_cast<int>(callable.functions.size()); ++index)
    runFunction(index, callable, *libraries, place->kind, table, journal);
  judge(table, callable, libraries->widened != Widened::No);
  return table;
}

} // namespace polymend
