// What both ways of doing without a scalar need to know.
#pragma once

#include "polymend/without_scalars.h"

#include <isl/union_map.h>

namespace polymend {

/// The statements of a function that touch one of its local scalars, and when all of them run.
struct ScalarUse {
  std::string name;
  std::vector<int> writers, readers; // a statement may be both
  int reads = 0;                     // how often the text reads it
};

/// A function with what its accesses and the order of its instances are.
class ScalarContext {
public:
  ScalarContext(const Scop &model, const Dependences &dependences);

  const Scop &scop;
  const Dependences &deps;
  isl::union_map before; // { S[x] -> T[y] : S[x] runs before T[y] }

  [[nodiscard]] const Statement &statement(int number) const {
    return scop.statements[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] isl::union_map none() const;
  /// { S[x] -> A[e] : S[x] writes it }, of any array where none is named.
  [[nodiscard]] isl::union_map writesOf(const std::string &array) const;
  [[nodiscard]] isl::union_map readsOf(const std::string &array) const;
  [[nodiscard]] std::vector<ScalarUse> uses() const;
};

/// The value that takes the place of each read of the scalar; absent: it is computed and used at different times, or
/// what it is made of changes in between.
std::optional<Expr> forwarded(const ScalarContext &context, const ScalarUse &use);

/// The statement that stores the scalar for good, whose element may hold it from its first value on; absent: there is
/// none, or somebody else touches that element meanwhile.
std::optional<int> homeOf(const ScalarContext &context, const ScalarUse &use);

} // namespace polymend
