// Loops over time around sweeps: regions of independent points, each of which reads the arrays of the loop at constant
// distances. What a tile of them needs of what lies around it follows from these distances.
#pragma once

#include "polymend/tile.h"

namespace polymend {

/// An expression as another one and a constant; absent `base`: the constant alone.
struct Shifted {
  Expr base;
  std::int64_t constant = 0;
};
Shifted shiftedOf(const Expr &e);

/// Where elements lie along one axis of an array: [first, limit).
struct AxisRange {
  Expr first, limit;
};
using ElementBox = std::vector<AxisRange>;
bool equal(const ElementBox &a, const ElementBox &b);
/// The box moved by so many elements along each axis.
ElementBox moved(const ElementBox &box, const std::vector<std::int64_t> &by);

/// A part of a box, where it has any elements.
struct BoxPart {
  ElementBox box;
  Expr where; // over sizes; absent: unknown
};
/// What lies in one box and not in the other: rows and columns of one element each, where so it is by few.
std::vector<BoxPart> outside(const ElementBox &box, const ElementBox &other);

/// One assignment at the points of a box. Along an axis of its target an element is a variable of the region and a
/// constant, or the same for all points.
struct Sweep {
  struct Axis {
    std::string variable; // empty: the element is `fixed`
    std::int64_t shift = 0;
    Expr fixed;
  };
  struct Reading {
    std::string array;
    std::vector<std::int64_t> distance; // from the target's element
  };
  TileAssign assign;
  std::vector<Axis> axes;
  ElementBox box; // of the target's elements
  std::vector<Reading> readings;
};

/// Turns of a serial loop, each of the same sweeps over arrays of as many axes.
struct Stencil {
  std::vector<Sweep> sweeps;
  std::map<std::string, TileArray> arrays;                // that the sweeps write
  std::map<std::string, std::vector<ElementBox>> written; // which elements of each
  std::set<std::string> passing; // arrays of which a turn reads no element that it or another turn wrote before it
  std::size_t axes = 0;
};

/// The distance from the target's element of what a sweep reads at these subscripts; absent: it is not constant.
std::optional<std::vector<std::int64_t>> distanceOf(const std::vector<Expr> &subscripts,
                                                    const std::vector<Sweep::Axis> &axes);

/// The loop as a stencil; absent: it is none, or that could not be seen.
std::optional<Stencil> stencilOf(const TileLoop &loop, const TileProgram &program);

} // namespace polymend
