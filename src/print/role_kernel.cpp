// A channel is a ring of slots in shared memory with two barriers each: full, on which its readers wait, and empty, on
// which the copying thread waits. Tickets travel through a channel of their own. One thread of the first warp group
// copies; the other groups each compute 64 rows of every fragment.
#include "print/role_kernel.h"

#include "polymend/contraction.h"

#include "print/hopper_texts.h"
#include "print/kernel.h"
#include "print/region.h"
#include "print/role_fragment.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace polymend::print_room {
namespace {

constexpr std::int64_t panelColumns = 64, rowBytes = 128;
constexpr std::size_t copierWarps = 4; // of the warp group that copies; each has channels of its own

std::int64_t constant(const Expr &e) { return e && e.op() == Op::Integer ? e->integer : 0; }
std::string plain(const Expr &e, Context &c) { return printExpr(simplify(e), c); }
std::string number(std::int64_t n) { return std::to_string(n); }

/// Where a channel's slots are, and how its tile is copied.
struct Channel {
  const TileArray *tile = nullptr;
  std::string name; // in printed text
  std::int64_t rows = 0, columns = 0, panels = 0, bytes = 0;
  std::int64_t offset = 0;   // of the first slot in shared memory
  std::int64_t barriers = 0; // of the first full barrier among all; the empty ones follow
  const TileArray *source = nullptr;
  std::vector<int> box;   // per dimension of the source, innermost first
  bool whole = false;     // one copy takes all panels: they are one more dimension of the source
  std::size_t copier = 0; // which warp copies
  const TileAsync *copy = nullptr;
};

class RolePrinter {
public:
  RolePrinter(const Kernel &k, DeviceFunction &f, Writer &w)
      : kernel(k), function(f), context(f.context), host(w), fragments(k, f.context) {}
  std::optional<Refusal> print();

private:
  std::optional<Refusal> findChannels();
  std::optional<Refusal> describe(Channel &channel);
  void eachCopy(const TileBlock &block, const std::function<void(const TileAsync &)> &f) const;
  Channel &channelOf(const std::string &name);
  void prologue(Writer &out);
  void coordinates(Writer &out);
  void copying(const TileRole &role, Writer &out);
  void computing(const TileRole &role, Writer &out);
  void block(const TileBlock &nodes, Writer &out);
  void copy(const TileAsync &async, Writer &out);
  void contraction(const TileAsync &async, bool fresh, Writer &out);
  void sync(const TileSync &sync, const std::set<std::string> &readLater, Writer &out);
  void advance(const Channel &channel, Writer &out) const;
  [[nodiscard]] std::string full(const Channel &c) const;
  [[nodiscard]] std::string empty(const Channel &c) const;
  void launch(const std::string &body);
  const std::string &local(const std::string &wish);
  std::string resolved(const std::string &text);

