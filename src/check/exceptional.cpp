// What an assumption covers is left out: nothing exceptional goes into what a maximum by comparison takes in, since a
// NaN there makes the result depend on the order; where a mask leaves out elements that are taken to be finite, the
// source's NaN may be a number. All else must come out as it does in the source's order.
#include "exceptional.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace polymend {
namespace {

/// The arrays at entry on which a maximum or minimum by comparison depends.
std::set<std::string> compared(const System &system) {
  std::set<std::string> all;
  std::vector<std::set<std::string>> inputs;
  for (const Equation &e : system.equations) {
    std::set<std::string> own;
    for (const Operand &operand : e.operands)
      if (operand.equation < 0)
        own.insert(operand.array);
      else
        own.insert(inputs[static_cast<std::size_t>(operand.equation)].begin(),
                   inputs[static_cast<std::size_t>(operand.equation)].end());
    if (e.monoid && e.comparison) all.insert(own.begin(), own.end());
    inputs.push_back(own);
  }
  return all;
}

bool takesMaskedAsFinite(const Relaxed &relaxed) {
  return std::any_of(relaxed.assumptions.begin(), relaxed.assumptions.end(),
                     [](const std::string &text) { return !text.starts_with("no NaN in "); });
}

} // namespace

std::vector<ExceptionalRun> exceptionalRuns(const TileProgram &program, const Relaxed &relaxed, const Memory &start) {
  const std::set<std::string> spared = compared(*relaxed.system);
  const bool excuses = takesMaskedAsFinite(relaxed);
  std::vector<ExceptionalRun> runs;
  for (const TileArray &array : program.arrays) {
    if (array.space != Space::Argument || !isFloating(array.type) || spared.contains(array.name)) continue;
    for (std::size_t a = 0; a < start.arrays.size(); ++a) {
      const auto &[name, values] = start.arrays[a];
      if (name != array.name || values.empty()) continue;
      const std::size_t middle = values.size() / 2;
      for (const auto &[at, value, word] :
           {std::tuple(std::size_t{0}, std::numeric_limits<double>::infinity(), "infinite"),
            std::tuple(middle, std::numeric_limits<double>::quiet_NaN(), "NaN")}) {
        ExceptionalRun run{name + "[" + std::to_string(at) + "] is " + word, start, excuses};
        run.start.arrays[a].second[at] = value;
        runs.push_back(run);
      }
    }
  }
  return runs;
}

} // namespace polymend
