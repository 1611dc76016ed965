// { row(i) = begin(i + 1) - begin(i) }. A value of the element begin(i) + k that knows neither i nor k by itself, nor
// anything that the kernel sets, belongs to that element: who has the element can compute it, whatever the row. It is
// computed once for each element of each row, which the source does too: the region, or the chunks of a loop, that
// reach it run over the whole row, and no condition stands before it. Sums may be reordered, as groups of threads do so
// anyhow.
#include "segments.h"

#include "device/row_elements.h"
#include "device/stride.h"
#include "device/walk.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

using Region = std::shared_ptr<const DeviceDeal>;

/// Where the row of length `row` begins, if the next one begins where it ends; absent: that is not known.
Expr beginOf(const Expr &row, const PointDim &along) {
  const Expr next = Expr::symbol(along.variable, Type::Int64) + Expr::integer(1);
  Expr begin;
  visit(row, [&](const Expr &e) {
    if (begin || e.op() != Op::Read || !dependsOn(e, along.variable)) return;
    const Expr end = substitute(e, [&](const std::string &name) { return name == along.variable ? next : Expr(); });
    if (distanceOf(row, end - e) == 0) begin = e;
  });
  return begin;
}

class SegmentMapper {
public:
  SegmentMapper(DeviceKernel &k, const Scope &s) : kernel(k), team(*k.team), scope(s), set(writtenIn(k.body)) {}
  void run();

private:
  [[nodiscard]] bool folds();
  [[nodiscard]] bool stages();
  [[nodiscard]] std::optional<RowElement> own(const Expr &value) const;
  void collect(const Expr &value);
  void collect(const DeviceDeal &region, const Expr &limit, const Expr &before);
  void collect(const DeviceBlock &chunk, const DeviceLoop &loop);
  [[nodiscard]] bool isRow(const Expr &first, const Expr &limit) const;

  DeviceKernel &kernel;
  DeviceTeam &team;
  const Scope &scope;
  const std::set<std::string> set;
  Expr begin;
  std::vector<RowElement> found; // values that are computed of every element of a row
};

/// The value as one of an element, if it knows nothing else.
std::optional<RowElement> SegmentMapper::own(const Expr &value) const {
  auto element = rowElementOf(value, begin);
  if (!element) return std::nullopt;
  bool isOwn = true;
  visit(element->value, [&](const Expr &e) {
    if (e.op() == Op::Read) isOwn = isOwn && !set.contains(e->name);
    if (e.op() == Op::Symbol)
      isOwn = isOwn && (e->name == elementOfRow || scope.isOverSizes(e) || isFloating(e.type()));
  });
  return isOwn ? element : std::nullopt;
}

bool SegmentMapper::isRow(const Expr &first, const Expr &limit) const {
  const Expr from = simplify(first);
  return from.op() == Op::Integer && from->integer == 0 && distanceOf(limit, team.row) == 0;
}

/// One region over the whole row, which stands in no other node, folds elements; anything else is of one thread.
bool SegmentMapper::folds() {
  const Region *only = nullptr;
  std::size_t at = 0;
  bool others = false;
  const std::function<void(const DeviceBlock &, bool)> look = [&](const DeviceBlock &nodes, bool isOuter) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto *region = std::get_if<Region>(&nodes[i]);
      others = others || (region && (only || !isOuter)) || std::holds_alternative<DeviceBarrier>(nodes[i]);
      if (region && isOuter) {
        only = region;
        at = i;
      }
      for (const DeviceBlock *inside : blocksOf(nodes[i])) look(*inside, false);
    }
  };
  look(kernel.body, true);
  if (others || !only || (*only)->form != DeviceDeal::Form::Whole || (*only)->points.dims.size() != 1) return false;
  const PointDim &along = (*only)->points.dims.front();
  const TileAssign &fold = (*only)->points.body.front();
  const bool isPlain = !fold.where && fold.target.subscripts.empty() && scope.find(fold.target.array) &&
                       fold.value.type() == scope.typeOf(fold.target.array);
  const auto element = isPlain && isRow(along.first, along.limit) ? own(fold.value) : std::nullopt;
  if (!element || distanceOf(element->place, begin + Expr::symbol(along.variable, Type::Int64)) != 0) return false;
  DeviceDeal unfused = **only;
  unfused.fused.clear();
  kernel.body[at] = std::make_shared<const DeviceDeal>(std::move(unfused));
  team.element = element->value;
  return true;
}

/// The largest values of elements within what is computed whatever holds.
void SegmentMapper::collect(const Expr &value) {
  if (const auto element = own(value)) {
    found.push_back(*element);
    return;
  }
  const bool chooses = value.op() == Op::Select || value.op() == Op::And || value.op() == Op::Or;
  if (value.op() == Op::Read) return;
  for (std::size_t i = 0; i < (chooses ? 1 : value->args.size()); ++i) collect(value.arg(i));
}

