// Nodes are laid out breadth first, so that the arguments of each lie side by side.
#include "bound.h"

namespace polymend::tile {

namespace {

template <class Value> const Value *find(const ByName<Value> &names, const std::string &name) {
  const auto at = names.find(name);
  return at == names.end() ? nullptr : &at->second;
}

Bound resolved(const Expr &e, const Environment &env) {
  Bound node;
  if (!e) return node;
  node.source = &*e;
  node.operation = e.op();
  node.of = e.type();
  node.count = static_cast<std::uint32_t>(e->args.size());
  if (e.op() == Op::Integer || e.op() == Op::Real) node.literal = literal(*e);
  if (e.op() == Op::Symbol) {
    node.integer = find(env.integers, e->name);
    if (!node.integer) node.scalar = find(env.scalars, e->name);
  }
  if (e.op() == Op::Read) node.array = find(env.arrays, e->name);
  return node;
}

} // namespace

BoundExpr::BoundExpr(const Expr &e, const Environment &env) {
  nodes.push_back(resolved(e, env));
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    if (!nodes[at]) continue;
    const ExprNode &source = *nodes[at].source;
    nodes[at].next = static_cast<std::uint32_t>(nodes.size() - at);
    for (const Expr &arg : source.args) nodes.push_back(resolved(arg, env));
  }
}

} // namespace polymend::tile
