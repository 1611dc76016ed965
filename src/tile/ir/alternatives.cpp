// Programs in which kernels that stand in for each other by sizes are settled on one of them.
#include "polymend/tile.h"

#include <algorithm>

namespace polymend {

Expr otherwise(const Expr &when) {
  const bool below = when.op() == Op::Lt;
  return Expr::make(below ? Op::Le : Op::Lt, {when.arg(1), when.arg(0)});
}

std::vector<TileProgram> alternatives(const TileProgram &program) {
  const auto first =
      std::find_if(program.kernels.begin(), program.kernels.end(), [](const Kernel &k) { return bool(k.when); });
  if (first == program.kernels.end()) return {program};
  std::vector<TileProgram> result;
  for (const Expr &chosen : {first->when, otherwise(first->when)}) {
    const Expr other = otherwise(chosen);
    TileProgram settled = program;
    std::erase_if(settled.kernels, [&](const Kernel &k) { return equal(k.when, other); });
    for (Kernel &kernel : settled.kernels)
      if (equal(kernel.when, chosen)) kernel.when = {};
    for (TileProgram &one : alternatives(settled)) result.push_back(std::move(one));
  }
  return result;
}

} // namespace polymend
