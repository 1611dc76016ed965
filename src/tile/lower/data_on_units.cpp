// { [g, i] : 0 <= i < index[g + 1] - index[g] } -> A[index[g] + i]: index[g] and the length have names at a grid point.
// How many elements A has nobody knows, but those of later ranges follow those of this one where index rises and the
// source reads them all: a tile's rows beyond its range are then copied like its own, and nothing comes of them.
#include "data_on_units.h"

#include "data_ranges.h"

#include "polymend/segments.h"
#include "tile/fallback_rows.h"
#include "tile/visit.h"

#include <isl/set.h>

#include <algorithm>

namespace polymend {
namespace {

/// The kernel with all its expressions but those of its grid and its names through `f`.
template <class F> void eachExprOf(RectangularKernel &kernel, const F &f) {
  if (kernel.loop) {
    ChunkLoop &loop = *kernel.loop;
    for (Expr *e : {&loop.first, &loop.limit, &loop.fullFirst, &loop.fullLimit})
      if (*e) *e = f(*e);
    loop.full = rewriteExprs(loop.full, f);
    loop.masked = rewriteExprs(loop.masked, f);
  }
  kernel.before = rewriteExprs(kernel.before, f);
  kernel.after = rewriteExprs(kernel.after, f);
}

/// All symbols of a rectangular kernel.
std::set<std::string> symbolsIn(RectangularKernel rectangular) {
  std::set<std::string> used;
  const auto note = [&](const Expr &e) {
    if (e) used.merge(symbols(e));
    return e;
  };
  for (const auto &[name, value] : rectangular.lets) note(value);
  for (const PointDim &dim : rectangular.grid)
    for (const Expr &e : {dim.first, dim.limit}) note(e);
  eachExprOf(rectangular, note);
  return used;
}

/// Is the value one that is read in 64 bits, or more than such a value, which nothing else bounds from above?
bool isLong(const Expr &value, const std::vector<std::pair<std::string, Expr>> &data) {
  if (value.op() == Op::Min) return isLong(value.arg(0), data) && isLong(value.arg(1), data);
  const std::set<std::string> used = symbols(value);
  return std::any_of(data.begin(), data.end(), [&](const auto &let) {
    bool wide = false;
    visit(let.second, [&](const Expr &e) { wide = wide || (e.op() == Op::Read && e.type() == Type::Int64); });
    return wide && used.contains(let.first);
  });
}

using Lets = std::vector<std::pair<std::string, Expr>>;

/// Makes bounds of the grid out of what data sizes read; the dimension that they bound, if any.
Result<std::optional<std::size_t>> readInGrid(const KernelFrame &frame, const Lets &data, std::vector<PointDim> &grid) {
  std::optional<std::size_t> ragged;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    PointDim &dim = grid[d];
    const Expr limit = withoutLets(dim.limit, data);
    if (reads(withoutLets(dim.first, data)) || (reads(limit) && ragged))
      return Refusal{"ranges that are read from arrays would be the kernel's grid", frame.scop.dataSizes.front().where};
    if (!reads(limit)) continue;
    if (!equal(dim.first, Expr::integer(0)))
      return Refusal{"a range that is read from arrays would begin late in the kernel's grid",
                     frame.scop.dataSizes.front().where};
    dim.limit = limit;
    ragged = d;
  }
  return ragged;
}

/// Gives what subscripts read of index arrays at a grid point a name each.
class IndexNames {
public:
  IndexNames(KernelFrame &k, RectangularKernel &r) : frame(k), kernel(r) {
    for (const RowAxis &row : frame.rows)
      if (row.own == 1) rows.insert(row.grid);
  }
  void run() {
    eachExprOf(kernel, [&](const Expr &e) { return e ? rewrite(e, [&](const Expr &n) { return atNames(n); }) : e; });
    const auto targets = [&](const TileAssign &assign) {
      TileAssign moved = assign;
      for (Expr &subscript : moved.target.subscripts) subscript = named(subscript);
      return moved;
    };
    kernel.before = rewrite(kernel.before, targets);
    if (kernel.loop) kernel.loop->full = rewrite(kernel.loop->full, targets);
    if (kernel.loop) kernel.loop->masked = rewrite(kernel.loop->masked, targets);
    kernel.after = rewrite(kernel.after, targets);
  }
  /// The name of an element; absent: no subscript reads it.
  [[nodiscard]] Expr nameOf(const Expr &element) const {
    const auto at = std::find_if(lets.begin(), lets.end(), [&](const auto &let) { return equal(let.second, element); });
    return at == lets.end() ? Expr() : Expr::symbol(at->first, Type::Int64);
  }
  Expr nameFor(const Expr &element, const std::string &wanted) {
    if (const Expr known = nameOf(element)) return known;
    lets.emplace_back(frame.unique(wanted), element);
    return Expr::symbol(lets.back().first, Type::Int64);
  }
  Lets lets;

private:
  Expr atNames(const Expr &read) {
    if (read.op() != Op::Read) return read;
    ExprNode moved = *read;
    for (Expr &subscript : moved.args) subscript = named(subscript);
    return Expr{moved};
  }
  Expr named(const Expr &subscript) {
    return simplify(rewrite(subscript, [&](const Expr &e) {
      const bool isIndex = e.op() == Op::Read && !isFloating(e.type()) && isUnwritten(e->name);
      const std::set<std::string> used = symbols(e);
      const bool isHere = std::all_of(used.begin(), used.end(), [&](const std::string &name) {
        return rows.contains(name) || std::count(frame.scop.parameters.begin(), frame.scop.parameters.end(), name) > 0;
      });
      return isIndex && isHere ? nameFor(e, e->name + "_here") : e;
    }));
  }
  [[nodiscard]] bool isUnwritten(const std::string &array) const {
    return std::any_of(frame.arrays->begin(), frame.arrays->end(),
                       [&](const TileArray &a) { return a.name == array && a.space == Space::Argument && !a.written; });
  }

