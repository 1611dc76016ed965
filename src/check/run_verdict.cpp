// A table of runs arrives, what can be said of the result leaves. It agrees only where something else than the copy of
// the source's own body was run to its end, and was in no small part of what was tried; what the time did not reach is
// neither right nor wrong.
#include "polymend/check.h"

#include <algorithm>
#include <map>

namespace polymend {

namespace {

bool isCounted(const CheckRun &run) { return !run.skipped && !run.timedOut; }

/// Did the call run the copy of the source's own body, and nothing else?
bool isOnFallback(const CheckTable &table, const CheckRun &run) {
  return !run.ran.empty() &&
         std::all_of(run.ran.begin(), run.ran.end(), [&](std::size_t path) { return table.paths[path].fallback; });
}

/// Is there a path of the function that no run took?
bool missesPath(const CheckTable &table, const std::string &function) {
  for (std::size_t path = 0; path < table.paths.size(); ++path)
    if (table.paths[path].function == function &&
        std::none_of(table.runs.begin(), table.runs.end(), [&](const CheckRun &run) {
          return std::find(run.ran.begin(), run.ran.end(), path) != run.ran.end();
        }))
      return true;
  return false;
}

/// Why most runs of a function were skipped, the commonest reason, where so few are left that they say little; or
/// nothing.
std::string mostlySkipped(const CheckTable &table, const std::string &function) {
  constexpr std::size_t several = 10, enough = 5; // runs, and of how many one must have been made
  std::size_t runs = 0, counted = 0, most = 0;
  std::map<std::string, std::size_t> reasons;
  std::string commonest;
  for (const CheckRun &run : table.runs) {
    if (run.function != function) continue;
    ++runs;
    if (isCounted(run)) ++counted;
    if (!run.skipped || ++reasons[run.what] <= most) continue;
    most = reasons[run.what];
    commonest = run.what;
  }
  if (runs < several || enough * counted >= runs) return "";
  return std::to_string(runs - counted) + " of " + std::to_string(runs) + " runs of '" + function +
         "' were skipped, most for this: " + commonest;
}

/// Why nothing can be said of one function, or nothing.
std::string unfinishedOf(const CheckTable &table, const std::string &function) {
  bool ran = false, onItsOwn = false, timedOut = false;
  for (const CheckRun &run : table.runs) {
    if (run.function != function) continue;
    ran = ran || isCounted(run);
    onItsOwn = onItsOwn || (isCounted(run) && !isOnFallback(table, run));
    timedOut = timedOut || run.timedOut;
  }
  const bool isCut =
      std::any_of(table.tooLong.begin(), table.tooLong.end(), [&](const auto &left) { return left.first == function; });
  if (timedOut) return "a run of '" + function + "' took too long";
  if (!ran) return "nothing of '" + function + "' was run";
  if (!onItsOwn) return "every run of '" + function + "' took the copy of the original";
  if (std::string few = mostlySkipped(table, function); !few.empty()) return few;
  if (isCut && missesPath(table, function))
    return "the time was too short for every path of '" + function + "': --sizes runs any";
  return "";
}

} // namespace

std::vector<std::string> CheckTable::unfinished() const {
  if (functions.empty()) return {"no function was run"};
  std::vector<std::string> reasons;
  for (const std::string &function : functions)
    if (std::string reason = unfinishedOf(*this, function); !reason.empty()) reasons.push_back(reason);
  return reasons;
}

CheckTable::Verdict CheckTable::verdict() const {
  const auto differs = [](const CheckRun &run) { return !run.agrees && !run.assumed && isCounted(run); };
  if (std::any_of(runs.begin(), runs.end(), differs)) return Verdict::Disagree;
  return unfinished().empty() ? Verdict::Agree : Verdict::Unfinished;
}

} // namespace polymend
