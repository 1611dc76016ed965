// A region is a loop over the registers of its target, one for each row or one for each element.
#include "role_fragment.h"

#include "device/rings.h"
#include "device/walk.h"
#include "polymend/atoms.h"

#include <algorithm>

namespace polymend::print_room {

FragmentPrinter::FragmentPrinter(const DeviceKernel &k, Context &c) : kernel(k), roles(*k.roles), context(c) {
  matrix = device_room::layoutOfMatrices(roles);
  if (matrix) {
    warpsN = sharesOf(matrix).warpsN;
    ofBlock = registersOf(matrix) / warpsN;
    cx = "(" + coordinateOf(matrix, 1, Digit::To::Register, "$e") + ")";
    rowOf = "($row + " + coordinateOf(sliced(matrix, 1, false), 0, Digit::To::Register, "$r") + ")";
    rowOfRegister = "($row + " + coordinateOf(matrix, 0, Digit::To::Register, "$e") + ")";
  }
  context.names.alias(cx);
  for (const std::string &place : {cx, rowOf, rowOfRegister}) context.signs.insert(place);
  for (const char *name : {row, column, lane}) context.names.alias(name);
}

const TileArray *FragmentPrinter::fragment(const std::string &name) const {
  const auto at =
      std::find_if(roles.tiles.begin(), roles.tiles.end(), [&](const TileArray &t) { return t.name == name; });
  return at == roles.tiles.end() ? nullptr : &*at;
}

std::int64_t FragmentPrinter::columns(const std::string &name) const {
  const TileArray *tile = fragment(name);
  return tile && tile->extents.size() == 2 ? constant(tile->extents[1]) : 0;
}

std::int64_t FragmentPrinter::elements(const std::string &name) const {
  const TileArray *tile = fragment(name);
  return tile ? registersOf(tile->layout) : 0;
}

std::string FragmentPrinter::firstOfRow() const {
  if (warpsN == 1) return "2 * $r";
  return "2 * ($r % 2) + " + std::to_string(ofBlock) + " * ($r / 2)";
}

std::string FragmentPrinter::rowOfElement() const {
  const std::string within = "$e / 2 % 2";
  return warpsN == 1 ? within : within + " + 2 * ($e / " + std::to_string(ofBlock) + ")";
}

bool FragmentPrinter::hasMoves(const DeviceBlock &block) const {
  return std::any_of(block.begin(), block.end(), [&](const DeviceNode &n) {
    if (const auto *r = std::get_if<DeviceRegisters>(&n)) return r->form == DeviceRegisters::Form::Moved;
    const std::vector<const DeviceBlock *> within = device_room::blocksOf(n);
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
    const bool words = tile.extents.size() == 2 && isNarrow(tile.type);
    const std::string type = words                      ? "std::uint32_t"
                             : isFloating(tile.type)    ? spell(computeType(tile.type))
                             : tile.extents.size() == 1 ? "int"
                                                        : spell(computeType(tile.type));
    out.line(type + " " + context.names.of(tile.name) + "[" +
             std::to_string(registersOf(tile.layout) / (words ? 2 : 1)) + "];");
  }
}

void FragmentPrinter::vote(const DeviceVote &vote, Writer &out) {
  DeviceRegisters at;
  at.row = vote.row;
  Vote &own = votes[vote.name];
  const std::string condition = textOf(vote.condition, at, At::Row);
  own.rows = context.names.fresh("moves");
  own.any = context.names.fresh("any_moves");
  out.line("bool " + own.rows + "[" + rows() + "];");
  out.pragma("unroll");
  out.line("for (int $r = 0; $r < " + rows() + "; ++$r) " + own.rows + "[$r] = " + condition + ";");
  std::string any;
  for (std::int64_t k = 0; k < 2 * warpsN; ++k)
    any += (k == 0 ? "" : " || ") + own.rows + "[" + std::to_string(k) + "]";
  out.line("const bool " + own.any + " = __any_sync(0xffffffffu, " + any + ");");
}

std::optional<std::string> FragmentPrinter::anyOf(const Expr &condition) const {
  const auto own = condition.op() == Op::Symbol ? votes.find(condition->name) : votes.end();
  return own == votes.end() ? std::nullopt : std::optional(own->second.any);
}

void FragmentPrinter::region(const DeviceRegisters &part, Writer &out) {
  using Form = DeviceRegisters::Form;
  switch (part.form) {
  case Form::Row: return rowRegion(part, out);
  case Form::Element:
  case Form::Fours: return elementRegion(part, out);
  case Form::Moved: return moved(part, out);
  case Form::Reduced: return reduction(part, out);
  case Form::Stored:
  case Form::Words: return store(part, out);
  }
}

} // namespace polymend::print_room
