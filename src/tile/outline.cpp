// Subexpressions that do not move along every point dimension are computed once into a tile of their own, and shared by
// all members that contain them: weights that several output columns use, operands of a product in the layout that its
// innermost loop wants. What does not change in the rolled loop is computed before it.
#include "polymend/factors.h"

#include "tile/phase.h"

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

} // namespace

/// Which of the member's point dimensions an expression in loop variables depends on.
std::vector<unsigned> PhaseLowerer::pointVars(const Seated &seated, const Expr &value) const {
  const std::set<std::string> used = symbols(value);
  std::vector<unsigned> result;
  for (unsigned d : seated.order())
    if (used.count(seated.axes[d].point)) result.push_back(d);
  return result;
}

/// A product with its factors sorted by the point dimensions they move along, constants with the first: so that each
/// group is computed once into its tile and the innermost loop multiplies two numbers. A group that moves along all of
/// them has no tile: the product stays as it is, since other partial products overflow elsewhere.
Expr PhaseLowerer::regroup(const Seated &seated, const Expr &value) const {
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
  if (constants) groups[0].second = groups[0].second * constants;
  return groups[0].second * groups[1].second;
}

/// Replaces what is worth it in `value`; new tiles are filled in `inner` (within the own loops) or `outer`.
Expr PhaseLowerer::outline(const Seated &seated, const Expr &value, bool factors, TileBlock &inner, TileBlock &outer) {
  const std::vector<unsigned> vars = pointVars(seated, value);
  if (knownOutline(seated, value, vars)) return outlineOne(seated, value, vars, inner, outer);
  const bool leaf = value->args.empty() || value.op() == Op::Read;
  const bool sized = std::all_of(vars.begin(), vars.end(), [&](unsigned d) { return seated.axes[d].extent > 0; });
  const bool partial = sized && !vars.empty() && vars.size() < seated.order().size();
  const bool staged = factors && partial && vars.size() > 1;
  std::set<std::string> points;
  for (unsigned d : vars) points.insert(seated.axes[d].point);
  const bool often = isCostly(value) || (isFloating(value.type()) && moving(value, points) > 1);
  const bool boxedTile =
      frame.boxed && vars.size() == 2 && !leaf && often && !(factors && vars.size() == seated.order().size());
  if (isFloating(value.type()) &&
      (staged || boxedTile || (partial && isCostly(value) && vars.size() + 1 >= seated.member.rows.size())))
    return outlineOne(seated, value, vars, inner, outer);
  if (leaf) return value;
  ExprNode node = *value;
  const bool product = value.op() == Op::Mul;
  for (Expr &arg : node.args) arg = outline(seated, arg, factors && product, inner, outer);
  return Expr{node};
}

/// The dimensions of a tile that copies a read: in the order of the array's own.
std::vector<unsigned> PhaseLowerer::memoryOrder(const Seated &seated, const Expr &read,
                                                const std::vector<unsigned> &vars) const {
  std::vector<unsigned> order;
  for (const Expr &subscript : read->args) {
    const std::set<std::string> used = symbols(subscript);
    for (unsigned d : vars)
      if (used.count(seated.axes[d].point) && !contains(order, d)) order.push_back(d);
  }
  return order;
}

/// What a tile of a boxed kernel is filled with: tiles that hold a part of it are read, and an operand of a product is
/// zero where the product does not count.
Expr PhaseLowerer::boxedFill(const Seated &seated, const Expr &value, const std::vector<unsigned> &vars) {
  Expr slim = withKnown(seated, value);
  if (!neutralMask || slim.op() == Op::Read) return slim; // a copy takes whole tiles
  for (unsigned d : pointVars(seated, neutralMask))
    if (!contains(vars, d)) return slim;
  const Expr filled = Expr::make(Op::Select, value.type(), {neutralMask, slim, Expr::real(0, value.type())});
  neutralMask = {};
  return filled;
}

/// Makes a product's computed factor zero where the product does not count, if its tile was filled for another member
/// with the same points: what it holds at others is nobody's.
void PhaseLowerer::neutralize(const Seated &seated, const Expr &product, TileBlock &block) {
  if (!neutralMask || product.op() != Op::Mul) return;
  for (const Expr &factor : product->args) {
    const Expr read = unconverted(factor);
    const auto held = std::find_if(outlines.begin(), outlines.end(), [&](const Outlined &o) {
      return read.op() == Op::Read && o.tile.name == read->name;
    });
    if (held == outlines.end() || held->hoisted) continue;
    const Expr slim = narrowOf(held->value);
    if ((slim ? slim : held->value).op() == Op::Read) continue;
    const std::vector<unsigned> vars = pointVars(seated, read), masked = pointVars(seated, neutralMask);
    const bool moves = std::all_of(masked.begin(), masked.end(), [&](unsigned d) { return contains(vars, d); });
    if (!moves || !held->points.is_subset(pointSet(seated.equation.domain, seated.axes, vars))) continue;
    const Expr filled = Expr::make(Op::Select, read.type(), {neutralMask, read, Expr::real(0, read.type())});
    append(block, emitPoints({boxOf(seated.axes, vars)}, {{{read->name, read->args}, Update::Set, filled, {}}},
                             vars.size(), true));
    neutralMask = {};
    return;
  }
}

