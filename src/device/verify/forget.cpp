#include "polymend/verify_device.h"

#include "tile/visit.h"

#include <map>

namespace polymend {

namespace {

class Forgetter {
public:
  TileBlock block(const DeviceBlock &nodes);

private:
  TileNode node(const TileNote &n) { return n; }
  TileNode node(const DeviceAssign &a) { return plain(a.what); }
  TileNode node(const DeviceFold &f) { return nodeOf(TilePoints{{plain(f.along)}, {plain(f.what)}}); }
  TileNode node(const DeviceMultiply &m);
  TileNode node(const DeviceTranspose &t) {
    return nodeOf(TilePoints{{plain(t.row), plain(t.column)}, {{t.target, Update::Set, plain(t.source), {}}}});
  }
  TileNode node(const std::shared_ptr<const DeviceLoop> &l);
  TileNode node(const std::shared_ptr<const DeviceBranch> &b) {
    return nodeOf(TileBranch{plain(b->condition), block(b->then), block(b->otherwise)});
  }
  [[nodiscard]] Expr plain(const Expr &e) const;
  [[nodiscard]] TileAssign plain(TileAssign a) const;
  [[nodiscard]] PointDim plain(const PointDim &d) const { return {d.variable, plain(d.first), plain(d.limit), d.kind}; }

  std::map<std::string, Expr> known; // what a name stands for
};

/// What a loop does as points in order, where its body is assignments or one region; else nothing.
std::optional<TilePoints> asPoints(const PointDim &dim, const TileBlock &body) {
  TilePoints result{{dim}, {}};
  if (const TilePoints *inner = body.size() == 1 ? as<TilePoints>(body.front()) : nullptr) {
    result.dims.insert(result.dims.end(), inner->dims.begin(), inner->dims.end());
    result.body = inner->body;
    return result;
  }
  for (const TileNode &n : body) {
    const auto *assign = as<TileAssign>(n);
    if (!assign) return std::nullopt;
    result.body.push_back(*assign);
  }
  return body.empty() ? std::nullopt : std::optional(result);
}

/// Points run faster than loops do.
TileNode Forgetter::node(const std::shared_ptr<const DeviceLoop> &l) {
  const TileBlock body = block(l->body);
  const Expr first = plain(l->first), limit = plain(l->limit);
  const auto points = l->step == 1 ? asPoints({l->variable, first, limit, PointDim::Kind::Serial}, body) : std::nullopt;
  if (points) return nodeOf(*points);
  const auto kind = l->kind == DeviceLoop::Kind::Unroll ? TileLoop::Kind::Unroll : TileLoop::Kind::Serial;
  return nodeOf(TileLoop{l->variable, first, limit, l->step, kind, body});
}

Expr Forgetter::plain(const Expr &e) const {
  if (!e || known.empty()) return e;
  return substitute(e, [&](const std::string &name) {
    const auto at = known.find(name);
    return at == known.end() ? Expr() : at->second;
  });
}

TileAssign Forgetter::plain(TileAssign a) const {
  for (Expr &subscript : a.target.subscripts) subscript = plain(subscript);
  a.value = plain(a.value);
  a.where = plain(a.where);
  return a;
}

TileNode Forgetter::node(const DeviceMultiply &m) {
  const TileAssign sum{m.target, Update::Sum, Expr::make(Op::Mul, m.type, {m.rowFactor, m.columnFactor}), {}};
  return nodeOf(TilePoints{{plain(m.row), plain(m.column), plain(m.sum)}, {plain(sum)}});
}

/// A name is known to the end of its block.
TileBlock Forgetter::block(const DeviceBlock &nodes) {
  const std::map<std::string, Expr> outer = known;
  TileBlock result;
  for (const DeviceNode &n : nodes)
    std::visit(
        [&](const auto &x) {
          if constexpr (std::is_same_v<std::decay_t<decltype(x)>, DeviceLet>)
            known[x.name] = plain(x.value);
          else
            result.push_back(node(x));
        },
        n);
  known = outer;
  return result;
}

Kernel forget(const DeviceKernel &kernel) {
  Kernel result;
  result.name = kernel.name;
  result.grid = kernel.grid;
  for (const DeviceTile &tile : kernel.tiles) result.tiles.push_back(tile.array);
  result.body = Forgetter().block(kernel.body);
  return result;
}

} // namespace

TileProgram forget(const DeviceProgram &program) {
  TileProgram result;
  result.function = program.function;
  result.sizes = program.sizes;
  result.scalars = program.scalars;
  result.given = program.given;
  result.arrays = program.arrays;
  result.touched = program.touched;
  result.returns = program.returns;
  result.work = program.entry.work;
  for (const DeviceKernel &kernel : program.kernels) result.kernels.push_back(forget(kernel));
  return result;
}

} // namespace polymend
