// Scop -> Dependences, in three steps under the operation cap each: where values come from, which updates are
// reductions, and all edges; of a function in which data say where something is written the edges alone. A step that
// isl gives up on refuses the whole: an unknown dependence is never "none".
#include "edges.h"
#include "flow.h"
#include "reduction.h"

#include <algorithm>

namespace polymend {

namespace {

constexpr std::size_t statementsAtOnce = 16; // for so many more the steps may take as long again

bool sees(const Scop &scop, const Sources &sources, const std::string &array) {
  const Statement &reader = scop.statements[static_cast<std::size_t>(sources.statement)];
  return reader.reads[static_cast<std::size_t>(sources.read)].array == array && !sources.liveIn.is_empty();
}

/// A function's own static array outlives the call only if a later call may read what this one left.
bool outlives(const Scop &scop, const Flow &flow, const std::string &name) {
  const Array &array = scop.array(name);
  if (!array.functionStatic) return array.storage != Array::Storage::Local;
  return std::any_of(flow.sources.begin(), flow.sources.end(),
                     [&](const Sources &sources) { return sees(scop, sources, name); });
}

/// A function's own static array that the function reads before it writes it.
const Array *kept(const Scop &scop, const Flow &flow) {
  const auto at = std::find_if(scop.arrays.begin(), scop.arrays.end(), [&](const Array &array) {
    return array.functionStatic && outlives(scop, flow, array.name);
  });
  return at == scop.arrays.end() ? nullptr : &*at;
}

} // namespace

Result<Dependences> analyse(const Scop &scop) {
  if (scop.statements.empty()) return Dependences{};
  Flow flowing;
  Dependences result;
  std::string what;
  if (scop.scattered) {
    if (!capped(scop.context, [&] { result.edges = edges(scop, flowing, {}); }, what))
      return Refusal{"dependences: " + what, scop.statements.front().where};
    return result;
  }
  const std::vector<std::function<void()>> steps{[&] { flowing = flow(scop); },
                                                 [&] { result.reductions = reductions(scop, flowing); },
                                                 [&] { result.edges = edges(scop, flowing, result.reductions); },
                                                 [&] {
                                                   for (auto &[array, writes] : flowing.lastWrites)
                                                     if (outlives(scop, flowing, array))
                                                       result.liveOut.emplace_back(array, writes);
                                                 }};
  const unsigned long most = islOperationCap * (1 + scop.statements.size() / statementsAtOnce);
  for (const std::function<void()> &step : steps)
    if (!capped(scop.context, step, what, most)) return Refusal{"dependences: " + what, scop.statements.front().where};
  if (const Array *array = kept(scop, flowing))
    return Refusal{"static '" + array->name + "' keeps values between calls", array->where};
  result.sources = std::move(flowing.sources);
  return result;
}

const Sources &Dependences::sourcesOf(int statement, int read) const {
  static const Sources none;
  const auto at = std::find_if(sources.begin(), sources.end(),
                               [&](const Sources &one) { return one.statement == statement && one.read == read; });
  return at == sources.end() ? none : *at;
}

const Reduction *Dependences::reductionOf(int statement) const {
  const auto at = std::find_if(reductions.begin(), reductions.end(),
                               [&](const Reduction &reduction) { return reduction.statement == statement; });
  return at == reductions.end() ? nullptr : &*at;
}

} // namespace polymend
