// A table of runs arrives, text for a person leaves: a row per function and kind of data, the sizes that were run, then
// whatever failed or was skipped.
#include "polymend/check.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace polymend {

namespace {

/// What the runs of one function on one kind of data have in common.
struct Row {
  std::string function, data;
  unsigned runs = 0, skipped = 0, assumed = 0, late = 0, failed = 0;
  double original = 0, result = 0;
};

/// Does the run count against the result?
bool isWrong(const CheckRun &run) { return !run.agrees && !run.skipped && !run.assumed && !run.timedOut; }

std::vector<Row> rowsOf(const CheckTable &table) {
  std::vector<Row> rows;
  for (const CheckRun &run : table.runs) {
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const Row &r) { return r.function == run.function && r.data == run.data; });
    if (row == rows.end()) row = rows.insert(rows.end(), Row{run.function, run.data});
    ++row->runs;
    row->skipped += run.skipped;
    row->assumed += run.assumed;
    row->late += run.timedOut;
    row->failed += isWrong(run);
    row->original = std::max(row->original, run.errorOriginal);
    row->result = std::max(row->result, run.errorResult);
  }
  return rows;
}

/// "agree", or what keeps the runs from it.
std::string verdict(const Row &row) {
  if (row.failed) return std::to_string(row.failed) + " of " + std::to_string(row.runs) + " DISAGREE";
  std::string text = "agree";
  if (row.skipped + row.late == row.runs)
    text = row.late ? "took too long" : "skipped";
  else if (row.skipped)
    text += ", " + std::to_string(row.skipped) + " skipped";
  if (row.late && row.skipped + row.late < row.runs) text += ", " + std::to_string(row.late) + " took too long";
  if (row.assumed) text += ", " + std::to_string(row.assumed) + " outside the assumptions";
  return text;
}

/// "n,m" of "n=3,m=65" with `names`, else "3,65".
std::string side(const std::string &sizes, bool names) {
  std::string text;
  bool isName = true;
  for (char c : sizes) {
    if (c == ',' || isName == names) text += c == '=' ? "" : std::string(1, c);
    if (c == '=' || c == ',') isName = c == ',';
  }
  return text;
}

/// "first words: a  b  c" in lines that a screen holds.
std::string list(const std::string &first, const std::vector<std::string> &parts) {
  constexpr std::size_t width = 110;
  std::string text, line = first;
  for (const std::string &part : parts) {
    if (line.size() + part.size() + 2 > width) {
      text += line + "\n";
      line = "   ";
    }
    line += (line == first ? " " : "  ") + part;
  }
  return text + line + "\n";
}

/// Which sizes were run, each once, and which were not.
std::string sizesRun(const CheckTable &table) {
  std::vector<std::string> functions;
  std::map<std::string, std::vector<std::string>> ran, left;
  std::map<std::string, std::string> names;
  for (const CheckRun &run : table.runs) {
    if (std::find(functions.begin(), functions.end(), run.function) == functions.end())
      functions.push_back(run.function);
    names[run.function] = side(run.sizes, true);
    const std::string values = side(run.sizes, false);
    std::vector<std::string> &all = ran[run.function];
    if (run.sizes != "-" && std::find(all.begin(), all.end(), values) == all.end()) all.push_back(values);
  }
  for (const auto &[function, sizes] : table.tooLong) left[function].push_back(side(sizes, false));
  std::string text;
  for (const std::string &function : functions) {
    if (!ran[function].empty()) text += list(function + " at " + names[function] + " =", ran[function]);
    if (!left[function].empty()) text += list(function + ": these would take too long:", left[function]);
  }
  return text;
}

/// How many runs took a path.
std::size_t runsOn(const CheckTable &table, std::size_t path) {
  return static_cast<std::size_t>(std::count_if(table.runs.begin(), table.runs.end(), [&](const CheckRun &run) {
    return std::find(run.ran.begin(), run.ran.end(), path) != run.ran.end();
  }));
}

/// Which paths of each function's result were taken, by how many runs, and which were not.
std::string pathsRun(const CheckTable &table) {
  std::string text;
  for (const std::string &function : table.functions) {
    std::vector<std::string> ran, never;
    for (std::size_t path = 0; path < table.paths.size(); ++path) {
      const ResultPath &one = table.paths[path];
      if (one.function != function) continue;
      const std::size_t runs = runsOn(table, path);
      const std::string place = " (line " + std::to_string(one.line) + ")";
      if (runs)
        ran.push_back(one.name + place + ": " + std::to_string(runs) + ";");
      else
        never.push_back(one.name + place + ";");
    }
    if (!ran.empty()) text += list(function + ", paths of the result that ran:", ran);
    if (!never.empty()) text += list(function + ", paths that no run took:", never);
  }
  return text;
}

/// "agree", "disagree" or why neither can be said.
std::string summary(const CheckTable &table) {
  if (table.verdict() == CheckTable::Verdict::Disagree) return "original and result disagree";
  if (table.verdict() == CheckTable::Verdict::Agree) return "original and result agree";
  std::string text;
  for (const std::string &reason : table.unfinished()) text += (text.empty() ? "" : "\n") + ("no verdict: " + reason);
  return text;
}

/// A left-aligned column.
std::string padded(const std::string &text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ') + "  ";
}

/// A right-aligned number with one decimal.
std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 1e6 ? "%10.1f  " : "%10.1e  ", value);
  return text;
}

} // namespace

std::string show(const CheckTable &table) {
  const std::vector<Row> rows = rowsOf(table);
  std::size_t function = 8, data = 4;
  for (const Row &row : rows) {
    function = std::max(function, row.function.size());
    data = std::max(data, row.data.size());
  }
  std::string text =
      padded("function", function) + padded("data", data) + "runs    original      result  verdict (errors in units)\n";
  for (const Row &row : rows) {
    std::string runs = std::to_string(row.runs);
    text += padded(row.function, function) + padded(row.data, data) + padded(runs, 4) + figure(row.original) +
            figure(row.result) + verdict(row) + "\n";
  }
  text += sizesRun(table) + pathsRun(table);
  std::set<std::string> told;
  unsigned failed = 0, skipped = 0;
  for (const CheckRun &run : table.runs) {
    failed += isWrong(run);
    skipped += run.skipped;
    if (!run.agrees && (!run.skipped || told.insert(run.function + run.what).second))
      text += run.function + " with " + run.sizes + ", " + run.data + ": " + (run.skipped ? "skipped, " : "") +
              run.what + "\n";
  }
  const std::string where = table.place.empty() ? "" : " on " + table.place;
  return text + std::to_string(table.runs.size()) + " runs" + where + ", " + std::to_string(skipped) + " skipped, " +
         std::to_string(failed) + " disagree (seed " + std::to_string(table.seed) + "): " + summary(table) + "\n";
}

} // namespace polymend
