// What a tile program does where nobody waits: assignments, regions, fresh tiles, and the grid points of a launch.
#pragma once

#include "tile/evaluate.h"

#include <list>

namespace polymend::tile {

using Storage = std::list<std::vector<double>>;
using GridPoint = std::vector<std::int64_t>; // per grid dimension

/// Runs f with `name` = first, first + step, ... below limit; the bounds are evaluated once.
template <class F>
void iterate(const std::string &name, const Expr &first, const Expr &limit, std::int64_t step, Environment &env, F f) {
  const std::int64_t begin = evaluate(first, env).integer();
  const std::int64_t end = evaluate(limit, env).integer();
  for (std::int64_t i = begin; i < end && !env.fault; i += step) {
    env.integers[name] = i;
    f();
  }
  env.integers.erase(name);
}

void assign(const TileAssign &a, Environment &env);
/// What a region reads outside of what is touched of an array: a fault, or, in a Copy, zero.
enum class Outside { Fault, Zero };
/// Every point of the region in order.
void points(const TilePoints &p, Environment &env, Outside outside = Outside::Fault);

/// The array at `a`'s extents in `env`, without values; and its number of elements, or -1 where an extent is absent.
std::int64_t shape(const TileArray &a, Elements &elements, Environment &env);
/// Adds a fresh array, NaN or zero, whose values live in `storage`.
void allocate(const TileArray &a, Storage &storage, Environment &env);

/// The points of a kernel's grid as its tickets visit them, lexicographically where it has none. A fault: the ticket
/// order is no bijection onto the grid.
std::vector<GridPoint> gridPoints(const Kernel &k, Environment &env);
/// Sets the grid variables.
void enter(const Kernel &k, const GridPoint &point, Environment &env);

} // namespace polymend::tile
