// interpret: what a tile program means.
#pragma once

#include "polymend/tile.h"

#include <limits>
#include <map>

namespace polymend {

/// The meaning of a program, for tests and for validation on the CPU: runs it over doubles (rounded to each array's
/// type when stored), bounds-checked. Arguments by name, row-major.
struct Memory {
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  std::vector<std::pair<std::string, double>> scalars;
  std::vector<std::pair<std::string, std::vector<double>>> arrays;
  /// Where element 0 of an array stands among its values; arrays that begin with it are absent.
  std::map<std::string, std::int64_t> origins{};
};
/// Returns what is wrong (an access out of bounds, say), or nothing. Of a kernel with roles the first `visits` grid
/// points run.
std::optional<std::string> interpret(const TileProgram &program, Memory &memory,
                                     std::size_t visits = std::numeric_limits<std::size_t>::max());
/// As interpret, of a program in its source's order: an int that overflows is wrong, too, as it has no value in C++.
std::optional<std::string> interpretSource(const TileProgram &program, Memory &memory);

/// An element that memory has no room for, of an array whose extent the program does not know.
struct Lack {
  std::string array;
  std::int64_t at = 0; // row-major, from the array's first element, below which it may be
};
/// The first such element that the program touches, or would if conditions on real data chose otherwise; nothing where
/// it runs to its end or goes wrong for another reason.
std::optional<Lack> lackOf(const TileProgram &program, Memory memory);

/// Runs the waits of every kernel with roles, without values, at the given sizes (scalars and arrays are not used) and
/// reports waits that never end, accesses before their wait, slots never read. Time grows with the grid: small sizes.
std::vector<std::string> protocolFaults(const TileProgram &program, const Memory &start);

} // namespace polymend
