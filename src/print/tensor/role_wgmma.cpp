// sm_90a: one thread of a copying warp has the copy engine fetch whole tiles; a warp group multiplies 64 rows straight
// from shared memory, beside its own element-wise work; warp groups hand registers over.
#include "device/walk.h"
#include "print/hopper_texts.h"
#include "role_units.h"

#include <algorithm>
#include <functional>

namespace polymend::print_room {

using device_room::rowBytes;
namespace {

constexpr std::int64_t panelColumns = 64; // of 16-bit elements

/// How the copy engine takes so many rows and panels of a channel's tile: extents per dimension of the source,
/// innermost first; of joined panels one dimension more.
std::vector<std::int64_t> boxOf(const DeviceChannel &c, std::size_t rank, std::int64_t rows, std::int64_t panels) {
  std::vector<std::int64_t> extents;
  for (std::size_t d = rank; d-- > 0;) {
    if (d == c.rowsAlong && c.step > 1) extents.push_back(1); // of the residue
    const std::int64_t own = !c.box.empty() ? c.box[d] : d == c.rowsAlong ? rows : 1;
    extents.push_back(d + 1 == rank ? panelColumns : own);
  }
  if (c.joined) extents.push_back(panels);
  return extents;
}

std::int64_t panelsOf(const DeviceChannel &c) { return RoleFrame::bytesOf(c) / RoleFrame::panelOf(c); }

/// May a fill of the channel leave rows out?
bool fillsParts(const DeviceBlock &nodes, const DeviceChannel &c) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const DeviceNode &node) {
    const auto *fill = std::get_if<DeviceFill>(&node);
    if (fill && fill->channel == c.tile.name && fill->rows) return true;
    const std::vector<const DeviceBlock *> inside = device_room::blocksOf(node);
    return std::any_of(inside.begin(), inside.end(), [&](const DeviceBlock *block) { return fillsParts(*block, c); });
  });
}

std::string nameOfMap(const DeviceChannel &c, const RoleFrame &frame) { return frame.described(c) + "Map"; }
/// The descriptions by which rows come in eights, and one by one.
std::string nameOfRowsMap(const DeviceChannel &c, const RoleFrame &frame) { return frame.described(c) + "RowsMap"; }
std::string nameOfRowMap(const DeviceChannel &c, const RoleFrame &frame) { return frame.described(c) + "RowMap"; }

/// As nameOfMap, for residues that have one row more than the others.
std::string nameOfLongerMap(const DeviceChannel &c, const RoleFrame &frame) { return frame.described(c) + "LongerMap"; }

/// A list with commas.
std::string listed(const std::vector<std::int64_t> &numbers) {
  std::string list;
  for (const std::int64_t one : numbers) list += (list.empty() ? "" : ", ") + number(one);
  return list;
}

/// Is the fill's subscript one that is read of arrays, or moves from run to run?
bool isPlace(const Expr &first) { return reads(first) || symbols(first).contains(numberOfRun); }

/// The variable of the places along a dimension, one for each run.
std::string nameOfPlaces(std::size_t d) { return "$place" + number(static_cast<std::int64_t>(d)); }

/// Where a fill, or its run $run, begins along a dimension.
std::string beginOf(const DeviceFill &fill, const DeviceChannel &c, std::size_t d, const RoleFrame &frame) {
  if (c.run == 0 || !isPlace(fill.first[d])) return frame.asInt(fill.first[d]);
  return frame.context.primitive("givenPlace") + "(" + nameOfPlaces(d) + "[$run])";
}

/// The quotient or remainder by the step of the first row that a fill takes.
Expr byStep(Op op, const Expr &row, const DeviceChannel &c) {
  return simplify(Expr::make(op, Type::Int64, {row, Expr::integer(c.step)}));
}

/// Coordinates of a panel of a fill in its array, innermost first; `row` stands for the one along rows.
std::string coordinatesOf(const DeviceFill &fill, const DeviceChannel &c, std::int64_t panel, const std::string &row,
                          const RoleFrame &frame) {
  std::string list;
  const std::size_t last = fill.first.size() - 1;
  const std::string column = frame.asInt(fill.first[last]);
  for (std::size_t d = fill.first.size(); d-- > 0;) {
    list += ", ";
    if (d == last)
      list += c.joined ? "0" : column + (panel > 0 ? " + " + number(panel * panelColumns) : "");
    else if (d == c.rowsAlong && c.step > 1)
      list += frame.asInt(byStep(Op::FloorMod, fill.first[d], c)) + ", " +
              frame.asInt(byStep(Op::FloorDiv, fill.first[d], c));
    else
      list += d == c.rowsAlong && !row.empty() ? row : beginOf(fill, c, d, frame);
  }
  if (c.joined) list += ", (" + column + ") / " + number(panelColumns) + (panel > 0 ? " + " + number(panel) : "");
  return list;
}

