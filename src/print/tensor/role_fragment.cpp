// A region is a loop over the registers of its target, one for each row or one for each element.
#include "role_fragment.h"

#include "polymend/atoms.h"

#include "device/walk.h"

#include <algorithm>

namespace polymend::print_room {

FragmentPrinter::FragmentPrinter(const DeviceKernel &k, Context &c)
    : kernel(k), roles(*k.roles), context(c), approximates(c.options.fp == FloatMode::Approx) {
  const auto first = std::find_if(roles.tiles.begin(), roles.tiles.end(),
                                  [&](const TileArray &t) { return columns(t.name) > 0 && t.layout; });
  if (first != roles.tiles.end()) matrix = first->layout;
  if (matrix) {
    warpsN = sharesOf(matrix).warpsN;
    ofBlock = registersOf(matrix) / warpsN;
    cx = "(" + coordinateOf(matrix, 1, Digit::To::Register, "$e") + ")";
    rowOf = "($row + " + coordinateOf(sliced(matrix, 1, false), 0, Digit::To::Register, "$r") + ")";
    rowOfRegister = "($row + " + coordinateOf(matrix, 0, Digit::To::Register, "$e") + ")";
  }
  scope.column = cx;
  scope.moving.insert(cx);
  context.names.alias(cx);
  for (const char *name : {row, column, lane}) context.names.alias(name);
  for (const TileArray &tile : roles.tiles)
    if (!tile.layout.parts.empty()) parts.insert(tile.name);
}

const TileArray *FragmentPrinter::fragment(const std::string &name) const {
  const auto at =
      std::find_if(roles.tiles.begin(), roles.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == roles.tiles.end() || at->space != Space::Fragment ? nullptr : &*at;
}

std::int64_t FragmentPrinter::columns(const std::string &name) const {
  const TileArray *tile = fragment(name);
  return tile && tile->extents.size() == 2 ? constant(tile->extents[1]) : 0;
}

std::int64_t FragmentPrinter::elements(const std::string &name) const {
  const TileArray *tile = fragment(name);
  return tile ? registersOf(tile->layout) : 0;
}

std::string FragmentPrinter::firstOfRow(const std::string &r) const {
  if (warpsN == 1) return "2 * " + r;
  return "2 * (" + r + " % 2) + " + std::to_string(ofBlock) + " * (" + r + " / 2)";
}

std::string FragmentPrinter::rowOfElement(const std::string &e) const {
  const std::string within = e + " / 2 % 2";
  return warpsN == 1 ? within : within + " + 2 * (" + e + " / " + std::to_string(ofBlock) + ")";
}

/// The 16-bit matrix that is moved, as it is, into another.
const TileArray *FragmentPrinter::movedFrom(const TileAssign &a) const {
  const TileArray *from = a.value.op() == Op::Read ? fragment(a.value->name) : nullptr;
  const TileArray *to = fragment(a.target.array);
  const bool moves = from && to && isNarrow(to->type) && from->type == to->type && to->extents.size() == 2 &&
                     a.update == Update::Set && !a.where;
  return moves ? from : nullptr;
}

bool FragmentPrinter::hasMoves(const DeviceBlock &block) const {
  return std::any_of(block.begin(), block.end(), [&](const DeviceNode &n) {
    const std::vector<const DeviceBlock *> within = device_room::blocksOf(n);
    if (const auto *r = std::get_if<DeviceRegisters>(&n))
      return std::any_of(r->points.body.begin(), r->points.body.end(),
                         [&](const TileAssign &a) { return movedFrom(a); });
    return std::any_of(within.begin(), within.end(), [&](const DeviceBlock *b) { return hasMoves(*b); });
  });
}

void FragmentPrinter::place(Writer &out, const std::string &group) const {
  out.line("// This thread's first element of every tile: rows go on by 8, columns in blocks of 8.");
  const auto warpAndLane = [&](std::size_t axis) {
    const std::string ofWarp = coordinateOf(matrix, axis, Digit::To::Warp, "$warp");
    return (ofWarp.empty() ? "" : ofWarp + " + ") + coordinateOf(matrix, axis, Digit::To::Lane, lane);
  };
  out.line("[[maybe_unused]] const int " + std::string(row) + " = " + std::to_string(groupRows(roles.atom)) + " * " +
           group + " + " + warpAndLane(0) + ";");
  out.line("[[maybe_unused]] const int " + std::string(column) + " = " + warpAndLane(1) + ";");
  context.narrow.insert(row);
  context.narrow.insert(column);
}

void FragmentPrinter::declare(Writer &out) {
  if (hasMoves(roles.computes)) {
    out.line(
        "// Always zero, unknown to the assembler: else a register that products still read is also where the next");
    out.line("// one's operand is made.");
    out.line("const std::uint32_t " + std::string(zero) + " = static_cast<std::uint32_t>($points >> 62);");
  }
  for (const TileArray &tile : roles.tiles) {
    if (tile.space != Space::Fragment) continue;
    const bool words = tile.extents.size() == 2 && isNarrow(tile.type);
    const std::string type = words                      ? "std::uint32_t"
                             : isFloating(tile.type)    ? spell(computeType(tile.type))
                             : tile.extents.size() == 1 ? "int"
                                                        : spell(computeType(tile.type));
    out.line(type + " " + context.names.of(tile.name) + "[" +
             std::to_string(registersOf(tile.layout) / (words ? 2 : 1)) + "];");
  }
}

std::optional<FragmentPrinter::Plane> FragmentPrinter::planeOf(const TilePoints &points) const {
  if (points.dims.empty() || points.dims.size() > 2) return std::nullopt;
  std::set<std::string> rowNames;
  const auto note = [&](const std::string &array, const std::vector<Expr> &subscripts) {
    if (fragment(array) && !subscripts.empty() && subscripts[0].op() == Op::Symbol)
      rowNames.insert(subscripts[0]->name);
  };
  for (const TileAssign &a : points.body) {
    note(a.target.array, a.target.subscripts);
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read) note(e->name, e->args);
    });
  }
  Plane plane;
  const bool rowsAlone = rowNames.empty() && points.dims.size() == 1;
  for (const PointDim &d : points.dims) (rowsAlone || rowNames.count(d.variable) ? plane.rows : plane.columns) = &d;
  if (!plane.rows || (points.dims.size() == 2) != (plane.columns != nullptr)) return std::nullopt;
  return plane;
}

