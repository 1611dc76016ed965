// A product goes to blocks of registers, a reduction along the innermost dimension to lanes, a copy across memory to
// squares; anything else is a nest whose innermost parallel loop runs in vectors. Where a recurrence runs innermost,
// several of them run beside one another (unroll and jam): each waits for its own turn before, not for the others'.
#include "device/region.h"

#include "device/common_values.h"
#include "device/fused_product.h"
#include "device/joined.h"
#include "device/order.h"
#include "device/product.h"
#include "tile/visit.h"

namespace polymend::device_room {

namespace {

class RegionMapper {
public:
  explicit RegionMapper(Scope &names) : scope(names) {}
  DeviceBlock block(const TileBlock &nodes);

private:
  void node(const TileNote &n) { out->emplace_back(n); }
  void node(const TileSync &) {} // one thread has nobody to wait for
  void node(const TileAssign &a) { assign(a); }
  void node(const std::shared_ptr<const TileLoop> &l);
  void node(const std::shared_ptr<const TileBranch> &b);
  void node(const std::shared_ptr<const TilePoints> &p) { points(*p); }
  void node(const std::shared_ptr<const TileAsync> &a) { points(a->points); }
  void points(const TilePoints &p);
  void region(const TilePoints &p);
  bool transposition(const TilePoints &p);
  bool product(const TilePoints &p);
  void nest(const TilePoints &p, const std::vector<std::size_t> &order, std::size_t level);
  void beside(const TilePoints &p, const PointDim &row, const PointDim &along);
  bool fold(const TilePoints &p, const PointDim &along);
  void point(const std::vector<TileAssign> &body);
  void assign(const TileAssign &a);
  /// A loop over the dimension, holding what `inside` makes.
  template <class F> void loop(const PointDim &d, DeviceLoop::Kind kind, F inside);
  template <class F> DeviceBlock within(F inside);