/// A factor in its channel's slot, `extra` bytes further, as step $k of a product takes it; transposed: rows of the
/// tile are terms.
std::string stepOf(const DeviceChannel &c, bool transposed, const std::string &extra, RoleFrame &frame) {
  const std::string base = frame.slot(c) + extra, panel = number(RoleFrame::panelOf(c));
  if (transposed) return frame.context.primitive("matrixN") + "(" + base + ", " + panel + ") + 128 * $k";
  return frame.context.primitive("matrixK") + "(" + base + " + $k / 4 * " + panel + ") + 2 * ($k % 4)";
}

} // namespace

/// note [rows of a part]
/// A box that reaches beyond the filled rows would bring elements that the program does not read: of an array whose
/// extent nobody knows they may not exist, and of another row's, whose values may be anything, a NaN times a weight of
/// zero is a NaN. So where a tile has fewer rows they come in eights, and those of the last eight one by one, each
/// where it lies in the box: the engine exchanges chunks of 16 bytes by the address in shared memory (PTX ISA, tensor
/// swizzling modes; bit for bit the same on an H200, at 44 cycles a copy). Rows before the array's first are zero, and
/// their bytes count as well.
class EngineFill {
public:
  EngineFill(const DeviceFill &f, RoleFrame &r) : fill(f), frame(r), c(frame.channelOf(fill.channel)) {}
  void print(Writer &out);

private:
  void copy(std::int64_t panel, const std::string &rows, const std::string &map, const std::string &at, Writer &out);
  void whole(Writer &out);
  void part(const std::string &from, const std::string &first, const std::string &count, Writer &out);
  void eachRun(const std::function<void()> &body, Writer &out) const;

  const DeviceFill &fill;
  RoleFrame &frame;
  const DeviceChannel &c;
};

/// One copy of a panel, from a row of the tile on (`rows`: what is added to the slot's address).
void EngineFill::copy(std::int64_t panel, const std::string &rows, const std::string &map, const std::string &at,
                      Writer &out) {
  const std::string offset = panel > 0 ? " + " + number(panel * RoleFrame::panelOf(c)) : "";
  out.line(frame.context.primitive("copyTile") + "(" + frame.slot(c) + offset + rows + ", " + map + ", " +
           frame.full(c) + coordinatesOf(fill, c, panel, at, frame) + ");");
}

/// note [rows that are steps apart]
/// With every D-th row of an array copied, its row x = D p + g is element (g, p) of two dimensions. The number of rows
/// n need not be a multiple of D: residues g < n mod D have one row more than others, so that there are two
/// descriptions, and beyond neither lies anything: what no row has is zero, as before the first.
std::string mapOf(const DeviceFill &fill, const DeviceChannel &c, const RoleFrame &frame) {
  std::string usual = "&" + nameOfMap(c, frame);
  if (c.step == 1) return usual;
  const Expr rows = usedExtent(frame.sourceOf(c), c.rowsAlong);
  return frame.plain(byStep(Op::FloorMod, fill.first[c.rowsAlong], c)) + " < " +
         frame.plain(byStep(Op::FloorMod, rows, c)) + " ? &" + nameOfLongerMap(c, frame) + " : " + usual;
}

/// Once for each run of rows, if they come in several.
void EngineFill::eachRun(const std::function<void()> &body, Writer &out) const {
  if (c.run == 0) return body();
  out.pragma("unroll");
  out.block("for (int $run = 0; $run < " + number(RoleFrame::rowsOf(c) / c.run) + "; ++$run)", body);
}

void EngineFill::whole(Writer &out) {
  const std::string rows = c.run > 0 ? " + $run * " + number(c.run * rowBytes) : "";
  eachRun(
      [&] {
        for (std::int64_t panel = 0; panel < (c.joined ? 1 : panelsOf(c)); ++panel)
          copy(panel, rows, mapOf(fill, c, frame), "", out);
      },
      out);
}

