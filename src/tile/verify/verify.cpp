// Recomputes scopes and shapes of a tile program and lists every fault that no printer could survive. Each finding
// names the kernel and the construct; an empty list means that interpret and print may trust names, counts and kinds.
#include "polymend/verify.h"

#include "faults.h"

#include "tile/visit.h"

#include <set>

namespace polymend {

namespace {

class Verifier {
public:
  std::vector<std::string> run(const TileProgram &program);

private:
  void complain(const std::string &what) { found.push_back(place.empty() ? what : place + ": " + what); }
  bool declare(const std::string &name);
  void array(const TileArray &a, bool local);
  void index(const Expr &e, const std::string &role, bool gathers = false);
  void value(const Expr &e, const std::string &role);
  void access(const std::string &name, const std::vector<Expr> &subscripts, bool gathers);
  void kernel(const Kernel &k);
  void lets(const std::vector<std::pair<std::string, Expr>> &named, bool mayRead);
  void order(const Kernel &k);
  void dims(const std::vector<PointDim> &dims, bool isInside = true);
  void bound(const Expr &e, const std::string &role);
  void points(const TilePoints &p);
  void leave(std::size_t names);
  void block(const TileBlock &nodes);
  void node(const TileNote &) {}
  void node(const TileAssign &a);
  void node(const std::shared_ptr<const TileLoop> &l);
  void node(const std::shared_ptr<const TileBranch> &b);
  void node(const std::shared_ptr<const TilePoints> &p);
  void node(const std::shared_ptr<const TileAsync> &a);
  void node(const TileSync &) {}