/// A tile that holds `value` at all points where this member wants it.
const Outlined *PhaseLowerer::knownOutline(const Seated &seated, const Expr &value,
                                           const std::vector<unsigned> &vars) const {
  for (const Outlined &held : outlines)
    if (equal(held.value, value) && pointSet(seated.equation.domain, seated.axes, vars).is_subset(held.points))
      return &held;
  return nullptr;
}

Expr PhaseLowerer::outlineOne(const Seated &seated, const Expr &value, const std::vector<unsigned> &vars,
                              TileBlock &inner, TileBlock &outer) {
  auto found =
      outlines.begin() + (knownOutline(seated, value, vars) ? knownOutline(seated, value, vars) - outlines.data()
                                                            : static_cast<std::ptrdiff_t>(outlines.size()));
  const Expr slim = frame.boxed ? narrowOf(value) : Expr();
  const Expr kept = slim ? slim : value;
  if (found == outlines.end()) {
    Outlined fresh;
    fresh.value = value;
    fresh.points = pointSet(seated.equation.domain, seated.axes, vars);
    std::vector<unsigned> parallel, reduced;
    for (unsigned d : vars) (contains(seated.parallel, d) ? parallel : reduced).push_back(d);
    const bool vector = !seated.parallel.empty() && contains(vars, seated.parallel.back());
    std::vector<unsigned> layout = vector ? reduced : parallel;
    layout.insert(layout.end(), vector ? parallel.begin() : reduced.begin(), vector ? parallel.end() : reduced.end());
    std::string wanted = "t";
    visit(value, [&](const Expr &node) {
      if (node.op() == Op::Read && wanted == "t") wanted = node->name + "_tile";
    });
    fresh.tile.name = frame.unique(wanted);
    fresh.tile.type = kept.type();
    fresh.tile.written = true;
    if (frame.boxed) layout = kept.op() == Op::Read ? memoryOrder(seated, kept, vars) : vars;
    for (unsigned d : layout) {
      fresh.tile.extents.push_back(Expr::integer(seated.axes[d].extent));
      fresh.subscripts.push_back(seated.axes[d].local());
    }
    frame.tiles.push_back(fresh.tile);
    outlines.push_back(fresh);
    found = outlines.end() - 1;
  }
  const Expr element = Expr::read(found->tile.name, found->subscripts, kept.type());
  const Expr read = element.type() == value.type() ? element : Expr::cast(value.type(), element);
  if (found->done || found->hoisted) return read;
  const std::set<std::string> used = symbols(value);
  bool fixed = !seated.member.rolled.empty(), own = false;
  for (const std::string &name : used) fixed = fixed && !phaseVariables.count(name);
  for (const OwnLoop &loop : seated.loops) own = own || used.count(loop.variable);
  visit(value, [&](const Expr &node) {
    if (node.op() == Op::Read)
      fixed = fixed && std::none_of(frame.tiles.begin(), frame.tiles.end(),
                                    [&](const TileArray &t) { return t.name == node->name; });
  });
  Seated before = seated;
  if (!own)
    for (const OwnLoop &loop : seated.loops) before.axes[loop.dim] = {"x", {}, 0};
  const std::vector<TileAssign> body{
      {{found->tile.name, found->subscripts}, Update::Set, frame.boxed ? boxedFill(seated, kept, vars) : kept, {}}};
  if (fixed && !own && frame.boxed) {
    append(prologue, emitPoints({boxOf(seated.axes, vars)}, body, vars.size(), true));
    found->hoisted = true;
    return read;
  }
  if (fixed && !own) {
    for (int d : seated.member.rolled) before.axes[static_cast<unsigned>(d)] = {"x", {}, 0};
    const TileBlock fill =
        emitPoints(loopsOver(pointSet(seated.equation.domain, before.axes, vars), before.axes, vars, frame.known), body,
                   vars.size(), true);
    prologue.insert(prologue.end(), fill.begin(), fill.end());
    found->hoisted = true;
    return read;
  }
  const TileBlock fill = frame.boxed ? emitPoints({boxOf(seated.axes, vars)}, body, vars.size(), true)
                                     : points(before, vars, vars.size(), body);
  TileBlock &where = own ? inner : outer;
  where.insert(where.end(), fill.begin(), fill.end());
  found->done = !own;
  return read;
}

} // namespace polymend
