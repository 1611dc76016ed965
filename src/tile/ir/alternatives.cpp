// Programs in which kernels that stand in for each other by sizes are settled on one of them.
#include "polymend/tile.h"

#include <algorithm>

namespace polymend {

Expr otherwise(const Expr &when) {
  const bool below = when.op() == Op::Lt;
  return Expr::make(below ? Op::Le : Op::Lt, {when.arg(1), when.arg(0)});
}

Expr bothOf(const Expr &a, const Expr &b) { return !a ? b : !b ? a : Expr::make(Op::And, {a, b}); }

namespace {

/// Does the condition of a kernel ask the comparison?
bool asksFor(const Expr &when, const Expr &comparison) {
  if (!when) return false;
  if (when.op() == Op::And) return asksFor(when.arg(0), comparison) || asksFor(when.arg(1), comparison);
  return equal(when, comparison);
}

/// What is left to ask where the comparison holds; absent: nothing.
Expr where(const Expr &when, const Expr &comparison) {
  if (!when || equal(when, comparison)) return {};
  return when.op() == Op::And ? bothOf(where(when.arg(0), comparison), where(when.arg(1), comparison)) : when;
}

} // namespace

std::vector<TileProgram> alternatives(const TileProgram &program) {
  const auto first =
      std::find_if(program.kernels.begin(), program.kernels.end(), [](const Kernel &k) { return bool(k.when); });
  if (first == program.kernels.end()) return {program};
  Expr asked = first->when;
  while (asked.op() == Op::And) asked = Expr(asked.arg(0));
  std::vector<TileProgram> result;
  for (const Expr &chosen : {asked, otherwise(asked)}) {
    const Expr other = otherwise(chosen);
    TileProgram settled = program;
    std::erase_if(settled.kernels, [&](const Kernel &k) { return asksFor(k.when, other); });
    for (Kernel &kernel : settled.kernels) kernel.when = where(kernel.when, chosen);
    for (TileProgram &one : alternatives(settled)) result.push_back(std::move(one));
  }
  return result;
}

} // namespace polymend