  KernelFrame &frame;
  RectangularKernel &kernel;
  std::set<std::string> rows; // grid variables that are rows
};

/// Does each row of the kernel, where sizes let any, have an iteration of the equation, whatever data say?
bool isOnEachRow(const Equation &e, const Member &member, const KernelPlan &plan, const Scop &scop) {
  if (member.rows.size() != plan.rows.size()) return false;
  isl_set *rows = e.domain.copy();
  std::vector<int> order = member.rows;
  if (!std::is_sorted(order.begin(), order.end())) return isl_set_free(rows), false;
  for (int d = static_cast<int>(isl_set_dim(rows, isl_dim_set)); d-- > 0;)
    if (std::find(order.begin(), order.end(), d) == order.end())
      rows = isl_set_project_out(rows, isl_dim_set, static_cast<unsigned>(d), 1);
  const isl::set own = isl::manage(isl_set_reset_tuple_id(rows));
  isl::set all = isl::manage(isl_set_reset_tuple_id(plan.domain.copy()));
  return own.is_equal(all.intersect_params(withoutDataSizes(own.params(), scop)));
}

/// Do all equations of the plan, which copies serve, run on each of its rows, and do these form a box?
bool takesAllRows(const KernelFrame &frame) {
  if (!fillsGrid(frame.plan.domain)) return false;
  for (const Phase &phase : frame.plan.phases)
    for (const Member &member : phase.members)
      if (!isOnEachRow(frame.equation(member.equation), member, frame.plan, frame.scop)) return false;
  return true;
}

/// Up to where elements from `begin` = index[row] on are read, by this row of the grid or a later one.
Expr endOfRanges(const Lowering &lowering, const std::vector<PointDim> &grid, const Expr &begin) {
  const Expr &row = begin.arg(0);
  const auto dim = std::find_if(grid.begin(), grid.end(),
                                [&](const PointDim &d) { return row.op() == Op::Symbol && d.variable == row->name; });
  if (dim == grid.end()) return {};
  const auto tested = risingOf(lowering.function);
  const bool rises = isDeclared(lowering.function, IndexFact::Kind::Monotone, begin->name) ||
                     (tested && std::any_of(tested->begin(), tested->end(), [&](const Rising &one) {
                        return one.index == begin->name && equal(simplify(one.limit), simplify(dim->limit));
                      }));
  return rises ? Expr::read(begin->name, {dim->limit}, begin.type()) : Expr();
}

/// Names of all that is read beside data sizes, and how far rows in runs go.
void nameRuns(const Lowering &lowering, KernelFrame &frame, const Lets &data, std::size_t ragged,
              RectangularKernel &rectangular) {
  IndexNames names(frame, rectangular);
  for (TileBlock *block : {&rectangular.before, &rectangular.after})
    *block = inSource(*block, lowering.function, frame.scop);
  if (rectangular.loop)
    for (TileBlock *block : {&rectangular.loop->full, &rectangular.loop->masked})
      *block = inSource(*block, lowering.function, frame.scop);
  names.run();
  const RowAxis &rows = frame.rows[ragged];
  const Expr extent = rowExtents(frame.plan)[ragged];
  for (const auto &[name, value] : data) {
    const bool isCount = extent.op() == Op::Symbol && extent->name == name && value.op() == Op::Sub;
    const Expr element = isCount ? indexElement(value.arg(1)) : Expr();
    const Expr begin = element ? names.nameOf(element) : Expr();
    if (!begin) continue;
    const Expr end = endOfRanges(lowering, rectangular.grid, element);
    rectangular.runs.push_back(
        {begin->name, name, rows.axis.base,
         end ? names.nameFor(end, element->name + "_end") : begin + Expr::symbol(name, Type::Int64), rows.own});
  }
  rectangular.lets.insert(rectangular.lets.begin(), names.lets.begin(), names.lets.end());
}

} // namespace

