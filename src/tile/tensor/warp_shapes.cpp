// Matrix units of warps take their factors from registers, so shared memory is what they wait for: a warp of R rows and
// C columns reads R + C elements for R * C products of a term. The squarer its part of the tile, the less it reads; the
// larger the tile, the less is copied; registers for the sums bound both. A quarter of a multiprocessor has 16384
// registers for every fourth warp, given out in eights a thread (CUDA C++ Programming Guide, compute capabilities).
#include "warp_shapes.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace polymend {
namespace {

std::int64_t columnsOfWarp(const WarpShape &shape) { return shape.columns / shape.warpsN; }
std::int64_t rowsOfWarp(const WarpShape &shape, const MatrixAtom &atom) { return atom.rows * shape.warpsN; }

/// Registers of a thread: computing and copying warps have as many, and four of these are room for.
std::int64_t registersGiven(const WarpShape &shape, const MatrixAtom &atom) {
  constexpr std::int64_t quarter = 16384, most = 255, unit = 8, copying = 1;
  return std::min(most, quarter / (lanesOf(atom) * (shape.groups + copying)) / unit * unit);
}

} // namespace

double sharedBytesPerProduct(const WarpShape &shape, const MatrixUnits &units) {
  const MatrixAtom &atom = units.atom;
  const auto each = [](std::int64_t extent) { return 1.0 / static_cast<double>(extent); };
  return static_cast<double>(units.elementBytes) * (each(rowsOfWarp(shape, atom)) + each(columnsOfWarp(shape)) +
                                                    each(groupRows(atom) * shape.groups) + each(shape.columns));
}

std::int64_t registersNeeded(const WarpShape &shape, std::int64_t sums, const MatrixUnits &units) {
  constexpr std::int64_t addresses = 28, leftElements = 4, rightElements = 4;
  const std::int64_t words = units.elementBytes == 8 ? 2 : 1;
  const std::int64_t held = sums * rowsOfWarp(shape, units.atom) * columnsOfWarp(shape) / lanesOf(units.atom);
  return words * (held + leftElements * shape.warpsN + rightElements) + addresses;
}

std::vector<WarpShape> warpShapes(const MatrixUnits &units, std::int64_t sums, std::int64_t widest) {
  constexpr std::array<std::int64_t, 6> columns{256, 192, 128, 96, 64, 32};
  constexpr std::array<std::int64_t, 3> counts{4, 2, 1};
  std::vector<WarpShape> shapes;
  for (const GroupBudget &budget : units.budgets)
    for (const std::int64_t wide : columns)
      for (const std::int64_t warpsN : counts) {
        const WarpShape shape{budget.groups, std::min(wide, widest), warpsN};
        const bool known = std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
        if (!known && shape.columns % (2 * units.atom.columns * warpsN) == 0 &&
            registersNeeded(shape, sums, units) <= registersGiven(shape, units.atom))
          shapes.push_back(shape);
      }
  const auto cost = [&](const WarpShape &shape) {
    return std::tuple(-shape.groups, sharedBytesPerProduct(shape, units), columnsOfWarp(shape));
  };
  std::sort(shapes.begin(), shapes.end(), [&](const WarpShape &a, const WarpShape &b) { return cost(a) < cost(b); });
  return shapes;
}

} // namespace polymend
