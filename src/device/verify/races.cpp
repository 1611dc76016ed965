// Every access is an address; a grid point, or an iteration of a loop in vectors, is a tag. Two tags at one address,
// one of them writing, is a race. Conditions that read values are taken to hold.
#include "polymend/verify_device.h"

#include "tile/evaluate.h"

#include <map>

namespace polymend {

namespace {

using namespace tile;

constexpr std::int64_t nobody = -1, several = -2;

/// Who touched an element, of one kind of tag.
struct Touch {
  std::int64_t writer = nobody, reader = nobody;
};

/// The elements that the points of a grid, or the iterations of a loop, touch.
class Ledger {
public:
  explicit Ledger(bool ofGrid) : isOfGrid(ofGrid) {}
  bool isOfGrid;
  std::int64_t tag = 0;

  /// Adds an access; true: another tag is in its way.
  bool note(const std::string &array, std::int64_t element, bool writes) {
    Touch &touch = touched[{array, element}];
    const auto isOther = [&](std::int64_t who) { return who != nobody && who != tag; };
    const bool meets = isOther(touch.writer) || (writes && isOther(touch.reader));
    if (writes) touch.writer = tag;
    if (!writes) touch.reader = touch.reader == nobody || touch.reader == tag ? tag : several;
    return meets;
  }

private:
  std::map<std::pair<std::string, std::int64_t>, Touch> touched;
};

class Tracer {
public:
  Tracer(const DeviceProgram &p, std::size_t limit) : program(p), most(limit) {}
  std::vector<std::string> run(const Memory &memory);

private:
  void bind(const Memory &memory);
  void kernel(const DeviceKernel &k, std::size_t dim);
  void block(const DeviceBlock &nodes);
  void node(const TileNote &) {}
  void node(const DeviceLet &l) {
    reading(l.value);
    if (isInteger(l.value.type()) && isKnown(l.value)) env.integers[l.name] = integer(l.value);
  }
  void node(const DeviceAssign &a) { assign(a.what); }
  void node(const DeviceFold &f) {
    dims({f.along}, 0, [&] { assign(f.what); });
  }
  void node(const DeviceMultiply &m);
  void node(const DeviceTranspose &t) {
    dims({t.row, t.column}, 0, [&] { assign({t.target, Update::Set, t.source, {}}); });
  }
  void node(const std::shared_ptr<const DeviceLoop> &l);
  void node(const std::shared_ptr<const DeviceBranch> &b);
  template <class F> void dims(const std::vector<PointDim> &all, std::size_t dim, const F &f);
  template <class F> void iterate(const PointDim &d, std::int64_t step, const F &f);
  void assign(const TileAssign &a);
  void reading(const Expr &e);
  void touch(const std::string &array, const std::vector<Expr> &subscripts, bool writes);
  [[nodiscard]] bool isKnown(const Expr &e) const;
  [[nodiscard]] std::int64_t integer(const Expr &e) { return evaluate(e, env).integer(); }
  [[nodiscard]] bool isOver() const { return steps >= most || env.fault; }

