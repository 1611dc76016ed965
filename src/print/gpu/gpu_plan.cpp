// Parallel dimensions that no Serial one encloses are dealt out: their iterations are independent, and Reduced ones may
// be reordered. The dimension along which global memory is contiguous is dealt out fastest, so that neighbouring
// threads touch neighbouring elements.
// One file: each form of a region is chosen where the others are not.
#include "print/gpu_plan.h"
#include "device/order.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::print_room {

using device_room::dependsOn;
using device_room::differenceOf;
using device_room::matchProduct;
using device_room::Motion;
using device_room::motionOf;
using device_room::Product;

namespace {

constexpr std::int64_t narrowLimit = 4096, fixedLimit = 1 << 20;

using Kind = PointDim::Kind;

bool usesAny(const Expr &e, const std::set<std::string> &names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string &n) { return dependsOn(e, n); });
}

/// The dimensions that can be dealt out, in the order of the region.
std::vector<DealtDim> dealable(const TilePoints &points) {
  std::vector<DealtDim> result;
  std::set<std::string> kept;
  for (std::size_t i = 0; i < points.dims.size(); ++i) {
    const PointDim &d = points.dims[i];
    if (d.kind == Kind::Serial) break;
    const std::optional<Box> box = boxOf(points.dims, i);
    if (d.kind != Kind::Parallel || !box || usesAny(d.first, kept) || usesAny(d.limit, kept)) {
      kept.insert(d.variable);
      continue;
    }
    DealtDim dealt;
    dealt.dim = i;
    dealt.first = box->first;
    dealt.limit = box->limit;
    dealt.checkFirst = !equal(simplify(box->first), simplify(d.first));
    dealt.checkLimit = !equal(simplify(box->limit), simplify(d.limit));
    result.push_back(dealt);
  }
  return result;
}

std::map<std::string, Interval> boundsOfDims(const TilePoints &points) {
  std::map<std::string, Interval> known;
  for (const PointDim &d : points.dims) {
    const Interval first = boundsOf(d.first, known), limit = boundsOf(d.limit, known);
    known[d.variable] = {first.least, intervalOf(Op::Sub, limit, {1, 1}).most};
  }
  return known;
}

/// Makes the box constant where all its bounds are known.
void fixBox(const TilePoints &points, RegionPlan &plan) {
  std::int64_t total = 1;
  for (const DealtDim &d : plan.dealt) {
    const Interval &b = plan.known.at(points.dims[d.dim].variable);
    if (!b.low() || !b.high() || *b.low() < -narrowLimit || *b.high() > fixedLimit) return;
    total *= std::max<std::int64_t>(*b.high() - *b.low() + 1, 1);
    if (total > fixedLimit) return;
  }
  plan.fixed = true;
  for (DealtDim &d : plan.dealt) {
    const PointDim &dim = points.dims[d.dim];
    const Interval &b = plan.known.at(dim.variable);
    d.low = *b.low();
    d.size = std::max<std::int64_t>(*b.high() - *b.low() + 1, 0);
    const Expr first = simplify(dim.first), limit = simplify(dim.limit);
    d.checkFirst = first.op() != Op::Integer;
    d.checkLimit = limit.op() != Op::Integer;
  }
}

int scoreAccess(const std::string &array, const std::vector<Expr> &subscripts, const std::string &v, const Memory &m) {
  const int weight = m.tiles.contains(array) || m.replicated.contains(array) ? 1 : 6;
  switch (motionOf(subscripts, v)) {
  case Motion::Unit: return 2 * weight;
  case Motion::Still: return weight;
  case Motion::Other: break;
  }
  return 0;
}

int scoreDim(const TilePoints &points, const PointDim &dim, const Memory &m) {
  int total = 0;
  for (const TileAssign &a : points.body) {
    total += scoreAccess(a.target.array, a.target.subscripts, dim.variable, m);
    visit(a.value, [&](const Expr &e) {
      if (e.op() == Op::Read) total += scoreAccess(e->name, e->args, dim.variable, m);
    });
  }
  return total;
}

/// The fastest first; the others in the order of the region, innermost first.
void orderDealt(const TilePoints &points, const Memory &m, std::vector<DealtDim> &dealt) {
  std::reverse(dealt.begin(), dealt.end());
  const auto score = [&](const DealtDim &d) { return scoreDim(points, points.dims[d.dim], m); };
  const auto best = std::max_element(dealt.begin(), dealt.end(),
                                     [&](const DealtDim &a, const DealtDim &b) { return score(a) < score(b); });
  if (best != dealt.end()) std::rotate(dealt.begin(), best, best + 1);
}