  std::vector<std::string> found;
  std::string place;
  std::set<std::string> names, integers, scalars, assigned, own; // own: assigned in this kernel
  std::map<std::string, TileArray> arrays;
  std::vector<std::string> opened;
  bool inRole = false;
};

bool Verifier::declare(const std::string &name) {
  if (name.empty()) complain("a name is empty");
  const bool fresh = names.insert(name).second;
  if (!fresh) complain("'" + name + "' is declared twice");
  return fresh;
}

/// An integer or condition over sizes, grid and loop variables: reads, and floats that become integers, only of indices
/// to gather by.
void Verifier::index(const Expr &e, const std::string &role, bool gathers) {
  if (!e) return complain(role + " is absent");
  if (isFloating(e.type())) complain(role + " '" + show(e) + "' is not an integer");
  visit(e, [&](const Expr &node) {
    if (isFloating(node.type()) && !gathers) complain(role + " '" + show(e) + "' is not an integer");
    if (node.op() == Op::Read && !gathers) complain(role + " '" + show(e) + "' reads an array");
    if (node.op() == Op::Call) complain(role + " '" + show(e) + "' calls a function");
    if (node.op() == Op::Symbol && !integers.contains(node->name) && !(gathers && scalars.contains(node->name)))
      complain(role + " '" + show(e) + "' uses '" + node->name + "', which is no size or loop variable here");
  });
}

void Verifier::access(const std::string &name, const std::vector<Expr> &subscripts, bool gathers) {
  const auto at = arrays.find(name);
  if (at == arrays.end()) return complain("no array '" + name + "' here");
  const std::size_t extents = at->second.extents.size();
  const bool linear = at->second.flat && subscripts.size() == 1;
  if (subscripts.size() != extents && !linear)
    complain("'" + name + "' has " + std::to_string(extents) + " dimensions, not " + std::to_string(subscripts.size()));
  for (const Expr &s : subscripts) index(s, "a subscript of '" + name + "'", gathers);
}

void Verifier::value(const Expr &e, const std::string &role) {
  if (!e) return complain(role + " is absent");
  visit(e, [&](const Expr &node) {
    for (const Expr &arg : node->args)
      if (!arg) complain(role + " has an absent operand");
    if (node.op() == Op::Read) access(node->name, node->args, true);
    if (node.op() == Op::Symbol && !integers.contains(node->name) && !scalars.contains(node->name))
      complain(role + " uses '" + node->name + "', which is declared nowhere");
    if (node.op() == Op::Read && arrays.contains(node->name) && arrays[node->name].type != node.type())
      complain("'" + node->name + "' is read as " + spell(node.type()));
  });
}

void Verifier::array(const TileArray &a, bool local) {
  if (!declare(a.name)) return;
  if (local == (a.space == Space::Argument || a.space == Space::Work))
    complain("'" + a.name + "' lives in the wrong space");
  if (a.ring < 1 || (a.ring > 1 && a.space != Space::Shared))
    complain("'" + a.name + "' has the wrong number of slots");
  if (a.type == Type::Void) complain("'" + a.name + "' holds void");
  for (std::size_t i = 0; i < a.extents.size(); ++i) {
    const Expr &extent = a.extents[i];
    const bool open = i == 0 && a.space == Space::Argument;
    if (!extent) {
      if (!open) complain("an extent of '" + a.name + "' is absent");
      continue;
    }
    index(extent, "an extent of '" + a.name + "'");
    const bool constant = extent.op() == Op::Integer;
    const bool fixed = local && a.space != Space::Row;
    if (fixed && !constant) complain("an extent of the tile '" + a.name + "' is symbolic");
    if (fixed && constant && extent->integer <= 0) complain("the tile '" + a.name + "' is empty");
  }
  if (a.layout && !local) complain("'" + a.name + "' is no tile of roles and has a layout");
  arrays[a.name] = a;
}

/// A bound of a loop inside a kernel, or where it writes: these may be read from arguments that nobody writes, and from
/// what earlier kernels left.
void Verifier::bound(const Expr &e, const std::string &role) {
  index(e, role, true);
  if (!e) return;
  visit(e, [&](const Expr &node) {
    if (isFloating(node.type())) complain(role + " '" + show(e) + "' is not an integer");
    if (node.op() != Op::Read) return;
    access(node->name, node->args, true);
    const auto at = arrays.find(node->name);
    const bool isWork = at != arrays.end() && at->second.space == Space::Work;
    const bool isArgument = at == arrays.end() || at->second.space == Space::Argument;
    if ((isWork ? own : assigned).contains(node->name) || (!isWork && !isArgument))
      complain(role + " reads '" + node->name + "', which is written");
  });
}

void Verifier::dims(const std::vector<PointDim> &dims, bool isInside) {
  for (const PointDim &d : dims) {
    const auto check = [&](const Expr &e, const std::string &role) { isInside ? bound(e, role) : index(e, role); };
    check(d.first, "the first value of '" + d.variable + "'");
    check(d.limit, "the limit of '" + d.variable + "'");
    declare(d.variable);
    integers.insert(d.variable);
    opened.push_back(d.variable);
  }
}

/// Forgets the variables opened after the first `count`.
void Verifier::leave(std::size_t count) {
  for (; opened.size() > count; opened.pop_back()) {
    names.erase(opened.back());
    integers.erase(opened.back());
  }
}

void Verifier::block(const TileBlock &nodes) {
  for (const TileNode &n : nodes) std::visit([&](const auto &x) { node(x); }, n);
}

void Verifier::node(const TileAssign &a) {
  access(a.target.array, a.target.subscripts, true);
  for (const Expr &subscript : a.target.subscripts) bound(subscript, "a subscript of '" + a.target.array + "'");
  const auto at = arrays.find(a.target.array);
  if (at != arrays.end() && at->second.space == Space::Argument && !at->second.written)
    complain("'" + a.target.array + "' is assigned but not declared written");
  value(a.value, "the value of '" + a.target.array + "'");
  if (a.where) value(a.where, "the guard of '" + a.target.array + "'");
}

void Verifier::node(const std::shared_ptr<const TileLoop> &l) {
  if (!l) return complain("a loop is absent");
  if (l->step <= 0) complain("the step of '" + l->variable + "' is not positive");
  const std::size_t before = opened.size();
  dims({PointDim{l->variable, l->first, l->limit, PointDim::Kind::Serial}});
  block(l->body);
  leave(before);
}

void Verifier::node(const std::shared_ptr<const TileBranch> &b) {
  if (!b) return complain("a branch is absent");
  if (inRole)
    index(b->condition, "a condition of a role");
  else
    value(b->condition, "a condition");
  block(b->then);
  block(b->otherwise);
}

void Verifier::node(const std::shared_ptr<const TilePoints> &p) {
  if (!p) return complain("a region is absent");
  points(*p);
}

void Verifier::node(const std::shared_ptr<const TileAsync> &a) {
  if (!a) return complain("a copy or contraction is absent");
  points(a->points);
}

/// Has the dimension one point at most?
bool isSingle(const PointDim &d) {
  const Expr length = simplify(d.limit - d.first);
  return length.op() == Op::Integer && length->integer <= 1;
}

void Verifier::points(const TilePoints &p) {
  const std::size_t before = opened.size();
  dims(p.dims);
  bool reduces = false;
  for (const PointDim &d : p.dims) reduces = reduces || d.kind == PointDim::Kind::Reduced;
  for (const TileAssign &a : p.body) {
    node(a);
    if (reduces && a.update == Update::Set)
      complain("'" + a.target.array + "' is overwritten along a reduced dimension");
    std::set<std::string> own;
    for (const Expr &subscript : a.target.subscripts) own.merge(symbols(subscript));
    for (const PointDim &d : p.dims)
      if (d.kind == PointDim::Kind::Parallel && !own.count(d.variable) && !isSingle(d))
        complain("the points along '" + d.variable + "' share one element of '" + a.target.array + "'");
  }
  leave(before);
}

void Verifier::lets(const std::vector<std::pair<std::string, Expr>> &named, bool mayRead) {
  for (const auto &[name, value] : named) {
    mayRead ? bound(value, "'" + name + "'") : index(value, "'" + name + "'");
    declare(name);
    integers.insert(name);
    opened.push_back(name);
  }
}

void Verifier::order(const Kernel &k) {
  if (!k.order) return;
  const std::size_t before = opened.size();
  const auto &runs = k.order->runs;
  if (runs) {
    dims({PointDim{runs->run, Expr::integer(0), runs->count}}, false);
    dims({PointDim{runs->tile, Expr::integer(0), runs->length}});
  }
  dims({PointDim{k.order->ticket, Expr::integer(0), k.order->count}}, false);
  lets(k.order->lets, runs.has_value());
  for (const Expr &e : k.order->at) runs ? bound(e, "the ticket order") : index(e, "the ticket order");
  leave(before);
  if (k.order->at.size() != k.grid.size()) complain("the ticket order does not give every grid dimension");
}

void Verifier::kernel(const Kernel &k) {
  place = "kernel '" + k.name + "'";
  const std::size_t before = opened.size(), faults = found.size();
  own.clear();
  eachAssign(k, [&](const TileAssign &assign) { own.insert(assign.target.array); });
  if (k.when) index(k.when, "the condition of the kernel");
  order(k);
  dims(k.grid, k.roles.empty() || (k.order && k.order->runs));
  for (const PointDim &d : k.grid)
    if (d.kind != PointDim::Kind::Parallel) complain("the grid dimension '" + d.variable + "' is not parallel");
  if (!k.lets.empty() && k.roles.empty()) complain("names for a body without roles");
  lets(k.lets, true);
  for (const TileArray &a : k.tiles) array(a, true);
  block(k.body);
  inRole = true;
  for (const TileRole &r : k.roles) block(r.body);
  inRole = false;
  leave(before);
  for (const std::string &fault : tile::roleFaults(k, arrays)) complain(fault);
  if (found.size() == faults)
    for (const std::string &fault : layoutFaults(k)) complain(fault);
  const auto marks = arrays.find(k.fallback);
  if (!k.fallback.empty() && (marks == arrays.end() || marks->second.space != Space::Work))
    complain("'" + k.fallback + "' is no array in memory that holds marks");
  for (const TileArray &a : k.tiles) {
    arrays.erase(a.name);
    names.erase(a.name);
  }
  place.clear();
}

std::vector<std::string> Verifier::run(const TileProgram &program) {
  if (program.function.empty()) complain("the program has no name");
  for (const std::string &size : program.sizes) {
    declare(size);
    integers.insert(size);
  }
  for (const auto &[name, type] : program.scalars) {
    if (!integers.contains(name)) declare(name);
    scalars.insert(name);
  }
  for (const TileArray &a : program.arrays) array(a, false);
  for (const Kernel &k : program.kernels)
    eachAssign(k, [&](const TileAssign &assign) { assigned.insert(assign.target.array); });
  std::set<std::string> kernels;
  for (const Kernel &k : program.kernels) {
    if (!kernels.insert(k.name).second) complain("two kernels are called '" + k.name + "'");
    kernel(k);
  }
  if (program.returns && (!arrays.contains("return") || !arrays["return"].extents.empty()))
    complain("the program returns a value but has no scalar array 'return'");
  return found;
}

} // namespace

std::vector<std::string> verify(const TileProgram &program) { return Verifier().run(program); }

} // namespace polymend
