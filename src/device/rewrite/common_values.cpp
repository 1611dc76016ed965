// Equal subexpressions become one node of a graph. A node with two users, or two uses in one, is worth a name where
// computing it takes a function or a division, and where the point computes it in any case.
#include "device/common_values.h"

#include "device/depends.h"

#include <algorithm>
#include <bit>

namespace polymend::device_room {
namespace {

bool isCostly(const Expr &value) {
  bool costly = false;
  visit(value, [&](const Expr &e) {
    const bool function = e.op() >= Op::Exp && e.op() <= Op::Call && e.op() != Op::Abs;
    costly = costly || function || (e.op() == Op::Div && isFloating(e.type()));
  });
  return costly;
}

class Graph {
public:
  /// Adds one use of a value; `always`: it is computed at every point.
  void use(const Expr &e, bool always) {
    const std::size_t n = number(e);
    ++nodes[n].uses;
    if (always) reach(n);
  }

  /// Does a node deserve a name?
  [[nodiscard]] bool hasCommon() const { return std::any_of(nodes.begin(), nodes.end(), isCommon); }

  /// Names the nodes that deserve it, those that others are made of first.
  std::vector<std::pair<std::string, Expr>> name(Scope &scope) {
    std::vector<std::pair<std::string, Expr>> values;
    for (Node &node : nodes) {
      if (!isCommon(node)) continue;
      const Expr value = rebuilt(node.value);
      node.name = scope.fresh("common");
      values.emplace_back(node.name, value);
    }
    return values;
  }

  /// The value with names in it.
  Expr rebuilt(const Expr &e) {
    const std::size_t n = number(e);
    if (!nodes[n].name.empty()) return Expr::symbol(nodes[n].name, e.type());
    if (e->args.empty() || e.op() == Op::Read) return e;
    ExprNode node = *e;
    for (Expr &arg : node.args) arg = rebuilt(arg);
    return Expr{node};
  }

private:
  struct Node {
    Expr value;
    std::vector<std::size_t> operands;
    std::size_t uses = 0;
    bool always = false;
    std::string name;
  };

  std::vector<Node> nodes; // operands first
  std::map<std::string, std::size_t> numbers;
  std::map<const void *, std::size_t> known;
  std::vector<Expr> held; // what `known` points at

  static bool isCommon(const Node &node) {
    const Type type = node.value.type();
    const bool plain = type == Type::Float32 || type == Type::Float64 || isOwnCall(node.value);
    return node.uses > 1 && node.always && plain && isCostly(node.value);
  }

  std::size_t number(const Expr &e) {
    if (const auto at = known.find(e.identity()); at != known.end()) return at->second;
    std::vector<std::size_t> operands;
    std::string key = std::to_string(static_cast<int>(e.op())) + " " + std::to_string(static_cast<int>(e.type())) +
                      " " + std::to_string(e->integer) + " " + std::to_string(std::bit_cast<std::uint64_t>(e->real)) +
                      " " + e->name;
    for (const Expr &arg : e->args) {
      operands.push_back(number(arg));
      key += "," + std::to_string(operands.back());
    }
    const auto [at, fresh] = numbers.emplace(key, nodes.size());
    if (fresh) {
      for (const std::size_t operand : operands) ++nodes[operand].uses;
      nodes.push_back({e, operands, 0, false, ""});
    }
    held.push_back(e);
    return known[e.identity()] = at->second;
  }

  /// The node is computed at every point, and so is what it is made of but for the sides of a choice.
  void reach(std::size_t n) {
    if (nodes[n].always) return;
    nodes[n].always = true;
    const Op op = nodes[n].value.op();
    const bool chooses = op == Op::Select || op == Op::And || op == Op::Or;
    const std::vector<std::size_t> operands = nodes[n].operands;
    for (std::size_t k = 0; k < (chooses ? std::min<std::size_t>(1, operands.size()) : operands.size()); ++k)
      reach(operands[k]);
  }
};

/// The condition that all assignments have; absent: none, or not the same.
Expr guardOf(const std::vector<TileAssign> &body) {
  const Expr &first = body.front().where;
  const auto isSame = [&](const TileAssign &a) { return a.where && equal(a.where, first); };
  return first && std::all_of(body.begin(), body.end(), isSame) ? first : Expr();
}

Graph graphOf(const std::vector<TileAssign> &body) {
  Graph graph;
  const bool isGuarded = static_cast<bool>(guardOf(body));
  for (const TileAssign &a : body) graph.use(a.value, isGuarded || !a.where);
  return graph;
}

} // namespace

bool hasCommon(const std::vector<TileAssign> &body) {
  return !body.empty() && areIndependent(body) && graphOf(body).hasCommon();
}

Commoned withCommon(const std::vector<TileAssign> &body, Scope &scope) {
  if (!hasCommon(body)) return {{}, {}, body};
  Graph graph = graphOf(body);
  Commoned result{guardOf(body), graph.name(scope), body};
  for (TileAssign &a : result.body) {
    a.value = graph.rebuilt(a.value);
    if (result.guard) a.where = {};
  }
  return result;
}

} // namespace polymend::device_room
