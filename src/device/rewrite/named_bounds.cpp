// A bound belongs to the outermost block in which all its variables are known; where all its uses lie in branches, to
// these. There its uses are counted; two are worth a name.
#include "device/named_bounds.h"

#include "device/depends.h"
#include "device/walk.h"

namespace polymend::device_room {

namespace {

using Loop = std::shared_ptr<const DeviceLoop>;

/// The limits of a node's own dimensions, with the variable that each bounds.
std::vector<std::pair<std::string, Expr>> limitsOf(const DeviceNode &node) {
  if (const auto *loop = std::get_if<Loop>(&node)) return {{(*loop)->variable, simplify((*loop)->limit)}};
  std::vector<const PointDim *> dims;
  if (const auto *fold = std::get_if<DeviceFold>(&node)) dims = {&fold->along};
  if (const auto *m = std::get_if<DeviceMultiply>(&node)) dims = {&m->row, &m->column, &m->sum};
  if (const auto *t = std::get_if<DeviceTranspose>(&node)) dims = {&t->row, &t->column};
  std::vector<std::pair<std::string, Expr>> limits;
  for (const PointDim *d : dims) limits.emplace_back(d->variable, simplify(d->limit));
  return limits;
}

struct Bound {
  std::string variable; // that it bounds first
  Expr value;
  int uses = 0;
  bool always = false; // one of them is in no branch
};

/// Adds the uses of bounds in the node that `fits` lets stand in the block around it.
void note(const DeviceNode &node, const std::function<bool(const Expr &)> &fits, bool inBranch,
          std::vector<Bound> &bounds) {
  for (const auto &[variable, limit] : limitsOf(node)) {
    if (!isChoice(limit) || !fits(limit)) continue;
    auto at = std::find_if(bounds.begin(), bounds.end(), [&](const Bound &b) { return isSameBound(b.value, limit); });
    if (at == bounds.end()) at = bounds.insert(at, {variable, limit});
    ++at->uses;
    at->always = at->always || !inBranch;
  }
  const bool isBranch = !std::holds_alternative<Loop>(node);
  for (const DeviceBlock *inner : blocksOf(node))
    for (const DeviceNode &n : *inner) note(n, fits, inBranch || isBranch, bounds);
}

DeviceNode replaced(const DeviceNode &node, const Bound &bound, const Expr &name) {
  const auto inExpr = [&](const Expr &e) {
    if (!e) return e;
    if (isSameBound(simplify(e), bound.value)) return name;
    return rewrite(e, [&](const Expr &part) { return isSameBound(part, bound.value) ? name : part; });
  };
  return withBlocks(withExprs(node, inExpr), [&](const DeviceBlock &block) {
    DeviceBlock result;
    for (const DeviceNode &n : block) result.push_back(replaced(n, bound, name));
    return result;
  });
}

bool uses(const DeviceNode &node, const Bound &bound) {
  std::vector<Bound> found;
  note(node, [&](const Expr &e) { return isSameBound(e, bound.value); }, false, found);
  return !found.empty();
}

class BoundNamer {
public:
  explicit BoundNamer(Scope &names) : scope(names) {}
  /// `own`: the variables that become known with this block.
  DeviceBlock block(DeviceBlock nodes, const std::set<std::string> &own);

private:
  Scope &scope;
  std::set<std::string> known; // in the blocks around
};

DeviceBlock BoundNamer::block(DeviceBlock nodes, const std::set<std::string> &own) {
  const std::set<std::string> outside = known;
  known.insert(own.begin(), own.end());
  const auto fits = [&](const Expr &e) {
    const std::set<std::string> in = symbols(e);
    return std::includes(known.begin(), known.end(), in.begin(), in.end()) &&
           std::any_of(in.begin(), in.end(), [&](const std::string &name) { return own.contains(name); });
  };
  std::vector<Bound> bounds;
  for (const DeviceNode &n : nodes) note(n, fits, false, bounds);
  for (const Bound &bound : bounds) {
    if (bound.uses < 2 || !bound.always) continue;
    const std::string name = scope.fresh(bound.variable + "_limit");
    const auto first = std::find_if(nodes.begin(), nodes.end(), [&](const DeviceNode &n) { return uses(n, bound); });
    const auto at = first - nodes.begin();
    const Expr symbol = Expr::symbol(name, bound.value.type());
    std::transform(first, nodes.end(), first, [&](const DeviceNode &n) { return replaced(n, bound, symbol); });
    nodes.insert(nodes.begin() + at, DeviceLet{name, bound.value});
  }
  for (DeviceNode &n : nodes) {
    const auto *loop = std::get_if<Loop>(&n);
    const std::set<std::string> variables = loop ? std::set<std::string>{(*loop)->variable} : own;
    n = withBlocks(n, [&](const DeviceBlock &inner) { return block(inner, variables); });
  }
  known = outside;
  return nodes;
}

} // namespace

DeviceKernel withNamedBounds(DeviceKernel kernel, const std::vector<std::string> &sizes, Scope &scope) {
  std::set<std::string> known(sizes.begin(), sizes.end());
  for (const PointDim &d : kernel.grid) known.insert(d.variable);
  kernel.body = BoundNamer(scope).block(std::move(kernel.body), known);
  return kernel;
}

} // namespace polymend::device_room
