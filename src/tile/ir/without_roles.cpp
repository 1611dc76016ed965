// Kernels with roles replaced by kernels that mark all of what would be computed again.
#include "polymend/machine.h"
#include "polymend/tile.h"

#include "tile/visit.h"

#include <algorithm>

namespace polymend {

namespace {

Kernel marking(const Kernel &roles, const TileArray &marks) {
  TilePoints points;
  std::vector<Expr> at;
  for (std::size_t d = 0; d < marks.extents.size(); ++d) {
    at.push_back(Expr::symbol(marks.name + "_" + std::to_string(d), Type::Int64));
    points.dims.push_back({at.back()->name, Expr::integer(0), marks.extents[d], PointDim::Kind::Parallel});
  }
  points.body.push_back({{marks.name, at}, Update::Set, Expr::integer(1, marks.type), {}});
  Kernel result;
  result.name = roles.name;
  result.body.push_back(nodeOf(points));
  return result;
}

} // namespace

MatrixAtom atomOf(const Kernel &kernel) {
  if (const auto named = atomNamed(kernel.atom)) return *named;
  std::int64_t bytes = 0;
  for (const TileArray &tile : kernel.tiles)
    if (tile.space == Space::Shared) bytes = std::max(bytes, multipliedBytes(tile.type));
  return bytes == 4 ? atoms::mmaFloat() : bytes == 8 ? atoms::mmaDouble() : atoms::mmaNarrow();
}

bool hasRoles(const TileProgram &program) {
  return std::any_of(program.kernels.begin(), program.kernels.end(),
                     [](const Kernel &kernel) { return !kernel.roles.empty(); });
}

TileProgram withoutRoles(const TileProgram &program) {
  TileProgram result = program;
  for (Kernel &kernel : result.kernels) {
    const auto marks = std::find_if(program.arrays.begin(), program.arrays.end(),
                                    [&](const TileArray &array) { return array.name == kernel.fallback; });
    if (!kernel.roles.empty() && marks != program.arrays.end()) kernel = marking(kernel, *marks);
  }
  return result;
}

} // namespace polymend