/// One update through a monoid of an element that stands still along all inner dimensions, all of them Reduced.
bool combinesAside(const TilePoints &points, const RegionPlan &plan, const Context &context) {
  if (points.body.size() != 1 || plan.inner.empty()) return false;
  const TileAssign &a = points.body.front();
  const Type type = context.typeOf(a.target.array);
  if (a.update == Update::Set || reads(a.value, a.target.array) || reads(a.where, a.target.array)) return false;
  if (computeType(type) != type || isFloating(type) != isFloating(a.value.type())) return false;
  return std::all_of(plan.inner.begin(), plan.inner.end(), [&](std::size_t i) {
    const PointDim &d = points.dims[i];
    return d.kind == Kind::Reduced && motionOf(a.target.subscripts, d.variable) == Motion::Still;
  });
}

std::optional<std::int64_t> pointsOf(const RegionPlan &plan) {
  if (!plan.fixed) return std::nullopt;
  std::int64_t total = 1;
  for (const DealtDim &d : plan.dealt) total *= d.size;
  return total;
}

/// The inner dimension along which most reads are contiguous; longer ones before those known to be short.
std::size_t splitOf(const TilePoints &points, const RegionPlan &plan, const Memory &m) {
  const auto score = [&](std::size_t i) {
    const Interval &b = plan.known.at(points.dims[i].variable);
    const bool isShort = b.low() && b.high() && *b.high() - *b.low() < 8;
    return scoreDim(points, points.dims[i], m) - (isShort ? 100 : 0);
  };
  return *std::max_element(plan.inner.begin(), plan.inner.end(),
                           [&](std::size_t a, std::size_t b) { return score(a) <= score(b); });
}

/// The largest of zeros and ones, of which there are some. Small blocks, whose time is that of their barriers, have one
/// that answers.
bool asksForAny(const TilePoints &points, const Memory &m) {
  const auto isBit = [](const Expr &e) { return e.op() == Op::Integer && (e->integer == 0 || e->integer == 1); };
  const bool some = std::all_of(points.dims.begin(), points.dims.end(), [](const PointDim &d) {
    const Expr length = simplify(d.limit - d.first);
    return length.op() == Op::Integer && length->integer > 0;
  });
  const TileAssign &a = points.body.front();
  return m.threads < blockThreads && !m.grouped && a.update == Update::Max && !a.where && some &&
         a.value.op() == Op::Select && isBit(a.value.arg(1)) && isBit(a.value.arg(2));
}

/// Shares a reduction among threads where there are fewer points than threads.
void share(const TilePoints &points, const Memory &m, const Context &context, RegionPlan &plan) {
  const std::optional<std::int64_t> count = pointsOf(plan);
  if (!plan.aside || context.strict() || !count || *count * 2 > m.threads || *count == 0) return;
  plan.split = splitOf(points, plan, m);
  if (plan.dealt.empty()) {
    plan.form = RegionPlan::Form::Whole;
    plan.any = asksForAny(points, m);
    return;
  }
  plan.form = RegionPlan::Form::Lanes;
  for (plan.lanes = 2; plan.lanes < 32 && *count * plan.lanes * 2 <= m.threads;) plan.lanes *= 2;
}

/// Whether every element that `e` reads lies in a tile, anywhere in the box of `known`.
bool liesInTiles(const Expr &e, const RegionPlan &plan, const Memory &m, const Context &context) {
  bool inside = true;
  visit(e, [&](const Expr &node) {
    if (node.op() != Op::Read || m.replicated.contains(node->name)) return;
    inside = inside && m.tiles.contains(node->name);
    for (std::size_t i = 0; inside && i < node->args.size(); ++i) {
      const Interval b = boundsOf(node->args[i], plan.known);
      const Expr extent = simplify(context.places.at(node->name).array->extents[i]);
      inside = b.low() && b.high() && *b.low() >= 0 && extent.op() == Op::Integer && *b.high() < extent->integer;
    }
  });
  return inside;
}

/// Each assignment sets neighbours along `v` in an array of its own that is read, if at all, where it is written.
bool storesSideBySide(const TilePoints &points, const std::string &v) {
  const auto others = [&](const TileAssign &a, const Expr &e) {
    bool found = false;
    visit(e, [&](const Expr &node) {
      if (node.op() != Op::Read || node->name != a.target.array) return;
      bool same = node->args.size() == a.target.subscripts.size();
      for (std::size_t i = 0; same && i < node->args.size(); ++i) same = equal(node->args[i], a.target.subscripts[i]);
      found = found || !same;
    });
    return found;
  };
  return std::all_of(points.body.begin(), points.body.end(), [&](const TileAssign &a) {
    if (a.update != Update::Set || a.where || motionOf(a.target.subscripts, v) != Motion::Unit) return false;
    return std::all_of(points.body.begin(), points.body.end(), [&](const TileAssign &b) {
      const bool apart = &a == &b || a.target.array != b.target.array;
      return apart && (&a == &b ? !others(a, b.value) : !reads(b.value, a.target.array));
    });
  });
}

