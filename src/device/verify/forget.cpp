#include "polymend/verify_device.h"

#include "tile/visit.h"

#include <algorithm>
#include <map>
#include <set>

namespace polymend {

namespace {

/// What is for threads alone, and has no meaning of its own.
template <class Node>
constexpr bool isOfTeams =
    std::is_same_v<Node, DeviceBarrier> || std::is_same_v<Node, DeviceReadAhead> || std::is_same_v<Node, DeviceLaunch>;

/// What is for roles alone.
template <class Node>
constexpr bool isOfRoles =
    std::is_same_v<Node, DeviceFill> || std::is_same_v<Node, DeviceTake> || std::is_same_v<Node, DeviceGive> ||
    std::is_same_v<Node, DeviceAwait> || std::is_same_v<Node, DeviceCombine> || std::is_same_v<Node, DeviceRegisters>;

class Forgetter {
public:
  Forgetter() = default;
  explicit Forgetter(const DeviceRoles &of) : roles(&of) {}
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
  [[nodiscard]] TileLoop whileItGoesOn(const DeviceLoop &l, const Expr &first, const Expr &limit,
                                       const TileBlock &body);
  TileNode node(const std::shared_ptr<const DeviceBranch> &b) {
    return nodeOf(TileBranch{plain(b->condition), block(b->then), block(b->otherwise)});
  }
  TileNode node(const std::shared_ptr<const DeviceDeal> &d) {
    if (d->points.dims.empty() && d->points.body.size() == 1) return plain(d->points.body.front());
    return nodeOf(d->points);
  }
  TileNode node(const DeviceFill &f) const;
  TileNode node(const DeviceTake &t) { return TileSync{TileSync::Kind::Get, t.channel}; }
  TileNode node(const DeviceGive &g) { return TileSync{TileSync::Kind::Release, g.channel}; }
  TileNode node(const DeviceAwait &a) { return TileSync{TileSync::Kind::Await, a.name}; }
  TileNode node(const DeviceCombine &c) { return TileSync{TileSync::Kind::Combine, c.sum}; }
  [[nodiscard]] TileNode node(const DeviceRegisters &r) const;
  [[nodiscard]] TileBlock issued(const DeviceIssue &i) const;
  [[nodiscard]] Type typeOf(const std::string &tile) const;
  [[nodiscard]] Expr plain(const Expr &e) const;
  [[nodiscard]] TileAssign plain(TileAssign a) const;
  [[nodiscard]] PointDim plain(const PointDim &d) const { return {d.variable, plain(d.first), plain(d.limit), d.kind}; }

