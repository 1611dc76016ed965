// The spans of a body stand beside its nodes, one each; what placeBarriers finds for a span is printed before its node.
// Assignments outside regions are run by one thread, or by all of them where the target is a scalar that all hold.
#include "print/gpu_body.h"
#include "device/order.h"
#include "gpu_ahead.h"
#include "print/region.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::distribute;

namespace {

using Kind = PointDim::Kind;

void eachRead(const Expr &e, const std::function<void(const std::string &)> &f) {
  visit(e, [&](const Expr &node) {
    if (node.op() == Op::Read) f(node->name);
  });
}

void eachRead(const TileAssign &a, const std::function<void(const std::string &)> &f) {
  eachRead(a.value, f);
  eachRead(a.where, f);
  for (const Expr &s : a.target.subscripts) eachRead(s, f);
}

/// Calls `f(array, isWritten)` for all that threads touch: copies and products beside them have their own ways.
void eachTouch(const TileBlock &nodes, const std::function<void(const std::string &, bool)> &f) {
  const auto assigned = [&](const TileAssign &a) { f(a.target.array, true); };
  allNodes(nodes, [&](const TileNode &node) {
    if (as<TileAsync>(node)) return true;
    eachExpr(node, [&](const Expr &e) { eachRead(e, [&](const std::string &name) { f(name, false); }); });
    if (const auto *assign = as<TileAssign>(node)) assigned(*assign);
    if (const auto *points = as<TilePoints>(node)) std::for_each(points->body.begin(), points->body.end(), assigned);
    return true;
  });
}

/// One region as nodes: a leading Serial dimension around Parallel ones becomes a loop.
void prepareRegion(const TilePoints &points, bool strict, TileBlock &result) {
  if (points.dims.empty()) {
    for (const TileAssign &a : points.body) result.emplace_back(a);
    return;
  }
  const bool dealt =
      std::any_of(points.dims.begin(), points.dims.end(), [](const PointDim &d) { return d.kind == Kind::Parallel; });
  if (points.dims.front().kind == Kind::Serial && dealt) {
    const PointDim &d = points.dims.front();
    TileLoop loop{d.variable, d.first, d.limit, 1, TileLoop::Kind::Serial, {}};
    prepareRegion({{points.dims.begin() + 1, points.dims.end()}, points.body}, strict, loop.body);
    result.emplace_back(nodeOf(loop));
    return;
  }
  for (const TilePoints &part : distribute(points, strict)) result.emplace_back(nodeOf(part));
}

class BodyPrinter {
public:
  BodyPrinter(const Surroundings &s, Writer &w, Context &c) : around(s), out(w), context(c) {}
  std::vector<Span> spansOf(const TileBlock &nodes);
  void print(const TileBlock &nodes, const std::vector<Span> &spans);
  /// Prints what the terms of the body's sums read, before anything else.
  void readAhead(const TileBlock &nodes) { loaded = readTermsAhead(nodes, around.memory, out, context); }

private:
  [[nodiscard]] bool isHeld(const TileAssign &a) const { return around.memory.replicated.contains(a.target.array); }
  [[nodiscard]] std::string ownerOfAssign(const TileAssign &a) const { return isHeld(a) ? "" : "one"; }
  void touch(Touches &touches, const std::string &array, const std::string &owner) const;
  void noteReads(const Expr &e, const std::string &owner, Span &s) const;
  Span spanOf(const TileAssign &a);
  Span spanOf(const TilePoints &p);
  Span spanOf(const TileNode &node);
  RegionPlan planOf(const TilePoints &p) const;
  void barrier(bool needed);
  void printLoop(const TileLoop &l, const Span &s);
  void printBranch(const TileBranch &b, const Span &s);
  std::size_t printAssigns(const TileBlock &nodes, const std::vector<Span> &spans, std::size_t at);

