// Kernels with roles replaced by kernels that mark all of what would be computed again.
#include "polymend/tile.h"

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
  result.body.push_back(std::make_shared<const TilePoints>(points));
  return result;
}

} // namespace

TileProgram withoutRoles(const TileProgram &program) {
  TileProgram result = program;
  for (Kernel &kernel : result.kernels) {
    const auto marks = std::find_if(program.arrays.begin(), program.arrays.end(),
                                    [&](const TileArray &array) { return array.name == kernel.again; });
    if (!kernel.roles.empty() && marks != program.arrays.end()) kernel = marking(kernel, *marks);
  }
  return result;
}

} // namespace polymend
