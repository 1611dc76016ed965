// A grid whose bounds do not use one another is one loop. Of any other, points of much work are first listed, so that
// they are still shared out in turns; where they are of little work the loops that use others' variables run within a
// thread. Turns are at most some thousand, as each costs about half a microsecond. Memory that threads need is
// allocated before they start, where a failed allocation may still throw.
// All ways of sharing out points stand in one file, to be compared.
#include "device/kernel.h"

#include "device/first_values.h"
#include "device/flags.h"
#include "device/invariant_values.h"
#include "device/joined_loops.h"
#include "device/loop_ends.h"
#include "device/named_bounds.h"
#include "device/named_quotients.h"
#include "device/one_condition.h"
#include "device/plain_names.h"
#include "device/region.h"
#include "device/stride.h"
#include "device/windows.h"
#include "tile/touched.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

constexpr std::int64_t stackLimit = 262144, worthMoving = 8192;

std::int64_t stackBytes(const TileArray &a) {
  std::int64_t bytes = bytesOf(a.type);
  for (const Expr &extent : a.extents)
    if (__builtin_mul_overflow(bytes, std::max<std::int64_t>(extent->integer, 1), &bytes)) return INT64_MAX;
  return bytes;
}

bool usesGrid(const TileArray &a, const Kernel &k) {
  return std::any_of(a.extents.begin(), a.extents.end(), [&](const Expr &extent) { return usesAny(extent, k.grid); });
}

/// The tiles that live on the heap: rows, and large tiles where all of them would not fit a stack.
std::set<std::string> heapTiles(const Kernel &k) {
  std::set<std::string> heap;
  std::int64_t total = 0;
  for (const TileArray &a : k.tiles)
    if (a.space == Space::Row)
      heap.insert(a.name);
    else if (__builtin_add_overflow(total, stackBytes(a), &total))
      total = INT64_MAX;
  if (total <= stackLimit) return heap;
  for (const TileArray &a : k.tiles)
    if (a.space == Space::Thread && stackBytes(a) >= worthMoving) heap.insert(a.name);
  return heap;
}

/// Is it the least, or the largest, of a number and something else?
bool isConstantChoice(const Expr &e, Op choice) {
  return e.op() == choice && (e.arg(0).op() == Op::Integer || e.arg(1).op() == Op::Integer);
}

/// Does the loop take a constant few turns, as along a line of a window?
bool isLine(const TileLoop &loop) {
  const Expr range = simplify(loop.limit - loop.first);
  return range.op() == Op::Integer && range->integer <= mostTurnsOfLine * loop.step;
}

/// Is the node an assignment, or one loop of them that is as long at every point of the grid? Lines of windows around
/// it do not count.
bool isLight(const TileNode &node, const Kernel &k) {
  if (as<TileAssign>(node) || as<TileNote>(node)) return true;
  if (const auto *points = as<TilePoints>(node)) {
    const auto isAlike = [&](const PointDim &d) {
      const Expr first = simplify(d.first), limit = simplify(d.limit), extent = simplify(d.limit - d.first);
      const bool begins = first.op() == Op::Integer || isConstantChoice(first, Op::Max);
      const bool isTile = isConstantChoice(extent, Op::Min) || (begins && isConstantChoice(limit, Op::Min));
      return isTile || !usesAny(extent, k.grid);
    };
    return points->dims.size() <= 1 && std::all_of(points->dims.begin(), points->dims.end(), isAlike);
  }
  const auto *loop = as<TileLoop>(node);
  if (loop && isLine(*loop))
    return std::all_of(loop->body.begin(), loop->body.end(), [&](const TileNode &inner) { return isLight(inner, k); });
  return loop && !usesAny(loop->first, k.grid) && !usesAny(loop->limit, k.grid) &&
         std::all_of(loop->body.begin(), loop->body.end(),
                     [](const TileNode &inner) { return as<TileAssign>(inner) || as<TileNote>(inner); });
}

/// How deep loops over elements are nested; a loop over chunks and the loop in each are one.
std::size_t depthOf(const TileBlock &block);

struct Depth {
  std::size_t operator()(const TileNote &) const { return 0; }
  std::size_t operator()(const TileSync &) const { return 0; }
  std::size_t operator()(const TileAssign &) const { return 0; }
  std::size_t operator()(const std::shared_ptr<const TileAsync> &a) const { return a->points.dims.size(); }
  std::size_t operator()(const std::shared_ptr<const TilePoints> &p) const { return p->dims.size(); }
  std::size_t operator()(const std::shared_ptr<const TileBranch> &b) const {
    return std::max(depthOf(b->then), depthOf(b->otherwise));
  }
  std::size_t operator()(const std::shared_ptr<const TileLoop> &l) const {
    const std::size_t inside = depthOf(l->body);
    return l->step == 1 ? inside + 1 : std::max<std::size_t>(inside, 1);
  }
};

