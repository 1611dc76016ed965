// Of two sums the one moves to the other, past what it has nothing to do with.
#include "device/joined.h"

#include "device/common_values.h"
#include "device/order.h"
#include "device/stride.h"
#include "tile/equal.h"
#include "tile/touched.h"
#include "tile/visit.h"

#include <algorithm>

namespace polymend::device_room {

namespace {

/// A function that a compiler calls for one element at a time.
bool isSingleCall(const Expr &e) {
  switch (e.op()) {
  case Op::Exp:
  case Op::Exp2:
  case Op::Log:
  case Op::Tanh: return e.type() == Type::Float64;
  case Op::Log2:
  case Op::Sin:
  case Op::Cos:
  case Op::Pow:
  case Op::Call: return isFloating(e.type());
  default: return false;
  }
}

/// What takes longer than to go over the points once more, though vectors hold it.
bool isSlow(const Expr &e) {
  const bool calls = e.op() == Op::Exp || e.op() == Op::Exp2 || e.op() == Op::Log || e.op() == Op::Tanh;
  return isFloating(e.type()) && (calls || e.op() == Op::Div || e.op() == Op::Sqrt);
}

using Costly = bool(const Expr &);

/// Adds what is costly in a value whatever its conditions say.
void addCalls(const Expr &e, Costly isCostly, std::vector<Expr> &calls) {
  if (isCostly(e)) calls.push_back(e);
  const bool chooses = e.op() == Op::Select || e.op() == Op::And || e.op() == Op::Or;
  const std::size_t count = e.op() == Op::Read ? 0 : chooses ? 1 : e->args.size();
  for (std::size_t k = 0; k < count; ++k) addCalls(e.arg(k), isCostly, calls);
}

std::vector<Expr> callsOf(const TilePoints &p, Costly isCostly) {
  std::vector<Expr> calls;
  for (const TileAssign &a : p.body) addCalls(a.value, isCostly, calls);
  return calls;
}

bool haveOneCondition(const TilePoints &p, const TilePoints &q) {
  const Expr &first = p.body.front().where;
  const auto isSame = [&](const TileAssign &a) {
    return a.where && first ? equal(a.where, first) : !a.where && !first;
  };
  return std::all_of(p.body.begin(), p.body.end(), isSame) && std::all_of(q.body.begin(), q.body.end(), isSame);
}

/// What both compute of the kind.
std::vector<Expr> sharedBy(const TilePoints &p, const TilePoints &q, Costly isCostly) {
  std::vector<Expr> shared = callsOf(p, isCostly);
  const std::vector<Expr> others = callsOf(q, isCostly);
  std::erase_if(shared, [&](const Expr &call) {
    return std::ranges::none_of(others, [&](const Expr &other) { return equal(call, other); });
  });
  return shared;
}

bool isSum(const TilePoints &p) {
  if (p.dims.empty() || p.dims.back().kind != PointDim::Kind::Reduced) return false;
  return std::all_of(p.body.begin(), p.body.end(), [&](const TileAssign &a) {
    return a.update != Update::Set && motionOf(a.target.subscripts, p.dims.back().variable) == Motion::Still;
  });
}

TilePoints both(const TilePoints &first, const TilePoints &second) {
  TilePoints result = first;
  result.body.insert(result.body.end(), second.body.begin(), second.body.end());
  return result;
}

/// Sums share what no vector holds, or what moves along an innermost loop whose turns vectors hold.
bool areWorthIt(const TilePoints &p, const TilePoints &q) {
  if (!sharedBy(p, q, isSingleCall).empty()) return true;
  const TilePoints joined = both(p, q);
  const PointDim &innermost = joined.dims[chooseOrder(joined, false).back()];
  const std::vector<Expr> shared = sharedBy(p, q, isSlow);
  return innermost.kind == PointDim::Kind::Parallel &&
         std::ranges::any_of(shared, [&](const Expr &value) { return symbols(value).contains(innermost.variable); });
}

bool areJoinable(const TilePoints &p, const TilePoints &q) {
  return isSum(p) && isSum(q) && equal(p.dims, q.dims) && haveOneCondition(p, q) && areWorthIt(p, q) &&
         hasCommon(both(p, q).body);
}

/// What nodes read and write.
struct Accesses {
  std::set<std::string> read, written;
  bool waits = false;
};

Accesses accessesOf(const TileNode &node) {
  Accesses touched;
  allNodes({node}, [&](const TileNode &one) {
    touched.waits = touched.waits || as<TileSync>(one) || as<TileAsync>(one);
    eachExpr(one, [&](const Expr &e) { noteReads(e, touched.read); });
    return true;
  });
  eachAssign({node}, [&](const TileAssign &a) { touched.written.insert(a.target.array); });
  return touched;
}

bool meet(const std::set<std::string> &a, const std::set<std::string> &b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string &name) { return b.contains(name); });
}

bool mayPass(const Accesses &a, const Accesses &b) {
  return !a.waits && !b.waits && !meet(a.written, b.read) && !meet(a.written, b.written) && !meet(a.read, b.written);
}

/// A sum among the nodes that may run with `later`: where it stands, or behind all of them.
struct Partner {
  std::size_t at; // their number: there is none
  bool staysThere = false;
};

Partner partnerOf(const TileNode &later, const TileBlock &nodes) {
  const auto *points = as<TilePoints>(later);
  if (points == nullptr || !isSum(*points)) return {nodes.size()};
  const Accesses own = accessesOf(later);
  std::vector<Accesses> between;
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const Accesses touched = accessesOf(nodes[k]);
    const auto passesAll = [&](const Accesses &one) {
      return std::all_of(between.begin(), between.end(), [&](const Accesses &other) { return mayPass(one, other); });
    };
    const auto *sum = as<TilePoints>(nodes[k]);
    if (sum && areJoinable(*sum, *points) && passesAll(touched)) return {k};
    if (sum && areJoinable(*sum, *points) && passesAll(own)) return {k, true};
    between.push_back(touched);
  }
  return {nodes.size()};
}

} // namespace

TileBlock withJoinedSums(const TileBlock &nodes) {
  TileBlock result;
  for (const TileNode &node : nodes) {
    const Partner partner = partnerOf(node, result);
    if (partner.at == result.size()) {
      result.push_back(node);
      continue;
    }
    const auto place = result.begin() + static_cast<std::ptrdiff_t>(partner.at);
    const TileNode joined = nodeOf(both(*as<TilePoints>(*place), *as<TilePoints>(node)));
    if (partner.staysThere) {
      *place = joined;
    } else {
      result.erase(place);
      result.push_back(joined);
    }
  }
  return result;
}

} // namespace polymend::device_room