  const Kernel &kernel;
  DeviceFunction &function;
  Context &context;
  Writer &host;
  FragmentPrinter fragments;
  std::vector<Channel> channels;
  std::int64_t barriers = 0, bytes = 0;
  std::int64_t groups = 1;                   // of the computing role
  std::map<std::string, std::string> locals; // names of the kernel's own variables, written $NAME until all are known
  std::vector<const TileAsync *> pending;    // issued and not awaited, oldest first
  bool together = false; // since the last wait for a channel a warp's lanes met: one may arrive for all
  bool failed = false;
  Refusal failure;
};

void RolePrinter::eachCopy(const TileBlock &nodes, const std::function<void(const TileAsync &)> &f) const {
  for (const TileNode &node : nodes) {
    if (const auto *l = std::get_if<std::shared_ptr<const TileLoop>>(&node)) eachCopy((*l)->body, f);
    if (const auto *b = std::get_if<std::shared_ptr<const TileBranch>>(&node)) eachCopy((*b)->then, f);
    if (const auto *a = std::get_if<std::shared_ptr<const TileAsync>>(&node))
      if ((*a)->kind == TileAsync::Kind::Copy) f(**a);
  }
}

Channel &RolePrinter::channelOf(const std::string &name) {
  return *std::find_if(channels.begin(), channels.end(), [&](const Channel &c) { return c.tile->name == name; });
}

/// The box of one copy, from the subscripts of the source.
std::optional<Refusal> RolePrinter::describe(Channel &channel) {
  const TileAssign &assign = channel.copy->points.body[0];
  const auto at = std::find_if(function.program.arrays.begin(), function.program.arrays.end(),
                               [&](const TileArray &a) { return a.name == assign.value->name; });
  if (at == function.program.arrays.end()) return Refusal{"a copy of no array", {}};
  channel.source = &*at;
  const std::size_t rank = at->extents.size();
  if (rank < 2 || rank > 5 || assign.value->args.size() != rank) return Refusal{"a copy of so many dimensions", {}};
  const std::string &row = assign.target.subscripts[0]->name, &column = assign.target.subscripts[1]->name;
  for (std::size_t d = rank; d-- > 0;) {
    const std::set<std::string> used = symbols(assign.value->args[d]);
    const bool rows = used.count(row) > 0, columns = used.count(column) > 0;
    if (columns != (d + 1 == rank) || (rows && columns))
      return Refusal{"the copied tile is no matrix of the array", {}};
    if (!at->extents[d]) return Refusal{"an extent of the copied array is unknown", {}};
    channel.box.push_back(static_cast<int>(columns ? panelColumns : rows ? channel.rows : 1));
  }
  const std::int64_t width = constant(simplify(at->extents.back()));
  const Expr first = simplify(substitute(
      assign.value->args.back(), [&](const std::string &name) { return name == column ? Expr::integer(0) : Expr(); }));
  const bool aligned = first.op() == Op::Integer && first->integer % panelColumns == 0;
  channel.whole = aligned && channel.panels > 1 && rank < 4 && width > 0 && width % panelColumns == 0 &&
                  channel.columns % panelColumns == 0;
  if (channel.whole) channel.box.push_back(static_cast<int>(channel.panels));
  return std::nullopt;
}

std::optional<Refusal> RolePrinter::findChannels() {
  for (const TileArray &tile : kernel.tiles) {
    if (tile.space != Space::Shared) continue;
    Channel channel;
    channel.tile = &tile;
    channel.name = context.names.of(tile.name);
    channel.rows = constant(tile.extents[0]);
    channel.columns = constant(tile.extents[1]);
    channel.panels = (channel.columns + panelColumns - 1) / panelColumns;
    channel.bytes = channel.panels * channel.rows * rowBytes;
    channel.offset = bytes;
    channel.barriers = barriers;
    bytes += channel.bytes * tile.ring;
    barriers += std::int64_t{2} * tile.ring;
    if (channel.rows % 8 != 0 || channel.rows > 256) return Refusal{"a copied tile of so many rows", {}};
    for (const TileRole &role : kernel.roles)
      eachCopy(role.body, [&](const TileAsync &async) {
        if (async.points.body[0].target.array == tile.name) channel.copy = &async;
      });
    if (!channel.copy) return Refusal{"a channel that nothing fills", {}};
    if (auto refusal = describe(channel)) return refusal;
    channel.copier = channels.size() % copierWarps;
    channels.push_back(channel);
  }
  return std::nullopt;
}

std::string RolePrinter::full(const Channel &c) const {
  return "$barriers + 8 * (" + number(c.barriers) + " + " + c.name + "Slot)";
}
std::string RolePrinter::empty(const Channel &c) const {
  return "$barriers + 8 * (" + number(c.barriers + c.tile->ring) + " + " + c.name + "Slot)";
}

void RolePrinter::advance(const Channel &c, Writer &out) const {
  if (c.tile->ring == 1)
    out.line(c.name + "Phase ^= 1;");
  else
    out.line("if (++" + c.name + "Slot == " + number(c.tile->ring) + ") " + c.name + "Slot = 0, " + c.name +
             "Phase ^= 1;");
}

void RolePrinter::prologue(Writer &out) {
  out.line("extern __shared__ __align__(16) unsigned char $memory[];");
  out.line("const std::uint32_t $tiles = (" + context.primitive("sharedAddress") + "($memory) + 1023) & ~1023u;");
  for (const Channel &c : channels) {
    out.line("// " + c.name + ": " + number(c.tile->ring) + " slots of " + number(c.rows) + " x " + number(c.columns) +
             ".");
    out.line("const std::uint32_t " + c.name + " = $tiles + " + number(c.offset) + ";");
  }
  out.line("const std::uint32_t $barriers = $tiles + " + number(bytes) + ";");
  out.line("const std::uint32_t $ticketBarriers = $barriers + " + number(8 * barriers) +
           "; // full, full, empty, empty");
  out.line("volatile int *const $ticketSlots = reinterpret_cast<volatile int *>($memory + ($ticketBarriers + 32 - "
           "polymend_rt::sharedAddress($memory)));");
  out.line("const int $warpGroup = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x / 128), 0);");
  out.block("if (threadIdx.x == 0)", [&] {
    const std::string init = context.primitive("barrierInit");
    const std::string readers = number(4 * groups);
    for (const Channel &c : channels) {
      const std::string ring = number(c.tile->ring);
      out.line("for (int $s = 0; $s < " + ring + "; ++$s) " + init + "($barriers + 8 * (" + number(c.barriers) +
               " + $s), 1);");
      out.line("for (int $s = 0; $s < " + ring + "; ++$s) " + init + "($barriers + 8 * (" +
               number(c.barriers + c.tile->ring) + " + $s), " + readers + ");");
    }
    out.line("for (int $s = 0; $s < 2; ++$s) " + init + "($ticketBarriers + 8 * $s, 1);");
    const std::string takers =
        number(128 * groups + static_cast<std::int64_t>(std::min(channels.size(), copierWarps)) - 1);
    out.line("for (int $s = 2; $s < 4; ++$s) " + init + "($ticketBarriers + 8 * $s, " + takers + ");");
    out.line(context.primitive("barrierInitFence") + "();");
  });
  out.line("__syncthreads();");
}

/// The grid's variables from the ticket.
void RolePrinter::coordinates(Writer &out) {
  const TicketOrder &order = *kernel.order;
  context.names.alias("$ticket");
  context.nonNegative.insert("$ticket");
  const auto taken = [&](const Expr &e) {
    return substitute(e, [&](const std::string &name) {
      return name == order.ticket ? Expr::symbol("$ticket", Type::Int64) : Expr();
    });
  };
  const auto let = [&](const std::string &name, const Expr &value) {
    const std::string text = plain(taken(value), context);
    context.names.bind(name, name);
    out.line("[[maybe_unused]] const std::int64_t " + context.names.of(name) + " = " + text + ";");
  };
  for (const auto &[name, value] : order.lets) {
    let(name, value);
    context.nonNegative.insert(name);
  }
  for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
    const std::string text = plain(taken(order.at[i]), context);
    noteSign(kernel.grid[i], context);
    context.narrow.insert(kernel.grid[i].variable); // copies reach no further than an int
    out.line("[[maybe_unused]] const int " + context.names.of(kernel.grid[i].variable) + " = static_cast<int>(" + text +
             ");");
  }
  for (const auto &[name, value] : kernel.lets) let(name, value);
}

