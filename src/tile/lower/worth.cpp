// An extent is the least of the differences of its bounds' arms that is a constant, as in a tile that an edge may cut;
// else that of the first arms, with variables of loops within at their first values.
#include "worth.h"

#include "polymend/lower.h"

#include "tile/visit.h"

#include <functional>
#include <map>
#include <optional>

namespace polymend {

namespace {

void arms(const Expr &e, Op op, std::vector<Expr> &all) {
  if (e.op() == op) {
    arms(e.arg(0), op, all);
    arms(e.arg(1), op, all);
    return;
  }
  if (e.op() == Op::Add && e.arg(1).op() == Op::Integer) {
    std::vector<Expr> inner;
    arms(e.arg(0), op, inner);
    for (const Expr &one : inner) all.push_back(simplify(one + e.arg(1)));
    return;
  }
  all.push_back(e);
}

/// What a node counts whatever it holds; absent: what it holds counts.
using Weight = std::function<std::optional<std::int64_t>(const TileNode &)>;

/// Counts assignments, or what a weight makes of nodes.
class Counter {
public:
  explicit Counter(Weight given = {}) : weight(std::move(given)) {}

  Expr extent(const Expr &first, const Expr &limit) const {
    std::vector<Expr> lows, highs;
    arms(first, Op::Max, lows);
    arms(limit, Op::Min, highs);
    std::optional<std::int64_t> least;
    for (const Expr &low : lows)
      for (const Expr &high : highs)
        if (const Expr gap = simplify(high - low); gap.op() == Op::Integer && (!least || gap->integer < *least))
          least = gap->integer;
    if (least) return Expr::integer(*least);
    return simplify(placed(highs.front()) - placed(lows.front()));
  }

  Expr block(const TileBlock &nodes) {
    Expr total = Expr::integer(0);
    for (const TileNode &one : nodes) {
      const auto known = weight ? weight(one) : std::nullopt;
      total =
          simplify(total + (known ? Expr::integer(*known) : std::visit([&](const auto &x) { return node(x); }, one)));
    }
    return total;
  }

  void enter(const std::string &variable, const Expr &first) {
    std::vector<Expr> lows;
    arms(first, Op::Max, lows);
    starts[variable] = placed(lows.front());
  }

private:
  Weight weight;
  std::map<std::string, Expr> starts;

  [[nodiscard]] Expr placed(const Expr &e) const {
    return substitute(e, [&](const std::string &name) {
      const auto at = starts.find(name);
      return at == starts.end() ? Expr() : at->second;
    });
  }

  Expr node(const TileAssign &) { return Expr::integer(1); }
  Expr node(const std::shared_ptr<const TileLoop> &loop) {
    const Expr trips = extent(loop->first, loop->limit);
    enter(loop->variable, loop->first);
    return simplify(trips * block(loop->body));
  }
  Expr node(const std::shared_ptr<const TileBranch> &branch) {
    return simplify(block(branch->then) + block(branch->otherwise));
  }
  Expr node(const std::shared_ptr<const TilePoints> &points) {
    Expr total = Expr::integer(static_cast<std::int64_t>(points->body.size()));
    for (const PointDim &dim : points->dims) {
      total = simplify(total * extent(dim.first, dim.limit));
      enter(dim.variable, dim.first);
    }
    return total;
  }
  template <class Other> Expr node(const Other &) { return Expr::integer(0); }
};

bool sharesTurns(const TileLoop &loop) { return loop.kind == TileLoop::Kind::Shared; }

/// Is a loop shared there only where it is worth it?
bool isAsked(const TileBranch &branch) {
  return !branch.otherwise.empty() && any<TileLoop>(branch.then, sharesTurns) &&
         !any<TileLoop>(branch.otherwise, sharesTurns);
}

/// A shared loop is one start; a loop or a branch around it has as many as it holds; nothing else has any.
std::optional<std::int64_t> startsOfNode(const TileNode &node) {
  if (const auto *loop = as<TileLoop>(node)) return sharesTurns(*loop) ? std::optional<std::int64_t>(1) : std::nullopt;
  if (const auto *branch = as<TileBranch>(node))
    return isAsked(*branch) ? std::optional<std::int64_t>(0) : std::nullopt;
  return 0;
}

} // namespace

std::size_t depthOf(const TileBlock &nodes) {
  std::size_t depth = 0;
  for (const TileNode &node : nodes) {
    if (const auto *loop = as<TileLoop>(node)) depth = std::max(depth, 1 + depthOf(loop->body));
    if (const auto *points = as<TilePoints>(node)) depth = std::max(depth, points->dims.size());
    if (const auto *branch = as<TileBranch>(node))
      depth = std::max({depth, depthOf(branch->then), depthOf(branch->otherwise)});
  }
  return depth;
}

Expr workWithin(const TileLoop &loop) {
  Counter counter;
  counter.enter(loop.variable, loop.first);
  return counter.block(loop.body);
}

Expr startsWithin(const TileBlock &nodes) { return Counter(startsOfNode).block(nodes); }

Expr tripsOf(const TileLoop &loop) { return Counter().extent(loop.first, loop.limit); }

} // namespace polymend
