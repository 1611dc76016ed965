// The spans of a body stand beside its nodes, one each; what placeBarriers finds for a span comes before its node.
// Assignments outside regions are run by one thread, or by all of them where the target is a scalar that all hold.
#include "device/team_body.h"
#include "ahead.h"
#include "device/barriers.h"
#include "device/fused_product.h"
#include "device/order.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Kind = PointDim::Kind;
using Team = DeviceTeam::Kind;

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

class TeamMapper {
public:
  TeamMapper(const Surroundings &s, Scope &names) : around(s), scope(names) {}
  std::vector<Span> spansOf(const TileBlock &nodes);
  DeviceBlock block(const TileBlock &nodes, const std::vector<Span> &spans);
  /// What the terms of the body's sums read, before anything else.
  DeviceBlock readAhead(const TileBlock &nodes);

private:
  [[nodiscard]] bool isHeld(const TileAssign &a) const { return around.memory.replicated.contains(a.target.array); }
  [[nodiscard]] std::string ownerOfAssign(const TileAssign &a) const { return isHeld(a) ? "" : "one"; }
  void touch(Touches &touches, const std::string &array, const std::string &owner) const;
  void noteReads(const Expr &e, const std::string &owner, Span &s) const;
  Span spanOf(const TileAssign &a);
  Span spanOf(const TilePoints &p);
  Span spanOf(const TileNode &node);
  [[nodiscard]] DeviceDeal deal(const TilePoints &p) const;
  void barrier(bool needed, DeviceBlock &out) const;
  DeviceNode loop(const TileLoop &l, const Span &s);
  DeviceNode branch(const TileBranch &b, const Span &s);
  DeviceNode region(const TilePoints &p);
  [[nodiscard]] DeviceNode assign(const TileAssign &a) const;
  std::size_t assigns(const TileBlock &nodes, const std::vector<Span> &spans, std::size_t at, DeviceBlock &out);

  const Surroundings &around;
  Scope &scope;
  std::vector<const TileLoop *> loops; // around the node, outermost first
  std::map<const TilePoints *, TermsRead> loaded;
};

void TeamMapper::touch(Touches &touches, const std::string &array, const std::string &owner) const {
  if (!around.shared.contains(array)) return;
  const auto [at, isNew] = touches.insert({array, owner});
  if (!isNew && at->second != owner) at->second.clear();
}

void TeamMapper::noteReads(const Expr &e, const std::string &owner, Span &s) const {
  eachRead(e, [&](const std::string &array) { touch(s.reads, array, owner); });
}

Span TeamMapper::spanOf(const TileAssign &a) {
  Span s;
  const std::string owner = ownerOfAssign(a);
  eachRead(a, [&](const std::string &array) { touch(s.reads, array, owner); });
  touch(s.writes, a.target.array, owner);
  return s;
}

DeviceDeal TeamMapper::deal(const TilePoints &p) const {
  if (around.team == Team::Thread) return dealAlone(p, scope);
  return dealOf(p, around.memory, scope, loops.empty() ? nullptr : loops.back());
}

Span TeamMapper::spanOf(const TilePoints &p) {
  Span s;
  const DeviceDeal deal = this->deal(p);
  using Form = DeviceDeal::Form;
  const bool fours = deal.form == Form::Fours && p.dims.front().kind == Kind::Reduced;
  const bool whole = deal.form == Form::Whole || fours;
  const auto owner = [&](const std::string &array) { return ownerOf(array, deal, around.memory.threads); };
  for (const TileAssign &a : p.body) {
    eachRead(a, [&](const std::string &array) { touch(s.reads, array, owner(array)); });
    touch(s.writes, a.target.array, whole ? "one" : owner(a.target.array));
    if (a.update != Update::Set && !whole) touch(s.reads, a.target.array, owner(a.target.array));
  }
  for (const PointDim &d : p.dims) {
    noteReads(d.first, "", s);
    noteReads(d.limit, "", s);
  }
  s.synchronises = whole;
  return s;
}