/// Fills the next slot of a channel: by the one warp that copies for it.
void RolePrinter::copy(const TileAsync &async, Writer &out) {
  const Channel &c = channelOf(async.points.body[0].target.array);
  const TileAssign &assign = async.points.body[0];
  std::vector<std::string> coordinates;
  for (std::size_t d = assign.value->args.size(); d-- > 0;) {
    const Expr base = simplify(substitute(assign.value->args[d], [&](const std::string &name) {
      const bool own = name == assign.target.subscripts[0]->name || name == assign.target.subscripts[1]->name;
      return own ? Expr::integer(0) : Expr();
    }));
    coordinates.push_back("static_cast<int>(" + plain(base, context) + ")");
  }
  if (c.whole) {
    coordinates.push_back(coordinates[0] + " / " + number(panelColumns));
    coordinates[0] = "0";
  }
  const auto start = [&](std::int64_t panel) {
    std::string list;
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      list += ", " + coordinates[k] + (k == 0 && panel > 0 ? " + " + number(panel * panelColumns) : "");
    out.line(context.primitive("copyTile") + "(" + c.name + " + " + c.name + "Slot * " + number(c.bytes) +
             (panel > 0 ? " + " + number(panel * c.rows * rowBytes) : "") + ", &" + c.name + "Map, " + full(c) + list +
             ");");
  };
  out.block("if ($copier == " + number(static_cast<std::int64_t>(c.copier)) + ")", [&] {
    out.line(context.primitive("barrierWait") + "(" + empty(c) + ", " + c.name + "Phase ^ 1);");
    out.line(context.primitive("barrierExpect") + "(" + full(c) + ", " + number(c.bytes) + ");");
    for (std::int64_t p = 0; p < (c.whole ? 1 : c.panels); ++p) start(p);
    advance(c, out);
  });
}

