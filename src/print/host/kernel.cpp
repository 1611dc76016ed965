// A collapsed parallel loop, a loop within loops of one thread, or a list of points: as the program's sharing says.
#include "print/kernel.h"

#include "device/extents.h"
#include "print/region.h"
#include "print/walk.h"

namespace polymend::print_room {

namespace {

using Order = DeviceSharing::Order;
using Form = DeviceSharing::Form;
using Place = DeviceTile::Place;

std::string brackets(const TileArray &a, Context &c) {
  std::string text;
  for (const Expr &extent : a.extents) text += "[" + printExpr(simplify(extent), c) + "]";
  return text;
}

class KernelPrinter {
public:
  KernelPrinter(const DeviceKernel &k, Writer &w, Context &c) : kernel(k), out(w), context(c) {}
  void print();

private:
  void declareBuffers();
  void declareTile(const DeviceTile &tile);
  void nested(std::size_t dim);
  void listed();
  void declareCoordinate(const std::string &point, std::size_t dim);
  void listPoints(std::size_t dim, const std::string &list);
  void body();
  void sharePoints();
  void shareLoop(const std::string &clauses) { out.pragma("omp parallel for" + clauses + context.copies); }
  void shareTurns(const std::string &collapse, const std::string &more, const std::string &isMany);
  [[nodiscard]] std::string type(const TileArray &a) const { return spellFor(a.type, context.table); }

