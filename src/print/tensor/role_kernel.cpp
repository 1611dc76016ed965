// A channel is a ring of slots in shared memory with two barriers each: full, on which its readers wait, and empty, on
// which the copying threads wait. Tickets travel through a channel of their own. One warp group copies; the others each
// compute 64 rows of every fragment.
// Both roles stand in one file, as each line of one has its counterpart in the other.
#include "print/role_kernel.h"
#include "device/marks.h"

#include "print/region.h"
#include "role_fallback.h"
#include "role_launch.h"
#include "tile/visit.h"

#include <algorithm>
#include <utility>

namespace polymend::print_room {

using device_room::computingGroups;
using device_room::isNeverMarked;
namespace {

bool readsTile(const TilePoints &points, const std::string &array) {
  bool found = false;
  for (const TileAssign &a : points.body)
    visit(a.value, [&](const Expr &e) { found = found || (e.op() == Op::Read && e->name == array); });
  return found;
}

/// Visits `e` but for what asDivisor() made.
void visitOutsideDivisors(const Expr &e, const std::function<void(const Expr &)> &f) {
  if (isDivisor(e)) return;
  f(e);
  for (const Expr &arg : e->args) visitOutsideDivisors(arg, f);
}

/// Where a block tells a later kernel that it marked something.
std::string markWord() { return "$tickets[" + number(ticketCounters) + " + blockIdx.x]"; }

class RolePrinter {
public:
  RolePrinter(RoleFrame &f, RoleUnits &u) : frame(f), units(u), kernel(f.kernel), context(f.context) {}
  /// The kernel's body.
  Result<std::string> print();

private:
  void prologue(Writer &out);
  void coordinates(Writer &out);
  void copying(const TileRole &role, Writer &out);
  void copies(const TileRole &role, Writer &out);
  void computing(const TileRole &role, Writer &out);
  void takeTicket(const std::string &declared, Writer &out);
  [[nodiscard]] std::string asInt(const Expr &e);
  void block(const TileBlock &nodes, Writer &out);
  void copy(const TileAsync &async, Writer &out);
  void sync(const TileSync &sync, const std::set<std::string> &readLater, Writer &out);
  void note(std::optional<Refusal> refusal, const TileNode &node);
  void loop(const TileLoop &loop, Writer &out);