void RolePrinter::contraction(const TileAsync &async, bool fresh, Writer &out) {
  const TileAssign &assign = async.points.body[0];
  const auto parts = contractionOf(async.points, kernel.tiles);
  if (!parts) {
    failed = true;
    failure = Refusal{"a contraction that is none", {}};
    return;
  }
  std::int64_t steps = 0;
  for (const PointDim &d : async.points.dims)
    if (d.variable == parts->k) steps = constant(d.limit) / 16;
  const bool registers = fragments.fragment(parts->a.array) != nullptr;
  const auto runsAlong = [](const Ref &ref, const std::string &name) {
    return ref.subscripts[1].op() == Op::Symbol && ref.subscripts[1]->name == name;
  };
  WgmmaShape shape;
  shape.columns = static_cast<int>(fragments.columns(assign.target.array));
  const Channel &b = channelOf(parts->b.array);
  shape.brain = b.tile->type == Type::BFloat16;
  shape.leftInRegisters = registers;
  shape.leftTransposed = !registers && !runsAlong(parts->a, parts->k);
  shape.rightTransposed = !runsAlong(parts->b, parts->k);
  const std::string product = needWgmma(shape, context.needs);
  const auto matrix = [&](const Channel &c, bool transposed, const std::string &extra) {
    const std::string base = c.name + " + " + c.name + "Slot * " + number(c.bytes) + extra;
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
    const Channel &a = channelOf(parts->a.array);
    const std::int64_t stride = shape.leftTransposed ? a.rows * rowBytes : 64 * rowBytes;
    left = step(a, shape.leftTransposed, groups > 1 ? " + ($warpGroup - 1) * " + number(stride) : "");
  }
  const std::string &target = context.names.of(assign.target.array);
  out.line(context.primitive("wgmmaFence") + "();");
  out.pragma("unroll");
  out.line("for (int $k = 0; $k < " + number(steps) + "; ++$k) " + product + "(" + target + ", " + left + ", " +
           step(b, shape.rightTransposed, "") + ", " + (fresh ? "$k > 0" : "1") + ");");
  out.line(context.primitive("wgmmaCommit") + "();");
  pending.push_back(&async);
}

