// Programs in which kernels that stand in for each other by sizes are settled on one of them.
#include "polymend/tile.h"

#include <algorithm>

namespace polymend {

std::vector<TileProgram> alternatives(const TileProgram &program) {
  const auto first =
      std::find_if(program.kernels.begin(), program.kernels.end(), [](const Kernel &k) { return bool(k.when); });
  if (first == program.kernels.end()) return {program};
  const auto stands = [&](const Kernel &k) { return k.when && k.again == first->again; };
  std::vector<TileProgram> result;
  for (const Kernel &chosen : program.kernels) {
    if (!stands(chosen)) continue;
    TileProgram settled = program;
    std::erase_if(settled.kernels, [&](const Kernel &k) { return stands(k) && k.name != chosen.name; });
    for (Kernel &kernel : settled.kernels)
      if (kernel.name == chosen.name) kernel.when = {};
    for (TileProgram &one : alternatives(settled)) result.push_back(std::move(one));
  }
  return result;
}

} // namespace polymend
