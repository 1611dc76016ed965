// A tile program arrives, the extents of its tiles leave, by the size that they divide: a loop in steps of N up to
// something of a size runs over tiles of N along it, and so does a grid of (size + ...) / N blocks. Loops that are
// shared out in parts step over all parts and begin at a multiple of a tile.
#include "polymend/validate.h"

#include "tile/visit.h"

namespace polymend {

namespace {

using TileExtents = std::map<std::string, std::set<std::int64_t>>;

/// Notes that tiles of `extent` lie along every size in `e`.
void note(const Expr &e, std::int64_t extent, const std::set<std::string> &sizes, TileExtents &extents) {
  if (extent < 2) return;
  for (const std::string &name : symbols(e))
    if (sizes.contains(name)) extents[name].insert(extent);
}

void noteGrid(const Expr &limit, const std::set<std::string> &sizes, TileExtents &extents) {
  visit(limit, [&](const Expr &e) {
    if ((e.op() == Op::FloorDiv || e.op() == Op::Div) && e.arg(1).op() == Op::Integer)
      note(e.arg(0), e.arg(1)->integer, sizes, extents);
  });
}

/// A loop that each part enters at another multiple of a tile.
void noteStarts(const TileLoop &loop, const std::set<std::string> &sizes, TileExtents &extents) {
  visit(loop.first, [&](const Expr &e) {
    for (std::size_t k = 0; e.op() == Op::Mul && k < 2; ++k)
      if (e.arg(k).op() == Op::Integer) note(loop.limit, e.arg(k)->integer, sizes, extents);
  });
}

void noteLoops(const TileBlock &block, const std::set<std::string> &sizes, TileExtents &extents) {
  each<TileLoop>(block, [&](const TileLoop &loop) {
    note(loop.limit, loop.step, sizes, extents);
    if (loop.step > 1) noteStarts(loop, sizes, extents);
  });
}

} // namespace

std::map<std::string, std::set<std::int64_t>> tileExtents(const TileProgram &program) {
  const std::set<std::string> sizes(program.sizes.begin(), program.sizes.end());
  TileExtents extents;
  for (const Kernel &kernel : program.kernels) {
    for (const PointDim &d : kernel.grid) noteGrid(d.limit, sizes, extents);
    noteLoops(kernel.body, sizes, extents);
    for (const TileRole &role : kernel.roles) noteLoops(role.body, sizes, extents);
  }
  return extents;
}

} // namespace polymend