std::optional<Refusal> FragmentPrinter::region(const TilePoints &points, Writer &out) {
  const auto plane = planeOf(points);
  if (!plane) return Refusal{"a region without rows", {}};
  bool shared = false;
  for (const TileAssign &a : points.body)
    visit(a.value, [&](const Expr &e) { shared = shared || (e.op() == Op::Read && slots.count(e->name) > 0); });
  const bool whole = plane->columns && constant(plane->columns->limit) == 2 * ofBlock * warpsN;
  if (warpsN > 1 && (shared || !whole)) return Refusal{"a region of other columns than those of sums", {}};
  if (!shared) return compute(points, *plane, out);
  std::optional<Refusal> refusal;
  out.block("", [&] {
    load(points, *plane, out);
    refusal = compute(points, *plane, out);
  });
  forgetVote();
  loaded.clear();
  return refusal;
}

std::optional<Refusal> FragmentPrinter::compute(const TilePoints &points, const Plane &plane, Writer &out) {
  if (!plane.columns) {
    rowRegions(points.body, plane, out);
    return std::nullopt;
  }
  for (const TileAssign &a : points.body) {
    const bool parallel = plane.columns->kind == PointDim::Kind::Parallel;
    if (auto refusal = parallel ? elementRegion(a, plane, out) : reduction(a, plane, out)) return refusal;
    noteWritten(a.target.array);
  }
  return std::nullopt;
}

} // namespace polymend::print_room