/// Rows from `first` of the tile on (empty: from its first), `count` of them, as far as they are filled.
void EngineFill::part(const std::string &from, const std::string &first, const std::string &count, Writer &out) {
  const std::string row = first.empty() ? "$row" : "$at";
  out.block("for (int $row = 0, $many; $row < " + count + "; $row += $many)", [&] {
    if (!first.empty()) out.line("const int $at = " + first + " + $row;");
    out.line("$many = $row % 8 == 0 && (" + row + " + 8 <= $filled || $filled <= " + row + ") ? 8 : 1;");
    out.line("const int $from = " + row + " < $filled ? " + from + " + $row : -8;");
    out.line("const CUtensorMap *const $map = $many == 8 ? &" + nameOfRowsMap(c, frame) + " : &" +
             nameOfRowMap(c, frame) + ";");
    for (std::int64_t panel = 0; panel < panelsOf(c); ++panel)
      copy(panel, " + " + row + " * " + number(rowBytes), "$map", "$from", out);
  });
}

void EngineFill::print(Writer &out) {
  out.line(frame.context.primitive("barrierExpect") + "(" + frame.full(c) + ", " + number(RoleFrame::bytesOf(c)) +
           ");");
  if (!fill.rows) return whole(out);
  const std::string rows = number(RoleFrame::rowsOf(c));
  if (c.run == 0) {
    if (!frame.sourceOf(c).extents[c.rowsAlong])
      out.line("if (" + frame.plain(fill.first[c.rowsAlong]) + " > INT32_MAX - " + rows + ") __trap();");
    out.line("const std::int64_t $filled = " + frame.plain(fill.rows) + ";");
  }
  out.block("if (" + rows + " <= $filled)", "} else {", [&] { whole(out); });
  out.inside([&] {
    const std::string from = beginOf(fill, c, c.rowsAlong, frame);
    if (c.run == 0) return part(from, "", rows, out);
    eachRun([&] { part(from, "$run * " + number(c.run), number(c.run), out); }, out);
  });
  out.line("}");
}

/// All places are read before one is looked at, so that they are under way together (H200, pages of 16 keys: 2 % of the
/// time). Of a run that has no row to be filled nothing is read: the arrays may say nothing of it.
void placesOf(const DeviceFill &fill, RoleFrame &frame, Writer &out) {
  const DeviceChannel &c = frame.channelOf(fill.channel);
  if (c.run == 0) return;
  const std::string runs = number(RoleFrame::rowsOf(c) / c.run);
  frame.context.names.alias("$run");
  frame.context.signs.insert("$run");
  if (fill.rows) out.line("const std::int64_t $filled = " + frame.plain(fill.rows) + ";");
  for (std::size_t d = 0; d + 1 < fill.first.size(); ++d)
    if (isPlace(fill.first[d])) out.line("std::int64_t " + nameOfPlaces(d) + "[" + runs + "];");
  out.pragma("unroll");
  out.block("for (std::int64_t $run = 0; $run < " + runs + "; ++$run)", [&] {
    for (std::size_t d = 0; d + 1 < fill.first.size(); ++d) {
      if (!isPlace(fill.first[d])) continue;
      const Expr at = substitute(fill.first[d], [](const std::string &name) {
        return name == numberOfRun ? Expr::symbol("$run", Type::Int64) : Expr();
      });
      const std::string filled = fill.rows ? number(c.run) + " * $run < $filled ? " : "";
      out.line(nameOfPlaces(d) + "[$run] = " + filled + frame.plain(at) + (fill.rows ? " : 0;" : ";"));
    }
  });
}

void fillByEngine(const DeviceFill &fill, RoleFrame &frame, Writer &out) { EngineFill(fill, frame).print(out); }

void issueToGroup(const DeviceIssue &issue, RoleFrame &frame, Writer &out) {
  Context &context = frame.context;
  const std::string &sum = issue.sum.variable;
  const bool registers = frame.fragments.fragment(issue.left.array) != nullptr;
  const DeviceChannel &right = frame.channelOf(issue.right.array);
  WgmmaShape shape;
  shape.columns = static_cast<int>(frame.fragments.columns(issue.target.array));
  shape.brain = right.tile.type == Type::BFloat16;
  shape.leftInRegisters = registers;
  shape.leftTransposed = !registers && !runsAlong(issue.left, sum);
  shape.rightTransposed = !runsAlong(issue.right, sum);
  const std::string product = needWgmma(shape, context.needs);
  std::string left;
  if (registers) {
    left = "&" + context.names.of(issue.left.array) + "[4 * $k]";
  } else {
    const DeviceChannel &a = frame.channelOf(issue.left.array);
    const std::int64_t stride = shape.leftTransposed ? RoleFrame::panelOf(a) : 64 * rowBytes;
    left = stepOf(a, shape.leftTransposed, frame.roles.groups > 1 ? " + " + frame.group() + " * " + number(stride) : "",
                  frame);
  }
  out.line(context.primitive("wgmmaFence") + "();");
  out.pragma("unroll");
  out.line("for (int $k = 0; $k < " + number(constant(issue.sum.limit) / 16) + "; ++$k) " + product + "(" +
           context.names.of(issue.target.array) + ", " + left + ", " + stepOf(right, shape.rightTransposed, "", frame) +
           ", " + (issue.fresh ? "$k > 0" : "1") + ");");
  out.line(context.primitive("wgmmaCommit") + "();");
}

