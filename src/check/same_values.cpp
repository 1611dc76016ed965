#include "polymend/same_values.h"

#include "polymend/interpret.h"

#include "backwards.h"
#include "small_runs.h"

#include <algorithm>
#include <bit>

namespace polymend {

namespace {

constexpr double mostPoints = 20'000, mostInAll = 60'000;

/// All sizes alike, and each larger than the others.
std::vector<Values> fewSizes(const TileProgram &program) {
  std::vector<Values> result;
  const auto add = [&](const Values &wished) {
    const std::optional<Values> sizes = whereGiven(program, wished);
    if (sizes && std::ranges::find(result, *sizes) == result.end()) result.push_back(*sizes);
  };
  for (const std::int64_t value : {0, 1, 3, 5, 8}) {
    Values alike;
    for (const std::string &name : program.sizes) alike[name] = value;
    add(alike);
  }
  for (const std::string &larger : program.sizes) {
    Values mixed;
    for (const std::string &name : program.sizes) mixed[name] = name == larger ? 9 : 4;
    add(mixed);
  }
  return result;
}

std::optional<std::string> firstDifference(const Memory &wanted, const Memory &got) {
  for (std::size_t a = 0; a < wanted.arrays.size(); ++a)
    for (std::size_t k = 0; k < wanted.arrays[a].second.size(); ++k) {
      const double x = wanted.arrays[a].second[k], y = got.arrays[a].second[k];
      if (std::bit_cast<std::uint64_t>(x) != std::bit_cast<std::uint64_t>(y))
        return wanted.arrays[a].first + "[" + std::to_string(k) + "] is " + std::to_string(y) + ", not " +
               std::to_string(x);
    }
  return std::nullopt;
}

} // namespace

std::optional<std::string> differenceInValues(const FunctionTrace &trace, const TileProgram &before,
                                              const TileProgram &after) {
  const Instances instances(*trace.scop, trace.function.body);
  double all = 0;
  for (const Values &sizes : fewSizes(before)) {
    const double points = instances.at(sizes) + instances.turns(sizes);
    if (points > mostPoints || all + points > mostInAll) continue;
    const Result<Memory> start = memoryFor(before, before, sizes);
    if (!start) continue;
    Memory wanted = *start;
    if (interpretSource(before, wanted)) continue;
    all += points;
    for (const TileProgram &program : {after, backwards(after)}) {
      Memory got = *start;
      std::string at;
      for (const auto &[name, value] : sizes) at += (at.empty() ? "at " : ", ") + name + "=" + std::to_string(value);
      if (const auto fault = interpret(program, got)) return at + ": " + *fault;
      if (const auto differs = firstDifference(wanted, got)) return at + ": " + *differs;
    }
  }
  return std::nullopt;
}

} // namespace polymend