  Scope &scope;
  DeviceBlock *out = nullptr;
};

template <class F> DeviceBlock RegionMapper::within(F inside) {
  DeviceBlock nodes;
  DeviceBlock *const before = std::exchange(out, &nodes);
  inside();
  out = before;
  return nodes;
}

template <class F> void RegionMapper::loop(const PointDim &d, DeviceLoop::Kind kind, F inside) {
  out->emplace_back(
      std::make_shared<const DeviceLoop>(DeviceLoop{d.variable, d.first, d.limit, 1, kind, within(inside)}));
}

DeviceBlock RegionMapper::block(const TileBlock &nodes) {
  return within([&] {
    for (const TileNode &n : withJoinedSums(nodes)) std::visit([&](const auto &x) { node(x); }, n);
  });
}

void RegionMapper::node(const std::shared_ptr<const TileLoop> &l) {
  const auto kind = l->kind == TileLoop::Kind::Unroll   ? DeviceLoop::Kind::Unroll
                    : l->kind == TileLoop::Kind::Shared ? DeviceLoop::Kind::Shared
                                                        : DeviceLoop::Kind::Serial;
  out->emplace_back(
      std::make_shared<const DeviceLoop>(DeviceLoop{l->variable, l->first, l->limit, l->step, kind, block(l->body)}));
}

void RegionMapper::node(const std::shared_ptr<const TileBranch> &b) {
  out->emplace_back(
      std::make_shared<const DeviceBranch>(DeviceBranch{b->condition, block(b->then), block(b->otherwise)}));
}

void RegionMapper::points(const TilePoints &p) {
  if (p.body.size() > 1 && hasCommon(p.body)) return region(p);
  for (const TilePoints &part : distribute(p, scope.strict())) region(part);
}

void RegionMapper::region(const TilePoints &p) {
  if (transposition(p) || product(p)) return;
  nest(p, chooseOrder(p, scope.strict()), 0);
}

bool RegionMapper::transposition(const TilePoints &p) {
  const auto found = matchTransposition(p, [&](const std::string &name) { return scope.typeOf(name); });
  if (!found) return false;
  const TileAssign &a = p.body.front();
  out->emplace_back(DeviceTranspose{p.dims[(*found)[0]], p.dims[(*found)[1]], a.target, a.value});
  return true;
}

bool RegionMapper::product(const TilePoints &p) {
  if (scope.strict()) return false;
  const auto found = matchProduct(p, [&](const std::string &name) { return scope.typeOf(name); });
  if (!found) return false;
  const TileAssign &a = p.body.front();
  using Walk = DeviceMultiply::Walk;
  const Walk walk = found->columnMotion == Motion::Unit ? Walk::Columns
                    : found->sumMotion == Motion::Unit  ? Walk::Sums
                                                        : Walk::Single;
  const DeviceMultiply multiply{p.dims[found->row],           p.dims[found->column], p.dims[found->sum],  a.target,
                                scope.typeOf(a.target.array), found->rowFactor,      found->columnFactor, walk};
  const std::function<void(std::size_t)> around = [&](std::size_t level) {
    if (level == found->outer.size())
      out->emplace_back(multiply);
    else
      loop(p.dims[found->outer[level]], DeviceLoop::Kind::Serial, [&] { around(level + 1); });
  };
  around(0);
  return true;
}

bool standsStill(const TilePoints &p, const PointDim &d) {
  return std::any_of(p.body.begin(), p.body.end(),
                     [&](const TileAssign &a) { return motionOf(a.target.subscripts, d.variable) == Motion::Still; });
}

void RegionMapper::nest(const TilePoints &p, const std::vector<std::size_t> &order, std::size_t level) {
  if (level == order.size()) return point(p.body);
  const PointDim &d = p.dims[order[level]];
  const bool isInnermost = level + 1 == order.size();
  if (isInnermost && fold(p, d)) return;
  if (level + 2 == order.size() && areRecurrences(p, d, p.dims[order.back()]))
    return beside(p, d, p.dims[order.back()]);
  const bool inVectors = isInnermost && d.kind == PointDim::Kind::Parallel && !standsStill(p, d);
  loop(d, inVectors ? DeviceLoop::Kind::Vector : DeviceLoop::Kind::Serial, [&] { nest(p, order, level + 1); });
}

/// Rows of a recurrence, so many at once; what is left of them, one after another.
void RegionMapper::beside(const TilePoints &p, const PointDim &row, const PointDim &along) {
  const Expr begin = Expr::symbol(scope.fresh(row.variable + "_block"), Type::Int64);
  const Expr end = begin + Expr::integer(recurrencesAtOnce);
  const auto points = [&] { point(p.body); };
  const DeviceBlock some = within([&] {
    loop(along, DeviceLoop::Kind::Serial,
         [&] { loop({row.variable, begin, end, row.kind}, DeviceLoop::Kind::Unroll, points); });
  });
  const DeviceBlock rest = within([&] {
    loop({row.variable, begin, row.limit, row.kind}, DeviceLoop::Kind::Serial,
         [&] { loop(along, DeviceLoop::Kind::Serial, points); });
  });
  const Expr extent = simplify(row.limit - row.first), isWhole = Expr::make(Op::Le, Type::Bool, {end, row.limit});
  const bool isEven = extent.op() == Op::Integer && extent->integer % recurrencesAtOnce == 0;
  const DeviceBlock body =
      isEven ? some : DeviceBlock{std::make_shared<const DeviceBranch>(DeviceBranch{isWhole, some, rest})};
  out->emplace_back(std::make_shared<const DeviceLoop>(
      DeviceLoop{begin->name, row.first, row.limit, recurrencesAtOnce, DeviceLoop::Kind::Serial, body}));
}

/// An element of a 16-bit type is rounded at every step, so that it is not reduced aside.
bool RegionMapper::fold(const TilePoints &p, const PointDim &along) {
  const TileAssign &a = p.body.front();
  const Type type = scope.typeOf(a.target.array);
  if (scope.strict() || !reducesAside(p, along) || computeType(type) != type) return false;
  if (isFloating(type) != isFloating(a.value.type())) return false;
  const Type carrier = isFloating(type) ? std::max(type, computeType(a.value.type())) : type;
  Expr value = a.value.type() == carrier ? a.value : Expr::cast(carrier, a.value);
  if (a.where) value = Expr::make(Op::Select, carrier, {a.where, value, neutral(operationOf(a.update), carrier)});
  out->emplace_back(DeviceFold{{a.target, a.update, value, {}}, along, carrier});
  return true;
}

void RegionMapper::point(const std::vector<TileAssign> &body) {
  const Commoned commoned = withCommon(body, scope);
  const auto all = [&] {
    for (const auto &[name, value] : commoned.values) out->emplace_back(DeviceLet{name, value});
    for (const TileAssign &a : commoned.body) assign(a);
  };
  if (!commoned.guard) return all();
  out->emplace_back(std::make_shared<const DeviceBranch>(DeviceBranch{commoned.guard, within(all), {}}));
}

void RegionMapper::assign(const TileAssign &a) {
  out->emplace_back(DeviceAssign{a, fusesProduct(a, scope.typeOf(a.target.array), scope.strict())});
}

} // namespace

DeviceBlock mapBlock(const TileBlock &nodes, Scope &scope) { return RegionMapper(scope).block(nodes); }

} // namespace polymend::device_room