/// Of a region over [0, limit), whose elements are those from `before` on.
void SegmentMapper::collect(const DeviceDeal &region, const Expr &limit, const Expr &before) {
  if (region.points.dims.size() != 1) return;
  const PointDim &along = region.points.dims.front();
  const Expr first = simplify(along.first);
  const bool isAll = first.op() == Op::Integer && first->integer == 0 && equal(simplify(along.limit), simplify(limit));
  if (!isAll) return;
  const std::size_t known = found.size();
  for (const TileAssign &a : region.points.body)
    if (!a.where) collect(a.value);
  const Expr here = before + Expr::symbol(along.variable, Type::Int64);
  found.erase(std::remove_if(found.begin() + static_cast<std::ptrdiff_t>(known), found.end(),
                             [&](const RowElement &e) { return distanceOf(e.place, here) != 0; }),
              found.end());
}

/// Of a chunk of the loop, full or not: both sides of a branch do the same with elements.
void SegmentMapper::collect(const DeviceBlock &chunk, const DeviceLoop &loop) {
  const Expr variable = Expr::symbol(loop.variable, Type::Int64), step = Expr::integer(loop.step);
  const Expr rest = team.row - variable;
  for (const DeviceNode &n : chunk) {
    if (const auto *branch = std::get_if<std::shared_ptr<const DeviceBranch>>(&n)) {
      std::vector<RowElement> before = std::exchange(found, {});
      collect((*branch)->then, loop);
      const std::vector<RowElement> then = std::exchange(found, {});
      collect((*branch)->otherwise, loop);
      std::erase_if(found, [&](const RowElement &e) {
        return std::none_of(then.begin(), then.end(), [&](const RowElement &t) { return equal(t.value, e.value); });
      });
      found.insert(found.begin(), before.begin(), before.end());
    }
    if (const auto *region = std::get_if<Region>(&n))
      for (const Expr &limit :
           {step, Expr::make(Op::Min, Type::Int64, {step, rest}), Expr::make(Op::Min, Type::Int64, {rest, step})})
        collect(**region, limit, begin + variable);
  }
}

/// Every element has one value that the body makes of it: shared memory has that of short rows.
bool SegmentMapper::stages() {
  for (const DeviceNode &n : kernel.body) {
    if (const auto *region = std::get_if<Region>(&n)) collect(**region, team.row, begin);
    if (const auto *loop = std::get_if<std::shared_ptr<const DeviceLoop>>(&n))
      if (isRow((*loop)->first, (*loop)->limit)) collect((*loop)->body, **loop);
  }
  const bool isOne = !found.empty() && std::all_of(found.begin(), found.end(), [&](const RowElement &e) {
    return equal(e.value, found.front().value);
  });
  if (!isOne || bytesOf(found.front().value.type()) < 4) return false;
  team.element = found.front().value;
  team.staged = true;
  return true;
}

void SegmentMapper::run() {
  begin = beginOf(team.row, kernel.grid.front());
  const auto &[first, limit] = team.box.front();
  const PointDim &point = kernel.grid.front();
  bool isFixed =
      begin && equal(simplify(first), simplify(point.first)) && equal(simplify(limit), simplify(point.limit));
  if (!isFixed) return;
  visit(begin, [&](const Expr &e) { isFixed = isFixed && !(e.op() == Op::Read && set.contains(e->name)); });
  if (isFixed && (folds() || stages())) team.begin = begin;
}

} // namespace

void shareNeighbours(DeviceKernel &kernel) {
  DeviceTeam &team = *kernel.team;
  if (team.kind != DeviceTeam::Kind::Group || !team.row || kernel.grid.size() < 2 || kernel.arrival) return;
  const std::string &last = kernel.grid.back().variable;
  if (dependsOn(team.row, last)) return;
  bool reads = false, stores = true;
  std::set<std::string> own;
  for (const DeviceTile &t : kernel.tiles) own.insert(t.array.name);
  const std::function<void(const DeviceBlock &)> look = [&](const DeviceBlock &nodes) {
    for (const DeviceNode &n : nodes) {
      eachExpr(n, [&](const Expr &whole) {
        if (!whole) return;
        visit(whole,
              [&](const Expr &e) { reads = reads || (e.op() == Op::Read && motionOf(e->args, last) == Motion::Unit); });
      });
      if (const auto *assign = std::get_if<DeviceAssign>(&n); assign && !own.contains(assign->what.target.array))
        stores = stores && motionOf(assign->what.target.subscripts, last) == Motion::Unit;
      for (const DeviceBlock *inside : blocksOf(n)) look(*inside);
    }
  };
  look(kernel.body);
  team.neighbours = reads && stores;
}

void shareSegments(DeviceKernel &kernel, const Scope &scope) {
  const DeviceTeam &team = *kernel.team;
  if (team.kind != DeviceTeam::Kind::Group || !team.row || kernel.grid.size() != 1 || kernel.arrival) return;
  SegmentMapper(kernel, scope).run();
}

} // namespace polymend::device_room
