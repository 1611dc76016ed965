// A box reaches beyond the domain that it covers. What regions read from memory there is taken as zero: no such value
// reaches a result, as its row is not stored, its column is masked or the other factor of its product is zero.
#include "reads_within.h"

#include "tile/matrix.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend {
namespace {

/// A sum of products of constants, variables and elements that are all at least zero.
bool isNatural(const Expr &e, const std::set<std::string> &natural) {
  if (e.op() == Op::Integer) return e->integer >= 0;
  if (e.op() == Op::Symbol || e.op() == Op::Read) return natural.count(e->name) > 0;
  if (e.op() == Op::Cast) return e.type() == Type::Int64 && isNatural(e.arg(0), natural);
  if (e.op() == Op::Add || e.op() == Op::Mul) return isNatural(e.arg(0), natural) && isNatural(e.arg(1), natural);
  if (e.op() == Op::FloorDiv || e.op() == Op::FloorMod)
    return e.arg(1).op() == Op::Integer && e.arg(1)->integer > 0 && isNatural(e.arg(0), natural);
  return false;
}

/// Is the subscript the dimension itself, all of which the extent holds?
bool staysWithin(const Expr &subscript, const PointDim &d, const Expr &extent) {
  const bool itself = subscript.op() == Op::Symbol && subscript->name == d.variable;
  return itself && d.limit.op() == Op::Integer && extent.op() == Op::Integer && d.limit->integer <= extent->integer;
}

class ReadGuard {
public:
  ReadGuard(RectangularKernel &rectangular, const std::vector<TileArray> &all);
  std::optional<Refusal> run();

private:
  TileBlock block(const TileBlock &nodes, bool everyColumn);
  Expr guarded(const Expr &read, const std::vector<PointDim> &moving);

  RectangularKernel &kernel;
  const std::vector<TileArray> &arrays;
  std::set<std::string> rows, natural; // variables: of the rows of tiles; at least zero, as elements of arrays
  std::optional<Refusal> refusal;
};

bool isCopy(const TilePoints &points) {
  return points.body.size() == 1 && points.body[0].update == Update::Set && !points.body[0].where &&
         points.body[0].value.op() == Op::Read;
}

ReadGuard::ReadGuard(RectangularKernel &rectangular, const std::vector<TileArray> &all)
    : kernel(rectangular), arrays(all), natural(rectangular.natural) {
  const auto isZero = [](const Expr &e) { return e && e.op() == Op::Integer && e->integer >= 0; };
  for (const PointDim &d : kernel.grid)
    if (isZero(d.first)) natural.insert(d.variable);
  if (kernel.loop && isZero(kernel.loop->first)) natural.insert(kernel.loop->variable);
  std::vector<const TileBlock *> blocks{&kernel.before, &kernel.after};
  if (kernel.loop) blocks.insert(blocks.end(), {&kernel.loop->full, &kernel.loop->masked});
  for (const TileBlock *nodes : blocks)
    for (const TileNode &node : *nodes) {
      const TilePoints *points = as<TilePoints>(node);
      if (!points) continue;
      for (const PointDim &d : points->dims)
        if (isZero(d.first)) natural.insert(d.variable);
      if (isCopy(*points)) continue;
      for (const TileAssign &a : points->body) {
        const bool tile = std::any_of(kernel.tiles.begin(), kernel.tiles.end(),
                                      [&](const TileArray &t) { return t.name == a.target.array; });
        if (tile && !a.target.subscripts.empty() && a.target.subscripts[0].op() == Op::Symbol)
          rows.insert(a.target.subscripts[0]->name);
      }
    }
}

/// The read, or zero where a subscript that moves along one of these dimensions is outside its array.
Expr ReadGuard::guarded(const Expr &read, const std::vector<PointDim> &moving) {
  if (read.op() != Op::Read) return read;
  const Result<Expr> inside = readWithin(read, moving, arrays, natural);
  if (!inside) refusal = inside.refusal();
  if (!inside || !*inside) return read;
  const Expr zero = isFloating(read.type()) ? Expr::real(0, read.type()) : Expr::integer(0, read.type());
  return Expr::make(Op::Select, read.type(), {*inside, read, zero});
}

/// `everyColumn`: columns of the box that are outside the domain are guarded also.
TileBlock ReadGuard::block(const TileBlock &nodes, bool everyColumn) {
  TileBlock result;
  for (const TileNode &node : nodes) {
    const TilePoints *points = as<TilePoints>(node);
    if (!points || isCopy(*points)) {
      result.push_back(node);
      continue;
    }
    std::vector<PointDim> moving;
    for (const PointDim &d : points->dims)
      if (everyColumn || rows.count(d.variable)) moving.push_back(d);
    TilePoints changed = *points;
    for (TileAssign &assign : changed.body) {
      const auto guard = [&](const Expr &e) { return guarded(e, moving); };
      assign.value = rewrite(assign.value, guard);
      if (assign.where) assign.where = rewrite(assign.where, guard);
    }
    result.push_back(nodeOf(changed));
  }
  return result;
}

std::optional<Refusal> ReadGuard::run() {
  kernel.before = block(kernel.before, true);
  if (kernel.loop) kernel.loop->full = block(kernel.loop->full, false);
  if (kernel.loop) kernel.loop->masked = block(kernel.loop->masked, true);
  kernel.after = block(kernel.after, true);
  return refusal;
}

} // namespace

Result<Expr> readWithin(const Expr &read, const std::vector<PointDim> &moving, const std::vector<TileArray> &arrays,
                        const std::set<std::string> &natural) {
  const auto array = std::ranges::find_if(arrays, [&](const TileArray &a) { return a.name == read->name; });
  Expr inside;
  if (array == arrays.end()) return inside;
  const auto require = [&](const Expr &test) { inside = inside ? Expr::make(Op::And, {inside, test}) : test; };
  for (std::size_t d = 0; d < read->args.size(); ++d) {
    const Expr &at = read->args[d];
    const std::set<std::string> used = symbols(at);
    const auto outside = [&](const PointDim &dim) {
      return used.contains(dim.variable) && !(array->extents[d] && staysWithin(at, dim, usedExtent(*array, d)));
    };
    if (std::ranges::none_of(moving, outside)) continue;
    if (!array->extents[d]) return Refusal{"an extent of '" + array->name + "' is unknown", placeOf(read)};
    if (!isNatural(at, natural)) require(Expr::make(Op::Le, {Expr::integer(0), at}));
    require(Expr::make(Op::Lt, {at, usedExtent(*array, d)}));
  }
  return inside;
}

Result<RectangularKernel> guardReads(RectangularKernel kernel, const PassContext &context) {
  if (auto refusal = ReadGuard(kernel, context.arrays).run()) return *refusal;
  return kernel;
}

} // namespace polymend
