// The statements of a loop's body fall into sums and others, node by node of the body. A sum may have of the others
// what they computed in the same turn; they may have nothing of it. A number that is kept for each turn is one that no
// turn has from another, and that is not set again behind the sum that reads it.
#include "polymend/sums_apart.h"

#include "each_assign.h"
#include "unused_name.h"

#include "polymend/in_body.h"
#include "polymend/numbers.h"

#include <algorithm>
#include <set>

namespace polymend {

namespace {

using Numbers = std::map<const Assign *, int>;

std::set<int> statementsIn(const Body &body, const Numbers &numbers) {
  std::set<int> all;
  withEach(body, [&](const Assign &assign) {
    if (const auto at = numbers.find(&assign); at != numbers.end()) all.insert(at->second);
    return std::optional(assign);
  });
  return all;
}

/// What stands in one turn of a loop.
class Turn {
public:
  Turn(const Loop &aLoop, const Scop &model, const Dependences &dependences, const Numbers &numbers)
      : loop(aLoop), scop(model), deps(dependences) {
    for (const Node &node : loop.body) {
      nodes.push_back(statementsIn({node}, numbers));
      sums.push_back(!nodes.back().empty() &&
                     std::all_of(nodes.back().begin(), nodes.back().end(), [&](int s) { return addsUp(s); }));
    }
  }

  /// Can the sums stand in a loop of their own? `kept` are the numbers that turns keep for them then.
  bool comesApart(std::set<std::string> &kept) const {
    if (std::ranges::count(sums, true) == 0 || std::ranges::count(sums, false) == 0) return false;
    for (const Dependence &edge : deps.edges)
      if (!mayStay(edge, kept)) return false;
    return std::ranges::all_of(kept, [&](const std::string &name) { return isOfThisLoop(name); });
  }
  [[nodiscard]] bool isSum(std::size_t node) const { return sums[node]; }

private:
  const Loop &loop;
  const Scop &scop;
  const Dependences &deps;
  std::vector<std::set<int>> nodes;
  std::vector<bool> sums;

  [[nodiscard]] std::optional<std::size_t> nodeOf(int statement) const {
    const auto at = std::ranges::find_if(nodes, [&](const auto &node) { return node.contains(statement); });
    return at == nodes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - nodes.begin()));
  }

  /// Does the statement add to one accumulator in every turn?
  [[nodiscard]] bool addsUp(int statement) const {
    if (!deps.reductionOf(statement)) return false;
    return std::ranges::any_of(deps.edges, [&](const Dependence &edge) {
      return edge.from == statement && edge.to == statement && edge.kind == Dependence::Kind::Flow && edge.reduction &&
             edge.variable == loop.variable;
    });
  }

  [[nodiscard]] bool isOwnNumber(const std::string &name) const {
    const Array &array = scop.array(name);
    return array.storage == Array::Storage::Local && array.extents.empty() && !array.functionStatic &&
           array.spelling.empty();
  }

  /// Does the dependence hold with the sums behind all turns of the others? What a turn computes for its sums is kept.
  bool mayStay(const Dependence &edge, std::set<std::string> &kept) const {
    const auto from = nodeOf(edge.from), to = nodeOf(edge.to);
    if (!from || !to || sums[*from] == sums[*to]) return true;
    const bool isCarried = edge.variable == loop.variable, entersSum = sums[*to];
    if (entersSum && edge.kind == Dependence::Kind::Flow) {
      if (isOwnNumber(edge.array)) kept.insert(edge.array);
      return !isCarried;
    }
    // the next turn sets the number that a sum has read: another one, where it is kept
    return !entersSum && edge.kind == Dependence::Kind::Anti && isCarried && isOwnNumber(edge.array);
  }

  /// Is the number used in this loop alone, with no value from turn to turn?
  [[nodiscard]] bool isOfThisLoop(const std::string &name) const {
    for (std::size_t s = 0; s < scop.statements.size(); ++s) {
      const Statement &one = scop.statements[s];
      const bool uses = one.write.array == name ||
                        std::ranges::any_of(one.reads, [&](const Access &read) { return read.array == name; });
      if (uses && !nodeOf(static_cast<int>(s))) return false;
    }
    const bool entersLive = std::ranges::any_of(deps.sources, [&](const Sources &sources) {
      const Statement &reader = scop.statements[static_cast<std::size_t>(sources.statement)];
      return reader.reads[static_cast<std::size_t>(sources.read)].array == name && !sources.liveIn.is_empty();
    });
    return !entersLive && std::ranges::none_of(deps.edges, [&](const Dependence &edge) {
      return edge.array == name && edge.kind == Dependence::Kind::Flow && edge.variable == loop.variable;
    });
  }
};

