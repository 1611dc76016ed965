// Where the tiles of a grid's points are: in a block's shared memory, in windows of groups, in slices of global memory,
// in registers.
#include "device/extents.h"
#include "gpu_grid.h"
#include "gpu_group.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::elementsOf;
using Where = DeviceTile::Place;

/// The scalars that each thread holds, and what its group holds of memory.
void KernelPrinter::declareHeld(Writer &out) {
  for (const std::string &name : context.held)
    if (const auto place = context.places.find(name); place != context.places.end()) {
      std::string extents;
      for (const Expr &extent : place->second.array->extents)
        extents += "[" + std::to_string(std::max<std::int64_t>(simplify(extent)->integer, 1)) + "]";
      out.line(spellFor(place->second.array->type, context.table) + " " + context.names.of(name) + extents +
               (extents.empty() ? "{};" : ";"));
    }
  if (!isGroup()) return;
  out.line("[[maybe_unused]] int " + context.names.of("turn of group") + " = 0;");
  const int fours = team.fours;
  const std::string &memory = context.names.of("memory of a block"), &pieces = context.names.of("pieces in a window");
  if (team.window) out.line("extern __shared__ __align__(16) unsigned char " + memory + "[];");
  std::int64_t before = 0;
  for (const std::string &array : team.kept) {
    const std::string holder = heldName(array, context);
    const std::string offset = pieces + " * " + context.primitive("heldBy") + "(" + context.names.of("group size") +
                               ", " + std::to_string(fours) + ") * " + std::to_string(before);
    out.line(team.window ? windowDeclaration(holder, array, fours, before == 0 ? memory : memory + " + " + offset,
                                             pieces, context)
                         : heldDeclaration(holder, array, fours, context));
    before += bytesOf(context.typeOf(array));
  }
}

/// The pieces that a group's windows have room for are a parameter, chosen with the group.
void KernelPrinter::declareWindows() {
  if (!team.window) return;
  std::int64_t bytes = 0;
  for (const std::string &array : team.kept) bytes += bytesOf(context.typeOf(array));
  const std::string group = context.names.of("group size") + "()", fours = std::to_string(team.fours);
  const std::string pieces = context.primitive("windowPieces") + "<" + fours + ">(" + group + ", " + plan.length +
                             ", " + std::to_string(bytes) + ")";
  plan.windowBytes =
      pieces + " * " + context.primitive("heldBy") + "(" + group + ", " + fours + ") * " + std::to_string(bytes);
  plan.extra.emplace_back("int " + context.names.of("pieces in a window"), pieces);
}

/// A slice for each block of any kernel that runs points.
std::string KernelPrinter::scratchBlocks(const std::string &points) {
  std::string own = context.primitive("residentBlocks") + "(" + points + ")";
  if (!atPoint) return own;
  return context.primitive("most") + "<std::int64_t>(" + own + ", " + context.primitive("persistentBlocks") +
         "(INT64_MAX))";
}

void KernelPrinter::allocateScratch(const std::string &points) {
  for (const DeviceTile &t : kernel.tiles) {
    if (t.place != Where::Slice) continue;
    const std::string rows = context.names.fresh(context.names.of(t.array.name) + "Rows");
    printScratch(t.array, rows, scratchBlocks(points), function, host);
    slices[t.array.name] = rows;
    plan.extra.emplace_back(spellFor(t.array.type, context.table) + " *" + rows, rows);
  }
}

void KernelPrinter::declareTiles(Writer &out) {
  const std::string &memory = context.names.of("memory of a block");
  if (has(Where::Shared) || atPoint) out.line("extern __shared__ __align__(16) unsigned char " + memory + "[];");
  if (atPoint) return;
  declareShared(out);
  for (const DeviceTile &t : kernel.tiles)
    if (t.place == Where::Slice)
      out.line(spellFor(t.array.type, context.table) + " *const " + context.names.of(t.array.name) + " = " +
               sliceOf(t.array) + ";");
}

void KernelPrinter::declareShared(Writer &out) {
  const std::string &memory = context.names.of("memory of a block");
  for (const DeviceTile &t : kernel.tiles) {
    if (t.place != Where::Shared) continue;
    const std::string type = spellFor(t.array.type, context.table), &name = context.names.of(t.array.name);
    std::string extents;
    for (const std::int64_t extent : t.padded) extents += "[" + std::to_string(extent) + "]";
    const std::string at = t.offset == 0 ? memory : memory + " + " + std::to_string(t.offset);
    const std::string pointer = extents.empty() ? " *" : " (*)" + extents;
    out.line("auto &" + name + " = *reinterpret_cast<" + type + pointer + ">(" + at + ");");
  }
  for (const DeviceTile &t : kernel.tiles)
    if (t.place == Where::Owned)
      out.line(spellFor(t.array.type, context.table) + " " + context.names.of(t.array.name) +
               "[1]; // the element of this thread's number");
}

/// The block's slice of a tile in global memory.
std::string KernelPrinter::sliceOf(const TileArray &array) {
  return slices.at(array.name) + " + blockIdx.x * (" + plain(elementsOf(array), context) + ")";
}

} // namespace polymend::print_room
