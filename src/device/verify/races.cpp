// Every access is an address; a grid point, or an iteration of a loop in vectors, is a tag. Two tags at one address,
// one of them writing, is a race.
#include "tracer.h"

namespace polymend {

namespace {

using device_room::Tracer;

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

  /// The scalar is another one from now on.
  void forget(const std::string &scalar) { touched.erase({scalar, 0}); }

private:
  std::map<std::pair<std::string, std::int64_t>, Touch> touched;
};

class GridTracer : public Tracer {
public:
  using Tracer::Tracer;
  std::vector<std::string> run(const DeviceKernel &k);

private:
  void access(const std::string &array, std::int64_t element, bool writes) override;
  void kernel(const DeviceKernel &k, std::size_t dim);
  void block(const DeviceBlock &nodes);
  void node(const TileNote &) {}
  void node(const DeviceLet &l) {
    reading(l.value);
    if (isInteger(l.value.type()) && isKnown(l.value)) env.integers[l.name] = integer(l.value);
  }
  void node(const DeviceAssign &a) {
    if (a.declares)
      for (Ledger *ledger : ledgers) ledger->forget(a.what.target.array);
    assign(a.what);
  }
  void node(const DeviceFold &f) {
    bounds(f.along);
    iterate(f.along, 1, [&] { assign(f.what); });
  }
  void node(const DeviceMultiply &m);
  void node(const DeviceTranspose &t) {
    dims({t.row, t.column}, 0, [&] { assign({t.target, Update::Set, t.source, {}}); });
  }
  void node(const std::shared_ptr<const DeviceLoop> &l);
  void node(const std::shared_ptr<const DeviceBranch> &b);
  void node(const std::shared_ptr<const DeviceDeal> &d) {
    dims(d->points.dims, 0, [&] {
      for (const TileAssign &a : d->points.body) assign(a);
    });
  }
  void node(const std::shared_ptr<const DeviceOne> &o) { block(o->body); }
  template <class Node> void node(const Node &) {} // of teams and roles
  void bounds(const PointDim &d) {
    reading(d.first);
    reading(d.limit);
  }

  std::set<std::string> own; // tiles: every point has its own
  std::vector<Ledger *> ledgers;
};

void GridTracer::access(const std::string &array, std::int64_t element, bool writes) {
  for (Ledger *ledger : ledgers) {
    if (ledger->isOfGrid && own.contains(array)) continue;
    if (!ledger->note(array, element, writes)) continue;
    found.insert(place + ": " + (ledger->isOfGrid ? "two points of the grid" : "two iterations in vectors") +
                 " touch one element of '" + array + "'");
  }
}

void GridTracer::node(const DeviceMultiply &m) {
  dims({m.row, m.column, m.sum}, 0, [&] {
    assign({m.target, Update::Sum, m.rowFactor, {}});
    reading(m.columnFactor);
  });
}

void GridTracer::node(const std::shared_ptr<const DeviceLoop> &l) {
  Ledger ledger(false);
  const bool inVectors = l->kind == DeviceLoop::Kind::Vector || l->kind == DeviceLoop::Kind::Shared;
  if (inVectors) ledgers.push_back(&ledger);
  const PointDim dim{l->variable, l->first, l->limit, PointDim::Kind::Serial};
  bounds(dim);
  if (l->goesOn) reading(l->goesOn);
  iterate(dim, l->step, [&] {
    block(l->body);
    ++ledger.tag;
  });
  if (inVectors) ledgers.pop_back();
}

void GridTracer::node(const std::shared_ptr<const DeviceBranch> &b) {
  reading(b->condition);
  const bool known = isKnown(b->condition), isTrue = !known || holds(b->condition);
  if (isTrue) block(b->then);
  if (!known || !isTrue) block(b->otherwise);
}

void GridTracer::block(const DeviceBlock &nodes) {
  for (const DeviceNode &n : nodes)
    if (!isOver()) std::visit([&](const auto &x) { node(x); }, n);
}

void GridTracer::kernel(const DeviceKernel &k, std::size_t dim) {
  if (dim < k.grid.size()) return iterate(k.grid[dim], 1, [&] { kernel(k, dim + 1); });
  for (const DeviceTile &t : k.tiles) {
    declare(t.array);
    own.insert(t.array.name);
  }
  block(k.body);
  ++ledgers.front()->tag;
}

std::vector<std::string> GridTracer::run(const DeviceKernel &k) {
  place = "kernel '" + k.name + "'";
  within(k);
  Ledger points(true);
  ledgers = {&points};
  kernel(k, 0);
  return {found.begin(), found.end()};
}

} // namespace

std::vector<std::string> races(const DeviceProgram &program, const Memory &memory, std::size_t most) {
  std::vector<std::string> found;
  const auto add = [&](const std::vector<std::string> &more) { found.insert(found.end(), more.begin(), more.end()); };
  for (const DeviceKernel &k : program.kernels) {
    if (k.roles) continue;
    add(GridTracer(program, memory, most).run(k));
    if (k.team) add(device_room::teamRaces(k, program, memory, most));
  }
  return found;
}

} // namespace polymend