void RolePrinter::sync(const TileSync &s, const std::set<std::string> &readLater, Writer &out) {
  if (s.kind == TileSync::Kind::Get) {
    const Channel &c = channelOf(s.name);
    out.line(context.primitive("barrierWait") + "(" + full(c) + ", " + c.name + "Phase);");
    together = false;
    return;
  }
  if (s.kind == TileSync::Kind::Release) {
    const Channel &c = channelOf(s.name);
    if (!together) out.line("__syncwarp();");
    together = true;
    out.line("if ($lane == 0) " + context.primitive("barrierArrive") + "(" + empty(c) + ");");
    advance(c, out);
    return;
  }
  std::size_t last = pending.size();
  for (std::size_t k = 0; k < pending.size(); ++k)
    if (pending[k]->name == s.name) last = k;
  if (last == pending.size()) return;
  // What was computed beside the products must not be put off until after them.
  std::set<std::string> beside;
  for (std::size_t k = 0; k < pending.size(); ++k) {
    const auto parts = contractionOf(pending[k]->points, kernel.tiles);
    beside.insert(parts->target.array);
    beside.insert(parts->a.array);
  }
  for (const std::string &name : readLater)
    if (fragments.columns(name) > 0 && !beside.count(name))
      out.line(context.primitive("pinRegisters") + "(" + context.names.of(name) + ");");
  out.line(context.primitive("wgmmaWait") + "<" + number(static_cast<std::int64_t>(pending.size() - last - 1)) +
           ">();");
  together = true;
  std::set<std::string> pinned;
  for (std::size_t k = 0; k <= last; ++k) {
    const auto parts = contractionOf(pending[k]->points, kernel.tiles);
    pinned.insert(parts->target.array);
    if (fragments.fragment(parts->a.array)) pinned.insert(parts->a.array);
  }
  pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  for (const std::string &name : pinned)
    out.line(context.primitive("pinRegisters") + "(" + context.names.of(name) + ");");
}

/// Sets a matrix to zero, whole.
bool clears(const TileNode &node, const std::string &array) {
  const auto *p = std::get_if<std::shared_ptr<const TilePoints>>(&node);
  if (!p || (*p)->body.size() != 1) return false;
  const TileAssign &a = (*p)->body[0];
  return a.target.array == array && a.update == Update::Set && !a.where && a.value.op() == Op::Real &&
         a.value->real == 0;
}

/// The arrays that regions of the block read after node number `at`.
std::set<std::string> readAfter(const TileBlock &nodes, std::size_t at) {
  std::set<std::string> read;
  for (std::size_t k = at + 1; k < nodes.size(); ++k) {
    const auto *p = std::get_if<std::shared_ptr<const TilePoints>>(&nodes[k]);
    if (!p) continue;
    for (const TileAssign &a : (*p)->body)
      visit(a.value, [&](const Expr &e) {
        if (e.op() == Op::Read) read.insert(e->name);
      });
  }
  return read;
}

