// What the turns of a loop have to do with one another.
#pragma once

#include "private_values.h"

#include <isl/union_map.h>

#include <optional>
#include <set>
#include <string>

namespace polymend {

/// Whether a loop carries dependences, whatever chose its schedule: it is asked which instances run in it.
class Carrying {
public:
  /// `hasOwn`: threads may have arrays for themselves, but for those called `shared`.
  Carrying(const Scop &scop, const Dependences &dependences, bool hasOwn, const std::set<std::string> &shared);

  /// What the innermost loop of `times`, { Statement[x] -> [loops] }, carries, in a word: "parallel", "reduced" for
  /// sums alone, or "serial"; behind "parallel" the arrays of which each thread has its own.
  [[nodiscard]] std::string kindOf(const isl::union_map &times) const;

private:
  const Scop &scop;
  const Dependences &deps;
  isl::union_map all, withoutSums;
  std::optional<PrivateValues> own;

  [[nodiscard]] std::set<std::string> ownIn(const isl::union_map &times) const;
};

} // namespace polymend
