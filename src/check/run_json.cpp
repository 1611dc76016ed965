// A table of runs arrives, one JSON object leaves: the verdict, every run, every path of the result with the number of
// runs that took it.
#include "polymend/check.h"

#include <boost/json.hpp>

#include <algorithm>
#include <sstream>

namespace polymend {

namespace json = boost::json;

namespace {

const char *spelled(CheckTable::Verdict verdict) {
  switch (verdict) {
  case CheckTable::Verdict::Agree: return "agree";
  case CheckTable::Verdict::Disagree: return "disagree";
  case CheckTable::Verdict::Unfinished: break;
  }
  return "unfinished";
}

/// {"n": 3} of "n=3".
json::object sizesOf(const std::string &text) {
  json::object sizes;
  std::istringstream parts(text == "-" ? "" : text);
  for (std::string part; std::getline(parts, part, ',');)
    sizes[part.substr(0, part.find('='))] = std::stoll(part.substr(part.find('=') + 1));
  return sizes;
}

const char *verdictOf(const CheckRun &run) {
  return run.skipped    ? "skipped"
         : run.timedOut ? "timeout"
         : run.assumed  ? "assumed"
         : run.agrees   ? "agree"
                        : "disagree";
}

/// A number that JSON can hold.
json::value number(double value) { return value - value == 0 ? json::value(value) : json::value(nullptr); }

json::object entry(const CheckRun &run) {
  return {{"function", run.function},
          {"sizes", sizesOf(run.sizes)},
          {"data", run.data},
          {"verdict", verdictOf(run)},
          {"error_original", number(run.errorOriginal)},
          {"error_result", number(run.errorResult)},
          {"paths", json::array(run.ran.begin(), run.ran.end())},
          {"what", run.what.empty() ? json::value(nullptr) : json::value(run.what)}};
}

json::object entry(const CheckTable &table, std::size_t path) {
  const auto runs = std::count_if(table.runs.begin(), table.runs.end(), [&](const CheckRun &run) {
    return std::find(run.ran.begin(), run.ran.end(), path) != run.ran.end();
  });
  const ResultPath &one = table.paths[path];
  return {
      {"function", one.function}, {"path", one.name}, {"line", one.line}, {"fallback", one.fallback}, {"runs", runs}};
}

} // namespace

std::string writeJson(const CheckTable &table) {
  json::array runs, paths, left;
  for (const CheckRun &run : table.runs) runs.push_back(entry(run));
  for (std::size_t path = 0; path < table.paths.size(); ++path) paths.push_back(entry(table, path));
  for (const auto &[function, sizes] : table.tooLong)
    left.push_back(json::object{{"function", function}, {"sizes", sizesOf(sizes)}});
  const std::vector<std::string> reasons = table.unfinished();
  const json::object all{{"verdict", spelled(table.verdict())},
                         {"reasons", json::array(reasons.begin(), reasons.end())},
                         {"place", table.place},
                         {"seed", table.seed},
                         {"functions", json::array(table.functions.begin(), table.functions.end())},
                         {"runs", runs},
                         {"paths", paths},
                         {"too_long", left}};
  return json::serialize(all) + "\n";
}

} // namespace polymend
