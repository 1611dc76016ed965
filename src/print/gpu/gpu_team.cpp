// A node, a statement: nothing is decided here.
#include "print/gpu_team.h"
#include "print/gpu_region.h"
#include "print/region.h"

namespace polymend::print_room {

namespace {

using Team = DeviceTeam::Kind;

class TeamWalk {
public:
  TeamWalk(const DeviceTeam &t, Writer &w, Context &c) : team(t), out(w), context(c) {}
  void block(const DeviceBlock &nodes) {
    for (const DeviceNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
  }

private:
  void node(const TileNote &n) { printNote(n, out); }
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

void TeamWalk::node(const DeviceBarrier &) {
  if (team.kind == Team::Group)
    out.line(context.primitive("waitGroup") + "<" + context.names.of("group size") + ">();");
  else
    out.line(context.teamMemory.empty() ? "__syncthreads();" : context.primitive("waitTeam") + "();");
}

void TeamWalk::node(const std::shared_ptr<const DeviceLoop> &l) {
  if (l->kind == DeviceLoop::Kind::Unroll) out.directive("#pragma unroll");
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
