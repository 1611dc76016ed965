// Parallel dimensions that no Serial one encloses are dealt out: their iterations are independent, and Reduced ones may
// be reordered. The dimension along which global memory is contiguous is dealt out fastest, so that neighbouring
// threads touch neighbouring elements.
// One file: each form of a region is chosen where the others are not.
#include "device/deal.h"
#include "device/depends.h"
#include "device/fused_product.h"
#include "device/product.h"
#include "device/stride.h"
#include "rows.h"
#include "terms.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

constexpr std::int64_t fixedLimit = 1 << 20;

using Kind = PointDim::Kind;
using Form = DeviceDeal::Form;

/// What is known while the form is chosen.
struct Draft : DeviceDeal {
  std::map<std::string, Interval> known; // of the region's variables
  std::vector<std::size_t> inner;        // the dimensions that are not dealt out, outermost first
};

bool namesAny(const Expr &e, const std::set<std::string> &names) {
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
    if (d.kind != Kind::Parallel || !box || namesAny(d.first, kept) || namesAny(d.limit, kept)) {
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

/// What a smallest of several bounds asks of points that are below `end`; absent: all of it.
Expr askedBelow(std::int64_t end, const Expr &limit) {
  if (limit.op() != Op::Min) return {};
  std::vector<Expr> asked;
  std::copy_if(limit->args.begin(), limit->args.end(), std::back_inserter(asked),
               [&](const Expr &e) { return e.op() != Op::Integer || e->integer < end; });
  return asked.size() == 1 && limit->args.size() > 1 ? asked.front() : Expr();
}

/// Makes the box constant where all its bounds are known.
void fixBox(const TilePoints &points, Draft &deal) {
  std::int64_t total = 1;
  for (const DealtDim &d : deal.dealt) {
    const Interval &b = deal.known.at(points.dims[d.dim].variable);
    if (!b.low() || !b.high() || *b.low() < -narrowLimit || *b.high() > fixedLimit) return;
    total *= std::max<std::int64_t>(*b.high() - *b.low() + 1, 1);
    if (total > fixedLimit) return;
  }
  deal.fixed = true;
  for (DealtDim &d : deal.dealt) {
    const PointDim &dim = points.dims[d.dim];
    const Interval &b = deal.known.at(dim.variable);
    d.low = *b.low();
    d.size = std::max<std::int64_t>(*b.high() - *b.low() + 1, 0);
    const Expr first = simplify(dim.first), limit = simplify(dim.limit);
    d.checkFirst = first.op() != Op::Integer;
    d.checkLimit = limit.op() != Op::Integer;
    if (d.checkLimit) d.asked = askedBelow(d.low + d.size, limit);
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

/// Whether the inner dimensions may be taken in any order.
bool isUnordered(const TilePoints &points, const Draft &deal) {
  return std::all_of(deal.inner.begin(), deal.inner.end(),
                     [&](std::size_t i) { return points.dims[i].kind == Kind::Reduced; });
}

/// One update through a monoid of an element that stands still along all inner dimensions, none of them Parallel.
bool combinesAside(const TilePoints &points, const Draft &deal, const Scope &scope) {
  if (points.body.size() != 1 || deal.inner.empty()) return false;
  const TileAssign &a = points.body.front();
  const Type type = scope.typeOf(a.target.array);
  if (a.update == Update::Set || reads(a.value, a.target.array) || reads(a.where, a.target.array)) return false;
  if (computeType(type) != type || isFloating(type) != isFloating(a.value.type())) return false;
  return std::all_of(deal.inner.begin(), deal.inner.end(), [&](std::size_t i) {
    const PointDim &d = points.dims[i];
    return (d.kind == Kind::Reduced || (d.kind == Kind::Serial && !scope.strict())) &&
           motionOf(a.target.subscripts, d.variable) == Motion::Still;
  });
}

std::optional<std::int64_t> pointsOf(const Draft &deal) {
  if (!deal.fixed) return std::nullopt;
  std::int64_t total = 1;
  for (const DealtDim &d : deal.dealt) total *= d.size;
  return total;
}

/// The inner dimension along which most reads are contiguous; longer ones before those known to be short.
std::size_t splitOf(const TilePoints &points, const Draft &deal, const Memory &m) {
  const auto score = [&](std::size_t i) {
    const Interval &b = deal.known.at(points.dims[i].variable);
    const bool isShort = b.low() && b.high() && *b.high() - *b.low() < 8;
    return scoreDim(points, points.dims[i], m) - (isShort ? 100 : 0);
  };
  return *std::max_element(deal.inner.begin(), deal.inner.end(),
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
void share(const TilePoints &points, const Memory &m, const Scope &scope, Draft &deal) {
  const std::optional<std::int64_t> count = pointsOf(deal);
  if (!deal.aside || !isUnordered(points, deal) || scope.strict() || !count || *count * 2 > m.threads || *count == 0)
    return;
  deal.split = splitOf(points, deal, m);
  if (deal.dealt.empty()) {
    deal.form = Form::Whole;
    deal.any = asksForAny(points, m);
    return;
  }
  deal.form = Form::Lanes;
  for (deal.lanes = 2; deal.lanes < 32 && *count * deal.lanes * 2 <= m.threads;) deal.lanes *= 2;
}

/// Whether every element that `e` reads lies in a tile, anywhere in the box of `known`.
bool liesInTiles(const Expr &e, const Draft &deal, const Memory &m, const Scope &scope) {
  bool inside = true;
  visit(e, [&](const Expr &node) {
    if (node.op() != Op::Read || m.replicated.contains(node->name)) return;
    inside = inside && m.tiles.contains(node->name);
    for (std::size_t i = 0; inside && i < node->args.size(); ++i) {
      const Interval b = boundsOf(node->args[i], deal.known);
      const Expr extent = simplify(scope.find(node->name)->extents[i]);
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

/// A region of one dimension whose elements a group can deal out in fours. Sums over short rows are not: most threads
/// would have none.
bool dealsFours(const TilePoints &points, const Memory &m, const Scope &scope, const TileLoop *loop, Draft &deal) {
  if (!m.grouped || scope.strict() || points.dims.size() != 1) return false;
  const PointDim &d = points.dims.front();
  const bool whole = d.kind == Kind::Reduced && deal.aside;
  const bool stores = d.kind == Kind::Parallel && deal.inner.empty() && storesSideBySide(points, d.variable);
  if (!stores && (!whole || m.ragged)) return false;
  if (!m.ragged) deal.streams = streamsOf(points, m, scope, loop);
  deal.fours = m.fours;
  deal.form = Form::Fours;
  return true;
}

/// Whether four neighbours along `along` can be read as one vector of the type, or as two, in a tile.
bool isVector(const Expr &e, const std::string &along, Type type, const Memory &m, const Scope &scope) {
  if (e.op() != Op::Read || e->args.empty() || scope.typeOf(e->name) != type) return false;
  const Expr pitch = simplify(scope.find(e->name)->extents.back());
  if (!m.tiles.contains(e->name) || pitch.op() != Op::Integer || pitch->integer % 4 != 0) return false;
  const Expr last = simplify(e->args.back());
  if (last.op() != Op::Symbol || last->name != along) return false;
  return std::none_of(e->args.begin(), e->args.end() - 1, [&](const Expr &s) { return dependsOn(s, along); });
}

bool isConstantBox(const DealtDim &d) { return d.size > 0 && d.size % 4 == 0 && d.low == 0; }

/// A product of tiles: its factors may be read anywhere in the constant box, so that only results are checked. The sum
/// may have other ends in each row, or in each column.
bool blocks(const TilePoints &points, const Memory &m, const Scope &scope, Draft &deal) {
  if (!deal.fixed || points.dims.size() != 3 || m.threads != blockThreads) return false;
  const TypeOf typeOf = [&](const std::string &name) { return scope.typeOf(name); };
  const auto p = scope.strict() ? std::nullopt : matchProduct(points, typeOf, SumEnds::Ragged);
  if (!p) return false;
  const Type type = scope.typeOf(points.body.front().target.array);
  if (!m.tiles.contains(points.body.front().target.array)) return false;
  if (!liesInTiles(p->rowFactor, deal, m, scope) || !liesInTiles(p->columnFactor, deal, m, scope)) return false;
  if (!isNarrow(deal.known.at(points.dims[p->sum].variable))) return false;
  if (deal.dealt.size() != 2 || deal.inner.size() != 1 ||
      !std::all_of(deal.dealt.begin(), deal.dealt.end(), isConstantBox))
    return false;
  deal.row = p->row;
  deal.column = p->column;
  deal.sum = p->sum;
  deal.rowFactor = p->rowFactor;
  deal.columnFactor = p->columnFactor;
  const PointDim &sum = points.dims[p->sum];
  const Expr first = simplify(sum.first);
  deal.rowInFours =
      first.op() == Op::Integer && first->integer % 4 == 0 && isVector(p->rowFactor, sum.variable, type, m, scope);
  deal.columnInFours = isVector(p->columnFactor, points.dims[p->column].variable, type, m, scope);
  deal.form = Form::Blocked;
  return true;
}

/// A copy into a tile that is contiguous along another dimension than what it reads from global memory.
bool crosses(const TilePoints &points, const Memory &m, const Draft &deal) {
  if (!deal.fixed || deal.dealt.size() != 2 || !deal.inner.empty() || points.body.size() != 1) return false;
  if (deal.dealt[0].size % 8 != 0 || deal.dealt[1].size % 4 != 0) return false;
  const TileAssign &a = points.body.front();
  const std::string &fast = points.dims[deal.dealt[0].dim].variable, &slow = points.dims[deal.dealt[1].dim].variable;
  bool along = false;
  visit(a.value, [&](const Expr &e) {
    if (e.op() == Op::Read && !m.tiles.contains(e->name)) along = along || motionOf(e->args, fast) == Motion::Unit;
  });
  return along && m.tiles.contains(a.target.array) && motionOf(a.target.subscripts, slow) == Motion::Unit;
}

/// A reduction of few terms from global memory, as many as sizes say: the threads of a point, or each warp for a scalar
/// that all threads hold, read them several at a time. A barrier for each sum would take longer.
bool readsAhead(const TilePoints &points, const Memory &m, const Scope &scope, const Draft &deal) {
  constexpr std::int64_t few = 256;
  if (!deal.aside || !isUnordered(points, deal) || scope.strict() || m.grouped || deal.inner.size() != 1) return false;
  const TileAssign &a = points.body.front();
  const PointDim &d = points.dims[deal.inner.front()];
  const Interval &b = deal.known.at(d.variable);
  const Expr first = simplify(d.first), limit = simplify(d.limit);
  if (a.where || first.op() != Op::Integer || first->integer != 0 || limit.op() == Op::Integer) return false;
  if (!m.ahead || !b.high() || *b.high() > few || !scope.isOverSizes(limit)) return false;
  bool global = true;
  visit(a.value, [&](const Expr &e) { global = global && (e.op() != Op::Read || !m.tiles.contains(e->name)); });
  const std::optional<std::int64_t> count = pointsOf(deal);
  if (deal.dealt.empty()) return global && m.replicated.contains(a.target.array) && a.target.subscripts.empty();
  return global && count && *count <= m.threads;
}

/// What runs in order is rounded as the source is.
std::set<std::size_t> fusedIn(const TilePoints &points, const Scope &scope) {
  std::set<std::size_t> fused;
  const bool isInOrder =
      std::any_of(points.dims.begin(), points.dims.end(), [](const PointDim &d) { return d.kind == Kind::Serial; });
  for (std::size_t k = 0; isInOrder && k < points.body.size(); ++k)
    if (points.body[k].update != Update::Set) return fused;
  for (std::size_t k = 0; k < points.body.size(); ++k)
    if (fusesProduct(points.body[k], scope.typeOf(points.body[k].target.array), scope.strict())) fused.insert(k);
  return fused;
}

} // namespace

DeviceDeal dealOf(const TilePoints &points, const Memory &memory, const Scope &scope, const TileLoop *loop) {
  Draft deal;
  deal.points = points;
  deal.fused = fusedIn(points, scope);
  deal.known = boundsOfDims(points);
  deal.dealt = dealable(points);
  deal.inner = innerOf(deal);
  orderDealt(points, memory, deal.dealt);
  fixBox(points, deal);
  deal.crossed = crosses(points, memory, deal);
  deal.aside = combinesAside(points, deal, scope);
  if (dealsFours(points, memory, scope, loop, deal)) return deal;
  deal.ahead = readsAhead(points, memory, scope, deal);
  if (deal.ahead) noteEarly(deal, memory, scope);
  const bool byWarps = deal.ahead && deal.dealt.empty();
  if (!byWarps && !blocks(points, memory, scope, deal)) share(points, memory, scope, deal);
  takeRows(memory, scope, deal);
  const auto isOwn = [&](const TileAssign &a) { // and in registers, or near them, as it is
    const std::string &array = a.target.array;
    return memory.tiles.contains(array) || memory.replicated.contains(array) || memory.owned.contains(array);
  };
  const auto isSeenAgain = [&](const TileAssign &a) {
    return std::ranges::any_of(points.body, [&](const TileAssign &b) { return reads(b.value, a.target.array); });
  };
  deal.stays = !deal.aside && !deal.ahead && deal.rows == 1 && !deal.dealt.empty() &&
               std::ranges::none_of(points.body, isOwn) && std::ranges::any_of(points.body, isSeenAgain) &&
               setsTheSame(deal);
  return deal;
}

DeviceDeal dealAlone(const TilePoints &points, const Scope &scope) {
  Draft deal;
  deal.points = points;
  deal.fused = fusedIn(points, scope);
  deal.inner = innerOf(deal);
  deal.known = boundsOfDims(points);
  deal.aside = combinesAside(points, deal, scope);
  return deal;
}

} // namespace polymend::device_room
