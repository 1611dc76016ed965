// Subexpressions that do not move along every point dimension are computed once into a tile of their own, and shared by
// all members that contain them: weights that several output columns use, operands of a product in the layout that its
// innermost loop wants. What does not change in the rolled loop is computed before it.
#include "hoist.h"

#include "conditions.h"
#include "regions.h"

#include "polymend/factors.h"

#include <algorithm>

namespace polymend {
namespace {

bool isCostly(const Expr &value) {
  bool costly = false;
  visit(value, [&](const Expr &node) {
    costly =
        costly || (node.op() >= Op::Exp && node.op() <= Op::Call) || (node.op() == Op::Div && isFloating(node.type()));
  });
  return costly;
}

/// How many things of a value move from point to point: reads, and what is computed from subscripts.
std::size_t moving(const Expr &value, const std::set<std::string> &points) {
  std::set<std::string> seen;
  const std::function<void(const Expr &)> look = [&](const Expr &e) {
    const std::set<std::string> used = symbols(e);
    if (std::none_of(used.begin(), used.end(), [&](const std::string &name) { return points.count(name) > 0; })) return;
    if (e.op() == Op::Read || !isFloating(e.type()) || e->args.empty())
      seen.insert(e.op() == Op::Read ? "read " + show(e) : "position");
    else
      for (const Expr &arg : e->args) look(arg);
  };
  look(value);
  return seen.size();
}

bool contains(const std::vector<unsigned> &list, unsigned value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool holdsAny(const Expr &value, const std::vector<Expr> &reads) {
  bool found = false;
  if (!reads.empty())
    visit(value, [&](const Expr &node) {
      found = found || std::any_of(reads.begin(), reads.end(), [&](const Expr &read) { return equal(read, node); });
    });
  return found;
}

/// The value where the condition holds, elsewhere zero.
Expr where(const Expr &condition, const Expr &value) {
  if (!condition) return value;
  return Expr::make(Op::Select, value.type(), {condition, value, Expr::real(0, value.type())});
}

/// Which of the member's point dimensions an expression in loop variables depends on.
std::vector<unsigned> pointVars(const Seated &seated, const Expr &value) {
  const std::set<std::string> used = symbols(value);
  std::vector<unsigned> result;
  for (unsigned d : seated.order())
    if (used.count(seated.axes[d].point)) result.push_back(d);
  return result;
}

/// The dimensions of a tile that copies a read: in the order of the array's own.
std::vector<unsigned> memoryOrder(const Seated &seated, const Expr &read, const std::vector<unsigned> &vars) {
  std::vector<unsigned> order;
  for (const Expr &subscript : read->args) {
    const std::set<std::string> used = symbols(subscript);
    for (unsigned d : vars)
      if (used.count(seated.axes[d].point) && !contains(order, d)) order.push_back(d);
  }
  return order;
}

/// Does a variable change within the phase's loops?
bool changes(const PhaseContext &context, const std::string &name) {
  return std::any_of(context.rolled.begin(), context.rolled.end(),
                     [&](const Axis &axis) { return axis.base->name == name || axis.point == name; });
}

/// The dimensions of a tile that holds a value, in its order.
std::vector<unsigned> layoutOf(const PhaseContext &context, const Seated &seated, const Expr &kept,
                               const std::vector<unsigned> &vars) {
  if (context.frame.rectangular) return kept.op() == Op::Read ? memoryOrder(seated, kept, vars) : vars;
  std::vector<unsigned> parallel, reduced;
  for (unsigned d : vars) (contains(seated.parallel, d) ? parallel : reduced).push_back(d);
  const bool vector = !seated.parallel.empty() && contains(vars, seated.parallel.back());
  std::vector<unsigned> layout = vector ? reduced : parallel;
  layout.insert(layout.end(), vector ? parallel.begin() : reduced.begin(), vector ? parallel.end() : reduced.end());
  return layout;
}

/// Is a value the same in all chunks?
bool isFixed(const PhaseContext &context, const Seated &seated, const Expr &value) {
  bool fixed = !seated.member.rolled.empty();
  for (const std::string &name : symbols(value)) fixed = fixed && !changes(context, name);
  visit(value, [&](const Expr &node) {
    if (node.op() == Op::Read)
      fixed = fixed && std::none_of(context.frame.tiles.begin(), context.frame.tiles.end(),
                                    [&](const TileArray &t) { return t.name == node->name; });
  });
  return fixed;
}

} // namespace

Expr regroup(const Seated &seated, const Expr &value, bool toRows) {
  std::vector<std::pair<std::vector<unsigned>, Expr>> groups;
  Expr constants;
  for (const Expr &factor : factorsOf(value)) {
    const std::vector<unsigned> vars = pointVars(seated, factor);
    if (vars.empty()) {
      constants = constants ? constants * factor : factor;
      continue;
    }
    const auto held =
        std::find_if(groups.begin(), groups.end(), [&](const auto &group) { return group.first == vars; });
    if (held == groups.end())
      groups.emplace_back(vars, factor);
    else
      held->second = held->second * factor;
  }
  const auto moves = [&](const auto &group) { return group.first.size() == seated.order().size(); };
  if (groups.size() != 2 || std::any_of(groups.begin(), groups.end(), moves)) return value;
  const auto followsRows = [&](const auto &group) { return contains(group.first, seated.parallel.front()); };
  const bool isSecond = toRows && !seated.parallel.empty() && followsRows(groups[1]) && !followsRows(groups[0]);
  Expr &scaled = groups[isSecond ? 1 : 0].second;
  if (constants) scaled = scaled * constants;
  return groups[0].second * groups[1].second;
}

void Hoisting::startChunk() {
  for (Hoisted &one : held) one.done = false;
}

Slim Hoisting::slim(const PhaseContext &context, const Seated &seated, const Expr &value, bool factors,
                    const Expr &neutral, const std::vector<Expr> &chosen) {
  Slim slim;
  slim.neutral = neutral;
  slim.value = within(context, seated, value, factors, slim, {chosen});
  if (slim.neutral) neutralize(seated, slim);
  return slim;
}

/// Replaces what is worth it in `value`; new tiles are filled in `slim`.
Expr Hoisting::within(const PhaseContext &context, const Seated &seated, const Expr &source, bool factors, Slim &slim,
                      const Choice &choice) {
  const Expr value =
      isFloating(source.type()) && holdsAny(source, choice.reads) ? where(choice.allowed, source) : source;
  const std::vector<unsigned> vars = pointVars(seated, value);
  if (known(seated, value, vars)) return one(context, seated, value, vars, slim);
  const bool leaf = source->args.empty() || source.op() == Op::Read;
  const bool sized = std::all_of(vars.begin(), vars.end(), [&](unsigned d) { return seated.axes[d].extent > 0; });
  const bool partial = sized && !vars.empty() && vars.size() < seated.order().size();
  const bool staged = factors && partial && vars.size() > 1;
  std::set<std::string> points;
  for (unsigned d : vars) points.insert(seated.axes[d].point);
  const bool often = isCostly(value) || (isFloating(value.type()) && moving(value, points) > 1);
  const bool rectangularTile = context.frame.rectangular && vars.size() == 2 && !leaf && often &&
                               !(factors && vars.size() == seated.order().size());
  if (isFloating(value.type()) &&
      (staged || rectangularTile || (partial && isCostly(value) && vars.size() + 1 >= seated.member.rows.size())))
    return one(context, seated, value, vars, slim);
  if (leaf) return source;
  ExprNode node = *source;
  const bool product = source.op() == Op::Mul;
  for (std::size_t k = 0; k < node.args.size(); ++k)
    node.args[k] = within(context, seated, source.arg(k), factors && product, slim,
                          {choice.reads, both(choice.allowed, branchCondition(source, k))});
  return Expr{node};
}

/// What a tile of a rectangular kernel is filled with: tiles that hold a part of it are read, and an operand of a
/// product is zero where the product does not count.
Expr Hoisting::rectangularFill(const Seated &seated, const Expr &value, const std::vector<unsigned> &vars,
                               Slim &into) const {
  Expr slim = withKnown(seated, value);
  if (!into.neutral || slim.op() == Op::Read) return slim; // a copy takes whole tiles
  for (unsigned d : pointVars(seated, into.neutral))
    if (!contains(vars, d)) return slim;
  const Expr filled = Expr::make(Op::Select, value.type(), {into.neutral, slim, Expr::real(0, value.type())});
  into.neutral = {};
  return filled;
}

/// Makes a product's computed factor zero where the product does not count, if its tile was filled for another member
/// with the same points: what it holds at others is nobody's.
void Hoisting::neutralize(const Seated &seated, Slim &slim) const {
  if (slim.value.op() != Op::Mul) return;
  for (const Expr &factor : slim.value->args) {
    const Expr read = unconverted(factor);
    const auto at = std::find_if(held.begin(), held.end(),
                                 [&](const Hoisted &o) { return read.op() == Op::Read && o.tile.name == read->name; });
    if (at == held.end() || at->hoisted) continue;
    const Expr narrow = narrowOf(at->value);
    if ((narrow ? narrow : at->value).op() == Op::Read) continue;
    const std::vector<unsigned> vars = pointVars(seated, read), masked = pointVars(seated, slim.neutral);
    const bool moves = std::all_of(masked.begin(), masked.end(), [&](unsigned d) { return contains(vars, d); });
    if (!moves || !at->points.is_subset(pointSet(seated.equation.domain, seated.axes, vars))) continue;
    const Expr filled = Expr::make(Op::Select, read.type(), {slim.neutral, read, Expr::real(0, read.type())});
    append(slim.outer, emitPoints({boxOf(seated.axes, vars)}, {{{read->name, read->args}, Update::Set, filled, {}}},
                                  vars.size(), true));
    slim.neutral = {};
    return;
  }
}

/// `value` with every part that a tile of this chunk holds replaced by a read of it, the largest parts first.
Expr Hoisting::withKnown(const Seated &seated, const Expr &value) const {
  if (!value || value.op() == Op::Read || value->args.empty()) return value;
  const Hoisted *own = isFloating(value.type()) ? known(seated, value, pointVars(seated, value)) : nullptr;
  if (own && (own->done || own->hoisted)) {
    const Expr element = Expr::read(own->tile.name, own->subscripts, own->tile.type);
    return element.type() == value.type() ? element : Expr::cast(value.type(), element);
  }
  ExprNode node = *value;
  for (Expr &arg : node.args) arg = withKnown(seated, arg);
  return Expr{node};
}

/// A tile that holds `value` at all points where this member wants it.
const Hoisting::Hoisted *Hoisting::known(const Seated &seated, const Expr &value,
                                         const std::vector<unsigned> &vars) const {
  for (const Hoisted &one : held)
    if (equal(one.value, value) && pointSet(seated.equation.domain, seated.axes, vars).is_subset(one.points))
      return &one;
  return nullptr;
}

namespace {

/// A copy is called after its array, another factor of a product after the first array that it reads.
std::string nameFor(const Expr &value) {
  Expr plain = value;
  while (plain.op() == Op::Cast || plain.op() == Op::Select) plain = plain.arg(plain.op() == Op::Cast ? 0 : 1);
  if (plain.op() == Op::Read) return plain->name + "_tile";
  std::string name;
  visit(plain, [&](const Expr &node) {
    if (node.op() == Op::Read && name.empty()) name = node->name + "_";
  });
  return name + "factor";
}

} // namespace

/// A new tile for a value, at the points where this member wants it.
Hoisting::Hoisted &Hoisting::make(const PhaseContext &context, const Seated &seated, const Expr &value,
                                  const Expr &kept, const std::vector<unsigned> &vars) {
  Hoisted fresh;
  fresh.value = value;
  fresh.points = pointSet(seated.equation.domain, seated.axes, vars);
  fresh.tile.name = context.frame.unique(nameFor(value));
  fresh.tile.type = kept.type();
  fresh.tile.written = true;
  for (unsigned d : layoutOf(context, seated, kept, vars)) {
    fresh.tile.extents.push_back(Expr::integer(seated.axes[d].extent));
    fresh.subscripts.push_back(seated.axes[d].local());
  }
  context.frame.tiles.push_back(fresh.tile);
  held.push_back(fresh);
  return held.back();
}

/// A value read from the tile that holds it, which is filled if it is not yet.
Expr Hoisting::one(const PhaseContext &context, const Seated &seated, const Expr &value,
                   const std::vector<unsigned> &vars, Slim &slim) {
  const Hoisted *const own = known(seated, value, vars);
  const Expr narrow = context.frame.rectangular ? narrowOf(value) : Expr();
  const Expr kept = narrow ? narrow : value;
  Hoisted &from = own ? held[static_cast<std::size_t>(own - held.data())] : make(context, seated, value, kept, vars);
  const Expr element = Expr::read(from.tile.name, from.subscripts, kept.type());
  if (!from.done && !from.hoisted) fill(context, seated, kept, vars, from, slim);
  return element.type() == value.type() ? element : Expr::cast(value.type(), element);
}

/// Fills a tile: before the phase's loops where it is the same in all chunks, else in the chunk.
void Hoisting::fill(const PhaseContext &context, const Seated &seated, const Expr &kept,
                    const std::vector<unsigned> &vars, Hoisted &into, Slim &slim) {
  const std::set<std::string> used = symbols(into.value);
  const bool fixed = isFixed(context, seated, into.value);
  const bool own = std::any_of(seated.loops.begin(), seated.loops.end(),
                               [&](const OwnLoop &loop) { return used.contains(loop.variable); });
  Seated before = seated;
  if (!own)
    for (const OwnLoop &loop : seated.loops) before.axes[loop.dim] = {"[x]", {}, 0};
  const bool rectangular = context.frame.rectangular;
  const std::vector<TileAssign> body{{{into.tile.name, into.subscripts},
                                      Update::Set,
                                      rectangular ? rectangularFill(seated, kept, vars, slim) : kept,
                                      {}}};
  into.hoisted = fixed && !own;
  into.done = !own;
  if (!into.hoisted) {
    append(own ? slim.inner : slim.outer, rectangular ? emitPoints({boxOf(seated.axes, vars)}, body, vars.size(), true)
                                                      : points(context, before, vars, vars.size(), body));
    return;
  }
  for (int d : seated.member.rolled) before.axes[static_cast<unsigned>(d)] = {"[x]", {}, 0};
  const isl::set &known = context.frame.known;
  append(slim.before, emitPoints(rectangular ? std::vector{boxOf(seated.axes, vars)}
                                             : loopsOver(pointSet(seated.equation.domain, before.axes, vars),
                                                         before.axes, vars, known),
                                 body, vars.size(), true));
}

} // namespace polymend