/// Is e at most `bound`? Unknown is no.
bool isAtMost(const Expr &e, const Expr &bound) {
  if (bound.op() == Op::Min) return isAtMost(e, bound.arg(0)) && isAtMost(e, bound.arg(1));
  const auto difference = differenceOf(e, bound);
  return difference && *difference <= 0;
}

/// Does the element that is read exist at all points of the dimension, also where a condition leaves it out?
bool existsThroughout(const Expr &read, const PointDim &d, const Context &context) {
  const auto place = context.places.find(read->name);
  if (place == context.places.end() || context.partly.contains(read->name)) return false;
  const TileArray &array = *place->second.array;
  if (array.extents.empty() || read->args.size() != array.extents.size()) return false;
  const Expr extent = usedExtent(array, array.extents.size() - 1);
  const auto subscriptAt = [&](const Expr &value) {
    return simplify(
        substitute(read->args.back(), [&](const std::string &name) { return name == d.variable ? value : Expr(); }));
  };
  const std::vector<Expr> limits =
      d.limit.op() == Op::Min ? std::vector<Expr>{d.limit.arg(0), d.limit.arg(1)} : std::vector<Expr>{d.limit};
  return extent && isNonNegative(subscriptAt(d.first), context) &&
         std::any_of(limits.begin(), limits.end(),
                     [&](const Expr &limit) { return isAtMost(subscriptAt(limit), simplify(extent)); });
}

/// Calls `f` on every part of a value, and says whether conditions leave the part out at some points.
void eachPart(const Expr &e, bool isGuarded, const std::function<void(const Expr &, bool)> &f) {
  f(e, isGuarded);
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  for (std::size_t k = 0; k < e->args.size(); ++k) eachPart(e.arg(k), isGuarded || (chooses && k > 0), f);
}

/// The streams that the region reads, each once. Of a stream all elements of a run are read.
std::vector<Stream> streamsOf(const TilePoints &points, const Memory &m, const Context &context) {
  const PointDim &d = points.dims.front();
  std::vector<Stream> streams;
  const auto look = [&](const Expr &e, bool isGuarded) {
    if (e.op() != Op::Read || !m.readOnly.contains(e->name) || motionOf(e->args, d.variable) != Motion::Unit) return;
    if (isGuarded && !existsThroughout(e, d, context)) return;
    const bool known = std::any_of(streams.begin(), streams.end(), [&](const Stream &s) { return isStream(e, s); });
    if (!known) streams.push_back({e->name, e->args, m.kept.contains(e->name)});
  };
  for (const TileAssign &a : points.body) {
    eachPart(a.value, static_cast<bool>(a.where), look);
    if (a.where) eachPart(a.where, false, look);
  }
  for (Stream &s : streams)
    s.kept = s.kept && std::count_if(streams.begin(), streams.end(),
                                     [&](const Stream &other) { return other.array == s.array; }) == 1;
  for (Stream &s : streams) s.window = s.kept && m.windows;
  return streams;
}

/// A region of one dimension whose elements a group can deal out in fours.
bool dealsFours(const TilePoints &points, const Memory &m, const Context &context, RegionPlan &plan) {
  if (!m.grouped || context.strict() || points.dims.size() != 1) return false;
  const PointDim &d = points.dims.front();
  const bool whole = d.kind == Kind::Reduced && plan.aside;
  const bool stores = d.kind == Kind::Parallel && plan.inner.empty() && storesSideBySide(points, d.variable);
  if (!whole && !stores) return false;
  plan.streams = streamsOf(points, m, context);
  plan.fours = m.fours;
  plan.form = RegionPlan::Form::Fours;
  return true;
}

bool isConstantBox(const DealtDim &d) { return d.size > 0 && d.size % 4 == 0 && d.low == 0; }

