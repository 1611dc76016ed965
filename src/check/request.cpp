// What is to be run of a file: every function that was transformed, as the user would build it.
#include "polymend/request.h"

#include "polymend/validate.h"

#include "run.h"

#include <algorithm>

namespace polymend {

CheckedFunction checkedOf(const FunctionTrace &trace, const TileProgram &program) {
  constexpr std::int64_t chunk = 8;
  CheckedFunction checked;
  checked.function = trace.function;
  checked.assumed = assumedBy(trace.relaxed->assumptions);
  checked.tiles = tileExtents(program);
  checked.given = program.given;
  checked.onDeviceAlone = !trace.keptOnHost.empty();
  for (const Kernel &kernel : program.kernels)
    if (kernel.when) checked.choices.push_back(kernel.when);
  checked.choices.insert(checked.choices.end(), program.versions.begin(), program.versions.end());
  if (hasRoles(program) || !program.versions.empty()) checked.alignment = chunk;
  return checked;
}

bool isDerived(const Function &function, const std::string &name) {
  return std::any_of(function.derived.begin(), function.derived.end(),
                     [&](const auto &derived) { return derived.first == name; });
}

std::optional<std::string> sizesRefused(const std::vector<Sizes> &asked,
                                        const std::vector<CheckedFunction> &functions) {
  if (functions.empty()) return std::nullopt; // remarks say why nothing is run
  std::set<std::string> known;
  for (const CheckedFunction &checked : functions)
    known.insert(checked.function.sizes.begin(), checked.function.sizes.end());
  for (const Sizes &sizes : asked) {
    for (const auto &[name, value] : sizes)
      if (!known.contains(name)) return "--sizes names '" + name + "', which is no size of a function that is run";
    for (const CheckedFunction &checked : functions)
      for (const std::string &name : checked.function.sizes)
        if (!sizes.contains(name) && !isDerived(checked.function, name))
          return "--sizes gives '" + name + "' of '" + checked.function.name + "' no value";
  }
  return std::nullopt;
}

} // namespace polymend