  const DeviceRoles *roles = nullptr;
  std::map<std::string, Expr> known; // what a name stands for
  std::set<std::string> votes;
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

/// All turns, of which those do nothing before which the loop does not go on.
TileLoop Forgetter::whileItGoesOn(const DeviceLoop &l, const Expr &first, const Expr &limit, const TileBlock &body) {
  const TileNode turn = nodeOf(TileBranch{plain(l.goesOn), body, {}});
  return {l.variable, first, limit, l.step, TileLoop::Kind::Serial, {turn}};
}

/// Points run faster than loops do.
TileNode Forgetter::node(const std::shared_ptr<const DeviceLoop> &l) {
  const TileBlock body = block(l->body);
  const Expr first = plain(l->first), limit = plain(l->limit);
  if (l->goesOn) return nodeOf(whileItGoesOn(*l, first, limit, body));
  const bool isPoints = l->step == 1 && !roles && l->kind != DeviceLoop::Kind::Shared;
  const auto points = isPoints ? asPoints({l->variable, first, limit, PointDim::Kind::Serial}, body) : std::nullopt;
  if (points) return nodeOf(*points);
  const auto kind = l->kind == DeviceLoop::Kind::Unroll   ? TileLoop::Kind::Unroll
                    : l->kind == DeviceLoop::Kind::Shared ? TileLoop::Kind::Shared
                                                          : TileLoop::Kind::Serial;
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

/// The type of a tile of a kernel with roles.
Type Forgetter::typeOf(const std::string &tile) const {
  for (const DeviceChannel &c : roles->channels)
    if (c.tile.name == tile) return c.tile.type;
  const auto at =
      std::find_if(roles->tiles.begin(), roles->tiles.end(), [&](const TileArray &t) { return t.name == tile; });
  return at == roles->tiles.end() ? Type::Float32 : at->type;
}

/// A copy of a whole tile; of no channel, which verify() tells, nothing.
TileNode Forgetter::node(const DeviceFill &f) const {
  const auto c = std::find_if(roles->channels.begin(), roles->channels.end(),
                              [&](const DeviceChannel &one) { return one.tile.name == f.channel; });
  if (c == roles->channels.end()) return TileNote{};
  const PointDim row{"row of a tile", Expr::integer(0), c->tile.extents[0], PointDim::Kind::Parallel};
  const PointDim column{"column of a tile", Expr::integer(0), c->tile.extents[1], PointDim::Kind::Parallel};
  const Expr i = Expr::symbol(row.variable, Type::Int64), j = Expr::symbol(column.variable, Type::Int64);
  std::vector<Expr> at = f.first;
  const auto inRun = [&](Op op) { return Expr::make(op, Type::Int64, {i, Expr::integer(c->run)}); };
  const auto atRun = [&](const Expr &e) {
    if (c->run == 0) return plain(e);
    return substitute(plain(e),
                      [&](const std::string &name) { return name == numberOfRun ? inRun(Op::FloorDiv) : Expr(); });
  };
  for (std::size_t d = 0; d < at.size(); ++d) {
    at[d] = atRun(at[d]);
    const Expr own = c->step == 1 ? i : i * Expr::integer(c->step);
    if (!c->box.empty())
      at[d] = at[d] + placeInBox(*c, d, i);
    else if (d == c->rowsAlong)
      at[d] = at[d] + (c->run == 0 ? own : inRun(Op::FloorMod));
    if (d + 1 == at.size()) at[d] = at[d] + j;
  }
  const Expr where = f.rows ? Expr::make(Op::Lt, {i, plain(f.rows)}) : Expr();
  const TileAssign assign{{f.channel, {i, j}}, Update::Set, Expr::read(c->source, at, c->tile.type), where};
  return nodeOf(TileAsync{TileAsync::Kind::Copy, "", {{row, column}, {assign}}});
}

/// What printed primitives come near to.
Expr meaningOf(const Expr &e) {
  return rewrite(e, [](const Expr &node) {
    if (node.op() != Op::Call) return node;
    const auto is = [&](const char *name) { return node->name == std::string("polymend_rt::") + name; };
    const Type type = node.type();
    if (is("exp2Fast")) return Expr::make(Op::Exp2, type, {node.arg(0)});
    if (is("tanhApprox")) return Expr::make(Op::Tanh, type, {node.arg(0)});
    if (is("divideFull")) return Expr::make(Op::Div, type, {node.arg(0), node.arg(1)});
    if (is("reciprocal")) return Expr::make(Op::Div, type, {Expr::real(1, type), node.arg(0)});
    if (is("atMost")) return Expr::make(Op::Min, type, {node.arg(0), node.arg(1)});
    return node;
  });
}

/// The region over its own column, without the names of its parts.
TileNode Forgetter::node(const DeviceRegisters &r) const {
  std::map<std::string, Expr> names{{columnOfThread, Expr::integer(0)}};
  if (r.column) names[columnOfRegister] = Expr::symbol(r.column->variable, Type::Int64);
  const auto over = [&](const Expr &e) -> Expr {
    if (!e) return e;
    const Expr plainly = meaningOf(plain(substitute(e, [&](const std::string &name) {
      const auto at = names.find(name);
      return at == names.end() ? Expr() : at->second;
    })));
    // What registers hold of narrow types is computed with in a wider one.
    return rewrite(plainly, [&](const Expr &node) {
      if (node.op() != Op::Read || !isFloating(node.type())) return node;
      const bool isOwn = std::any_of(roles->channels.begin(), roles->channels.end(),
                                     [&](const DeviceChannel &c) { return c.tile.name == node->name; }) ||
                         std::any_of(roles->tiles.begin(), roles->tiles.end(),
                                     [&](const TileArray &t) { return t.name == node->name; });
      const Type type = isOwn ? typeOf(node->name) : node.type();
      return type == node.type() ? node : Expr::cast(node.type(), Expr::read(node->name, node->args, type));
    });
  };
  for (const DeviceRowValue &v : r.before) names[v.name] = over(v.value);
  for (const auto &[name, read] : r.reads) names[name] = over(read);
  for (const DeviceDivision &d : r.divisions) {
    const Expr by = over(d.denominator);
    names[d.quotient] = Expr::make(Op::Div, by.type(), {Expr::real(d.numerator, by.type()), by});
  }
  TileAssign what{r.what.target, r.what.update, over(r.what.value), over(r.what.where)};
  if (r.outer) {
    names[resultOfRow] = what.value;
    what.value = over(r.outer);
  }
  TilePoints points{{r.row}, {what}};
  if (r.column) points.dims.push_back(*r.column);
  return nodeOf(points);
}

/// The product; of units that do not run beside the threads it is done at once.
TileBlock Forgetter::issued(const DeviceIssue &i) const {
  TileBlock result;
  const Type type = typeOf(i.target.array);
  if (i.fresh)
    result.push_back(nodeOf(TilePoints{{i.row, i.column}, {{i.target, Update::Set, Expr::real(0, type), {}}}}));
  const auto factor = [&](const Ref &r) {
    const Expr read = Expr::read(r.array, r.subscripts, typeOf(r.array));
    return read.type() == type ? read : Expr::cast(type, read);
  };
  const Expr product = Expr::make(Op::Mul, type, {factor(i.left), factor(i.right)});
  result.push_back(nodeOf(TileAsync{
      TileAsync::Kind::Contract, i.name, {{i.row, i.column, i.sum}, {{i.target, Update::Sum, product, {}}}}}));
  if (!roles->atom.asynchronous) result.emplace_back(TileSync{TileSync::Kind::Await, i.name});
  return result;
}

/// A name is known to the end of its block.
TileBlock Forgetter::block(const DeviceBlock &nodes) {
  const std::map<std::string, Expr> outer = known;
  TileBlock result;
  for (const DeviceNode &n : nodes) {
    // What is behind a vote asks for its own rows itself.
    const auto *branch = std::get_if<std::shared_ptr<const DeviceBranch>>(&n);
    if (branch && (*branch)->condition.op() == Op::Symbol && votes.contains((*branch)->condition->name)) {
      append(result, block((*branch)->then));
      continue;
    }
    std::visit(
        [&](const auto &x) {
          using Node = std::decay_t<decltype(x)>;
          if constexpr (std::is_same_v<Node, DeviceLet>)
            known[x.name] = plain(x.value);
          else if constexpr (std::is_same_v<Node, std::shared_ptr<const DeviceOne>> ||
                             std::is_same_v<Node, std::shared_ptr<const DeviceShares>>)
            append(result, block(x->body));
          else if constexpr (std::is_same_v<Node, DeviceVote>)
            votes.insert(x.name);
          else if constexpr (std::is_same_v<Node, DeviceIssue>)
            append(result, roles ? issued(x) : TileBlock());
          else if constexpr (!isOfTeams<Node>)
            result.push_back(node(x));
        },
        n);
  }
  known = outer;
  return result;
}

void addTiles(const std::vector<DeviceTile> &tiles, Kernel &kernel) {
  for (const DeviceTile &tile : tiles) kernel.tiles.push_back(tile.array);
}

void addRoles(const DeviceRoles &roles, Kernel &kernel) {
  kernel.order = roles.order;
  kernel.lets = roles.lets;
  kernel.atom = roles.atom.name;
  for (const DeviceChannel &c : roles.channels) kernel.tiles.push_back(c.tile);
  kernel.tiles.insert(kernel.tiles.end(), roles.tiles.begin(), roles.tiles.end());
  kernel.roles.push_back({"load", 1, roles.copying, Forgetter(roles).block(roles.copies)});
  kernel.roles.push_back(
      {"compute", static_cast<int>(roles.groups), roles.computing, Forgetter(roles).block(roles.computes)});
}

Kernel forget(const DeviceKernel &kernel) {
  Kernel result;
  result.name = kernel.name;
  result.grid = kernel.grid;
  result.fallback = kernel.fallback;
  if (kernel.roles) {
    addRoles(*kernel.roles, result);
    return result;
  }
  addTiles(kernel.tiles, result);
  result.body = Forgetter().block(kernel.body);
  return result;
}

Kernel forget(const DeviceArrival &arrival) {
  Kernel result;
  result.name = arrival.name;
  result.grid = arrival.grid;
  addTiles(arrival.tiles, result);
  result.body = Forgetter().block(arrival.body);
  return result;
}

/// What the host does around launches as one kernel without a grid.
class HostForgetter {
public:
  HostForgetter(const DeviceProgram &p, Kernel &k) : program(p), kernel(k) {}
  TileBlock block(const DeviceBlock &nodes);

private:
  TileBlock launched(const DeviceKernel &k, std::size_t dim);
  void addOwnTiles(const std::vector<DeviceTile> &tiles);

  const DeviceProgram &program;
  Kernel &kernel;
};

/// Launches may have tiles of the same names.
void HostForgetter::addOwnTiles(const std::vector<DeviceTile> &tiles) {
  for (const DeviceTile &tile : tiles)
    if (std::ranges::find(kernel.tiles, tile.array.name, &TileArray::name) == kernel.tiles.end())
      kernel.tiles.push_back(tile.array);
}

TileBlock HostForgetter::launched(const DeviceKernel &k, std::size_t dim) {
  if (dim == k.grid.size()) return Forgetter().block(k.body);
  const PointDim &d = k.grid[dim];
  return {nodeOf(TileLoop{d.variable, d.first, d.limit, 1, TileLoop::Kind::Serial, launched(k, dim + 1)})};
}

TileBlock HostForgetter::block(const DeviceBlock &nodes) {
  TileBlock result;
  for (const DeviceNode &n : nodes) {
    if (const auto *launch = std::get_if<DeviceLaunch>(&n)) {
      const DeviceKernel &k = program.kernels[launch->kernel];
      if (kernel.name.empty()) kernel.name = k.name;
      addOwnTiles(k.tiles);
      append(result, launched(k, 0));
    }
    if (const auto *l = std::get_if<std::shared_ptr<const DeviceLoop>>(&n))
      result.push_back(nodeOf(
          TileLoop{(*l)->variable, (*l)->first, (*l)->limit, (*l)->step, TileLoop::Kind::Serial, block((*l)->body)}));
    if (const auto *b = std::get_if<std::shared_ptr<const DeviceBranch>>(&n))
      result.push_back(nodeOf(TileBranch{(*b)->condition, block((*b)->then), block((*b)->otherwise)}));
  }
  return result;
}

/// A kernel, and the one that its last points run; or what the host does around several. Where all of an array is
/// marked or nothing, its first element tells.
void add(const DeviceStep &step, const DeviceProgram &program, std::vector<Kernel> &kernels) {
  const auto *only = step.host.size() == 1 ? std::get_if<DeviceLaunch>(&step.host.front()) : nullptr;
  if (only && step.marks.empty() && step.work.empty()) {
    const DeviceKernel &kernel = program.kernels[only->kernel];
    kernels.push_back(forget(kernel));
    kernels.back().when = step.when;
    if (kernel.arrival) kernels.push_back(forget(*kernel.arrival));
    return;
  }
  Kernel all;
  all.when = step.when;
  all.tiles = step.work;
  HostForgetter host(program, all);
  all.body = host.block(step.host);
  if (!step.marks.empty()) {
    const auto array = std::find_if(program.arrays.begin(), program.arrays.end(),
                                    [&](const TileArray &a) { return a.name == step.marks; });
    const std::size_t dims = array == program.arrays.end() ? 0 : array->extents.size();
    const Expr first = Expr::read(step.marks, std::vector<Expr>(dims, Expr::integer(0)), Type::Int32);
    const Expr some = Expr::make(Op::Ne, {first, Expr::integer(0, Type::Int32)});
    all.body = {nodeOf(TileBranch{some, all.body, host.block(step.unmarked)})};
  }
  kernels.push_back(std::move(all));
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
  result.declared = program.declared;
  result.work = program.entry.work;
  if (program.steps.empty())
    for (const DeviceKernel &kernel : program.kernels) result.kernels.push_back(forget(kernel));
  for (const DeviceStep &step : program.steps) add(step, program, result.kernels);
  return result;
}

} // namespace polymend
