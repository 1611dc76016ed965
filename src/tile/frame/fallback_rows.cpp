// A row is marked where a value that matrix units made is not finite, or a pivot moved too far. What is changed in
// place is stored once: by the one or by the other.
#include "tile/fallback_rows.h"
#include "tile/visit.h"

#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// The points of the box of rows: local and global subscripts, and whether the row is one of the tile's.
struct RowBox {
  TilePoints points;
  std::vector<Expr> local, global;
  Expr where;
};

/// The elements that stand for these rows.
std::vector<Expr> chosenRows(const std::vector<Expr> &all, const std::vector<std::size_t> &rows) {
  std::vector<Expr> chosen;
  for (const std::size_t r : rows) chosen.push_back(all[r]);
  return chosen;
}

RowBox rowBox(const KernelFrame &frame) {
  RowBox box;
  const std::vector<Expr> extents = rowExtents(frame.plan);
  for (std::size_t r = 0; r < frame.rows.size(); ++r) {
    const Axis &axis = frame.rows[r].axis;
    box.global.push_back(axis.global());
    if (axis.point.empty()) continue;
    box.local.push_back(axis.local());
    box.points.dims.push_back({axis.point, Expr::integer(0), Expr::integer(axis.extent), PointDim::Kind::Parallel});
    const Expr test = Expr::make(Op::Lt, {axis.global(), extents[r]});
    box.where = box.where ? Expr::make(Op::And, {box.where, test}) : test;
  }
  box.where = frame.onOwnRows(box.where);
  return box;
}

/// Not zero where a mark of the row is set.
Expr markOf(const KernelFrame &frame, const std::vector<Expr> &row) {
  Expr value;
  for (const std::string &mark : frame.marks) {
    const Expr read = Expr::read(mark, row, Type::Int32);
    value = value ? Expr::make(Op::Max, Type::Int32, {value, read}) : read;
  }
  return value;
}

} // namespace

std::set<std::string> inPlace(const System &system, const KernelPlan &plan) {
  std::set<std::string> read, both;
  const auto visitMembers = [&](const auto &look) {
    for (const Phase &phase : plan.phases)
      for (const Member &member : phase.members) look(system.equations[static_cast<std::size_t>(member.equation)]);
  };
  visitMembers([&](const Equation &e) {
    for (const Operand &operand : e.operands)
      if (operand.equation < 0) read.insert(operand.array);
  });
  visitMembers([&](const Equation &e) {
    for (const Store &store : e.stores)
      if (read.count(store.array)) both.insert(store.array);
  });
  return both;
}

TileBlock storedWhere(const TileBlock &block, const std::set<std::string> &arrays, const Expr &condition) {
  return rewrite(block, [&](TileAssign assign) {
    if (arrays.count(assign.target.array))
      assign.where = assign.where ? Expr::make(Op::And, {assign.where, condition}) : condition;
    return assign;
  });
}

std::vector<Expr> rowIndices(const KernelFrame &frame) {
  std::vector<Expr> rows;
  for (const RowAxis &row : frame.rows) rows.push_back(row.axis.global());
  return rows;
}

std::vector<Expr> rowExtents(const KernelPlan &plan) {
  std::vector<Expr> extents;
  const unsigned count = dimension(plan.domain);
  for (unsigned r = 0; r < count; ++r) extents.push_back(boundsOf(onlyDimension(plan.domain, r), "x").second);
  return extents;
}

Expr isUnmarked(const KernelFrame &frame) {
  return Expr::make(Op::Eq, {markOf(frame, rowBox(frame).local), Expr::integer(0, Type::Int32)});
}

std::vector<std::size_t> markedRows(const KernelPlan &plan, const Scop &scop) {
  const std::vector<Expr> extents = rowExtents(plan);
  std::vector<std::size_t> marked;
  for (std::size_t r = 0; r < extents.size(); ++r) {
    const std::set<std::string> used = extents[r] ? symbols(extents[r]) : std::set<std::string>();
    const auto bounds = [&](const DataSize &data) { return used.contains(data.name); };
    if (std::none_of(scop.dataSizes.begin(), scop.dataSizes.end(), bounds)) marked.push_back(r);
  }
  return marked;
}