  RoleFrame &frame;
  RoleUnits &units;
  const Kernel &kernel;
  Context &context;
  bool together = false;          // since the last wait for a channel a warp's lanes met: one may arrive for all
  std::optional<Refusal> failure; // the first
};

/// The value as an int, which it fits; the host narrows what it computes.
std::string RolePrinter::asInt(const Expr &e) {
  const Expr value = simplify(e), narrow = Expr::cast(Type::Int32, value);
  if (frame.values.covers(value)) return frame.plain(narrow);
  return "static_cast<int>(" + frame.plain(value) + ")";
}

/// Keeps the first refusal, with the node's place where it has none.
void RolePrinter::note(std::optional<Refusal> refusal, const TileNode &node) {
  if (failure || !refusal) return;
  if (!refusal->where.valid()) refusal->where = placeOf({node});
  failure = std::move(refusal);
}

void RolePrinter::prologue(Writer &out) {
  out.line("extern __shared__ __align__(16) unsigned char $memory[];");
  out.line("const std::uint32_t $tiles = (" + context.primitive("sharedAddress") + "($memory) + 1023) & ~1023u;");
  for (const Channel &c : frame.channels) {
    out.line("// " + c.name + ": " + number(c.tile->ring) + " slots of " + number(c.rows) + " x " + number(c.columns) +
             ".");
    out.line("const std::uint32_t " + c.name + " = $tiles + " + number(c.offset) + ";");
  }
  out.line("const std::uint32_t $barriers = $tiles + " + number(frame.bytes) + ";");
  out.line("const std::uint32_t $ticketBarriers = $barriers + " + number(8 * frame.barriers) +
           "; // full, full, empty, empty");
  out.line("volatile int *const $ticketSlots = reinterpret_cast<volatile int *>($memory + ($ticketBarriers + 32 - "
           "polymend_rt::sharedAddress($memory)));");
  out.line("const int $warpGroup = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x / " +
           number(frame.groupThreads) + "), 0);");
  out.block("if (threadIdx.x == 0)", [&] {
    const std::string init = units.barrier("Init");
    const auto prepare = [&](std::int64_t first, std::int64_t count, std::int64_t arrivals) {
      out.line("for (int $s = 0; $s < " + number(count) + "; ++$s) " + init + "($barriers + 8 * (" + number(first) +
               " + $s), " + number(arrivals) + ");");
    };
    for (const Channel &c : frame.channels) {
      prepare(c.barriers, c.tile->ring, units.copyArrivals());
      prepare(c.barriers + c.tile->ring, c.tile->ring,
              (units.eachReleases() ? frame.groupThreads : frame.groupThreads / frame.lanes) * frame.groups);
    }
    out.line("for (int $s = 0; $s < 2; ++$s) " + init + "($ticketBarriers + 8 * $s, 1);");
    out.line("for (int $s = 2; $s < 4; ++$s) " + init + "($ticketBarriers + 8 * $s, " + number(units.ticketReaders()) +
             ");");
    units.showBarriers(out);
    if (frame.fallback)
      beginChain(out);
    else if (!frame.fragments.notesMark.empty())
      out.line(markWord() + " = 0; // nothing is marked yet");
  });
  out.line("__syncthreads();");
}

/// The grid's variables from the ticket.
void RolePrinter::coordinates(Writer &out) {
  const TicketOrder &order = *kernel.order;
  context.names.alias("$ticket");
  context.signs.insert("$ticket");
  const auto taken = [&](const Expr &e) {
    return substitute(e, [&](const std::string &name) {
      return name == order.ticket ? Expr::symbol("$ticket", Type::Int64) : Expr();
    });
  };
  // Numbers of tiles are no larger than tickets, which are ints: so are the quotients of one by another, or by what
  // the host knows.
  std::set<std::string> counts{"$ticket"};
  const auto isCount = [&](const Expr &e) {
    std::set<std::string> used;
    visitOutsideDivisors(e, [&](const Expr &node) {
      if (node.op() == Op::Symbol) used.insert(node->name);
    });
    return !used.empty() && std::includes(counts.begin(), counts.end(), used.begin(), used.end());
  };
  const auto quotients = [&](const Expr &e) {
    return rewrite(e, [&](const Expr &node) {
      if ((node.op() != Op::FloorDiv && node.op() != Op::FloorMod) || !isCount(node.arg(0))) return node;
      const bool overSizes = !isCount(node.arg(1));
      if (overSizes && !frame.values.isOverSizes(node.arg(1))) return node;
      const Expr divisor = overSizes ? asDivisor(node.arg(1)) : node.arg(1);
      return Expr::make(node.op() == Op::FloorDiv ? Op::Div : Op::Mod, Type::Int64, {node.arg(0), divisor});
    });
  };
  const auto let = [&](const std::string &name, const Expr &value, bool counted) {
    const std::string text = counted ? asInt(quotients(taken(value))) : frame.plain(taken(value));
    context.names.bind(name, name);
    out.line("[[maybe_unused]] const " + std::string(counted ? "int " : "std::int64_t ") + context.names.of(name) +
             " = " + text + ";");
  };
  for (const auto &[name, value] : order.lets) {
    let(name, value, true);
    context.signs.insert(name);
    counts.insert(name);
  }
  for (std::size_t i = 0; i < kernel.grid.size(); ++i) {
    const std::string text = asInt(quotients(taken(order.at[i])));
    context.signs.note(kernel.grid[i]);
    context.narrow.insert(kernel.grid[i].variable); // copies reach no further than an int
    out.line("[[maybe_unused]] const int " + context.names.of(kernel.grid[i].variable) + " = " + text + ";");
  }
  for (const auto &[name, value] : kernel.lets) let(name, value, false);
}

/// Fills the next slot of a channel: by the one warp that copies for it.
void RolePrinter::copy(const TileAsync &async, Writer &out) {
  const Channel &c = frame.channelOf(async.points.body[0].target.array);
  out.block("if ($copier == " + number(static_cast<std::int64_t>(c.copier)) + ")", [&] {
    out.line(units.barrier("Wait") + "(" + RoleFrame::empty(c) + ", " + c.name + "Phase ^ 1);");
    units.copy(async, c, out);
    RoleFrame::advance(c, out);
  });
}

void RolePrinter::sync(const TileSync &s, const std::set<std::string> &readLater, Writer &out) {
  if (s.kind == TileSync::Kind::Await) {
    together = units.await(s.name, readLater, out) || together;
    return;
  }
  if (s.kind == TileSync::Kind::Combine) return frame.fragments.combine(s.name, out);
  const Channel &c = frame.channelOf(s.name);
  if (s.kind == TileSync::Kind::Get) {
    out.line(units.barrier("Wait") + "(" + RoleFrame::full(c) + ", " + c.name + "Phase);");
    together = false;
    return;
  }
  if (!units.eachReleases() && !together) out.line("__syncwarp();");
  together = true;
  out.line(std::string(units.eachReleases() ? "" : "if ($lane == 0) ") + units.barrier("Arrive") + "(" +
           RoleFrame::empty(c) + ");");
  RoleFrame::advance(c, out);
}

/// Sets a matrix to zero, whole.
bool clears(const TileNode &node, const std::string &array) {
  const auto *p = as<TilePoints>(node);
  if (!p || p->body.size() != 1) return false;
  const TileAssign &a = p->body[0];
  return a.target.array == array && a.update == Update::Set && !a.where && a.value.op() == Op::Real &&
         a.value->real == 0;
}

/// The arrays that regions of the block read after node number `at`.
std::set<std::string> readAfter(const TileBlock &nodes, std::size_t at) {
  std::set<std::string> read;
  for (std::size_t k = at + 1; k < nodes.size(); ++k) {
    const auto *p = as<TilePoints>(nodes[k]);
    if (!p) continue;
    for (const TileAssign &a : p->body)
      visit(a.value, [&](const Expr &e) {
        if (e.op() == Op::Read) read.insert(e->name);
      });
  }
  return read;
}

void RolePrinter::loop(const TileLoop &loop, Writer &out) {
  const std::string first = asInt(loop.first), limit = context.names.fresh("end");
  out.line("const int " + limit + " = " + asInt(loop.limit) + ";");
  const std::string &variable = context.names.of(loop.variable);
  context.narrow.insert(loop.variable);
  together = false; // as the turn before may have left it
  out.block("for (int " + variable + " = " + first + "; " + variable + " < " + limit + "; " + variable +
                " += " + number(loop.step) + ")",
            [&] { block(loop.body, out); });
  together = false;
  context.narrow.erase(loop.variable);
}

void RolePrinter::block(const TileBlock &nodes, Writer &out) {
  // A product into a cleared matrix overwrites it: the clearing is left out.
  std::set<std::size_t> left;
  std::set<const TileAsync *> fresh;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto *a = as<TileAsync>(nodes[k]);
    if (!a || a->kind != TileAsync::Kind::Contract) continue;
    const std::string &target = a->points.body[0].target.array;
    for (std::size_t before = k; before-- > 0;) {
      const bool harmless = as<TileSync>(nodes[before]) || as<TileNote>(nodes[before]);
      if (clears(nodes[before], target)) {
        left.insert(before);
        fresh.insert(a);
      }
      if (!harmless) break;
    }
  }
  frame.fragments.forgetVote();
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const TileNode &node = nodes[k];
    if (left.count(k)) continue;
    if (const auto *remark = as<TileNote>(node)) printNote(*remark, out);
    if (const auto *s = as<TileSync>(node)) sync(*s, readAfter(nodes, k), out);
    if (const auto *a = as<TileAsync>(node)) {
      if (a->kind == TileAsync::Kind::Copy) {
        copy(*a, out);
      } else {
        note(units.contraction(*a, fresh.count(a) > 0, out), node);
        together = false;
      }
    }
    if (const auto *l = as<TileLoop>(node)) {
      const bool inside = units.pending() > 0;
      loop(*l, out);
      if (inside != (units.pending() > 0)) note(Refusal{"a loop leaves products that it does not wait for", {}}, node);
    }
    if (const auto *b = as<TileBranch>(node)) {
      const bool before = together;
      out.block("if (" + frame.plain(b->condition) + ")", [&] { block(b->then, out); });
      const bool afterThen = std::exchange(together, before);
      if (!b->otherwise.empty()) out.block("else", [&] { block(b->otherwise, out); });
      together = together && afterThen;
    }
    if (const auto *p = as<TilePoints>(node)) {
      for (const Channel &c : frame.channels) together = together && !readsTile(*p, c.tile->name);
      note(frame.fragments.region(*p, out), node);
    }
  }
  frame.fragments.forgetVote();
}