  const DeviceKernel &kernel;
  Writer &out;
  Context &context;
  std::map<std::string, std::string> buffers; // of what all threads share, by tile
};

void KernelPrinter::declareBuffers() {
  for (const DeviceTile &tile : kernel.tiles) {
    if (tile.place != Place::Heap) continue;
    const std::string name = context.names.fresh(context.names.of(tile.array.name) + "Rows");
    out.line(bufferLine(tile.array, name, context.primitive("threads") + "()", context));
    buffers[tile.array.name] = name;
  }
}

void KernelPrinter::declareTile(const DeviceTile &tile) {
  const TileArray &a = tile.array;
  const std::string &name = context.names.of(a.name);
  const bool isRow = a.space == Space::Row;
  const bool isPointer = isRow && (tile.place == Place::Heap || tile.place == Place::Point);
  context.places[a.name] = {&a, isPointer ? Shape::Linear : Shape::Native};
  if (tile.place == Place::Assignment) return;
  if (tile.place == Place::Stack) {
    if (a.extents.empty())
      out.line(type(a) + " " + name + "{};");
    else
      out.line("alignas(64) " + type(a) + " " + name + brackets(a, context) + ";");
    return;
  }
  std::string row;
  if (tile.place == Place::Heap) {
    row = buffers.at(a.name) + ".row(" + context.primitive("thread") + "())";
  } else {
    const std::string own = context.names.fresh(name + "Row");
    out.line(bufferLine(a, own, "", context));
    row = own + ".row(0)";
  }
  if (isRow)
    out.line(type(a) + " *const " + name + " = " + row + ";");
  else
    out.line("auto &" + name + " = *reinterpret_cast<" + type(a) + " (*)" + brackets(a, context) + ">(" + row + ");");
}

void KernelPrinter::body() {
  for (const PointDim &d : kernel.grid) context.signs.note(d);
  for (const DeviceTile &tile : kernel.tiles) declareTile(tile);
  printBlock(kernel.body, out, context);
}

/// Turns of one point and `more` beside it; `isMany`: is there more than one turn, for which threads are worth their
/// start? Empty: that is not asked.
void KernelPrinter::shareTurns(const std::string &collapse, const std::string &more, const std::string &isMany) {
  const std::string share = context.names.fresh("pointsPerTurn");
  out.line("[[maybe_unused]] const std::int64_t " + share + " = 1 + " + more + ";");
  const std::string clause = isMany.empty() ? "" : " if(" + isMany + ")";
  shareLoop(collapse + " schedule(dynamic, " + share + ")" + clause);
}

/// Threads share the loop that follows, or with those within it all of them.
void KernelPrinter::sharePoints() {
  const DeviceSharing &sharing = kernel.sharing;
  const std::size_t count = sharing.form == Form::Collapsed ? kernel.grid.size() : 1;
  const std::string collapse = count > 1 ? " collapse(" + std::to_string(count) + ")" : "";
  switch (sharing.order) {
  case Order::Alone: return;
  case Order::Static: return shareLoop(collapse + " schedule(static)");
  case Order::Guided: return shareLoop(collapse + " schedule(guided)");
  case Order::Dynamic: break;
  }
  if (!sharing.turn) return shareLoop(collapse + " schedule(dynamic)");
  if (sharing.turn.op() != Op::FloorDiv) return shareTurns(collapse, printExpr(sharing.turn, context), "");
  const std::string points = context.names.fresh("points");
  out.line("[[maybe_unused]] const std::int64_t " + points + " = " + printExpr(sharing.turn.arg(0), context) + ";");
  shareTurns(collapse, points + " / " + printExpr(sharing.turn.arg(1), context), points + " > 1");
}

void KernelPrinter::nested(std::size_t dim) {
  if (dim == kernel.grid.size()) return body();
  const PointDim &d = kernel.grid[dim];
  if (dim == 0) sharePoints();
  if (kernel.sharing.form == Form::Outermost) context.signs.note(d);
  out.block(loopHead(d.variable, d.first, d.limit, 1, context), [&] { nested(dim + 1); });
}

void KernelPrinter::listPoints(std::size_t dim, const std::string &list) {
  if (dim < kernel.grid.size()) {
    const PointDim &d = kernel.grid[dim];
    const std::string head = loopHead(d.variable, d.first, d.limit, 1, context);
    context.signs.note(d);
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
  shareTurns("", end + " / " + std::to_string(mostTurns), end + " > 1");
  out.block("for (std::int64_t " + at + " = 0; " + at + " < " + end + "; ++" + at + ")", [&] {
    out.line("const auto &" + point + " = " + list + "[static_cast<std::size_t>(" + at + ")];");
    for (std::size_t i = 0; i < kernel.grid.size(); ++i) declareCoordinate(point, i);
    body();
  });
}

void KernelPrinter::print() {
  std::string names;
  for (const std::string &name : kernel.sharing.copied) names += (names.empty() ? "" : ", ") + context.names.of(name);
  context.copies = names.empty() ? "" : " firstprivate(" + names + ")";
  std::string own; // of each thread that shares a loop of a kernel without a grid
  for (const DeviceTile &tile : kernel.tiles)
    if (kernel.grid.empty() && tile.place == Place::Stack)
      own += (own.empty() ? "" : ", ") + context.names.of(tile.array.name);
  if (!own.empty()) context.copies += " private(" + own + ")";
  declareBuffers();
  if (kernel.sharing.form == Form::Listed)
    listed();
  else
    nested(0);
}

} // namespace

std::string bufferLine(const TileArray &array, const std::string &name, const std::string &rows, Context &context) {
  const std::string type = spellFor(array.type, context.table);
  const std::string elements = printExpr(simplify(device_room::elementsOf(array)), context);
  return "const " + context.primitive("Buffer") + "<" + type + "> " + name + "(" + elements +
         (rows.empty() ? "" : ", " + rows) + ");";
}

void printKernel(const DeviceKernel &kernel, bool isOnly, Writer &out, Context &context) {
  const auto print = [&] { KernelPrinter(kernel, out, context).print(); };
  out.line("");
  if (!kernel.name.empty()) out.line("// Kernel " + kernel.name + ".");
  if (isOnly)
    print();
  else
    out.block("", print); // what it allocates is freed before the next
  for (const DeviceTile &tile : kernel.tiles) context.places.erase(tile.array.name);
}

} // namespace polymend::print_room