std::size_t depthOf(const TileBlock &block) {
  std::size_t depth = 0;
  for (const TileNode &node : block) depth = std::max(depth, std::visit(Depth{}, node));
  return depth;
}

/// Is a point of the grid one element, of more than some hundred? Tiles, and few elements, are worth a turn each.
bool isFine(const Kernel &k) {
  constexpr std::int64_t few = 256;
  std::int64_t points = 1;
  for (const PointDim &d : k.grid) {
    bool isTile = false;
    visit(d.limit, [&](const Expr &e) { isTile = isTile || e.op() == Op::FloorDiv; });
    if (isTile) return false;
    const Expr extent = simplify(d.limit - d.first);
    points = std::min(points, few + 1) *
             (extent.op() == Op::Integer ? std::clamp<std::int64_t>(extent->integer, 0, few + 1) : few + 1);
  }
  return points > few;
}

/// Does it call what takes longer at some points than at others?
bool callsOwn(const Kernel &k) {
  bool calls = false;
  allNodes(k.body, [&](const TileNode &node) {
    eachExpr(node, [&](const Expr &e) {
      if (e) visit(e, [&](const Expr &part) { calls = calls || isOwnCall(part); });
    });
    return !calls;
  });
  return calls;
}

using Order = DeviceSharing::Order;
using Form = DeviceSharing::Form;

/// How threads share the grid: points of little work are too many to be handed out one by one.
Order orderOf(const Kernel &k) {
  if (callsOwn(k)) return Order::Guided;
  const auto light = [&](const TileNode &node) { return isLight(node, k); };
  if (std::all_of(k.body.begin(), k.body.end(), light)) return Order::Static;
  return depthOf(k.body) > 1 && !isFine(k) ? Order::Dynamic : Order::Guided;
}

/// How many points the first `count` loops of the grid have.
Expr pointsOf(const Kernel &k, std::size_t count) {
  Expr points = Expr::integer(1);
  for (std::size_t i = 0; i < count; ++i) {
    const Expr extent = simplify(k.grid[i].limit - k.grid[i].first);
    points = points * Expr::make(Op::Max, Type::Int64, {extent, Expr::integer(0)});
  }
  return simplify(points);
}

bool isRectangular(const Kernel &k) {
  for (const PointDim &d : k.grid)
    for (const PointDim &other : k.grid)
      if (dependsOn(d.first, other.variable) || dependsOn(d.limit, other.variable)) return false;
  return true;
}

/// How many points are handed out at once beyond one, so that there are at most mostTurns turns; absent: none.
Expr turnOf(const Kernel &k, std::size_t count) {
  const Expr points = pointsOf(k, count);
  if (points.op() == Op::Integer) return {};
  return Expr::make(Op::FloorDiv, Type::Int64, {points, Expr::integer(mostTurns)});
}

DeviceSharing sharingOf(const Kernel &k) {
  if (k.grid.empty()) return {};
  if (isRectangular(k)) {
    const Order order = orderOf(k);
    return {order, Form::Collapsed, order == Order::Dynamic ? turnOf(k, k.grid.size()) : Expr()};
  }
  if (depthOf(k.body) <= 1) return {Order::Dynamic, Form::Outermost, turnOf(k, 1)};
  return {Order::Dynamic, Form::Listed, {}};
}

/// Is it collapsed, of single elements, the last loop's long?
bool isInRows(const Kernel &k, const DeviceSharing &sharing) {
  constexpr std::int64_t few = 64;
  if (k.grid.size() < 2 || sharing.form != Form::Collapsed || sharing.order == Order::Dynamic || !isFine(k))
    return false;
  const Expr extent = simplify(k.grid.back().limit - k.grid.back().first);
  const bool isLong = extent.op() != Op::Integer || extent->integer > few;
  return isLong && std::none_of(k.tiles.begin(), k.tiles.end(), [&](const TileArray &a) {
           return std::any_of(a.extents.begin(), a.extents.end(),
                              [&](const Expr &e) { return dependsOn(e, k.grid.back().variable); });
         });
}

/// The kernel with the last loop of its grid in blocks, within which a thread runs along it. A collapsed loop finds all
/// its variables anew at each point, by divisions.
Kernel inBlocks(const Kernel &k, Scope &scope) {
  constexpr std::int64_t length = 64;
  Kernel result = k;
  PointDim &row = result.grid.back();
  const std::string block = scope.fresh(row.variable + "_block");
  const Expr first = simplify(row.first + Expr::integer(length) * Expr::symbol(block, Type::Int64));
  const Expr limit = Expr::make(Op::Min, Type::Int64, {row.limit, simplify(first + Expr::integer(length))});
  const Expr last = simplify(row.limit - row.first - Expr::integer(1));
  const Expr blocks = Expr::make(Op::FloorDiv, Type::Int64, {last, Expr::integer(length)}) + Expr::integer(1);
  result.body = {std::make_shared<const TileLoop>(
      TileLoop{row.variable, first, limit, 1, TileLoop::Kind::Serial, std::move(result.body)})};
  row.variable = block;
  row.first = Expr::integer(0);
  row.limit = blocks;
  return result;
}