void RolePrinter::block(const TileBlock &nodes, Writer &out) {
  // A product into a cleared matrix overwrites it: the clearing is left out.
  std::set<std::size_t> left;
  std::set<const TileAsync *> fresh;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto *a = std::get_if<std::shared_ptr<const TileAsync>>(&nodes[k]);
    if (!a || (*a)->kind != TileAsync::Kind::Contract) continue;
    const std::string &target = (*a)->points.body[0].target.array;
    for (std::size_t before = k; before-- > 0;) {
      const bool harmless =
          std::holds_alternative<TileSync>(nodes[before]) || std::holds_alternative<TileNote>(nodes[before]);
      if (clears(nodes[before], target)) {
        left.insert(before);
        fresh.insert(a->get());
      }
      if (!harmless) break;
    }
  }
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const TileNode &node = nodes[k];
    if (left.count(k)) continue;
    if (const auto *note = std::get_if<TileNote>(&node)) printNote(*note, out);
    if (const auto *s = std::get_if<TileSync>(&node)) sync(*s, readAfter(nodes, k), out);
    if (const auto *a = std::get_if<std::shared_ptr<const TileAsync>>(&node)) {
      if ((*a)->kind == TileAsync::Kind::Copy)
        copy(**a, out);
      else
        contraction(**a, fresh.count(a->get()) > 0, out);
    }
    if (const auto *l = std::get_if<std::shared_ptr<const TileLoop>>(&node)) {
      const TileLoop &loop = **l;
      const std::string first = "static_cast<int>(" + plain(loop.first, context) + ")";
      const std::string limit = context.names.fresh("end");
      out.line("const int " + limit + " = static_cast<int>(" + plain(loop.limit, context) + ");");
      const std::string &variable = context.names.of(loop.variable);
      context.narrow.insert(loop.variable);
      const bool inside = !pending.empty();
      together = false; // as the turn before may have left it
      out.block("for (int " + variable + " = " + first + "; " + variable + " < " + limit + "; " + variable +
                    " += " + number(loop.step) + ")",
                [&] { block(loop.body, out); });
      if (inside != !pending.empty()) failed = true;
      together = false;
      context.narrow.erase(loop.variable);
    }
    if (const auto *b = std::get_if<std::shared_ptr<const TileBranch>>(&node)) {
      const bool before = together;
      out.block("if (" + plain((*b)->condition, context) + ")", [&] { block((*b)->then, out); });
      const bool afterThen = std::exchange(together, before);
      if (!(*b)->otherwise.empty()) out.block("else", [&] { block((*b)->otherwise, out); });
      together = together && afterThen;
    }
    if (const auto *p = std::get_if<std::shared_ptr<const TilePoints>>(&node)) {
      if (auto refusal = fragments.region(**p, out)) {
        failed = true;
        failure = *refusal;
      }
    }
  }
}

void RolePrinter::copying(const TileRole &role, Writer &out) {
  out.line(context.primitive("lowerRegisters") + "<" + number(role.registers) + ">();");
  const auto copiers = static_cast<std::int64_t>(std::min(channels.size(), copierWarps));
  out.line("const int $copier = static_cast<int>(threadIdx.x / 32);");
  out.line("if (threadIdx.x % 32 != 0 || $copier >= " + number(copiers) + ") return;");
  for (const Channel &c : channels) {
    out.line(context.primitive("prefetchMap") + "(&" + c.name + "Map);");
    out.line("int " + c.name + "Slot = 0, " + c.name + "Phase = 0;");
  }
  const std::string wait = context.primitive("barrierWait"), arrive = context.primitive("barrierArrive");
  out.line("// A block's first ticket is its own number; the counter gives the others, where there are any.");
  out.line("const bool $once = $points <= gridDim.x;");
  out.block("for (int $taken = 0;; ++$taken)", [&] {
    out.line("int $ticket;");
    out.block("if ($copier == 0)", "} else {", [&] {
      out.line("$ticket = static_cast<int>($taken == 0 ? blockIdx.x : $once ? $points : gridDim.x + " +
               context.primitive("nextTicket") + "($tickets));");
      out.line("if ($ticket >= $points) $ticket = -1;");
      out.line(wait + "($ticketBarriers + 16 + 8 * ($taken % 2), ($taken / 2 % 2) ^ 1);");
      out.line("$ticketSlots[$taken % 2] = $ticket;");
      out.line(arrive + "($ticketBarriers + 8 * ($taken % 2));");
    });
    out.inside([&] {
      out.line(wait + "($ticketBarriers + 8 * ($taken % 2), $taken / 2 % 2);");
      out.line("$ticket = $ticketSlots[$taken % 2];");
      out.line(arrive + "($ticketBarriers + 16 + 8 * ($taken % 2));");
    });
    out.line("}");
    out.line("if ($ticket < 0) break;");
    coordinates(out);
    block(role.body, out);
  });
  out.line("if ($copier == 0 && !$once) " + context.primitive("returnTickets") + "($tickets, gridDim.x);");
}

