// sm_90a: one thread of a copying warp has the copy engine fetch whole tiles; a warp group multiplies 64 rows straight
// from shared memory, beside its own element-wise work; warp groups hand registers over.
#include "print/hopper_texts.h"
#include "role_units.h"

namespace polymend::print_room {

using device_room::rowBytes;
namespace {

constexpr std::int64_t panelColumns = 64; // of 16-bit elements

/// How the copy engine takes a channel's tile: extents per dimension of the source, innermost first; of joined panels
/// one dimension more.
std::vector<std::int64_t> boxOf(const DeviceChannel &c, std::size_t rank) {
  std::vector<std::int64_t> extents;
  for (std::size_t d = rank; d-- > 0;)
    extents.push_back(d + 1 == rank ? panelColumns : d == c.rowsAlong ? RoleFrame::rowsOf(c) : 1);
  if (c.joined) extents.push_back(RoleFrame::bytesOf(c) / RoleFrame::panelOf(c));
  return extents;
}

/// A factor in its channel's slot, `extra` bytes further, as step $k of a product takes it; transposed: rows of the
/// tile are terms.
std::string stepOf(const DeviceChannel &c, bool transposed, const std::string &extra, RoleFrame &frame) {
  const std::string base = frame.slot(c) + extra, panel = number(RoleFrame::panelOf(c));
  if (transposed) return frame.context.primitive("matrixN") + "(" + base + ", " + panel + ") + 128 * $k";
  return frame.context.primitive("matrixK") + "(" + base + " + $k / 4 * " + panel + ") + 2 * ($k % 4)";
}

} // namespace

void fillByEngine(const DeviceFill &fill, RoleFrame &frame, Writer &out) {
  const DeviceChannel &c = frame.channelOf(fill.channel);
  std::vector<std::string> coordinates;
  for (std::size_t d = fill.first.size(); d-- > 0;) coordinates.push_back(frame.asInt(fill.first[d]));
  if (c.joined) {
    coordinates.push_back("(" + coordinates[0] + ") / " + number(panelColumns));
    coordinates[0] = "0";
  }
  out.line(frame.context.primitive("barrierExpect") + "(" + frame.full(c) + ", " + number(RoleFrame::bytesOf(c)) +
           ");");
  const std::int64_t panels = RoleFrame::bytesOf(c) / RoleFrame::panelOf(c);
  for (std::int64_t panel = 0; panel < (c.joined ? 1 : panels); ++panel) {
    std::string list;
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      list += ", " + coordinates[k] + (k == 0 && panel > 0 ? " + " + number(panel * panelColumns) : "");
    out.line(frame.context.primitive("copyTile") + "(" + frame.slot(c) +
             (panel > 0 ? " + " + number(panel * RoleFrame::panelOf(c)) : "") + ", &" + frame.nameOf(c) + "Map, " +
             frame.full(c) + list + ");");
  }
}

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
    const std::string name = frame.nameOf(c) + "Map";
    plan.extra.emplace_back("const __grid_constant__ CUtensorMap " + name, name);
    const TileArray &a = frame.sourceOf(c);
    const std::size_t rank = a.extents.size();
    std::string extents, strides, box;
    Expr stride = Expr::integer(2);
    for (std::size_t d = rank; d-- > 0;) {
      extents += (extents.empty() ? "" : ", ") + frame.plain(usedExtent(a, d));
      if (d == 0) continue;
      stride = stride * a.extents[d];
      strides += (strides.empty() ? "" : ", ") + frame.plain(stride);
    }
    if (c.joined) {
      extents.replace(0, extents.find(','), number(panelColumns));
      extents += ", " + number(constant(simplify(usedExtent(a, rank - 1))) / panelColumns);
      strides += ", " + number(rowBytes);
    }
    for (const std::int64_t extent : boxOf(c, rank)) box += (box.empty() ? "" : ", ") + number(extent);
    const std::string arguments =
        context.names.of(a.name) + (a.space == Space::Work ? "Memory" : "") + ", {" + extents + "}, {" + strides + "}";
    result.condition += " && " + context.primitive("tensorMappable") + "(" + arguments + ")";
    const std::string type =
        a.type == Type::BFloat16 ? "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16" : "CU_TENSOR_MAP_DATA_TYPE_FLOAT16";
    result.maps.push_back(context.primitive("makeTensorMap") + "(" + name + ", " + type + ", " + arguments + ", {" +
                          box + "})");
  }
  return result;
}

} // namespace polymend::print_room