  const Surroundings &around;
  Writer &out;
  Context &context;
  std::map<const TilePoints *, TermsRead> loaded;
};

void BodyPrinter::touch(Touches &touches, const std::string &array, const std::string &owner) const {
  if (!around.shared.contains(array)) return;
  const auto [at, isNew] = touches.insert({array, owner});
  if (!isNew && at->second != owner) at->second.clear();
}

void BodyPrinter::noteReads(const Expr &e, const std::string &owner, Span &s) const {
  eachRead(e, [&](const std::string &array) { touch(s.reads, array, owner); });
}

Span BodyPrinter::spanOf(const TileAssign &a) {
  Span s;
  const std::string owner = ownerOfAssign(a);
  eachRead(a, [&](const std::string &array) { touch(s.reads, array, owner); });
  touch(s.writes, a.target.array, owner);
  return s;
}

RegionPlan BodyPrinter::planOf(const TilePoints &p) const {
  return around.team == Team::One ? planAlone(p, context) : planRegion(p, around.memory, context);
}

Span BodyPrinter::spanOf(const TilePoints &p) {
  Span s;
  const RegionPlan plan = planOf(p);
  for (const TileAssign &a : p.body) {
    eachRead(a, [&](const std::string &array) { touch(s.reads, array, ownerOf(array, p, plan)); });
    const bool fours = plan.form == RegionPlan::Form::Fours && p.dims.front().kind == Kind::Reduced;
    const bool whole = plan.form == RegionPlan::Form::Whole || fours;
    touch(s.writes, a.target.array, whole ? "one" : ownerOf(a.target.array, p, plan));
    if (a.update != Update::Set && !whole) touch(s.reads, a.target.array, ownerOf(a.target.array, p, plan));
  }
  for (const PointDim &d : p.dims) {
    noteReads(d.first, "", s);
    noteReads(d.limit, "", s);
  }
  s.synchronises = plan.form == RegionPlan::Form::Whole ||
                   (plan.form == RegionPlan::Form::Fours && p.dims.front().kind == Kind::Reduced);
  return s;
}

Span BodyPrinter::spanOf(const TileNode &node) {
  if (const auto *a = as<TileAssign>(node)) return spanOf(*a);
  if (const auto *p = as<TilePoints>(node)) return spanOf(*p);
  Span s;
  if (const auto *l = as<TileLoop>(node)) {
    s.kind = Span::Kind::Repeat;
    noteReads(l->first, "", s);
    noteReads(l->limit, "", s);
    s.first = spansOf(l->body);
  }
  if (const auto *b = as<TileBranch>(node)) {
    s.kind = Span::Kind::Choose;
    noteReads(b->condition, "", s);
    s.first = spansOf(b->then);
    s.second = spansOf(b->otherwise);
  }
  return s;
}

std::vector<Span> BodyPrinter::spansOf(const TileBlock &nodes) {
  std::vector<Span> spans;
  spans.reserve(nodes.size());
  for (const TileNode &node : nodes) spans.push_back(spanOf(node));
  return spans;
}

void BodyPrinter::barrier(bool needed) {
  if (needed && around.team == Team::Block)
    out.line(context.teamMemory.empty() ? "__syncthreads();" : context.primitive("waitTeam") + "();");
  if (needed && around.team == Team::Group)
    out.line(context.primitive("waitGroup") + "<" + context.names.of("group size") + ">();");
}

void BodyPrinter::printLoop(const TileLoop &l, const Span &s) {
  if (l.kind == TileLoop::Kind::Unroll) out.directive("#pragma unroll");
  context.narrow.erase(l.variable);
  const std::string head = loopHead(l.variable, l.first, l.limit, l.step, context);
  noteSign({l.variable, l.first, l.limit, Kind::Serial}, context);
  context.loops.push_back(&l);
  out.block(head, [&] {
    print(l.body, s.first);
    barrier(s.barrierAtEnd);
  });
  context.loops.pop_back();
}

void BodyPrinter::printBranch(const TileBranch &b, const Span &s) {
  const std::string head = "if (" + printExpr(b.condition, context) + ")";
  if (b.otherwise.empty()) return out.block(head, [&] { print(b.then, s.first); });
  out.block(head, "} else {", [&] { print(b.then, s.first); });
  out.inside([&] { print(b.otherwise, s.second); });
  out.line("}");
}

/// Assignments by one thread, as far as no barrier comes between them; returns how many nodes were printed.
std::size_t BodyPrinter::printAssigns(const TileBlock &nodes, const std::vector<Span> &spans, std::size_t at) {
  const auto *first = as<TileAssign>(nodes[at]);
  if (around.team == Team::One || isHeld(*first)) {
    printAssign(*first, out, context);
    return 1;
  }
  std::size_t end = at + 1;
  for (; end < nodes.size() && !spans[end].barrier; ++end) {
    const auto *next = as<TileAssign>(nodes[end]);
    if (!next || isHeld(*next)) break;
  }
  out.block("if (" + context.names.of("thread") + " == 0)", [&] {
    for (std::size_t i = at; i < end; ++i) printAssign(std::get<TileAssign>(nodes[i]), out, context);
  });
  return end - at;
}

void BodyPrinter::print(const TileBlock &nodes, const std::vector<Span> &spans) {
  for (std::size_t i = 0; i < nodes.size();) {
    barrier(spans[i].barrier);
    const TileNode &node = nodes[i];
    std::size_t count = 1;
    if (as<TileAssign>(node)) count = printAssigns(nodes, spans, i);
    if (const auto *n = as<TileNote>(node)) printNote(*n, out);
    if (const auto *l = as<TileLoop>(node)) printLoop(*l, spans[i]);
    if (const auto *b = as<TileBranch>(node)) printBranch(*b, spans[i]);
    if (const auto *p = as<TilePoints>(node)) {
      RegionPlan plan = planOf(*p);
      if (const auto reads = loaded.find(p); reads != loaded.end()) plan.loaded = reads->second;
      printTeamRegion(*p, plan, around.team, out, context);
    }
    i += count;
  }
}

} // namespace