void awaitGroup(const DeviceAwait &await, RoleFrame &frame, Writer &out) {
  const auto pin = [&](const std::vector<std::string> &tiles) {
    for (const std::string &tile : tiles)
      out.line(frame.context.primitive("pinRegisters") + "(" + frame.context.names.of(tile) + ");");
  };
  pin(await.before);
  out.line(frame.context.primitive("wgmmaWait") + "<" + number(await.pending) + ">();");
  pin(await.after);
}

UnitsLaunch launchOfEngine(RoleFrame &frame, LaunchPlan &plan) {
  Context &context = frame.context;
  UnitsLaunch result{context.primitive("runsHopperCode") + "()", {"cuda.h", "climits", "cstdint"}, {}};
  for (const DeviceChannel &c : frame.roles.channels) {
    const TileArray &a = frame.sourceOf(c);
    const std::size_t rank = a.extents.size();
    std::string extents, longer, strides;
    Expr stride = Expr::integer(2);
    const auto add = [](std::string &list, const std::string &one) { list += (list.empty() ? "" : ", ") + one; };
    for (std::size_t d = rank; d-- > 0;) {
      if (d == c.rowsAlong && c.step > 1) {
        const Expr rows = usedExtent(a, d), each = byStep(Op::FloorDiv, rows, c), one = Expr::integer(1);
        add(extents, number(c.step) + ", " + frame.plain(each));
        add(longer, frame.plain(Expr::make(Op::Max, Type::Int64, {byStep(Op::FloorMod, rows, c), one})) + ", " +
                        frame.plain(simplify(each + one)));
        add(strides, frame.plain(simplify(stride * Expr::integer(c.step))));
      } else {
        for (std::string *list : {&extents, &longer})
          add(*list, a.extents[d] ? frame.plain(usedExtent(a, d)) : "INT32_MAX");
      }
      if (d == 0) continue;
      stride = stride * a.extents[d];
      add(strides, frame.plain(stride));
    }
    if (c.joined) {
      extents.replace(0, extents.find(','), number(panelColumns));
      extents += ", " + number(constant(simplify(usedExtent(a, rank - 1))) / panelColumns);
      strides += ", " + number(rowBytes);
    }
    const auto described = [&](const std::string &counts) {
      return context.names.of(a.name) + (a.space == Space::Work ? "Memory" : "") + ", {" + counts + "}, {" + strides +
             "}";
    };
    const std::string arguments = described(extents);
    result.condition += " && " + context.primitive("tensorMappable") + "(" + arguments + ")";
    const std::string type =
        a.type == Type::BFloat16 ? "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16" : "CU_TENSOR_MAP_DATA_TYPE_FLOAT16";
    const auto map = [&](const std::string &name, std::int64_t rows, std::int64_t panels, const std::string &what) {
      const bool isKnown = std::any_of(plan.extra.begin(), plan.extra.end(),
                                       [&](const auto &parameter) { return parameter.second == name; });
      if (!isKnown) plan.extra.emplace_back("const __grid_constant__ CUtensorMap " + name, name);
      result.maps.emplace_back(name, context.primitive("makeTensorMap") + "(" + name + ", " + type + ", " + what +
                                         ", {" + listed(boxOf(c, rank, rows, panels)) + "})");
    };
    map(nameOfMap(c, frame), c.run > 0 ? c.run : RoleFrame::rowsOf(c), panelsOf(c), arguments);
    if (c.step > 1) map(nameOfLongerMap(c, frame), RoleFrame::rowsOf(c), panelsOf(c), described(longer));
    if (!fillsParts(frame.roles.copies, c)) continue;
    map(nameOfRowsMap(c, frame), 8, 1, arguments);
    map(nameOfRowMap(c, frame), 1, 1, arguments);
  }
  return result;
}

} // namespace polymend::print_room
