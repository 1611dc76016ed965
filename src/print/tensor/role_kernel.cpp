// A channel is a ring of slots in shared memory with two barriers each: full, on which its readers wait, and empty, on
// which the copying threads wait. Tickets travel through a channel of their own. One warp group copies; the others each
// compute 64 rows of every fragment.
// Both roles stand in one file, as each line of one has its counterpart in the other.
#include "print/role_kernel.h"

#include "print/region.h"
#include "role_fallback.h"
#include "role_launch.h"
#include "role_runs.h"
#include "role_units.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

namespace polymend::print_room {

namespace {

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
  explicit RolePrinter(RoleFrame &f) : frame(f), roles(f.roles), kernel(f.kernel), context(f.context) {}
  /// Its launch takes the points of this kernel too.
  void add(RoleFrame &other) { others.emplace_back(other); }
  /// The kernel's body.
  std::string print();

private:
  void prologue(Writer &out);
  void coordinates(Writer &out);
  void atPoint(DeviceBlock DeviceRoles::*role, Writer &out);
  void points(DeviceBlock DeviceRoles::*role, Writer &out);
  void prefetch(const DeviceChannel &c, bool isShared, Writer &out);
  void copying(Writer &out);
  void copies(Writer &out);
  void ticket(Writer &out);
  void computing(Writer &out);
  void takeTicket(const std::string &declared, Writer &out);
  [[nodiscard]] std::string idles() const;
  [[nodiscard]] std::string draws() const;
  [[nodiscard]] std::string asInt(const Expr &e);
  [[nodiscard]] bool isCounted(const Expr &value) const;
  void block(const DeviceBlock &nodes, Writer &out);
  void node(const TileNote &note, Writer &out) { printNote(note, out); }
  void node(const DeviceLet &let, Writer &out);
  void node(const DeviceFill &fill, Writer &out);
  void node(const DeviceTake &take, Writer &out);
  void node(const DeviceGive &give, Writer &out);
  void node(const DeviceIssue &issue, Writer &out) { (frame.beside ? issueToGroup : issueToWarps)(issue, frame, out); }
  void node(const DeviceAwait &await, Writer &out) { awaitGroup(await, frame, out); }
  void node(const DeviceCombine &combine, Writer &out) { frame.fragments.combine(combine.sum, out); }
  void node(const DeviceVote &vote, Writer &out) { frame.fragments.vote(vote, out); }
  void node(const DeviceRegisters &registers, Writer &out) { frame.fragments.region(registers, out); }
  void node(const std::shared_ptr<const DeviceShares> &shares, Writer &out) {
    frame.fragments.shares(*shares, out, [&] { block(shares->body, out); });
  }
  void node(const std::shared_ptr<const DeviceLoop> &loop, Writer &out);
  void node(const std::shared_ptr<const DeviceBranch> &branch, Writer &out);
  template <class Node> void node(const Node &, Writer &) {} // of other kernels
  /// The variable of the kernel that holds how many points the launch has.
  [[nodiscard]] std::string allPoints() const { return others.empty() ? frame.points() : "$allPoints"; }