TileBlock prepareBody(const TileBlock &nodes, bool strict) {
  return rebuild(nodes, [&](const TileNode &node) {
    TileBlock result;
    if (const auto *points = as<TilePoints>(node))
      prepareRegion(*points, strict, result);
    else
      result.push_back(node);
    return result;
  });
}

std::set<std::string> writtenIn(const TileBlock &nodes) {
  std::set<std::string> arrays;
  eachTouch(nodes, [&](const std::string &array, bool written) {
    if (written) arrays.insert(array);
  });
  return arrays;
}

std::set<std::string> usedIn(const TileBlock &nodes) {
  std::set<std::string> arrays;
  eachTouch(nodes, [&](const std::string &array, bool) { arrays.insert(array); });
  return arrays;
}

std::set<std::string> ownedByThreads(const TileBlock &prepared, const Surroundings &around, Context &context) {
  Writer unused;
  std::map<std::string, std::set<std::string>> owners;
  const std::function<void(const std::vector<Span> &)> look = [&](const std::vector<Span> &spans) {
    for (const Span &s : spans) {
      for (const Touches &touches : {s.reads, s.writes})
        for (const auto &[array, owner] : touches) owners[array].insert(owner);
      look(s.first);
      look(s.second);
    }
  };
  look(BodyPrinter(around, unused, context).spansOf(prepared));
  std::set<std::string> owned;
  for (const auto &[array, by] : owners) {
    const std::vector<Expr> &extents = context.places.at(array).array->extents;
    if (!around.memory.tiles.contains(array) || extents.size() != 1 || by.size() != 1) continue;
    const Expr length = simplify(extents[0]);
    const std::string each = "by 0:0+";
    if (length.op() == Op::Integer && length->integer <= around.memory.threads && by.begin()->starts_with(each) &&
        by.begin()->substr(each.size()) == std::to_string(length->integer))
      owned.insert(array);
  }
  return owned;
}

void printTeamBody(const TileBlock &prepared, const Surroundings &around, Writer &out, Context &context) {
  BodyPrinter printer(around, out, context);
  Span all;
  all.kind = around.repeats ? Span::Kind::Repeat : Span::Kind::Choose;
  all.first = printer.spansOf(prepared);
  if (around.memory.termsAhead) printer.readAhead(prepared);
  printer.print(prepared, placeBarriers({all}).front().first);
}

} // namespace polymend::print_room
