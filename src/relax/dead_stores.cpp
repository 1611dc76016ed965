// A store is dead where no read has its value: value-based flow says so, of every instance. What data sizes read is no
// statement and has no sources, so arrays that they read keep all that is written to them.
#include "polymend/dead_stores.h"

#include "each_assign.h"

#include "polymend/numbers.h"

#include <algorithm>
#include <set>

namespace polymend {

namespace {

/// The statements of which some read has a value.
std::set<int> readStatements(const Dependences &dependences) {
  std::set<int> all;
  for (const Sources &sources : dependences.sources)
    for (const auto &[writer, pairs] : sources.from)
      if (!pairs.is_empty()) all.insert(writer);
  return all;
}

/// The arrays of the function's own of which every value that is read has a source.
std::set<std::string> followedArrays(const Scop &scop) {
  std::set<std::string> names;
  for (const Array &array : scop.arrays)
    if (array.storage == Array::Storage::Local && !array.functionStatic) names.insert(array.name);
  for (const Statement &bound : scop.bounds)
    for (const Access &read : bound.reads) names.erase(read.array);
  return names;
}

} // namespace

std::optional<Function> withoutDeadStores(const Function &function, const Scop &scop, const Dependences &dependences) {
  if (scop.statements.empty() || scop.scattered) return std::nullopt;
  const std::map<const Assign *, int> numbers = statementNumbers(function, scop);
  const std::set<int> live = readStatements(dependences);
  const std::set<std::string> own = followedArrays(scop);
  bool found = false;
  Function result = function;
  result.body = withEach(function.body, [&](const Assign &assign) -> std::optional<Assign> {
    const auto number = numbers.find(&assign);
    if (number == numbers.end() || live.contains(number->second) || !own.contains(assign.target)) return assign;
    found = true;
    return std::nullopt;
  });
  return found ? std::optional(result) : std::nullopt;
}

} // namespace polymend