Expr inTurn(const Expr &e, const std::map<std::string, Expr> &kept) {
  return rewrite(e, [&](const Expr &node) {
    const auto at = node.op() == Op::Read ? kept.find(node->name) : kept.end();
    return at == kept.end() ? node : at->second;
  });
}

/// The statements with each number that is kept in the element of its turn.
Body inTurns(const Body &body, const std::map<std::string, Expr> &kept) {
  return withEach(body, [&](const Assign &assign) {
    Assign moved = assign;
    moved.value = inTurn(assign.value, kept);
    for (Expr &subscript : moved.subscripts) subscript = inTurn(subscript, kept);
    if (const auto at = kept.find(assign.target); at != kept.end()) {
      moved.target = at->second->name;
      moved.subscripts = at->second->args;
    }
    return std::optional(moved);
  });
}

/// The same turns, counted by another variable.
Body renamed(const Body &body, const std::string &variable, const Expr &other) {
  return inBody(body, [&](const Expr &e) {
    return substitute(e, [&](const std::string &name) { return name == variable ? other : Expr(); });
  });
}

/// The loop, and behind it that of its sums.
Body apart(const Loop &loop, const Turn &turn, const std::set<std::string> &names, const Scop &scop,
           Function &function) {
  std::map<std::string, Expr> kept;
  const Expr turns = simplify(Expr::make(Op::Max, {Expr::integer(0), loop.limit - loop.first}));
  for (const std::string &name : names) {
    Array array = scop.array(name);
    array.name = unusedName(function, name + "_of_each");
    array.extents = {turns};
    array.where = {};
    array.calls.clear();
    kept[name] = Expr::read(array.name, {simplify(Expr::symbol(loop.variable, Type::Int64) - loop.first)}, array.type);
    function.arrays.push_back(array);
  }
  std::erase_if(function.arrays, [&](const Array &array) { return names.contains(array.name); });
  Loop others = loop, sums = loop;
  others.body.clear();
  sums.body.clear();
  for (std::size_t k = 0; k < loop.body.size(); ++k) (turn.isSum(k) ? sums : others).body.push_back(loop.body[k]);
  others.body = inTurns(others.body, kept);
  sums.variable = unusedName(function, loop.variable + "_sum");
  sums.body = renamed(inTurns(sums.body, kept), loop.variable, Expr::symbol(sums.variable, Type::Int64));
  return {std::make_shared<const Loop>(std::move(others)), std::make_shared<const Loop>(std::move(sums))};
}

/// Does anything in the loop's sums depend on what data say, or its turns?
bool asksData(const Loop &loop, const Turn &turn, const Scop &scop) {
  Body sums;
  for (std::size_t k = 0; k < loop.body.size(); ++k)
    if (turn.isSum(k)) sums.push_back(loop.body[k]);
  std::set<std::string> used = symbols(loop.first);
  used.merge(symbols(loop.limit));
  const std::function<void(const Body &)> note = [&](const Body &body) {
    for (const Node &node : body) {
      if (const auto *inner = std::get_if<std::shared_ptr<const Loop>>(&node)) {
        used.merge(symbols((*inner)->first));
        used.merge(symbols((*inner)->limit));
        note((*inner)->body);
      } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
        used.merge(symbols((*branch)->condition));
        note((*branch)->then);
        note((*branch)->otherwise);
      } else {
        const Assign &assign = *std::get<std::shared_ptr<const Assign>>(node);
        used.merge(symbols(assign.value));
        for (const Expr &subscript : assign.subscripts) used.merge(symbols(subscript));
      }
    }
  };
  note(sums);
  return reads(loop.first) || reads(loop.limit) ||
         std::ranges::any_of(scop.dataSizes, [&](const DataSize &data) { return used.contains(data.name); });
}

} // namespace

std::optional<Function> withSumsApart(const Function &function, const Scop &scop, const Dependences &dependences) {
  if (scop.statements.empty() || scop.scattered) return std::nullopt;
  const Numbers numbers = statementNumbers(function, scop);
  Function result = function;
  result.body.clear();
  bool found = false;
  for (const Node &node : function.body) {
    const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node);
    std::set<std::string> kept;
    if (loop && (*loop)->step == 1 && !(*loop)->origin) {
      const Turn turn(**loop, scop, dependences, numbers);
      if (turn.comesApart(kept) && !asksData(**loop, turn, scop)) {
        for (const Node &one : apart(**loop, turn, kept, scop, result)) result.body.push_back(one);
        found = true;
        continue;
      }
    }
    result.body.push_back(node);
  }
  return found ? std::optional(result) : std::nullopt;
}

} // namespace polymend
