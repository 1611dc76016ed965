// A node, a statement: nothing is decided here.
#include "print/gpu_team.h"
#include "print/gpu_region.h"
#include "print/region.h"

#include "device/walk.h"

#include <algorithm>

namespace polymend::print_room {

namespace {

using Team = DeviceTeam::Kind;

/// Is it a loop of which a thread had better begin several turns together, so that it reads for the next ones while it
/// computes? Compilers unroll none whose turns they cannot count in a register.
bool readsAhead(const DeviceLoop &loop) {
  const bool isInnermost = std::ranges::none_of(loop.body, [](const DeviceNode &inside) {
    return std::holds_alternative<std::shared_ptr<const DeviceLoop>>(inside) || !device_room::blocksOf(inside).empty();
  });
  const bool isCounted =
      simplify(loop.limit).op() == Op::Integer || simplify(loop.limit - loop.first).op() == Op::Integer;
  return isInnermost && loop.kind == DeviceLoop::Kind::Serial && !loop.goesOn && !isCounted;
}

class TeamWalk {
public:
  TeamWalk(const DeviceTeam &t, Writer &w, Context &c) : team(t), out(w), context(c) {}
  void block(const DeviceBlock &nodes) {
    for (const DeviceNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
  }

private:
  void node(const TileNote &n) { printNote(n, out); }
  void node(const DeviceLet &l);
  void node(const DeviceAssign &a) { printAssign(a.what, a.fused, out, context); }
  void node(const std::shared_ptr<const DeviceLoop> &l);
  void node(const std::shared_ptr<const DeviceBranch> &b);
  void node(const std::shared_ptr<const DeviceDeal> &d) { printDeal(*d, team, out, context); }
  void node(const std::shared_ptr<const DeviceOne> &o) {
    if (team.folds()) return block(o->body); // one thread finishes the row
    out.block("if (" + context.names.of("thread") + " == 0)", [&] { block(o->body); });
  }
  void node(const DeviceBarrier &);
  void node(const DeviceReadAhead &r);
  template <class Node> void node(const Node &) {} // of one thread with vectors, of roles, and of the host

  const DeviceTeam &team;
  Writer &out;
  Context &context;
};

void TeamWalk::node(const DeviceLet &l) {
  const Type type = l.value.type();
  out.line("const " + spellFor(type, context.table) + " " + context.names.of(l.name) + " = " +
           printAs(l.value, type, context) + ";");
  context.scalars[l.name] = type;
}

void TeamWalk::node(const DeviceBarrier &) {
  if (team.kind == Team::Group)
    out.line(context.primitive(team.apart ? "waitApart" : "waitGroup") + "<" + context.names.of("group size") + ">();");
  else
    out.line(context.teamMemory.empty() ? "__syncthreads();" : context.primitive("waitTeam") + "();");
}

void TeamWalk::node(const std::shared_ptr<const DeviceLoop> &l) {
  if (l->kind == DeviceLoop::Kind::Unroll) out.directive("#pragma unroll");
  if (team.kind == Team::Thread && readsAhead(*l)) out.directive("#pragma unroll 8");
  context.narrow.erase(l->variable);
  const std::string head = loopHead(l->variable, l->first, l->limit, l->step, context, l->goesOn);
  context.signs.note({l->variable, l->first, l->limit, PointDim::Kind::Serial});
  out.block(head, [&] { block(l->body); });
}

void TeamWalk::node(const std::shared_ptr<const DeviceBranch> &b) {
  const std::string head = "if (" + printExpr(b->condition, context) + ")";
  if (b->otherwise.empty()) return out.block(head, [&] { block(b->then); });
  out.block(head, "} else {", [&] { block(b->then); });
  out.inside([&] { block(b->otherwise); });
  out.line("}");
}

void TeamWalk::node(const DeviceReadAhead &r) {
  const std::string together = context.names.of(termsAhead), step = context.names.of(numberOfTerm);
  context.narrow.insert(numberOfTerm);
  context.signs.insert(numberOfTerm);
  for (const auto &[read, name] : r.reads)
    out.line(spellFor(context.typeOf(read->name), context.table) + " " + context.names.of(name) + "[" + together +
             " > 0 ? " + together + " : 1];");
  out.block("", [&] {
    if (r.own) {
      context.narrow.insert(r.own->variable);
      context.signs.note(*r.own);
      out.line("[[maybe_unused]] const int " + context.names.of(r.own->variable) + " = " + context.names.of("thread") +
               ";");
    }
    out.pragma("unroll");
    const std::string i = context.names.fresh("i");
    out.block("for (int " + i + " = 0; " + i + " < " + together + "; ++" + i + ")", [&] {
      out.line("const int " + step + " = " + i + " < " + plain(r.limit, context) + " ? " + i + " : 0;");
      for (const auto &[read, name] : r.reads)
        out.line(context.names.of(name) + "[" + i + "] = " + printRef(read->name, read->args, context) + ";");
    });
  });
}

} // namespace

void printTeamBlock(const DeviceBlock &nodes, const DeviceTeam &team, Writer &out, Context &context) {
  TeamWalk(team, out, context).block(nodes);
}

} // namespace polymend::print_room