/// Declares the ticket that was handed out.
void RolePrinter::takeTicket(const std::string &declared, Writer &out) {
  out.line(units.barrier("Wait") + "($ticketBarriers + 8 * ($taken % 2), $taken / 2 % 2);");
  out.line(declared + " = $ticketSlots[$taken % 2];");
  out.line(units.barrier("Arrive") + "($ticketBarriers + 16 + 8 * ($taken % 2));");
}

void RolePrinter::copying(const TileRole &role, Writer &out) {
  units.enterCopying(role, out);
  if (frame.fallback && frame.fallback->byWholeBlocks) {
    out.block("if (!(" + units.idles() + "))", [&] { copies(role, out); });
    units.leaveCopying(kernel.roles[1], out);
    return;
  }
  if (!units.idles().empty()) out.line("if (" + units.idles() + ") return;");
  copies(role, out);
}

void RolePrinter::copies(const TileRole &role, Writer &out) {
  for (const Channel &c : frame.channels) {
    units.enterChannel(c, out);
    out.line("int " + c.name + "Slot = 0, " + c.name + "Phase = 0;");
  }
  const auto draw = [&](const std::string &ticket) {
    out.line(ticket + " = static_cast<int>($taken == 0 ? blockIdx.x : !$few ? gridDim.x + " +
             context.primitive("nextTicket") + "($tickets) : $taken == 1 ? 2 * gridDim.x - 1 - blockIdx.x : $points);");
    out.line("if ($ticket >= $points) $ticket = -1;");
    if (frame.fallback) linkTicket(frame, out);
    out.line(units.barrier("Wait") + "($ticketBarriers + 16 + 8 * ($taken % 2), ($taken / 2 % 2) ^ 1);");
    out.line("$ticketSlots[$taken % 2] = $ticket;");
    out.line(units.barrier("Arrive") + "($ticketBarriers + 8 * ($taken % 2));");
  };
  out.line("// A block's first ticket is its own number. Where two for each block are enough, the one that had the "
           "first of");
  out.line(
      "// them takes the last; else the counter gives the others: late, so that no block holds one that another could");
  out.line("// begin.");
  out.line("const bool $few = $points <= 2 * static_cast<std::int64_t>(gridDim.x);");
  out.block("for (int $taken = 0;; ++$taken)", [&] {
    units.ticket(draw, [&](const std::string &declared) { takeTicket(declared, out); }, out);
    out.line("if ($ticket < 0) break;");
    coordinates(out);
    block(role.body, out);
  });
  out.line("if (" + units.draws() + " && !$few) " + context.primitive("returnTickets") + "($tickets, gridDim.x);");
}

