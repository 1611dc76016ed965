// The streams of a region that a group of threads runs: what of it is read once and held.
#include "device/deal.h"
#include "device/depends.h"
#include "device/stride.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// Is e at most `bound`? Unknown is no.
bool isAtMost(const Expr &e, const Expr &bound) {
  if (bound.op() == Op::Min) return isAtMost(e, bound.arg(0)) && isAtMost(e, bound.arg(1));
  const auto difference = differenceOf(e, bound);
  return difference && *difference <= 0;
}

/// Does the element that is read exist at all points of the dimension, also where a condition leaves it out?
bool existsThroughout(const Expr &read, const PointDim &d, const Scope &scope) {
  if (!scope.find(read->name) || !scope.isWhole(read->name)) return false;
  const TileArray &array = *scope.find(read->name);
  if (array.extents.empty() || read->args.size() != array.extents.size()) return false;
  const Expr extent = usedExtent(array, array.extents.size() - 1);
  const auto subscriptAt = [&](const Expr &value) {
    return simplify(
        substitute(read->args.back(), [&](const std::string &name) { return name == d.variable ? value : Expr(); }));
  };
  const std::vector<Expr> limits =
      d.limit.op() == Op::Min ? std::vector<Expr>{d.limit.arg(0), d.limit.arg(1)} : std::vector<Expr>{d.limit};
  return extent && scope.signs.isNonNegative(subscriptAt(d.first)) &&
         std::any_of(limits.begin(), limits.end(),
                     [&](const Expr &limit) { return isAtMost(subscriptAt(limit), simplify(extent)); });
}

/// What conditions leave out of the points of a region.
enum class LeftOut {
  Nothing,
  Points, // some along its dimension
  All     // perhaps all: then its element there need not exist, whatever its place along the dimension
};

/// What a condition may leave out along the variable: one of whose conjuncts is the same at all points, all of them.
LeftOut leftOutBy(const Expr &condition, const std::string &variable) {
  if (condition.op() == Op::And)
    return std::max(leftOutBy(condition.arg(0), variable), leftOutBy(condition.arg(1), variable));
  return dependsOn(condition, variable) ? LeftOut::Points : LeftOut::All;
}

using OnPart = std::function<void(const Expr &, LeftOut)>;

/// Calls `f` on every part of a value, and says what conditions leave out of the part.
void eachPart(const Expr &e, const std::string &variable, LeftOut left, const OnPart &f) {
  f(e, left);
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  const LeftOut within = chooses ? std::max(left, leftOutBy(e.arg(0), variable)) : left;
  for (std::size_t k = 0; k < e->args.size(); ++k) eachPart(e.arg(k), variable, k > 0 ? within : left, f);
}

/// A stream, as the region over `variable` reads it in one chunk of the loop over its run.
struct ChunkedStream {
  const DeviceStream &stream;
  const std::string &variable;
  const TileLoop &loop;
};

/// Whether a region reads the stream at all places of the chunk that begins at the loop's variable.
bool readsChunk(const TilePoints &points, const ChunkedStream &c) {
  const PointDim &d = points.dims.front();
  const Expr step = Expr::integer(c.loop.step);
  const Expr rest = simplify(c.loop.limit - Expr::symbol(c.loop.variable, Type::Int64));
  const Expr first = simplify(d.first), limit = simplify(d.limit);
  const auto isShortest = [&](const Expr &a, const Expr &b) { return equal(a, step) && equal(b, rest); };
  const bool whole = equal(limit, step) || equal(limit, rest) ||
                     (limit.op() == Op::Min &&
                      (isShortest(limit->args[0], limit->args[1]) || isShortest(limit->args[1], limit->args[0])));
  if (points.dims.size() != 1 || !whole || first.op() != Op::Integer || first->integer != 0) return false;
  const auto renamed = [&](const std::string &name) {
    return name == d.variable ? Expr::symbol(c.variable, Type::Int64) : Expr();
  };
  bool found = false;
  for (const TileAssign &a : points.body)
    visit(a.value, [&](const Expr &e) { found = found || isStream(substitute(e, renamed), c.stream); });
  return found;
}

/// Whether every way through the nodes reads the stream's whole chunk.
bool readsChunk(const TileBlock &nodes, const ChunkedStream &c) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const TileNode &node) {
    if (const auto *p = as<TilePoints>(node)) return readsChunk(*p, c);
    if (const auto *b = as<TileBranch>(node)) return readsChunk(b->then, c) && readsChunk(b->otherwise, c);
    return false;
  });
}

/// How many elements of a stream's run are left at the piece: the run goes on in the later turns of a loop over chunks
/// of it, where each turn reads all of its own.
Expr leftOf(const DeviceStream &s, const TilePoints &points, const TileLoop *l) {
  const PointDim &dim = points.dims.front();
  const Expr here = Expr::symbol(pieceOfRun, Type::Int64);
  if (dim.kind == PointDim::Kind::Reduced && l && l->step > 1 && motionOf(s.subscripts, l->variable) == Motion::Unit &&
      readsChunk(l->body, {s, dim.variable, *l}))
    return simplify(l->limit - Expr::symbol(l->variable, Type::Int64) - here);
  return dim.limit - here;
}

} // namespace

/// The streams that the region reads, each once. Of a stream all elements of a run are read.
std::vector<DeviceStream> streamsOf(const TilePoints &points, const Memory &m, const Scope &scope,
                                    const TileLoop *loop) {
  const PointDim &d = points.dims.front();
  std::vector<DeviceStream> streams;
  const auto look = [&](const Expr &e, LeftOut left) {
    if (e.op() != Op::Read || !m.readOnly.contains(e->name) || motionOf(e->args, d.variable) != Motion::Unit) return;
    if (left == LeftOut::All || (left == LeftOut::Points && !existsThroughout(e, d, scope))) return;
    const bool known =
        std::any_of(streams.begin(), streams.end(), [&](const DeviceStream &s) { return isStream(e, s); });
    if (!known) streams.push_back({e->name, e->args, m.kept.contains(e->name)});
  };
  for (const TileAssign &a : points.body) {
    eachPart(a.value, d.variable, a.where ? leftOutBy(a.where, d.variable) : LeftOut::Nothing, look);
    if (a.where) eachPart(a.where, d.variable, LeftOut::Nothing, look);
  }
  for (DeviceStream &s : streams)
    s.kept = s.kept && std::count_if(streams.begin(), streams.end(),
                                     [&](const DeviceStream &other) { return other.array == s.array; }) == 1;
  for (DeviceStream &s : streams) {
    s.window = s.kept && m.windows;
    if (s.window) s.left = leftOf(s, points, loop);
  }
  return streams;
}

} // namespace polymend::device_room