bool fillsGrid(const isl::set &rows) {
  const auto dims = static_cast<unsigned>(isl_set_dim(rows.get(), isl_dim_set));
  const isl::set own = isl::manage(isl_set_reset_tuple_id(rows.copy()));
  isl::set box = isl::manage(isl_set_universe(isl_set_get_space(own.get())));
  for (unsigned d = 0; d < dims; ++d) {
    isl_set *line = isl_set_project_out(rows.copy(), isl_dim_set, d + 1, dims - d - 1);
    line = isl_set_project_out(line, isl_dim_set, 0, d);
    line = isl_set_add_dims(isl_set_insert_dims(line, isl_dim_set, 0, d), isl_dim_set, dims - d - 1);
    box = box.intersect(isl::manage(isl_set_reset_tuple_id(line)));
  }
  const isl::basic_set hull = isl::manage(isl_set_simple_hull(isl_set_remove_divs(own.copy())));
  return box.is_equal(own) && isl::set(hull).is_equal(own);
}

std::optional<Refusal> readData(const Lowering &lowering, KernelFrame &frame, RectangularKernel &rectangular) {
  const auto data = dataLets(frame, symbolsIn(rectangular));
  if (!data) return data.refusal();
  if (data->empty()) return std::nullopt;
  const SourceRange where = frame.scop.dataSizes.front().where;
  const auto ragged = readInGrid(frame, *data, rectangular.grid);
  if (!ragged) return ragged.refusal();
  if (rectangular.loop && isLong(withoutLets(rectangular.loop->limit, rectangular.lets), *data))
    return Refusal{"nothing but what is read in 64 bits bounds a loop, and copies count rows in 32", where};
  if (*ragged) {
    if (!takesAllRows(frame)) return Refusal{"some rows of a range that is read from arrays are left out", where};
    nameRuns(lowering, frame, *data, **ragged, rectangular);
    if (rectangular.runs.empty())
      return Refusal{"a range that is read from arrays would be the kernel's grid, and its elements follow no others",
                     where};
  }
  rectangular.lets.insert(rectangular.lets.begin(), data->begin(), data->end());
  rectangular.names = frame.names;
  return std::nullopt;
}

} // namespace polymend
