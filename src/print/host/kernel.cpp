// A grid whose bounds do not use one another is a collapsed parallel loop. Of any other, points of much work are first
// listed, so that they are still shared out in turns; where they are of little work the loops that use others'
// variables run within a thread. Turns are at most some thousand, as each costs about half a microsecond. Memory that
// threads need is allocated before the parallel region, where a failed allocation may still throw.
// All ways of sharing out points stand in one file, to be compared.
#include "print/kernel.h"
#include "print/stride.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::print_room {

namespace {

constexpr std::int64_t stackLimit = 262144, worthMoving = 8192, mostTurns = 1024;

std::int64_t bytesOf(const TileArray &a) {
  std::int64_t bytes = bytesOf(a.type);
  for (const Expr &extent : a.extents)
    if (__builtin_mul_overflow(bytes, std::max<std::int64_t>(extent->integer, 1), &bytes)) return INT64_MAX;
  return bytes;
}

bool usesGrid(const TileArray &a, const Kernel &k) {
  for (const Expr &extent : a.extents)
    for (const PointDim &d : k.grid)
      if (dependsOn(extent, d.variable)) return true;
  return false;
}

/// The tiles that live on the heap: rows, and large tiles where all of them would not fit a stack.
std::set<std::string> heapTiles(const Kernel &k) {
  std::set<std::string> heap;
  std::int64_t total = 0;
  for (const TileArray &a : k.tiles)
    if (a.space == Space::Row)
      heap.insert(a.name);
    else if (__builtin_add_overflow(total, bytesOf(a), &total))
      total = INT64_MAX;
  if (total <= stackLimit) return heap;
  for (const TileArray &a : k.tiles)
    if (a.space == Space::Thread && bytesOf(a) >= worthMoving) heap.insert(a.name);
  return heap;
}

std::string brackets(const TileArray &a, Context &c) {
  std::string text;
  for (const Expr &extent : a.extents) text += "[" + printExpr(simplify(extent), c) + "]";
  return text;
}

bool usesGrid(const Expr &e, const Kernel &k) {
  return std::any_of(k.grid.begin(), k.grid.end(), [&](const PointDim &d) { return dependsOn(e, d.variable); });
}

/// Is the node an assignment, or one loop of them that is as long at every point of the grid?
bool isLight(const TileNode &node, const Kernel &k) {
  if (as<TileAssign>(node) || as<TileNote>(node)) return true;
  if (const auto *points = as<TilePoints>(node)) {
    const auto isAlike = [&](const PointDim &d) {
      const Expr extent = simplify(d.limit - d.first);
      const bool isTile =
          extent.op() == Op::Min && (extent.arg(0).op() == Op::Integer || extent.arg(1).op() == Op::Integer);
      return isTile || !usesGrid(extent, k);
    };
    return points->dims.size() <= 1 && std::all_of(points->dims.begin(), points->dims.end(), isAlike);
  }
  const auto *loop = as<TileLoop>(node);
  return loop && !usesGrid(loop->first, k) && !usesGrid(loop->limit, k) &&
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

enum class Sharing { Static, Guided, Dynamic };

/// How threads share the grid: points of little work are too many to be handed out one by one.
Sharing sharingOf(const Kernel &k) {
  const auto light = [&](const TileNode &node) { return isLight(node, k); };
  if (std::all_of(k.body.begin(), k.body.end(), light)) return Sharing::Static;
  return depthOf(k.body) > 1 && !isFine(k) ? Sharing::Dynamic : Sharing::Guided;
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

class KernelPrinter {
public:
  KernelPrinter(const Kernel &k, Writer &w, Context &c) : kernel(k), out(w), context(c), heap(heapTiles(k)) {}
  void print();

private:
  void declareBuffers();
  void declareTile(const TileArray &a);
  void rectangular(std::size_t dim);
  void listed();
  void declareCoordinate(const std::string &point, std::size_t dim);
  void listPoints(std::size_t dim, const std::string &list);
  void body();
  void nested(std::size_t dim);
  void sharePoints(const std::string &collapse, Sharing sharing, std::size_t count);
  void shareTurns(const std::string &collapse, const std::string &more);
  [[nodiscard]] bool isRectangular() const;
  [[nodiscard]] std::string type(const TileArray &a) const { return spellFor(a.type, context.table); }

  const Kernel &kernel;
  Writer &out;
  Context &context;
  std::set<std::string> heap;
  std::map<std::string, std::string> buffers;
};

bool KernelPrinter::isRectangular() const {
  for (const PointDim &d : kernel.grid)
    for (const PointDim &other : kernel.grid)
      if (dependsOn(d.first, other.variable) || dependsOn(d.limit, other.variable)) return false;
  return true;
}

void KernelPrinter::declareBuffers() {
  for (const TileArray &a : kernel.tiles) {
    if (!heap.contains(a.name) || usesGrid(a, kernel)) continue;
    const std::string name = context.names.fresh(context.names.of(a.name) + "Rows");
    out.line(bufferLine(a, name, context.primitive("threads") + "()", context));
    buffers[a.name] = name;
  }
}

void KernelPrinter::declareTile(const TileArray &a) {
  const std::string &name = context.names.of(a.name);
  const bool onHeap = heap.contains(a.name);
  context.places[a.name] = {&a, onHeap && a.space == Space::Row ? Shape::Linear : Shape::Native};
  if (!onHeap) {
    if (a.extents.empty())
      out.line(type(a) + " " + name + "{};");
    else
      out.line("alignas(64) " + type(a) + " " + name + brackets(a, context) + ";");
    return;
  }
  std::string row = buffers[a.name] + ".row(" + context.primitive("thread") + "())";
  if (!buffers.contains(a.name) || buffers[a.name].empty()) {
    const std::string own = context.names.fresh(name + "Row");
    out.line(bufferLine(a, own, "", context));
    row = own + ".row(0)";
  }
  if (a.space == Space::Row)
    out.line(type(a) + " *const " + name + " = " + row + ";");
  else
    out.line("auto &" + name + " = *reinterpret_cast<" + type(a) + " (*)" + brackets(a, context) + ">(" + row + ");");
}

void KernelPrinter::body() {
  for (const PointDim &d : kernel.grid) noteSign(d, context);
  for (const TileArray &a : kernel.tiles) declareTile(a);
  printBlock(kernel.body, out, context);
}

/// Turns of one point and `more` beside it.
void KernelPrinter::shareTurns(const std::string &collapse, const std::string &more) {
  const std::string share = context.names.fresh("share");
  out.line("[[maybe_unused]] const std::int64_t " + share + " = 1 + " + more + ";");
  out.pragma("omp parallel for" + collapse + " schedule(dynamic, " + share + ")");
}

/// Threads share the first `count` loops of the grid.
void KernelPrinter::sharePoints(const std::string &collapse, Sharing sharing, std::size_t count) {
  if (!context.table.openmp) return;
  if (sharing == Sharing::Static) return out.pragma("omp parallel for" + collapse + " schedule(static)");
  if (sharing == Sharing::Guided) return out.pragma("omp parallel for" + collapse + " schedule(guided)");
  const Expr points = pointsOf(kernel, count);
  if (points.op() == Op::Integer) return out.pragma("omp parallel for" + collapse + " schedule(dynamic)");
  const Expr share = Expr::make(Op::FloorDiv, Type::Int64, {points, Expr::integer(mostTurns)});
  shareTurns(collapse, printExpr(share, context));
}

void KernelPrinter::rectangular(std::size_t dim) {
  if (dim == kernel.grid.size()) return body();
  const PointDim &d = kernel.grid[dim];
  if (dim == 0) {
    const std::size_t count = kernel.grid.size();
    sharePoints(count > 1 ? " collapse(" + std::to_string(count) + ")" : "", sharingOf(kernel), count);
  }
  out.block(loopHead(d.variable, d.first, d.limit, 1, context), [&] { rectangular(dim + 1); });
}

void KernelPrinter::listPoints(std::size_t dim, const std::string &list) {
  if (dim < kernel.grid.size()) {
    const PointDim &d = kernel.grid[dim];
    const std::string head = loopHead(d.variable, d.first, d.limit, 1, context);
    noteSign(d, context);
    out.block(head, [&] { listPoints(dim + 1, list); });
    return;
  }
  std::string point;
  for (const PointDim &d : kernel.grid) point += (point.empty() ? "" : ", ") + context.names.of(d.variable);
  out.line(list + ".push_back({" + point + "});");
}

void KernelPrinter::declareCoordinate(const std::string &point, std::size_t dim) {
  const std::string &name = context.names.of(kernel.grid[dim].variable);
  out.line("[[maybe_unused]] const std::int64_t " + name + " = " + point + "[" + std::to_string(dim) + "];");
}

void KernelPrinter::listed() {
  context.needs.headers.insert({"array", "vector"});
  const std::string count = std::to_string(kernel.grid.size());
  const std::string list = context.names.fresh("points"), at = context.names.fresh("at");
  const std::string point = context.names.fresh("point");
  out.line("std::vector<std::array<std::int64_t, " + count + ">> " + list + ";");
  listPoints(0, list);
  const std::string end = "static_cast<std::int64_t>(" + list + ".size())";
  if (context.table.openmp) shareTurns("", end + " / " + std::to_string(mostTurns));
  out.block("for (std::int64_t " + at + " = 0; " + at + " < " + end + "; ++" + at + ")", [&] {
    out.line("const auto &" + point + " = " + list + "[static_cast<std::size_t>(" + at + ")];");
    for (std::size_t i = 0; i < kernel.grid.size(); ++i) declareCoordinate(point, i);
    body();
  });
}

/// The first loop is shared out, those within it run in order.
void KernelPrinter::nested(std::size_t dim) {
  if (dim == kernel.grid.size()) return body();
  const PointDim &d = kernel.grid[dim];
  if (dim == 0) sharePoints("", Sharing::Dynamic, 1);
  noteSign(d, context);
  out.block(loopHead(d.variable, d.first, d.limit, 1, context), [&] { nested(dim + 1); });
}

void KernelPrinter::print() {
  out.block("", [&] {
    declareBuffers();
    if (isRectangular())
      rectangular(0);
    else if (depthOf(kernel.body) <= 1)
      nested(0);
    else
      listed();
  });
}

void noteArrays(const TileBlock &nodes, std::set<std::string> &used);

void noteAssign(const TileAssign &a, std::set<std::string> &used) {
  used.insert(a.target.array);
  const auto look = [&](const Expr &e) {
    if (e.op() == Op::Read) used.insert(e->name);
  };
  visit(a.value, look);
  visit(a.where, look);
}

struct ArrayNotes {
  std::set<std::string> &used;
  void operator()(const TileNote &) const {}
  void operator()(const TileSync &) const {}
  void operator()(const TileAssign &a) const { noteAssign(a, used); }
  void operator()(const std::shared_ptr<const TileAsync> &a) const {
    for (const TileAssign &assign : a->points.body) noteAssign(assign, used);
  }
  void operator()(const std::shared_ptr<const TileLoop> &l) const { noteArrays(l->body, used); }
  void operator()(const std::shared_ptr<const TilePoints> &p) const {
    for (const TileAssign &a : p->body) noteAssign(a, used);
  }
  void operator()(const std::shared_ptr<const TileBranch> &b) const {
    visit(b->condition, [&](const Expr &e) {
      if (e.op() == Op::Read) used.insert(e->name);
    });
    noteArrays(b->then, used);
    noteArrays(b->otherwise, used);
  }
};

/// Adds the names of all arrays that the nodes read or assign.
void noteArrays(const TileBlock &nodes, std::set<std::string> &used) {
  for (const TileNode &node : nodes) std::visit(ArrayNotes{used}, node);
}

} // namespace

Expr elementsOf(const TileArray &array) {
  if (array.flat && array.extents.empty()) return {};
  Expr count = Expr::integer(1);
  if (!array.used.empty()) {
    Expr last = Expr::integer(0), some = Expr::integer(1, Type::Bool);
    for (std::size_t d = 0; d < array.used.size(); ++d) {
      last = last * array.extents[d] + (array.used[d] - Expr::integer(1));
      some = Expr::make(Op::And, {some, Expr::make(Op::Lt, {Expr::integer(0), array.used[d]})});
    }
    return Expr::make(Op::Select, Type::Int64, {some, last + Expr::integer(1), Expr::integer(0)});
  }
  for (const Expr &extent : array.extents) {
    if (!extent) return {};
    count = count.op() == Op::Integer && count->integer == 1 ? extent : count * extent;
  }
  return count;
}

std::string bufferLine(const TileArray &array, const std::string &name, const std::string &rows, Context &context) {
  const std::string type = spellFor(array.type, context.table);
  const std::string count = printExpr(simplify(elementsOf(array)), context) + (rows.empty() ? "" : ", " + rows);
  return "const " + context.primitive("Buffer") + "<" + type + "> " + name + "(" + count + ");";
}

void printKernel(const Kernel &kernel, Writer &out, Context &context) {
  out.line("");
  if (!kernel.name.empty()) out.line("// Kernel " + kernel.name + ".");
  std::set<std::string> used;
  noteArrays(kernel.body, used);
  Kernel needed = kernel;
  std::erase_if(needed.tiles, [&](const TileArray &a) { return !used.contains(a.name); });
  KernelPrinter(needed, out, context).print();
  for (const TileArray &a : needed.tiles) context.places.erase(a.name);
}

} // namespace polymend::print_room