  RoleFrame &frame;
  const DeviceRoles &roles;
  const DeviceKernel &kernel;
  Context &context;
  std::vector<RolePrinter> others; // kernels whose points the launch takes after those of this one
};

/// The value as an int, which it fits; the host narrows what it computes.
std::string RolePrinter::asInt(const Expr &e) {
  const Expr value = simplify(e), narrow = Expr::cast(Type::Int32, value);
  if (frame.values.covers(value)) return frame.plain(narrow);
  return frame.asInt(value);
}

void RolePrinter::prologue(Writer &out) {
  out.line("extern __shared__ __align__(16) unsigned char $memory[];");
  out.line("const std::uint32_t $tiles = (" + context.primitive("sharedAddress") + "($memory) + 1023) & ~1023u;");
  for (const DeviceChannel &c : roles.channels) {
    const std::string name = frame.nameOf(c);
    out.line("// " + name + ": " + number(c.tile.ring) + " slots of " + number(RoleFrame::rowsOf(c)) + " x " +
             number(RoleFrame::columnsOf(c)) + ".");
    out.line("const std::uint32_t " + name + " = $tiles + " + number(c.offset) + ";");
  }
  out.line("const std::uint32_t $barriers = $tiles + " + number(roles.bytes) + ";");
  out.line("const std::uint32_t $ticketBarriers = $barriers + " + number(8 * roles.barriers) +
           "; // full, full, empty, empty");
  out.line("volatile int *const $ticketSlots = reinterpret_cast<volatile int *>($memory + ($ticketBarriers + 32 - "
           "polymend_rt::sharedAddress($memory)));");
  out.line("const int $warpGroup = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x / " +
           number(frame.groupThreads) + "), 0);");
  out.block("if (threadIdx.x == 0)", [&] {
    const std::string init = frame.barrier("Init");
    const auto prepare = [&](std::int64_t first, std::int64_t count, std::int64_t arrivals) {
      out.line("for (int $s = 0; $s < " + number(count) + "; ++$s) " + init + "($barriers + 8 * (" + number(first) +
               " + $s), " + number(arrivals) + ");");
    };
    // Where threads fill slots, each reader gives a slot back, not one for its warp: tools that look for races do not
    // follow an order that goes through a warp's other lanes.
    const std::int64_t readers = (frame.beside ? frame.groupThreads / frame.lanes : frame.groupThreads) * roles.groups;
    for (const DeviceChannel &c : roles.channels) {
      prepare(c.barriers, c.tile.ring, frame.copyArrivals());
      prepare(c.barriers + c.tile.ring, c.tile.ring, readers);
    }
    const std::int64_t ticketReaders =
        frame.beside ? frame.groupThreads * roles.groups + roles.copiers - 1 : roles.threads;
    out.line("for (int $s = 0; $s < 2; ++$s) " + init + "($ticketBarriers + 8 * $s, 1);");
    out.line("for (int $s = 2; $s < 4; ++$s) " + init + "($ticketBarriers + 8 * $s, " + number(ticketReaders) + ");");
    if (frame.beside) out.line(context.primitive("barrierInitFence") + "();");
    if (frame.fallback)
      beginChain(out);
    else if (roles.marks == DeviceMarks::Word)
      out.line(markWord() + " = 0; // nothing is marked yet");
  });
  out.line("__syncthreads();");
}

/// Is it cast to an int that it fits, or an int that a kernel before has counted?
bool RolePrinter::isCounted(const Expr &value) const {
  if (value.type() != Type::Int32) return false;
  if (value.op() == Op::Cast) return true;
  return value.op() == Op::Read && std::ranges::any_of(frame.function.program.arrays, [&](const TileArray &a) {
           return a.name == value->name && a.space == Space::Work;
         });
}

/// The grid's variables from the ticket.
void RolePrinter::coordinates(Writer &out) {
  const TicketOrder &order = roles.order;
  std::map<std::string, std::string> handed{{order.ticket, frame.ticket()}};
  if (order.runs) handed.insert({{order.runs->run, "$run"}, {order.runs->tile, "$tile"}});
  std::set<std::string> counts;
  for (const auto &[name, local] : handed) {
    context.names.alias(local);
    context.signs.insert(local);
    counts.insert(local);
  }
  const auto taken = [&](const Expr &e) {
    return substitute(e, [&](const std::string &name) {
      const auto at = handed.find(name);
      return at == handed.end() ? Expr() : Expr::symbol(at->second, Type::Int64);
    });
  };
  // Numbers of tiles are no larger than tickets, which are ints: so are the quotients of one by another, or by what
  // the host knows.
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
    const bool isInt = counted || isCounted(value);
    context.names.bind(name, name);
    if (isInt && !counted) context.narrow.insert(name);
    out.line("[[maybe_unused]] const " + std::string(isInt ? "int " : "std::int64_t ") + context.names.of(name) +
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
  for (const auto &[name, value] : roles.lets) let(name, value, false);
}

/// What a role does at a point whose coordinates have names.
void RolePrinter::atPoint(DeviceBlock DeviceRoles::*role, Writer &out) {
  if (role != &DeviceRoles::computes || !roles.rows) return block(roles.*role, out);
  const std::string first = number(groupRows(roles.atom)) + " * " + frame.group();
  out.block("if (" + first + " < " + frame.plain(roles.rows) + ")", "} else { // no row of this group is stored",
            [&] { block(roles.computes, out); });
  out.inside([&] { block(passing(roles.computes), out); });
  out.line("}");
}

/// What a role does at the point that $ticket stands for, of whichever kernel it is.
void RolePrinter::points(DeviceBlock DeviceRoles::*role, Writer &out) {
  if (others.empty()) {
    coordinates(out);
    return atPoint(role, out);
  }
  const auto point = [&](RolePrinter &of) {
    of.coordinates(out);
    if (role == &DeviceRoles::computes) of.frame.fragments.declare(out);
    of.atPoint(role, out);
  };
  std::string end = frame.points();
  out.line("if ($ticket < " + end + ") {");
  out.inside([&] { point(*this); });
  for (RolePrinter &other : others) {
    const std::string begin = end;
    end += " + " + other.frame.points();
    out.line(&other == &others.back() ? "} else {" : "} else if ($ticket < " + end + ") {");
    out.inside([&] {
      out.line("const int " + other.frame.ticket() + " = $ticket - static_cast<int>(" + begin + ");");
      point(other);
    });
  }
  out.line("}");
}

/// Has the copy engine fetch what it is to know of a channel's source, where the launch has points of the kernel.
void RolePrinter::prefetch(const DeviceChannel &c, bool isShared, Writer &out) {
  if (!frame.beside) return;
  const std::string asked = isShared ? "if (" + frame.points() + " > 0) " : "";
  out.line(asked + context.primitive("prefetchMap") + "(&" + frame.described(c) + "Map);");
}

/// A number of a row or column that copies reach, or what is added to one: it fits an int.
void RolePrinter::node(const DeviceLet &let, Writer &out) {
  const std::string value = asInt(let.value);
  context.names.bind(let.name, let.name);
  context.narrow.insert(let.name);
  out.line("const int " + context.names.of(let.name) + " = " + value + ";");
}

/// By the one warp that copies for the channel.
void RolePrinter::node(const DeviceFill &fill, Writer &out) {
  const DeviceChannel &c = frame.channelOf(fill.channel);
  out.block("if ($copier == " + number(c.copier) + ")", [&] {
    placesOf(fill, frame, out);
    out.line(frame.barrier("Wait") + "(" + frame.empty(c) + ", " + frame.nameOf(c) + "Phase ^ 1);");
    (frame.beside ? fillByEngine : fillByThreads)(fill, frame, out);
    frame.advance(c, out);
  });
}

void RolePrinter::node(const DeviceTake &take, Writer &out) {
  const DeviceChannel &c = frame.channelOf(take.channel);
  out.line(frame.barrier("Wait") + "(" + frame.full(c) + ", " + frame.nameOf(c) + "Phase);");
}

void RolePrinter::node(const DeviceGive &give, Writer &out) {
  const DeviceChannel &c = frame.channelOf(give.channel);
  if (give.meets) out.line("__syncwarp();");
  out.line(std::string(frame.beside ? "if ($lane == 0) " : "") + frame.barrier("Arrive") + "(" + frame.empty(c) + ");");
  frame.advance(c, out);
}

void RolePrinter::node(const std::shared_ptr<const DeviceLoop> &loop, Writer &out) {
  const std::string first = asInt(loop->first), limit = context.names.fresh("end");
  out.line("const int " + limit + " = " + asInt(loop->limit) + ";");
  const std::string &variable = context.names.of(loop->variable);
  context.narrow.insert(loop->variable);
  out.block("for (int " + variable + " = " + first + "; " + variable + " < " + limit + "; " + variable +
                " += " + number(loop->step) + ")",
            [&] { block(loop->body, out); });
  context.narrow.erase(loop->variable);
}

void RolePrinter::node(const std::shared_ptr<const DeviceBranch> &branch, Writer &out) {
  const std::optional<std::string> vote = frame.fragments.anyOf(branch->condition);
  out.block("if (" + (vote ? *vote : frame.plain(branch->condition)) + ")", [&] { block(branch->then, out); });
  if (!branch->otherwise.empty()) out.block("else", [&] { block(branch->otherwise, out); });
}

void RolePrinter::block(const DeviceBlock &nodes, Writer &out) {
  for (const DeviceNode &n : nodes) std::visit([&](const auto &x) { node(x, out); }, n);
}

/// Declares the ticket that was handed out.
void RolePrinter::takeTicket(const std::string &declared, Writer &out) {
  out.line(frame.barrier("Wait") + "($ticketBarriers + 8 * ($taken % 2), $taken / 2 % 2);");
  out.line(declared + " = $ticketSlots[$taken % 2];");
  if (roles.order.runs)
    out.line((declared == "$ticket" ? "" : "[[maybe_unused]] const int ") +
             std::string("$run = $ticketSlots[2 + $taken % 2], $tile = $ticketSlots[4 + $taken % 2];"));
  out.line(frame.barrier("Arrive") + "($ticketBarriers + 16 + 8 * ($taken % 2));");
}

/// The condition that a thread of the copying group has nothing to copy; empty: each has.
std::string RolePrinter::idles() const {
  if (!frame.beside) return "";
  return "threadIdx.x % " + number(frame.lanes) + " != 0 || $copier >= " + number(roles.copiers);
}

/// The condition that a copying thread is the one that draws tickets.
std::string RolePrinter::draws() const {
  if (frame.beside) return "$copier == " + number(roles.drawing);
  return "threadIdx.x == " + number(frame.groupThreads * roles.groups);
}

void RolePrinter::copying(Writer &out) {
  if (frame.beside) {
    out.line(context.primitive("lowerRegisters") + "<" + number(roles.copying) + ">();");
    out.line("const int $copier = static_cast<int>(threadIdx.x / " + number(frame.lanes) + ");");
  } else {
    out.line("const int $copier = static_cast<int>(threadIdx.x - " + number(frame.groupThreads * roles.groups) +
             ") / " + number(frame.copyArrivals()) + ";");
  }
  if (frame.fallback && frame.fallback->byWholeBlocks) {
    out.block("if (!(" + idles() + "))", [&] { copies(out); });
    // The copying threads are then like those that compute.
    if (frame.beside) out.line(context.primitive("raiseRegisters") + "<" + number(roles.computing) + ">();");
    return;
  }
  if (!idles().empty()) out.line("if (" + idles() + ") return;");
  copies(out);
}

/// Gives every copying thread $ticket: one draws the next and hands it to the readers; of an engine's the others, of
/// copying threads all take what it handed out.
void RolePrinter::ticket(Writer &out) {
  const bool isInRuns = roles.order.runs.has_value();
  const std::string declared = isInRuns ? "int $ticket, $run, $tile;" : "int $ticket;";
  const auto number = [&] {
    if (isInRuns) return walkRuns(frame, out);
    out.line("$ticket = static_cast<int>($taken == 0 ? blockIdx.x : !$few ? gridDim.x + " +
             context.primitive("nextTicket") +
             "($tickets) : $taken == 1 ? 2 * gridDim.x - 1 - blockIdx.x : " + allPoints() + ");");
    out.line("if ($ticket >= " + allPoints() + ") $ticket = -1;");
  };
  const auto draw = [&] {
    number();
    if (frame.fallback) linkTicket(frame, out);
    out.line(frame.barrier("Wait") + "($ticketBarriers + 16 + 8 * ($taken % 2), ($taken / 2 % 2) ^ 1);");
    out.line("$ticketSlots[$taken % 2] = $ticket;");
    if (isInRuns) out.line("$ticketSlots[2 + $taken % 2] = $run, $ticketSlots[4 + $taken % 2] = $tile;");
    out.line(frame.barrier("Arrive") + "($ticketBarriers + 8 * ($taken % 2));");
  };
  if (frame.beside) {
    out.line(declared);
    out.block("if (" + draws() + ")", "} else {", draw);
    out.inside([&] { takeTicket("$ticket", out); });
    out.line("}");
    return;
  }
  out.block("if (" + draws() + ")", [&] {
    out.line(declared);
    draw();
  });
  out.line("__syncwarp();");
  takeTicket("const int $ticket", out);
}

void RolePrinter::copies(Writer &out) {
  for (const DeviceChannel &c : roles.channels) {
    const std::string name = frame.nameOf(c);
    prefetch(c, !others.empty(), out);
    out.line("int " + name + "Slot = 0, " + name + "Phase = 0;");
  }
  for (RolePrinter &other : others)
    for (const DeviceChannel &c : other.roles.channels)
      if (!other.frame.sharesSource(c)) other.prefetch(c, true, out);
  if (!others.empty()) {
    std::string sum = frame.points();
    for (const RolePrinter &other : others) sum += " + " + other.frame.points();
    out.line("const std::int64_t " + allPoints() + " = " + sum + ";");
  }
  const bool isInRuns = roles.order.runs.has_value();
  if (isInRuns) {
    out.line("// Tiles of the runs are numbered one run after the other, with as many tickets each.");
    out.line("const std::int64_t $runs = " + frame.plain(roles.order.runs->count) +
             ", $each = " + frame.plain(roles.order.count) + ";");
    out.line("std::int64_t $reached = 0, $before = 0;");
  } else {
    out.line("// A block's first ticket is its own number. Where two for each block are enough, the one that had the "
             "first of");
    out.line("// them takes the last; else the counter gives the others: late, so that no block holds one that another "
             "could");
    out.line("// begin.");
    out.line("const bool $few = " + allPoints() + " <= 2 * static_cast<std::int64_t>(gridDim.x);");
  }
  out.block("for (int $taken = 0;; ++$taken)", [&] {
    ticket(out);
    out.line("if ($ticket < 0) break;");
    points(&DeviceRoles::copies, out);
  });
  out.line("if (" + draws() + (isInRuns ? "" : " && !$few") + ") " + context.primitive("returnTickets") +
           "($tickets, gridDim.x);");
}

void RolePrinter::computing(Writer &out) {
  if (frame.beside) out.line(context.primitive("raiseRegisters") + "<" + number(roles.computing) + ">();");
  const std::string lanes = number(frame.lanes), warps = number(frame.groupThreads / frame.lanes);
  out.line("const int $lane = static_cast<int>(threadIdx.x % " + lanes + "), $warp = static_cast<int>(threadIdx.x / " +
           lanes + " % " + warps + ");");
  frame.fragments.place(out, frame.group());
  for (const DeviceChannel &c : roles.channels)
    out.line("int " + frame.nameOf(c) + "Slot = 0, " + frame.nameOf(c) + "Phase = 0;");
  if (others.empty()) frame.fragments.declare(out);
  out.block("for (int $taken = 0;; ++$taken)", [&] {
    takeTicket("const int $ticket", out);
    out.line("if ($ticket < 0) break;");
    points(&DeviceRoles::computes, out);
  });
  if (frame.fallback && !frame.fallback->byWholeBlocks) computeFallback(frame, [&] { coordinates(out); }, out);
}

std::string RolePrinter::print() {
  Writer out(1);
  prologue(out);
  const std::string copier = frame.beside ? "0" : number(roles.groups);
  out.block("if ($warpGroup == " + copier + ")", "} else {", [&] { copying(out); });
  out.inside([&] { computing(out); });
  out.line("}");
  if (frame.fallback && frame.fallback->byWholeBlocks) computeFallback(frame, [&] { coordinates(out); }, out);
  return frame.resolved(out.text());
}

} // namespace

void printRoleKernels(const std::vector<RoleStep> &steps, DeviceFunction &function, Writer &host) {
  const DeviceKernel &kernel = *steps.front().kernel;
  std::deque<RoleStart> starts;
  for (const RoleStep &step : steps)
    starts.emplace_back(step, function, starts.empty() ? nullptr : &starts.front().frame, starts.size());
  RoleFrame &frame = starts.front().frame;
  if (frame.roles.marks == DeviceMarks::Chain) {
    frame.fallback = &function.fallbacks.at(kernel.fallback);
    frame.fragments.notesMark = noteMark();
  }
  if (frame.roles.marks == DeviceMarks::Word) frame.fragments.notesMark = markWord() + " = 1;";
  function.context.host = &frame.values;
  std::optional<OnDevice> onDevice(function.context);
  RolePrinter printer(frame);
  for (std::size_t k = 1; k < starts.size(); ++k) printer.add(starts[k].frame);
  const std::string body = printer.print();
  function.context.host = nullptr;
  onDevice.reset();
  if (starts.size() == 1)
    launchRoles(starts.front(), body, host);
  else
    launchTogether(starts, body, host);
}

} // namespace polymend::print_room