void RolePrinter::computing(const TileRole &role, Writer &out) {
  units.enterComputing(role, out);
  const std::string lanes = number(frame.lanes), warps = number(frame.groupThreads / frame.lanes);
  out.line("const int $lane = static_cast<int>(threadIdx.x % " + lanes + "), $warp = static_cast<int>(threadIdx.x / " +
           lanes + " % " + warps + ");");
  frame.fragments.place(out, units.group());
  for (const Channel &c : frame.channels) out.line("int " + c.name + "Slot = 0, " + c.name + "Phase = 0;");
  frame.fragments.declare(out);
  out.block("for (int $taken = 0;; ++$taken)", [&] {
    takeTicket("const int $ticket", out);
    out.line("if ($ticket < 0) break;");
    coordinates(out);
    block(role.body, out);
  });
  if (frame.fallback && !frame.fallback->byWholeBlocks) computeFallback(frame, units, [&] { coordinates(out); }, out);
}

Result<std::string> RolePrinter::print() {
  Writer out(1);
  prologue(out);
  out.block("if (" + units.copies() + ")", "} else {", [&] { copying(kernel.roles[0], out); });
  out.inside([&] { computing(kernel.roles[1], out); });
  out.line("}");
  if (frame.fallback && frame.fallback->byWholeBlocks) computeFallback(frame, units, [&] { coordinates(out); }, out);
  if (failure) return *failure;
  return frame.resolved(out.text());
}

} // namespace

std::optional<Refusal> printRoleKernel(const Kernel &kernel, DeviceFunction &function, Writer &host) {
  if (kernel.roles.size() != 2 || !kernel.order) return Refusal{"these roles", placeOf(kernel)};
  RoleFrame frame(kernel, function);
  frame.groups = computingGroups(kernel);
  if (auto refusal = frame.findChannels()) return refusal;
  if (auto refusal = frame.fragments.misplaced()) return refusal;
  const std::unique_ptr<RoleUnits> units = atomOf(kernel).asynchronous ? wgmmaUnits(frame) : mmaSyncUnits(frame);
  if (auto refusal = units->prepare()) return refusal;
  frame.fragments.neverMarks = isNeverMarked(function.program, kernel.fallback);
  if (const auto fallback = function.fallbacks.find(kernel.fallback); fallback != function.fallbacks.end())
    frame.fallback = &fallback->second;
  if (frame.fallback)
    frame.fragments.notesMark = noteMark();
  else if (frame.marks() && !frame.fragments.neverMarks)
    frame.fragments.notesMark = markWord() + " = 1;";
  function.context.host = &frame.values;
  const Result<std::string> body = RolePrinter(frame, *units).print();
  function.context.host = nullptr;
  if (!body) return body.refusal();
  launchRoles(frame, *units, *body, host);
  for (const std::string &header : units->headers()) function.context.needs.headers.insert(header);
  return std::nullopt;
}

} // namespace polymend::print_room
