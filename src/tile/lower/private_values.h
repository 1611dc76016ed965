// What a turn of a loop sets for itself alone.
#pragma once

#include "polymend/deps.h"
#include "polymend/model.h"

#include <isl/union_map.h>

#include <set>
#include <string>
#include <vector>

namespace polymend {

/// The function's own numbers and small arrays through which no turn of a loop tells another one anything: each thread
/// that shares the turns may have copies of its own (array privatization: Tu and Padua, LCPC 1993).
class PrivateValues {
public:
  /// But for those called `shared`.
  PrivateValues(const Scop &scop, const Dependences &dependences, const std::set<std::string> &shared);

  /// Those of which every value that is set or read in the innermost loop of `times`, { Statement[x] -> [loops] }, is
  /// both in one turn of it.
  [[nodiscard]] std::set<std::string> within(const isl::union_map &times) const;
  /// Is there no number or array that could be one?
  [[nodiscard]] bool areNone() const { return candidates.empty(); }

private:
  struct Candidate {
    std::string array;
    isl::union_set users; // instances that touch it
    isl::union_map flow;  // { Writer[x] -> Reader[y] }
  };
  std::vector<Candidate> candidates;
};

} // namespace polymend
