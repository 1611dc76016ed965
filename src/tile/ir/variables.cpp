#include "tile/variables.h"

#include "tile/visit.h"

namespace polymend {

std::set<std::string> variablesOf(const Kernel &kernel) {
  std::set<std::string> names;
  for (const PointDim &d : kernel.grid) names.insert(d.variable);
  each<TileLoop>(kernel.body, [&](const TileLoop &l) { names.insert(l.variable); });
  each<TilePoints>(kernel.body, [&](const TilePoints &p) {
    for (const PointDim &d : p.dims) names.insert(d.variable);
  });
  return names;
}

} // namespace polymend