Span TeamMapper::spanOf(const TileNode &node) {
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

std::vector<Span> TeamMapper::spansOf(const TileBlock &nodes) {
  std::vector<Span> spans;
  spans.reserve(nodes.size());
  for (const TileNode &node : nodes) spans.push_back(spanOf(node));
  return spans;
}

void TeamMapper::barrier(bool needed, DeviceBlock &out) const {
  if (needed && around.team != Team::Thread) out.emplace_back(DeviceBarrier{});
}

DeviceNode TeamMapper::loop(const TileLoop &l, const Span &s) {
  scope.signs.note({l.variable, l.first, l.limit, Kind::Serial});
  DeviceLoop result{l.variable, l.first, l.limit, l.step, DeviceLoop::Kind::Serial, {}};
  if (l.kind == TileLoop::Kind::Unroll) result.kind = DeviceLoop::Kind::Unroll;
  loops.push_back(&l);
  result.body = block(l.body, s.first);
  barrier(s.barrierAtEnd, result.body);
  loops.pop_back();
  return std::make_shared<const DeviceLoop>(std::move(result));
}

DeviceNode TeamMapper::branch(const TileBranch &b, const Span &s) {
  DeviceBlock then = block(b.then, s.first), otherwise = block(b.otherwise, s.second);
  return std::make_shared<const DeviceBranch>(DeviceBranch{b.condition, std::move(then), std::move(otherwise)});
}

DeviceNode TeamMapper::region(const TilePoints &p) {
  DeviceDeal result = deal(p);
  for (const PointDim &d : p.dims) scope.signs.note(d);
  if (const auto reads = loaded.find(&p); reads != loaded.end()) result.loaded = reads->second;
  return std::make_shared<const DeviceDeal>(std::move(result));
}

DeviceNode TeamMapper::assign(const TileAssign &a) const {
  return DeviceAssign{a, fusesProduct(a, scope.typeOf(a.target.array), scope.strict())};
}

/// Assignments by one thread, as far as no barrier comes between them; returns how many nodes were taken.
std::size_t TeamMapper::assigns(const TileBlock &nodes, const std::vector<Span> &spans, std::size_t at,
                                DeviceBlock &out) {
  const auto *first = as<TileAssign>(nodes[at]);
  if (around.team == Team::Thread || isHeld(*first)) {
    out.push_back(assign(*first));
    return 1;
  }
  DeviceOne one;
  std::size_t end = at;
  for (; end < nodes.size() && (end == at || !spans[end].barrier); ++end) {
    const auto *next = as<TileAssign>(nodes[end]);
    if (!next || isHeld(*next)) break;
    one.body.push_back(assign(*next));
  }
  out.emplace_back(std::make_shared<const DeviceOne>(std::move(one)));
  return end - at;
}

DeviceBlock TeamMapper::block(const TileBlock &nodes, const std::vector<Span> &spans) {
  DeviceBlock out;
  for (std::size_t i = 0; i < nodes.size();) {
    barrier(spans[i].barrier, out);
    const TileNode &node = nodes[i];
    std::size_t count = 1;
    if (as<TileAssign>(node)) count = assigns(nodes, spans, i, out);
    if (const auto *n = as<TileNote>(node)) out.emplace_back(*n);
    if (const auto *l = as<TileLoop>(node)) out.push_back(loop(*l, spans[i]));
    if (const auto *b = as<TileBranch>(node)) out.push_back(branch(*b, spans[i]));
    if (const auto *p = as<TilePoints>(node)) out.push_back(region(*p));
    i += count;
  }
  return out;
}

DeviceBlock TeamMapper::readAhead(const TileBlock &nodes) {
  DeviceBlock out;
  TermsAhead ahead = termsAhead(nodes, around.memory, scope);
  for (DeviceReadAhead &reads : ahead.nodes) out.emplace_back(std::move(reads));
  loaded = std::move(ahead.loaded);
  return out;
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

std::set<std::string> ownedByThreads(const TileBlock &prepared, const Surroundings &around, Scope &scope) {
  std::map<std::string, std::set<std::string>> owners;
  const std::function<void(const std::vector<Span> &)> look = [&](const std::vector<Span> &spans) {
    for (const Span &s : spans) {
      for (const Touches &touches : {s.reads, s.writes})
        for (const auto &[array, owner] : touches) owners[array].insert(owner);
      look(s.first);
      look(s.second);
    }
  };
  look(TeamMapper(around, scope).spansOf(prepared));
  std::set<std::string> owned;
  for (const auto &[array, by] : owners) {
    const std::vector<Expr> &extents = scope.find(array)->extents;
    if (!around.memory.tiles.contains(array) || extents.size() != 1 || by.size() != 1) continue;
    const Expr length = simplify(extents[0]);
    const std::string each = "by 0:0+";
    if (length.op() == Op::Integer && length->integer <= around.memory.threads && by.begin()->starts_with(each) &&
        by.begin()->substr(each.size()) == std::to_string(length->integer))
      owned.insert(array);
  }
  return owned;
}

DeviceBlock mapTeamBody(const TileBlock &prepared, const Surroundings &around, Scope &scope) {
  TeamMapper mapper(around, scope);
  Span all;
  all.kind = around.repeats ? Span::Kind::Repeat : Span::Kind::Choose;
  all.first = mapper.spansOf(prepared);
  DeviceBlock body;
  if (around.readsAhead) body = mapper.readAhead(prepared);
  for (DeviceNode &node : mapper.block(prepared, placeBarriers({all}).front().first)) body.push_back(std::move(node));
  return body;
}

DeviceBlock mapAlone(const TileBlock &nodes, const std::vector<TileArray> &arrays, const TileProgram &program,
                     bool strict) {
  Scope scope(program, strict);
  for (const TileArray &a : arrays) scope.enter(a);
  Surroundings alone;
  alone.team = Team::Thread;
  return mapTeamBody(nodes, alone, scope);
}

} // namespace polymend::device_room