TileBlock storeMarks(const KernelFrame &frame, const TileArray &fallback) {
  RowBox box = rowBox(frame);
  const std::vector<std::size_t> rows = markedRows(frame.plan, frame.scop);
  const Expr mark = markOf(frame, box.local);
  TileAssign store{{fallback.name, chosenRows(box.global, rows)}, Update::Set, mark, box.where};
  if (rows.size() < box.global.size()) { // whoever stores to a shared mark stores the same
    const Expr isSet = Expr::make(Op::Ne, {mark, Expr::integer(0, Type::Int32)});
    store.update = Update::Max;
    store.where = store.where ? Expr::make(Op::And, {store.where, isSet}) : isSet;
    for (PointDim &d : box.points.dims) d.kind = PointDim::Kind::Reduced;
  }
  box.points.body.push_back(store);
  return {nodeOf(box.points)};
}

Kernel clearedMarks(const KernelFrame &frame, const TileArray &fallback, const std::string &name) {
  Kernel kernel;
  kernel.name = name;
  const std::vector<std::size_t> rows = markedRows(frame.plan, frame.scop);
  std::vector<Expr> at;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    at.push_back(Expr::symbol(frame.rows[rows[k]].grid, Type::Int64));
    kernel.grid.push_back({at.back()->name, Expr::integer(0), fallback.extents[k], PointDim::Kind::Parallel});
  }
  kernel.body.push_back(TileAssign{{fallback.name, at}, Update::Set, Expr::integer(0, Type::Int32), {}});
  return kernel;
}

TileBlock clearMarks(const KernelFrame &frame, const std::vector<PointDim> &grid, const TileArray &fallback) {
  RowBox box = rowBox(frame);
  Expr first;
  for (const PointDim &d : grid) {
    const Expr here = Expr::make(Op::Eq, {Expr::symbol(d.variable, Type::Int64), d.first});
    first = first ? Expr::make(Op::And, {first, here}) : here;
  }
  box.points.body.push_back({{fallback.name, box.local}, Update::Set, Expr::integer(0, Type::Int32), first});
  return {nodeOf(box.points)};
}

void onlyWhereMarked(Kernel &kernel, const KernelPlan &plan, const TileArray &fallback,
                     const std::vector<std::size_t> &marked, const TileBlock &otherwise, std::set<std::string> names) {
  const auto unique = [&](std::string wanted) {
    while (!names.insert(wanted).second) wanted += "_";
    return wanted;
  };
  for (const TileArray &tile : kernel.tiles) names.insert(tile.name);
  for (const PointDim &d : kernel.grid) names.insert(d.variable);
  TileArray any;
  any.name = unique("fallback");
  any.type = Type::Int32;
  any.written = true;
  TilePoints points;
  std::vector<Expr> at;
  if (marked.empty()) at.push_back(Expr::integer(0));
  for (const std::size_t r : marked) {
    const Expr grid = Expr::symbol(kernel.grid[r].variable, Type::Int64);
    if (plan.tiles[r] == 1) {
      at.push_back(grid);
      continue;
    }
    const Expr base = Expr::integer(plan.tiles[r]) * grid;
    const std::string row = unique(plainName(plan.rows[r]) + "_row");
    const Expr limit =
        simplify(Expr::make(Op::Min, Type::Int64, {Expr::integer(plan.tiles[r]), fallback.extents[at.size()] - base}));
    points.dims.push_back({row, Expr::integer(0), limit, PointDim::Kind::Reduced});
    at.push_back(base + Expr::symbol(row, Type::Int64));
  }
  points.body.push_back({{any.name, {}}, Update::Max, Expr::read(fallback.name, at, Type::Int32), {}});
  TileBlock body{TileAssign{{any.name, {}}, Update::Set, Expr::integer(0, Type::Int32), {}}};
  if (points.dims.empty())
    body.push_back(points.body[0]);
  else
    body.push_back(nodeOf(points));
  const Expr isMarked = Expr::make(Op::Ne, {Expr::read(any.name, {}, Type::Int32), Expr::integer(0, Type::Int32)});
  body.push_back(nodeOf(TileBranch{isMarked, kernel.body, otherwise}));
  kernel.body = body;
  kernel.tiles.push_back(any);
  if (otherwise.empty()) kernel.fallback = fallback.name;
}

} // namespace polymend