/// A product of tiles: its factors may be read anywhere in the constant box, so that only results are checked.
bool blocks(const TilePoints &points, const Memory &m, const Context &context, RegionPlan &plan) {
  if (!plan.fixed || points.dims.size() != 3 || m.threads != blockThreads) return false;
  const std::optional<Product> p =
      context.strict() ? std::nullopt
                       : matchProduct(points, [&](const std::string &name) { return context.typeOf(name); });
  if (!p || context.typeOf(points.body.front().target.array) != Type::Float32) return false;
  if (!m.tiles.contains(points.body.front().target.array)) return false;
  if (!liesInTiles(p->rowFactor, plan, m, context) || !liesInTiles(p->columnFactor, plan, m, context)) return false;
  if (!isNarrow(plan.known.at(points.dims[p->sum].variable))) return false;
  if (plan.dealt.size() != 2 || plan.inner.size() != 1 ||
      !std::all_of(plan.dealt.begin(), plan.dealt.end(), isConstantBox))
    return false;
  plan.product = p;
  plan.form = RegionPlan::Form::Blocked;
  return true;
}

/// A copy into a tile that is contiguous along another dimension than what it reads from global memory.
bool crosses(const TilePoints &points, const Memory &m, const RegionPlan &plan) {
  if (!plan.fixed || plan.dealt.size() != 2 || !plan.inner.empty() || points.body.size() != 1) return false;
  if (plan.dealt[0].size % 8 != 0 || plan.dealt[1].size % 4 != 0) return false;
  const TileAssign &a = points.body.front();
  const std::string &fast = points.dims[plan.dealt[0].dim].variable, &slow = points.dims[plan.dealt[1].dim].variable;
  bool along = false;
  visit(a.value, [&](const Expr &e) {
    if (e.op() == Op::Read && !m.tiles.contains(e->name)) along = along || motionOf(e->args, fast) == Motion::Unit;
  });
  return along && m.tiles.contains(a.target.array) && motionOf(a.target.subscripts, slow) == Motion::Unit;
}

/// A reduction of few terms from global memory, as many as sizes say: the threads of a point, or each warp for a scalar
/// that all threads hold, read them several at a time. A barrier for each sum would take longer.
bool readsAhead(const TilePoints &points, const Memory &m, const Context &context, const RegionPlan &plan) {
  constexpr std::int64_t few = 256;
  if (!plan.aside || context.strict() || m.grouped || plan.inner.size() != 1) return false;
  const TileAssign &a = points.body.front();
  const PointDim &d = points.dims[plan.inner.front()];
  const Interval &b = plan.known.at(d.variable);
  const Expr first = simplify(d.first), limit = simplify(d.limit);
  if (a.where || first.op() != Op::Integer || first->integer != 0 || limit.op() == Op::Integer) return false;
  if (!b.high() || *b.high() > few || !context.host || !context.host->isOverSizes(limit)) return false;
  bool global = true;
  visit(a.value, [&](const Expr &e) { global = global && (e.op() != Op::Read || !m.tiles.contains(e->name)); });
  const std::optional<std::int64_t> count = pointsOf(plan);
  if (plan.dealt.empty()) return global && m.replicated.contains(a.target.array) && a.target.subscripts.empty();
  return global && count && *count <= m.threads;
}

} // namespace

bool isStream(const Expr &e, const Stream &s) {
  if (e.op() != Op::Read || e->name != s.array || e->args.size() != s.subscripts.size()) return false;
  for (std::size_t i = 0; i < s.subscripts.size(); ++i)
    if (!equal(e->args[i], s.subscripts[i])) return false;
  return true;
}

bool isNarrow(const Interval &bounds) {
  return bounds.low() && bounds.high() && *bounds.low() >= -narrowLimit && *bounds.high() <= narrowLimit;
}

RegionPlan planRegion(const TilePoints &points, const Memory &memory, const Context &context) {
  RegionPlan plan;
  plan.threads = memory.threads;
  plan.known = boundsOfDims(points);
  plan.dealt = dealable(points);
  for (std::size_t i = 0; i < points.dims.size(); ++i)
    if (std::none_of(plan.dealt.begin(), plan.dealt.end(), [&](const DealtDim &d) { return d.dim == i; }))
      plan.inner.push_back(i);
  orderDealt(points, memory, plan.dealt);
  fixBox(points, plan);
  plan.crossed = crosses(points, memory, plan);
  plan.aside = combinesAside(points, plan, context);
  if (dealsFours(points, memory, context, plan)) return plan;
  plan.ahead = readsAhead(points, memory, context, plan);
  const bool byWarps = plan.ahead && plan.dealt.empty();
  if (!byWarps && !blocks(points, memory, context, plan)) share(points, memory, context, plan);
  return plan;
}

RegionPlan planAlone(const TilePoints &points, const Context &context) {
  RegionPlan plan;
  for (std::size_t i = 0; i < points.dims.size(); ++i) plan.inner.push_back(i);
  plan.known = boundsOfDims(points);
  plan.aside = combinesAside(points, plan, context);
  return plan;
}

} // namespace polymend::print_room