std::set<std::string> arraysOf(const Kernel &k) {
  std::set<std::string> used;
  allNodes(k.body, [&](const TileNode &node) {
    eachExpr(node, [&](const Expr &e) { noteReads(e, used); });
    return true;
  });
  eachAssign(k.body, [&](const TileAssign &a) { used.insert(a.target.array); });
  return used;
}

/// Numbers by name that a block speaks of.
std::set<std::string> numbersIn(const TileBlock &body) {
  std::set<std::string> numbers;
  allNodes(body, [&](const TileNode &node) {
    eachExpr(node, [&](const Expr &e) { numbers.merge(symbols(e)); });
    return true;
  });
  return numbers;
}

/// Those that the body, its tiles and the grid's bounds speak of.
std::set<std::string> numbersOf(const Kernel &k) {
  std::set<std::string> numbers = numbersIn(k.body);
  const auto note = [&](const Expr &e) { numbers.merge(symbols(e)); };
  for (const TileArray &a : k.tiles) std::for_each(a.extents.begin(), a.extents.end(), note);
  for (const PointDim &d : k.grid) {
    note(d.first);
    note(d.limit);
  }
  return numbers;
}

/// The kernel without loops of its grid that run once and that nothing speaks of: they would start threads for one.
Kernel withoutSingleTurns(Kernel k) {
  const std::set<std::string> used = numbersOf(k);
  std::erase_if(k.grid, [&](const PointDim &d) {
    const Expr extent = simplify(d.limit - d.first);
    return extent.op() == Op::Integer && extent->integer == 1 && !used.contains(d.variable);
  });
  return k;
}

bool isCharacter(Type type) { return type == Type::Char || type == Type::Int8 || type == Type::UInt8; }

/// What threads copy of the program's arguments and sizes: all pointers and numbers that the kernel uses, if it stores
/// characters, which no type tells from what threads share.
std::vector<std::string> copiedOf(const Kernel &k, const TileProgram &program, const std::set<std::string> &used) {
  bool stores = false;
  eachAssign(k.body, [&](const TileAssign &a) {
    for (const TileArray &array : program.arrays)
      stores = stores || (array.name == a.target.array && isCharacter(array.type));
  });
  if (!stores) return {};
  std::set<std::string> numbers = numbersIn(k.body);
  std::vector<std::string> copied;
  for (const TileArray &array : program.arrays) {
    if (!used.contains(array.name)) continue;
    if (array.space == Space::Argument && array.flat) copied.push_back(array.name);
    for (const Expr &extent : array.extents) numbers.merge(symbols(extent));
  }
  for (const std::string &size : program.sizes)
    if (numbers.contains(size)) copied.push_back(size);
  for (const auto &[scalar, type] : program.scalars)
    if (numbers.contains(scalar)) copied.push_back(scalar);
  return copied;
}

/// What the whole program sees by name.
std::set<std::string> namesOf(const TileProgram &program) {
  std::set<std::string> names(program.sizes.begin(), program.sizes.end());
  for (const auto &[scalar, type] : program.scalars) names.insert(scalar);
  for (const TileArray &array : program.arrays) names.insert(array.name);
  return names;
}

} // namespace

DeviceKernel mapKernel(const Kernel &kernel, const TileProgram &program, Scope &scope) {
  scope.enter(kernel);
  Kernel needed = withoutSingleTurns(kernel);
  const std::set<std::string> used = arraysOf(kernel);
  std::erase_if(needed.tiles, [&](const TileArray &a) { return !used.contains(a.name); });
  const std::set<std::string> heap = heapTiles(needed);
  const DeviceSharing sharing = sharingOf(needed);
  if (isInRows(needed, sharing)) needed = inBlocks(needed, scope);
  DeviceKernel result{kernel.name, needed.grid, sharing, {}, mapBlock(needed.body, scope)};
  result.sharing.copied = copiedOf(kernel, program, used);
  using Place = DeviceTile::Place;
  for (const TileArray &a : needed.tiles) {
    const Place owned = usesGrid(a, needed) ? Place::Point : Place::Heap;
    result.tiles.push_back({a, heap.contains(a.name) ? owned : Place::Stack});
  }
  result = withWindowsInRegisters(withJoinedLoops(withOneCondition(withFlags(withLoopEnds(std::move(result))))));
  result = withNamedQuotients(withInvariantValues(std::move(result), scope), program.sizes, scope);
  result = withNamedBounds(std::move(result), program.sizes, scope);
  return withPlainNames(withFirstValues(std::move(result)), namesOf(program));
}

} // namespace polymend::device_room
