// From sm_80 on: all threads of a copying warp copy chunks of 16 bytes, whose arrival signals the slot's full barrier;
// a warp multiplies its rows of each 64, in blocks of 16, by fragments that it loads from shared memory, where the
// product stands in the program; warps beside each other take 16 columns each in turn. The accumulators of 16 rows
// are those of wgmma: tiles of 16 x 8 side by side, row by row the same registers. Fragments of floats and doubles take
// the terms of each 8 in the order 0, 2, 4, 6, 1, 3, 5, 7: then four accumulators of 16 x 8 are the left fragment of 8
// terms, in order.
#include "polymend/atoms.h"
#include "polymend/contraction.h"

#include "role_units.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::rowBytes;
namespace {

/// A text as an operand of any operator.
std::string enclosed(const std::string &text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

class MmaSyncUnits : public RoleUnits {
public:
  using RoleUnits::RoleUnits;
  std::optional<Refusal> prepare() override;
  [[nodiscard]] std::int64_t threads() const override {
    return frame.groupThreads * frame.groups + copyArrivals() * frame.copiers();
  }
  [[nodiscard]] std::string copies() const override { return "$warpGroup == " + number(frame.groups); }
  [[nodiscard]] std::string group() const override { return "$warpGroup"; }
  [[nodiscard]] std::int64_t firstComputing() const override { return 0; }
  std::string barrier(const std::string &what) override { return context.primitive("mbarrier" + what); }
  [[nodiscard]] std::int64_t copyArrivals() const override { return frame.lanes * frame.warpsOfCopier(); }
  [[nodiscard]] bool eachReleases() const override { return true; }
  [[nodiscard]] std::int64_t ticketReaders() const override { return threads(); }
  void showBarriers(Writer & /*out*/) override {}
  void enterCopying(const TileRole &role, Writer &out) override;
  [[nodiscard]] std::string idles() const override { return ""; }
  void leaveCopying(const TileRole & /*computing*/, Writer & /*out*/) override {}
  void enterChannel(const Channel & /*channel*/, Writer & /*out*/) override {}
  [[nodiscard]] std::string draws() const override {
    return "threadIdx.x == " + number(frame.groupThreads * frame.groups);
  }
  void ticket(const Assign &draw, const Assign &take, Writer &out) override;
  void copy(const TileAsync &async, const Channel &channel, Writer &out) override;
  void enterComputing(const TileRole & /*role*/, Writer & /*out*/) override {}
  std::optional<Refusal> contraction(const TileAsync &async, bool fresh, Writer &out) override;
  [[nodiscard]] std::size_t pending() const override { return 0; }
  bool await(const std::string & /*name*/, const std::set<std::string> & /*readLater*/, Writer & /*out*/) override {
    return false;
  }
  [[nodiscard]] std::vector<std::string> headers() const override { return {"climits", "cstdint"}; }
  void parameters(LaunchPlan &plan) override;
  std::string runs(const LaunchPlan &plan) override;
  void beforeLaunch(const Assign & /*check*/, Writer & /*host*/) override {}

private:
  [[nodiscard]] bool narrow() const { return frame.elementBytes == 2; }
  [[nodiscard]] std::int64_t termsOfStep() const { return narrow() ? 16 : 8; }
  [[nodiscard]] bool isLeft(const TileArray &tile, std::int64_t terms) const;
  void product(const Contraction &parts, std::int64_t terms, Writer &out);
  [[nodiscard]] std::string firstRow() const;
  [[nodiscard]] std::string firstColumn() const;
  std::string start(const Channel &c, bool turned, bool rowsFirst, const std::string &from);

  /// The dimension of a channel's source that its tile's rows run along.
  std::map<std::string, std::size_t> rowDimensions;
};

std::optional<Refusal> MmaSyncUnits::prepare() {
  for (const Channel &channel : frame.channels) {
    const TileAssign &assign = channel.copy->points.body[0];
    const std::string &row = assign.target.subscripts[0]->name, &column = assign.target.subscripts[1]->name;
    const std::vector<Expr> first = RoleFrame::firstOf(*channel.copy);
    std::size_t found = 0;
    for (std::size_t d = 0; d < first.size(); ++d) {
      const std::set<std::string> used = symbols(assign.value->args[d]);
      const bool rows = used.count(row) > 0, columns = used.count(column) > 0;
      if (rows) rowDimensions[channel.tile->name] = d;
      found += rows ? 1 : 0;
      if (!rows && !columns) continue;
      const Expr next = simplify(substitute(assign.value->args[d], [&](const std::string &name) {
        return name == (rows ? row : column) ? Expr::integer(1) : Expr();
      }));
      const Expr step = simplify(next - first[d]);
      if (constant(step) != 1) return Refusal{"the copied tile skips elements of the array", placeOf(assign.value)};
    }
    if (found != 1)
      return Refusal{"the rows of the copied tile run along no dimension of the array", placeOf(assign.value)};
  }
  return std::nullopt;
}

void MmaSyncUnits::enterCopying(const TileRole & /*role*/, Writer &out) {
  out.line("const int $copier = static_cast<int>(threadIdx.x - " + number(frame.groupThreads * frame.groups) + ") / " +
           number(copyArrivals()) + ";");
}

/// One thread draws; all copying threads, itself too, take what it handed out.
void MmaSyncUnits::ticket(const Assign &draw, const Assign &take, Writer &out) {
  out.block("if (" + draws() + ")", [&] {
    out.line("int $ticket;");
    draw("$ticket");
  });
  out.line("__syncwarp();");
  take("const int $ticket");
}

void MmaSyncUnits::copy(const TileAsync &async, const Channel &c, Writer &out) {
  const TileArray &source = *c.source;
  const std::vector<Expr> first = RoleFrame::firstOf(async);
  const std::size_t row = rowDimensions.at(c.tile->name), last = first.size() - 1;
  std::string offset, inside;
  Expr stride = Expr::integer(1);
  for (std::size_t d = 0; d <= last; ++d) {
    const std::string here = frame.plain(first[d]), extent = frame.plain(source.extents[d]);
    const std::string most = frame.plain(usedExtent(source, d));
    if (!offset.empty())
      offset = enclosed(offset) + " * " + enclosed(extent) + (here == "0" ? "" : " + " + enclosed(here));
    if (offset.empty() && here != "0") offset = "static_cast<std::int64_t>(" + here + ")";
    if (d > row) stride = stride * source.extents[d];
    if (d == row || d == last) continue;
    const auto also = [&](const std::string &test) { inside += (inside.empty() ? "" : " && ") + test; };
    if (!context.signs.isNonNegative(first[d])) also("0 <= " + here);
    also(here + " < " + most);
  }
  const auto range = [&](std::size_t d) {
    const std::string from = context.signs.isNonNegative(first[d]) ? "0" : "-" + enclosed(frame.plain(first[d]));
    return from + ", " + frame.plain(usedExtent(source, d) - first[d]);
  };
  const std::string name = context.names.of(source.name);
  const std::int64_t warps = frame.warpsOfCopier();
  out.line(context.primitive("copyMatrix") + "<" + number(c.rows) + ", " + number(c.columns) +
           (warps > 1 ? ", " + number(warps) : "") + ">(" + RoleFrame::slot(c) + ", " + name + ", " +
           (offset.empty() ? "0" : offset) + ", " + frame.plain(stride) + ", " + (inside.empty() ? "true" : inside) +
           ", " + range(row) + ", " + range(last) + ", " + RoleFrame::full(c) + ");");
}

std::string flag(bool value) { return value ? "true" : "false"; }
std::string panelOf(const Channel &c) { return number(c.rows * rowBytes); }

/// Does a matrix in registers lie as a left factor whose terms come in the order that texts take them in?
bool MmaSyncUnits::isLeft(const TileArray &tile, std::int64_t terms) const {
  using Order = std::vector<std::size_t>;
  const Order texts = narrow() ? Order{0, 1, 2} : Order{1, 0};
  const WarpShares shares{frame.groups, 1};
  return termsOrder(atomOf(frame.kernel), tile.layout, terms, shares) == texts;
}

/// What multiplies the elements of a step.
std::string multiplier(Type type) {
  if (type == Type::BFloat16) return "multiplyBrain";
  if (type == Type::Float16) return "multiplyHalf";
  return type == Type::Float64 ? "multiplyDouble" : "multiplyFloat";
}

/// Where the warp's rows begin among those of its tile, and its columns.
std::string MmaSyncUnits::firstRow() const {
  const std::int64_t warpsN = frame.fragments.warpsAcross();
  const MatrixAtom atom = atomOf(frame.kernel);
  const std::string share = number(atom.rows * warpsN) + " * ";
  const std::string below = warpsN == 4 ? "" : " + " + share + (warpsN == 2 ? "($warp / 2)" : "$warp");
  return number(groupRows(atom)) + " * " + group() + below;
}
std::string MmaSyncUnits::firstColumn() const {
  return frame.fragments.warpsAcross() == 4 ? "16 * $warp" : "16 * ($warp % 2)";
}

/// The start of a factor's share in its channel's slot, from a row or column of the product on: rows of the tile, or
/// columns where it stands turned.
std::string MmaSyncUnits::start(const Channel &c, bool turned, bool rowsFirst, const std::string &from) {
  const std::string first =
      narrow() ? context.primitive("matrixStart") + "<" + flag(rowsFirst) + ">("
               : context.primitive("shareStart") + "<" + spell(c.tile->type) + ", " + flag(turned) + ">(";
  if (from.empty()) return first + RoleFrame::slot(c) + ")";
  if (!turned) return first + RoleFrame::slot(c) + " + (" + from + ") * " + number(rowBytes) + ")";
  return context.primitive("fromColumn") + "<" + number(frame.elementBytes) + ", " + panelOf(c) + ">(" + first +
         RoleFrame::slot(c) + "), " + from + ")";
}

/// The product in steps of some terms, in the scope of one contraction: the left elements of a step are in a fragment
/// or are loaded. Sums of doubles leave no registers for what several steps could load in advance.
void MmaSyncUnits::product(const Contraction &parts, std::int64_t terms, Writer &out) {
  const std::string &sums = parts.target.array;
  const Channel &b = frame.channelOf(parts.b.array);
  const bool across = !runsAlong(parts.b, parts.k), several = frame.fragments.warpsAcross() > 1;
  const std::string multiply = context.primitive(multiplier(b.tile->type));
  const auto step = [&](const std::string &left) {
    out.line(multiply + "<" + number(frame.fragments.columnsOfWarp(sums)) + ", " + flag(across) + ", " + panelOf(b) +
             ">(" + context.names.of(sums) + ", " + left + ", $right, $k);");
  };
  out.line("const std::uint32_t $right = " + start(b, across, across, several ? firstColumn() : "") + ";");
  const std::string overTerms = "for (int $k = 0; $k < " + number(terms / termsOfStep()) + "; ++$k)";
  if (frame.fragments.fragment(parts.a.array)) {
    out.pragma("unroll");
    out.block(overTerms, [&] { step("&" + context.names.of(parts.a.array) + "[4 * $k]"); });
    return;
  }
  const Channel &a = frame.channelOf(parts.a.array);
  const bool turned = !runsAlong(parts.a, parts.k);
  out.line("const std::uint32_t $left = " + start(a, turned, !turned, firstRow()) + ";");
  out.pragma(frame.elementBytes == 8 ? "unroll 1" : "unroll");
  out.block(overTerms, [&] {
    out.line((narrow() ? "std::uint32_t" : spell(a.tile->type)) + " $rows[" +
             number(4 * frame.fragments.warpsAcross()) + "];");
    out.line(context.primitive(narrow() ? "loadRows" : "loadShares") + "<" + flag(turned) + ", " + panelOf(a) +
             ">($rows, $left, $k);");
    step("$rows");
  });
}

std::optional<Refusal> MmaSyncUnits::contraction(const TileAsync &async, bool fresh, Writer &out) {
  const auto parts = contractionOf(async.points, frame.kernel.tiles);
  if (!parts) return Refusal{"a contraction that is none", {}};
  std::int64_t terms = 0;
  for (const PointDim &d : async.points.dims)
    if (d.variable == parts->k) terms = constant(d.limit);
  const std::string &target = context.names.of(parts->target.array);
  if (terms % termsOfStep() != 0) return Refusal{"a contraction of so many terms", {}};
  const TileArray *left = frame.fragments.fragment(parts->a.array);
  if (left && frame.fragments.warpsAcross() > 1) return Refusal{"a left factor that several warps hold", {}};
  if (left && !isLeft(*left, terms)) return Refusal{"a left factor that lies as " + show(left->layout), {}};
  out.block("", [&] {
    if (fresh) {
      out.pragma("unroll");
      out.line("for (int $e = 0; $e < " + number(frame.fragments.elements(parts->target.array)) + "; ++$e) " + target +
               "[$e] = " + (frame.elementBytes == 8 ? "0.0;" : "0.0f;"));
    }
    product(*parts, terms, out);
  });
  return std::nullopt;
}

void MmaSyncUnits::parameters(LaunchPlan &plan) {
  for (const Channel &c : frame.channels) plan.used.insert(c.source->name);
}

std::string MmaSyncUnits::runs(const LaunchPlan &plan) {
  std::string condition = context.primitive("runsMatrixCode") + "(" + number(plan.bytes) + ")";
  std::set<std::string> seen;
  for (const Channel &c : frame.channels) {
    const TileArray &a = *c.source;
    if (!seen.insert(a.name).second) continue;
    const std::string base = context.names.of(a.name) + (a.space == Space::Work ? "Memory" : "");
    std::string extents;
    for (std::size_t d = a.extents.size(); d-- > 0;)
      extents += (extents.empty() ? "" : ", ") + frame.plain(a.extents[d]);
    condition += " && " + context.primitive("chunksReach") + "(" + base + ", {" + extents + "})";
  }
  return condition;
}

} // namespace

std::unique_ptr<RoleUnits> mmaSyncUnits(RoleFrame &frame) { return std::make_unique<MmaSyncUnits>(frame); }

} // namespace polymend::print_room
