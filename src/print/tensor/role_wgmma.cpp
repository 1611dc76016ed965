// sm_90a: one thread of a copying warp has the copy engine fetch whole tiles; a warp group multiplies 64 rows straight
// from shared memory, beside its own element-wise work; warp groups hand registers over.
#include "polymend/atoms.h"
#include "polymend/contraction.h"

#include "print/hopper_texts.h"
#include "role_units.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::rowBytes;
namespace {

constexpr std::int64_t panelColumns = 64; // of 16-bit elements

/// How the copy engine takes a channel's tile.
struct Box {
  std::vector<int> extents; // per dimension of the source, innermost first
  bool whole = false;       // one copy takes all panels: they are one more dimension of the source
};

class WgmmaUnits : public RoleUnits {
public:
  using RoleUnits::RoleUnits;
  std::optional<Refusal> prepare() override;
  [[nodiscard]] std::int64_t threads() const override { return frame.groupThreads * (frame.groups + 1); }
  [[nodiscard]] std::string copies() const override { return "$warpGroup == 0"; }
  [[nodiscard]] std::string group() const override { return "($warpGroup - 1)"; }
  [[nodiscard]] std::int64_t firstComputing() const override { return frame.groupThreads; }
  std::string barrier(const std::string &what) override { return context.primitive("barrier" + what); }
  [[nodiscard]] std::int64_t copyArrivals() const override { return 1; }
  [[nodiscard]] bool eachReleases() const override { return false; }
  [[nodiscard]] std::int64_t ticketReaders() const override {
    return frame.groupThreads * frame.groups + frame.copiers() - 1;
  }
  void showBarriers(Writer &out) override { out.line(context.primitive("barrierInitFence") + "();"); }
  void enterCopying(const TileRole &role, Writer &out) override;
  void enterChannel(const Channel &channel, Writer &out) override;
  [[nodiscard]] std::string draws() const override { return "$copier == " + number(frame.lastCopier()); }
  void ticket(const Assign &draw, const Assign &take, Writer &out) override;
  void copy(const TileAsync &async, const Channel &channel, Writer &out) override;
  [[nodiscard]] std::string idles() const override;
  void leaveCopying(const TileRole &computing, Writer &out) override;
  void enterComputing(const TileRole &role, Writer &out) override;
  std::optional<Refusal> contraction(const TileAsync &async, bool fresh, Writer &out) override;
  [[nodiscard]] std::size_t pending() const override { return issued.size(); }
  bool await(const std::string &name, const std::set<std::string> &readLater, Writer &out) override;
  [[nodiscard]] std::vector<std::string> headers() const override { return {"cuda.h", "climits", "cstdint"}; }
  void parameters(LaunchPlan &plan) override;
  std::string runs(const LaunchPlan &plan) override;
  void beforeLaunch(const Assign &check, Writer &host) override;

private:
  std::map<std::string, Box> boxes;      // by the tile's name
  std::vector<const TileAsync *> issued; // and not awaited, oldest first
  std::vector<std::string> maps;         // calls that describe the arrays
};

/// The box of each copy, from the subscripts of the source.
std::optional<Refusal> WgmmaUnits::prepare() {
  for (const Channel &channel : frame.channels) {
    const TileAssign &assign = channel.copy->points.body[0];
    const std::size_t rank = channel.source->extents.size();
    const std::string &row = assign.target.subscripts[0]->name;
    Box &box = boxes[channel.tile->name];
    for (std::size_t d = rank; d-- > 0;) {
      const bool rows = symbols(assign.value->args[d]).count(row) > 0;
      box.extents.push_back(static_cast<int>(d + 1 == rank ? panelColumns : rows ? channel.rows : 1));
    }
    const std::int64_t width = constant(simplify(usedExtent(*channel.source, rank - 1)));
    const Expr first = RoleFrame::firstOf(*channel.copy).back();
    const bool aligned = first.op() == Op::Integer && first->integer % panelColumns == 0;
    box.whole = aligned && channel.panels > 1 && rank < 4 && width > 0 && width % panelColumns == 0 &&
                channel.columns % panelColumns == 0;
    if (box.whole) box.extents.push_back(static_cast<int>(channel.panels));
  }
  return std::nullopt;
}

void WgmmaUnits::enterCopying(const TileRole &role, Writer &out) {
  out.line(context.primitive("lowerRegisters") + "<" + number(role.registers) + ">();");
  out.line("const int $copier = static_cast<int>(threadIdx.x / " + number(frame.lanes) + ");");
}

std::string WgmmaUnits::idles() const {
  return "threadIdx.x % " + number(frame.lanes) + " != 0 || $copier >= " + number(frame.copiers());
}

void WgmmaUnits::leaveCopying(const TileRole &computing, Writer &out) {
  out.line(context.primitive("raiseRegisters") + "<" + number(computing.registers) + ">();");
}

void WgmmaUnits::enterChannel(const Channel &channel, Writer &out) {
  out.line(context.primitive("prefetchMap") + "(&" + channel.name + "Map);");
}

void WgmmaUnits::ticket(const Assign &draw, const Assign &take, Writer &out) {
  out.line("int $ticket;");
  out.block("if (" + draws() + ")", "} else {", [&] { draw("$ticket"); });
  out.inside([&] { take("$ticket"); });
  out.line("}");
}

/// Fills the next slot of a channel: by the one warp that copies for it.
void WgmmaUnits::copy(const TileAsync &async, const Channel &c, Writer &out) {
  const Box &box = boxes.at(c.tile->name);
  std::vector<Expr> first = RoleFrame::firstOf(async);
  std::vector<std::string> coordinates;
  for (std::size_t d = first.size(); d-- > 0;) coordinates.push_back("static_cast<int>(" + frame.plain(first[d]) + ")");
  if (box.whole) {
    coordinates.push_back(coordinates[0] + " / " + number(panelColumns));
    coordinates[0] = "0";
  }
  out.line(context.primitive("barrierExpect") + "(" + RoleFrame::full(c) + ", " + number(c.bytes) + ");");
  for (std::int64_t panel = 0; panel < (box.whole ? 1 : c.panels); ++panel) {
    std::string list;
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      list += ", " + coordinates[k] + (k == 0 && panel > 0 ? " + " + number(panel * panelColumns) : "");
    out.line(context.primitive("copyTile") + "(" + RoleFrame::slot(c) +
             (panel > 0 ? " + " + number(panel * c.rows * rowBytes) : "") + ", &" + c.name + "Map, " +
             RoleFrame::full(c) + list + ");");
  }
}

void WgmmaUnits::enterComputing(const TileRole &role, Writer &out) {
  out.line(context.primitive("raiseRegisters") + "<" + number(role.registers) + ">();");
}

std::optional<Refusal> WgmmaUnits::contraction(const TileAsync &async, bool fresh, Writer &out) {
  const TileAssign &assign = async.points.body[0];
  const auto parts = contractionOf(async.points, frame.kernel.tiles);
  if (!parts) return Refusal{"a contraction that is none", {}};
  std::int64_t steps = 0;
  for (const PointDim &d : async.points.dims)
    if (d.variable == parts->k) steps = constant(d.limit) / 16;
  const TileArray *factor = frame.fragments.fragment(parts->a.array);
  const bool registers = factor != nullptr;
  if (registers && factor->layout != leftOf(atomOf(frame.kernel), 16 * steps, {frame.groups, 1}))
    return Refusal{"a left factor that lies as " + show(factor->layout), {}};
  WgmmaShape shape;
  shape.columns = static_cast<int>(frame.fragments.columns(assign.target.array));
  const Channel &b = frame.channelOf(parts->b.array);
  shape.brain = b.tile->type == Type::BFloat16;
  shape.leftInRegisters = registers;
  shape.leftTransposed = !registers && !runsAlong(parts->a, parts->k);
  shape.rightTransposed = !runsAlong(parts->b, parts->k);
  const std::string product = needWgmma(shape, context.needs);
  const auto matrix = [&](const Channel &c, bool transposed, const std::string &extra) {
    const std::string base = RoleFrame::slot(c) + extra;
    return transposed ? context.primitive("matrixN") + "(" + base + ", " + number(c.rows * rowBytes) + ")"
                      : context.primitive("matrixK") + "(" + base;
  };
  const auto step = [&](const Channel &c, bool transposed, const std::string &extra) {
    if (transposed) return matrix(c, true, extra) + " + 128 * $k";
    return matrix(c, false, extra) + " + $k / 4 * " + number(c.rows * rowBytes) + ") + 2 * ($k % 4)";
  };
  std::string left;
  if (registers) {
    left = "&" + context.names.of(parts->a.array) + "[4 * $k]";
  } else {
    const Channel &a = frame.channelOf(parts->a.array);
    const std::int64_t stride = shape.leftTransposed ? a.rows * rowBytes : 64 * rowBytes;
    left = step(a, shape.leftTransposed, frame.groups > 1 ? " + " + group() + " * " + number(stride) : "");
  }
  const std::string &target = context.names.of(assign.target.array);
  out.line(context.primitive("wgmmaFence") + "();");
  out.pragma("unroll");
  out.line("for (int $k = 0; $k < " + number(steps) + "; ++$k) " + product + "(" + target + ", " + left + ", " +
           step(b, shape.rightTransposed, "") + ", " + (fresh ? "$k > 0" : "1") + ");");
  out.line(context.primitive("wgmmaCommit") + "();");
  issued.push_back(&async);
  return std::nullopt;
}

bool WgmmaUnits::await(const std::string &wanted, const std::set<std::string> &readLater, Writer &out) {
  std::size_t last = issued.size();
  for (std::size_t k = 0; k < issued.size(); ++k)
    if (issued[k]->name == wanted) last = k;
  if (last == issued.size()) return false;
  // What was computed beside the products must not be put off until after them.
  std::set<std::string> ofProducts;
  for (const TileAsync *async : issued) {
    const auto parts = contractionOf(async->points, frame.kernel.tiles);
    ofProducts.insert(parts->target.array);
    ofProducts.insert(parts->a.array);
  }
  for (const std::string &name : readLater)
    if (frame.fragments.columns(name) > 0 && !ofProducts.count(name))
      out.line(context.primitive("pinRegisters") + "(" + context.names.of(name) + ");");
  out.line(context.primitive("wgmmaWait") + "<" + number(static_cast<std::int64_t>(issued.size() - last - 1)) + ">();");
  std::set<std::string> pinned;
  for (std::size_t k = 0; k <= last; ++k) {
    const auto parts = contractionOf(issued[k]->points, frame.kernel.tiles);
    pinned.insert(parts->target.array);
    if (frame.fragments.fragment(parts->a.array)) pinned.insert(parts->a.array);
  }
  issued.erase(issued.begin(), issued.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  for (const std::string &name : pinned)
    out.line(context.primitive("pinRegisters") + "(" + context.names.of(name) + ");");
  return true;
}

void WgmmaUnits::parameters(LaunchPlan &plan) {
  for (const Channel &c : frame.channels)
    plan.extra.emplace_back("const __grid_constant__ CUtensorMap " + c.name + "Map", c.name + "Map");
}

std::string WgmmaUnits::runs(const LaunchPlan & /*plan*/) {
  std::string condition = context.primitive("runsHopperCode") + "()";
  for (const Channel &c : frame.channels) {
    const TileArray &a = *c.source;
    const std::string base = context.names.of(a.name) + (a.space == Space::Work ? "Memory" : "");
    std::string extents, strides, box;
    Expr stride = Expr::integer(2);
    for (std::size_t d = a.extents.size(); d-- > 0;) {
      extents += (extents.empty() ? "" : ", ") + frame.plain(usedExtent(a, d));
      if (d > 0) {
        stride = stride * a.extents[d];
        strides += (strides.empty() ? "" : ", ") + frame.plain(stride);
      }
    }
    if (boxes.at(c.tile->name).whole) {
      extents.replace(0, extents.find(','), number(panelColumns));
      extents += ", " + number(constant(simplify(usedExtent(a, a.extents.size() - 1))) / panelColumns);
      strides += ", " + number(rowBytes);
    }
    for (const int b : boxes.at(c.tile->name).extents) box += (box.empty() ? "" : ", ") + number(b);
    const std::string arguments = base + ", {" + extents + "}, {" + strides + "}";
    condition += " && " + context.primitive("tensorMappable") + "(" + arguments + ")";
    const std::string type =
        a.type == Type::BFloat16 ? "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16" : "CU_TENSOR_MAP_DATA_TYPE_FLOAT16";
    maps.push_back(context.primitive("makeTensorMap") + "(" + c.name + "Map, " + type + ", " + arguments + ", {" + box +
                   "})");
  }
  return condition;
}

void WgmmaUnits::beforeLaunch(const Assign &check, Writer &host) {
  for (std::size_t k = 0; k < frame.channels.size(); ++k) {
    host.line("CUtensorMap " + frame.channels[k].name + "Map;");
    check(maps[k]);
  }
}

} // namespace

std::unique_ptr<RoleUnits> wgmmaUnits(RoleFrame &frame) { return std::make_unique<WgmmaUnits>(frame); }

} // namespace polymend::print_room
