// From sm_80 on: all threads of a copying warp copy chunks of 16 bytes, whose arrival signals the slot's full barrier;
// a warp multiplies its rows of each 64, in blocks of 16, by fragments that it loads from shared memory, where the
// product stands in the program; warps beside each other take 16 columns each in turn. The accumulators of 16 rows
// are those of wgmma: tiles of 16 x 8 side by side, row by row the same registers. Fragments of floats and doubles take
// the terms of each 8 in the order 0, 2, 4, 6, 1, 3, 5, 7: then four accumulators of 16 x 8 are the left fragment of 8
// terms, in order.
#include "role_units.h"

namespace polymend::print_room {

using device_room::rowBytes;
namespace {

/// A text as an operand of any operator.
std::string enclosed(const std::string &text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

std::string flag(bool value) { return value ? "true" : "false"; }
std::string panelOf(const DeviceChannel &c) { return number(RoleFrame::panelOf(c)); }

/// What multiplies the elements of a step.
std::string multiplier(Type type) {
  if (type == Type::BFloat16) return "multiplyBrain";
  if (type == Type::Float16) return "multiplyHalf";
  return type == Type::Float64 ? "multiplyDouble" : "multiplyFloat";
}

/// A product of warps, in steps of some terms.
class WarpProduct {
public:
  WarpProduct(const DeviceIssue &i, RoleFrame &f) : issue(i), frame(f), context(f.context) {}
  void print(Writer &out) const;

private:
  [[nodiscard]] bool narrow() const { return frame.elementBytes == 2; }
  [[nodiscard]] std::string firstRow() const;
  [[nodiscard]] std::string firstColumn() const;
  [[nodiscard]] std::string start(const DeviceChannel &c, bool turned, bool rowsFirst, const std::string &from) const;
  void product(Writer &out) const;

  const DeviceIssue &issue;
  RoleFrame &frame;
  Context &context;
};

/// Where the warp's rows begin among those of its tile, and its columns.
std::string WarpProduct::firstRow() const {
  const std::int64_t warpsN = frame.fragments.warpsAcross();
  const MatrixAtom &atom = frame.roles.atom;
  const std::string share = number(atom.rows * warpsN) + " * ";
  const std::string below = warpsN == 4 ? "" : " + " + share + (warpsN == 2 ? "($warp / 2)" : "$warp");
  return number(groupRows(atom)) + " * " + frame.group() + below;
}
std::string WarpProduct::firstColumn() const {
  return frame.fragments.warpsAcross() == 4 ? "16 * $warp" : "16 * ($warp % 2)";
}

/// The start of a factor's share in its channel's slot, from a row or column of the product on: rows of the tile, or
/// columns where it stands turned.
std::string WarpProduct::start(const DeviceChannel &c, bool turned, bool rowsFirst, const std::string &from) const {
  const std::string first =
      narrow() ? context.primitive("matrixStart") + "<" + flag(rowsFirst) + ">("
               : context.primitive("shareStart") + "<" + spell(c.tile.type) + ", " + flag(turned) + ">(";
  if (from.empty()) return first + frame.slot(c) + ")";
  if (!turned) return first + frame.slot(c) + " + (" + from + ") * " + number(rowBytes) + ")";
  return context.primitive("fromColumn") + "<" + number(frame.elementBytes) + ", " + panelOf(c) + ">(" + first +
         frame.slot(c) + "), " + from + ")";
}

/// The left elements of a step are in a fragment or are loaded. Sums of doubles leave no registers for what several
/// steps could load in advance.
void WarpProduct::product(Writer &out) const {
  const std::string &sums = issue.target.array, &k = issue.sum.variable;
  const DeviceChannel &b = frame.channelOf(issue.right.array);
  const bool across = !runsAlong(issue.right, k), several = frame.fragments.warpsAcross() > 1;
  const std::string multiply = context.primitive(multiplier(b.tile.type));
  const auto step = [&](const std::string &left) {
    out.line(multiply + "<" + number(frame.fragments.columnsOfWarp(sums)) + ", " + flag(across) + ", " + panelOf(b) +
             ">(" + context.names.of(sums) + ", " + left + ", $right, $k);");
  };
  out.line("const std::uint32_t $right = " + start(b, across, across, several ? firstColumn() : "") + ";");
  const std::string steps = number(constant(issue.sum.limit) / (narrow() ? 16 : 8));
  const std::string overTerms = "for (int $k = 0; $k < " + steps + "; ++$k)";
  if (frame.fragments.fragment(issue.left.array)) {
    out.pragma("unroll");
    out.block(overTerms, [&] { step("&" + context.names.of(issue.left.array) + "[4 * $k]"); });
    return;
  }
  const DeviceChannel &a = frame.channelOf(issue.left.array);
  const bool turned = !runsAlong(issue.left, k);
  out.line("const std::uint32_t $left = " + start(a, turned, !turned, firstRow()) + ";");
  out.pragma(frame.elementBytes == 8 ? "unroll 1" : "unroll");
  out.block(overTerms, [&] {
    out.line((narrow() ? "std::uint32_t" : spell(a.tile.type)) + " $rows[" + number(4 * frame.fragments.warpsAcross()) +
             "];");
    out.line(context.primitive(narrow() ? "loadRows" : "loadShares") + "<" + flag(turned) + ", " + panelOf(a) +
             ">($rows, $left, $k);");
    step("$rows");
  });
}

void WarpProduct::print(Writer &out) const {
  out.block("", [&] {
    if (issue.fresh) {
      out.pragma("unroll");
      out.line("for (int $e = 0; $e < " + number(frame.fragments.elements(issue.target.array)) + "; ++$e) " +
               context.names.of(issue.target.array) + "[$e] = " + (frame.elementBytes == 8 ? "0.0;" : "0.0f;"));
    }
    product(out);
  });
}

} // namespace

void fillByThreads(const DeviceFill &fill, RoleFrame &frame, Writer &out) {
  Context &context = frame.context;
  const DeviceChannel &c = frame.channelOf(fill.channel);
  const TileArray &source = frame.sourceOf(c);
  const std::vector<Expr> &first = fill.first;
  const std::size_t row = c.rowsAlong, last = first.size() - 1;
  std::string offset, inside;
  Expr stride = Expr::integer(1);
  for (std::size_t d = 0; d <= last; ++d) {
    const std::string here = frame.plain(first[d]);
    const std::string extent = source.extents[d] ? frame.plain(source.extents[d]) : "";
    if (!offset.empty())
      offset = enclosed(offset) + " * " + enclosed(extent) + (here == "0" ? "" : " + " + enclosed(here));
    if (offset.empty() && here != "0") offset = "static_cast<std::int64_t>(" + here + ")";
    if (d > row) stride = stride * source.extents[d];
    if (d == row || d == last) continue;
    const auto also = [&](const std::string &test) { inside += (inside.empty() ? "" : " && ") + test; };
    if (!context.signs.isNonNegative(first[d])) also("0 <= " + here);
    if (source.extents[d]) also(here + " < " + frame.plain(usedExtent(source, d)));
  }
  const auto range = [&](std::size_t d) {
    const Expr step = Expr::integer(d == row ? c.step : 1); // in a tile's row, of those of the array
    const auto byStep = [&](const Expr &e) {
      return d != row || c.step == 1 ? e : simplify(Expr::make(Op::FloorDiv, Type::Int64, {e, step}));
    };
    const std::string from =
        context.signs.isNonNegative(first[d]) ? "0" : "-" + enclosed(frame.plain(byStep(first[d])));
    if (!source.extents[d]) return from + ", " + frame.plain(fill.rows);
    const Expr inArray = byStep(usedExtent(source, d) - first[d] + step - Expr::integer(1));
    const bool isPart = d == row && fill.rows;
    return from + ", " + frame.plain(isPart ? Expr::make(Op::Min, Type::Int64, {inArray, fill.rows}) : inArray);
  };
  if (c.step > 1) stride = stride * Expr::integer(c.step);
  const std::int64_t warps = frame.roles.copierWarps;
  out.line(context.primitive("copyMatrix") + "<" + number(RoleFrame::rowsOf(c)) + ", " +
           number(RoleFrame::columnsOf(c)) + (warps > 1 ? ", " + number(warps) : "") + ">(" + frame.slot(c) + ", " +
           context.names.of(source.name) + ", " + (offset.empty() ? "0" : offset) + ", " + frame.plain(stride) + ", " +
           (inside.empty() ? "true" : inside) + ", " + range(row) + ", " + range(last) + ", " + frame.full(c) + ");");
}

void issueToWarps(const DeviceIssue &issue, RoleFrame &frame, Writer &out) { WarpProduct(issue, frame).print(out); }

UnitsLaunch launchOfThreads(RoleFrame &frame, LaunchPlan &plan) {
  Context &context = frame.context;
  UnitsLaunch result{context.primitive("runsMatrixCode") + "(" + number(plan.bytes) + ")", {"climits", "cstdint"}, {}};
  std::set<std::string> seen;
  for (const DeviceChannel &c : frame.roles.channels) {
    const TileArray &a = frame.sourceOf(c);
    plan.used.insert(a.name);
    if (!seen.insert(a.name).second) continue;
    const std::string base = context.names.of(a.name) + (a.space == Space::Work ? "Memory" : "");
    std::string extents;
    for (std::size_t d = a.extents.size(); d-- > 0;)
      if (a.extents[d]) extents += (extents.empty() ? "" : ", ") + frame.plain(a.extents[d]);
    result.condition += " && " + context.primitive("chunksReach") + "(" + base + ", {" + extents + "})";
  }
  return result;
}

} // namespace polymend::print_room
