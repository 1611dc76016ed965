// A subset of a dimension's values is bounded by a hull of it without quotients: larger, and quickly found. A program
// may touch more than its source does, within arrays; where that shows, arrays are taken as they are (validate.cpp).
#include "small_arrays.h"

#include "small_runs.h"

#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

constexpr std::int64_t large = 4096; // elements

bool isLarge(const TileArray &array) {
  std::int64_t elements = 1;
  for (const Expr &extent : array.extents) {
    if (!extent || extent.op() != Op::Integer || extent->integer <= 0) return false;
    elements *= std::min(extent->integer, large + 1);
    if (elements > large) return true;
  }
  return false;
}

/// One more than the greatest subscript in each dimension at these sizes; absent: unknown.
std::optional<std::vector<std::int64_t>> touched(const isl::map &access, const Values &sizes) {
  isl::set elements = access.range();
  for (const auto &[name, value] : sizes) elements = fixParameter(elements, name, value);
  std::vector<std::int64_t> extents(dimension(elements), 0);
  if (elements.is_empty()) return extents;
  const isl::set hull = isl::manage(isl_set_simple_hull(isl_set_remove_divs(elements.copy())));
  for (unsigned d = 0; d < extents.size(); ++d) {
    const auto extent = constantExtent(hull, d);
    if (!extent) return std::nullopt;
    extents[d] = *extent;
  }
  return extents;
}

class Touched {
public:
  Touched(const Scop &source, const Values &small) : scop(source), sizes(small) {}

  /// Absent: what is touched of the array is not known.
  [[nodiscard]] std::optional<std::vector<Expr>> of(const TileArray &array) const {
    std::vector<std::int64_t> most(array.extents.size(), 0);
    for (const Statement &statement : scop.statements) {
      if (!include(statement.write, statement, array, most)) return std::nullopt;
      for (const Access &read : statement.reads)
        if (!include(read, statement, array, most)) return std::nullopt;
    }
    std::vector<Expr> extents;
    for (std::size_t d = 0; d < most.size(); ++d)
      extents.push_back(Expr::integer(std::min(array.extents[d]->integer, most[d] + 1)));
    return extents;
  }

private:
  const Scop &scop;
  const Values &sizes;

  [[nodiscard]] bool include(const Access &access, const Statement &statement, const TileArray &array,
                             std::vector<std::int64_t> &most) const {
    if (access.array != array.name) return true;
    const auto extents = touched(access.relation.intersect_domain(statement.domain), sizes);
    if (!access.exact || !extents || extents->size() != most.size()) return false;
    for (std::size_t d = 0; d < most.size(); ++d) most[d] = std::max(most[d], (*extents)[d]);
    return true;
  }
};

} // namespace

Extents extentsTouched(const Scop &scop, const TileProgram &program, const Values &sizes) {
  const Touched touched(scop, sizes);
  Extents result;
  for (const TileArray &array : program.arrays)
    if (array.space == Space::Argument && isLarge(array))
      if (auto extents = touched.of(array)) result[array.name] = std::move(*extents);
  return result;
}

TileProgram withExtents(TileProgram program, const Extents &extents) {
  for (TileArray &array : program.arrays)
    if (const auto cut = extents.find(array.name); cut != extents.end()) array.extents = cut->second;
  return program;
}

double elementsIn(const TileProgram &program, const Values &sizes) {
  double all = 0;
  for (const TileArray &array : program.arrays) {
    if (array.space != Space::Argument) continue;
    double elements = 1;
    for (const Expr &extent : array.extents) {
      const auto value = valueOf(extent, sizes);
      elements *= value ? static_cast<double>(std::max<std::int64_t>(*value, 0)) : 0;
    }
    all += elements;
  }
  return all;
}

} // namespace polymend