void RolePrinter::computing(const TileRole &role, Writer &out) {
  out.line(context.primitive("raiseRegisters") + "<" + number(role.registers) + ">();");
  out.line("const int $lane = static_cast<int>(threadIdx.x % 32), $warp = static_cast<int>(threadIdx.x / 32 % 4);");
  out.line("// This thread's first element of every tile: rows go on by 8, columns in blocks of 8.");
  out.line("[[maybe_unused]] const int $row = 64 * ($warpGroup - 1) + 16 * $warp + $lane / 4;");
  out.line("[[maybe_unused]] const int $column = 2 * ($lane % 4);");
  context.narrow.insert("$row");
  context.narrow.insert("$column");
  for (const Channel &c : channels) out.line("int " + c.name + "Slot = 0, " + c.name + "Phase = 0;");
  fragments.declare(out);
  out.block("for (int $taken = 0;; ++$taken)", [&] {
    out.line("polymend_rt::barrierWait($ticketBarriers + 8 * ($taken % 2), $taken / 2 % 2);");
    out.line("const int $ticket = $ticketSlots[$taken % 2];");
    out.line("polymend_rt::barrierArrive($ticketBarriers + 16 + 8 * ($taken % 2));");
    out.line("if ($ticket < 0) break;");
    coordinates(out);
    block(role.body, out);
  });
}