  const DeviceProgram &program;
  std::size_t most, steps = 0; // accesses, and iterations of loops
  Environment env;
  std::map<std::string, std::vector<std::int64_t>> extents; // of every array in scope
  std::map<std::string, std::vector<double>> values;        // of what subscripts may read
  std::set<std::string> own;                                // tiles: every point has its own
  std::vector<Ledger *> ledgers;
  std::set<std::string> found;
  std::string place;
};

/// Whether it can be evaluated: it reads nothing but arrays that are at hand.
bool Tracer::isKnown(const Expr &e) const {
  bool known = true;
  visit(e, [&](const Expr &part) {
    if (part.op() == Op::Read) known = known && env.arrays.contains(part->name);
    if (part.op() == Op::Symbol) known = known && env.integers.contains(part->name);
    if (part.op() == Op::Call || isFloating(part.type())) known = false;
  });
  return known;
}

void Tracer::touch(const std::string &array, const std::vector<Expr> &subscripts, bool writes) {
  const auto shape = extents.find(array);
  if (shape == extents.end() || isOver()) return;
  std::int64_t element = 0;
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    if (!isKnown(subscripts[d])) return;
    const bool isOuter = d == 0 || subscripts.size() != shape->second.size();
    element = (isOuter ? element : element * shape->second[d]) + integer(subscripts[d]);
  }
  ++steps;
  for (Ledger *ledger : ledgers) {
    if (ledger->isOfGrid && own.contains(array)) continue;
    if (!ledger->note(array, element, writes)) continue;
    found.insert(place + ": " + (ledger->isOfGrid ? "two points of the grid" : "two iterations in vectors") +
                 " touch one element of '" + array + "'");
  }
}

/// What a condition that can be told leaves out is not read.
void Tracer::reading(const Expr &e) {
  if (!e) return;
  if (e.op() == Op::Read) touch(e->name, e->args, false);
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  if (!chooses || !isKnown(e.arg(0))) {
    for (const Expr &arg : e->args) reading(arg);
    return;
  }
  const bool holds = evaluate(e.arg(0), env).truth();
  reading(e.arg(0));
  if (e.op() == Op::Select)
    reading(e.arg(holds ? 1 : 2));
  else if (holds == (e.op() == Op::And))
    reading(e.arg(1));
}

void Tracer::assign(const TileAssign &a) {
  reading(a.where);
  if (a.where && isKnown(a.where) && !evaluate(a.where, env).truth()) return;
  reading(a.value);
  if (a.update != Update::Set) touch(a.target.array, a.target.subscripts, false);
  touch(a.target.array, a.target.subscripts, true);
}

template <class F> void Tracer::iterate(const PointDim &d, std::int64_t step, const F &f) {
  reading(d.first);
  reading(d.limit);
  if (!isKnown(d.first) || !isKnown(d.limit)) return;
  const std::int64_t first = integer(d.first), limit = integer(d.limit);
  for (std::int64_t i = first; i < limit && !isOver(); i += std::max<std::int64_t>(step, 1)) {
    env.integers[d.variable] = i;
    ++steps;
    f();
  }
  env.integers.erase(d.variable);
}

template <class F> void Tracer::dims(const std::vector<PointDim> &all, std::size_t dim, const F &f) {
  if (dim == all.size()) return f();
  iterate(all[dim], 1, [&] { dims(all, dim + 1, f); });
}

void Tracer::node(const DeviceMultiply &m) {
  dims({m.row, m.column, m.sum}, 0, [&] {
    assign({m.target, Update::Sum, m.rowFactor, {}});
    reading(m.columnFactor);
  });
}

void Tracer::node(const std::shared_ptr<const DeviceLoop> &l) {
  Ledger ledger(false);
  const bool inVectors = l->kind == DeviceLoop::Kind::Vector;
  if (inVectors) ledgers.push_back(&ledger);
  iterate({l->variable, l->first, l->limit, PointDim::Kind::Serial}, l->step, [&] {
    block(l->body);
    ++ledger.tag;
  });
  if (inVectors) ledgers.pop_back();
}

void Tracer::node(const std::shared_ptr<const DeviceBranch> &b) {
  reading(b->condition);
  const bool known = isKnown(b->condition), holds = !known || evaluate(b->condition, env).truth();
  if (holds) block(b->then);
  if (!known || !holds) block(b->otherwise);
}

void Tracer::block(const DeviceBlock &nodes) {
  for (const DeviceNode &n : nodes)
    if (!isOver()) std::visit([&](const auto &x) { node(x); }, n);
}

void Tracer::kernel(const DeviceKernel &k, std::size_t dim) {
  if (dim < k.grid.size()) return iterate(k.grid[dim], 1, [&] { kernel(k, dim + 1); });
  for (const DeviceTile &t : k.tiles) {
    std::vector<std::int64_t> &shape = extents[t.array.name];
    shape.clear();
    for (const Expr &extent : t.array.extents) shape.push_back(integer(extent));
    own.insert(t.array.name);
  }
  block(k.body);
  ++ledgers.front()->tag;
}

/// Arrays of integers are at hand, so that what is gathered through them is seen.
void Tracer::bind(const Memory &memory) {
  for (const auto &[name, value] : memory.sizes) env.integers[name] = value;
  for (const TileArray &a : program.arrays) {
    for (const Expr &extent : a.extents) extents[a.name].push_back(extent ? integer(extent) : 0);
    if (a.extents.empty()) extents[a.name] = {};
  }
  for (const auto &[name, content] : memory.arrays)
    for (const TileArray &a : program.arrays) {
      if (a.name != name || a.written || !isInteger(a.type)) continue;
      Elements elements;
      elements.shape = &a;
      elements.extents = elements.used = extents[name];
      elements.values = &(values[name] = content);
      env.arrays[name] = elements;
    }
}

std::vector<std::string> Tracer::run(const Memory &memory) {
  bind(memory);
  for (const DeviceKernel &k : program.kernels) {
    place = "kernel '" + k.name + "'";
    Ledger points(true);
    ledgers = {&points};
    kernel(k, 0);
    for (const DeviceTile &t : k.tiles) extents.erase(t.array.name);
    own.clear();
  }
  return {found.begin(), found.end()};
}

} // namespace

std::vector<std::string> races(const DeviceProgram &program, const Memory &memory, std::size_t most) {
  return Tracer(program, most).run(memory);
}

} // namespace polymend