void RolePrinter::launch(const std::string &body) {
  LaunchPlan plan;
  plan.name = kernelName(kernel.name, function);
  for (const TileRole &role : kernel.roles) {
    plan.written.merge(writtenIn(role.body));
    plan.used.merge(usedIn(role.body));
  }
  plan.blocks = local("blocks");
  plan.threads = static_cast<int>(128 * (groups + 1));
  plan.residents = 1;
  plan.bytes = bytes + 8 * barriers + 1024 + 64;
  for (const Channel &c : channels)
    plan.extra.emplace_back("const __grid_constant__ CUtensorMap " + c.name + "Map", c.name + "Map");
  plan.extra.emplace_back("std::uint32_t *" + local("tickets"), local("tickets") + ".data");
  plan.extra.emplace_back("std::int64_t " + local("points"), local("points"));
  const std::string runtime(context.table.runtime), error = runtime + "Error_t", ok = runtime + "Success";
  const auto check = [&](const std::string &call) {
    host.line("if (const " + error + " error = " + call + "; error != " + ok + ") return error;");
  };
  std::string condition = context.primitive("runsHopperCode") + "()";
  std::vector<std::string> maps;
  for (const Channel &c : channels) {
    const TileArray &a = *c.source;
    const std::string base = context.names.of(a.name) + (a.space == Space::Work ? "Memory.data" : "");
    std::string extents, strides, box;
    Expr stride = Expr::integer(2);
    for (std::size_t d = a.extents.size(); d-- > 0;) {
      extents += (extents.empty() ? "" : ", ") + plain(a.extents[d], context);
      if (d > 0) {
        stride = stride * a.extents[d];
        strides += (strides.empty() ? "" : ", ") + plain(stride, context);
      }
    }
    if (c.whole) {
      extents.replace(0, extents.find(','), number(panelColumns));
      extents += ", " + number(constant(simplify(a.extents.back())) / panelColumns);
      strides += ", " + number(rowBytes);
    }
    for (const int b : c.box) box += (box.empty() ? "" : ", ") + number(b);
    const std::string arguments = base + ", {" + extents + "}, {" + strides + "}";
    condition += " && " + context.primitive("tensorMappable") + "(" + arguments + ")";
    const std::string type =
        a.type == Type::BFloat16 ? "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16" : "CU_TENSOR_MAP_DATA_TYPE_FLOAT16";
    maps.push_back(context.primitive("makeTensorMap") + "(" + c.name + "Map, " + type + ", " + arguments + ", {" + box +
                   "})");
  }
  // Results go out in words of 16 bytes.
  for (const TileArray &a : function.program.arrays)
    if (a.space == Space::Argument && a.written) {
      condition += " && reinterpret_cast<std::uintptr_t>(" + context.names.of(a.name) + ") % 16 == 0";
      if (a.extents.size() > 1) condition += " && " + plain(a.extents.back(), context) + " % 8 == 0";
    }
  const std::string again = kernel.again.empty() ? "" : context.names.of(kernel.again) + "Memory.data";
  const auto mark = [&](int value) {
    const TileArray &marks = *std::find_if(function.program.arrays.begin(), function.program.arrays.end(),
                                           [&](const TileArray &a) { return a.name == kernel.again; });
    return runtime + "MemsetAsync(" + again + ", " + number(value) + ", static_cast<std::size_t>(" +
           plain(elementsOf(marks), context) + ") * sizeof(int), stream)";
  };
  const std::string tickets = local("tickets");
  host.line("const " + context.primitive("Scratch") + "<std::uint32_t> " + tickets + "(3, stream);");
  host.line("if (" + tickets + ".error != " + ok + ") return " + tickets + ".error;");
  const auto clear = [&](int value) {
    return runtime + "MemsetAsync(" + tickets + ".data, " + number(value) + ", 12, stream)";
  };
  const bool asked =
      std::any_of(function.program.kernels.begin(), function.program.kernels.end(), [&](const Kernel &other) {
        return other.roles.empty() && !again.empty() && other.again == kernel.again;
      });
  if (!again.empty()) function.marked[kernel.again] = tickets + ".data + 2";
  host.line("// Kernel " + kernel.name + ", where the device and the addresses allow it.");
  host.block("if (" + condition + ")", "} else {", [&] {
    for (std::size_t k = 0; k < channels.size(); ++k) {
      host.line("CUtensorMap " + channels[k].name + "Map;");
      check(maps[k]);
    }
    host.line("const std::int64_t " + local("points") + " = " + plain(kernel.order->count, context) + ";");
    host.line("const std::int64_t " + local("blocks") + " = " + context.primitive("persistentBlocks") + "(" +
              local("points") + ");");
    // Where no kernel asks for the mark, and no block takes a second ticket, nothing reads the words.
    if (!asked) host.line("if (" + local("blocks") + " < " + local("points") + ")");
    if (asked)
      check(clear(0));
    else
      host.inside([&] { check(clear(0)); });
    defineAndLaunch(plan, body, function, host);
  });
  host.inside([&] {
    check(clear(1));
    if (!again.empty()) check(mark(1));
  });
  host.line("}");
}

const std::string &RolePrinter::local(const std::string &wish) {
  const auto [at, isNew] = locals.try_emplace(wish);
  if (isNew) at->second = context.names.fresh(wish);
  return at->second;
}

/// The text with names that nothing of the program has.
std::string RolePrinter::resolved(const std::string &text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      result += text[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
    result += local(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return result;
}

std::optional<Refusal> RolePrinter::print() {
  if (kernel.roles.size() != 2 || !kernel.order) return Refusal{"these roles", {}};
  for (const TileRole &role : kernel.roles)
    if (role.name != "load") groups = role.groups;
  if (auto refusal = findChannels()) return refusal;
  Writer out(1);
  prologue(out);
  out.block("if ($warpGroup == 0)", "} else {", [&] { copying(kernel.roles[0], out); });
  out.inside([&] { computing(kernel.roles[1], out); });
  out.line("}");
  if (failed) return failure;
  launch(resolved(out.text()));
  for (const char *header : {"cuda.h", "climits", "cstdint"}) context.needs.headers.insert(header);
  return std::nullopt;
}

} // namespace

std::optional<Refusal> printRoleKernel(const Kernel &kernel, DeviceFunction &function, Writer &host) {
  return RolePrinter(kernel, function, host).print();
}

} // namespace polymend::print_room
