// A loop is taken where all that its turns have from one another are sums into numbers that nothing else in the loop
// reads or writes. What a turn adds goes into the turn's element, which is neutral at first.
#include "polymend/partial_sums.h"

#include "each_assign.h"
#include "unused_name.h"

#include "polymend/numbers.h"

#include <algorithm>
#include <set>

namespace polymend {

namespace {

/// The statements of a loop, and what its turns add up.
class Summing {
public:
  Summing(const Loop &aLoop, const Scop &model, const Dependences &dependences,
          const std::map<const Assign *, int> &numbers)
      : loop(aLoop), scop(model), deps(dependences) {
    withEach(loop.body, [&](const Assign &assign) {
      if (const auto at = numbers.find(&assign); at != numbers.end()) within.insert(at->second);
      return std::optional(assign);
    });
    for (const int s : within)
      if (const Statement &one = statement(s); deps.reductionOf(s) != nullptr && isNumber(one))
        sums.insert(one.write.array);
    std::erase_if(sums, [&](const std::string &name) { return !isSummedAlone(name); });
  }

  /// Does nothing but the sums, and numbers that each turn has for itself, keep the turns in their order?
  [[nodiscard]] bool isAll() const {
    return !sums.empty() && std::ranges::all_of(deps.edges, [&](const Dependence &edge) {
      const bool isHere = within.contains(edge.from) && within.contains(edge.to) && edge.variable == loop.variable;
      return !isHere || edge.privatised || sums.contains(edge.array);
    });
  }

  /// Each with what joins two of them.
  [[nodiscard]] std::map<std::string, Monoid> all() const {
    std::map<std::string, Monoid> result;
    for (const int s : within)
      if (sums.contains(statement(s).write.array)) result[statement(s).write.array] = deps.reductionOf(s)->monoid;
    return result;
  }

private:
  const Loop &loop;
  const Scop &scop;
  const Dependences &deps;
  std::set<int> within;
  std::set<std::string> sums;

  [[nodiscard]] const Statement &statement(int s) const { return scop.statements[static_cast<std::size_t>(s)]; }

  [[nodiscard]] bool isNumber(const Statement &one) const {
    const Array &array = scop.array(one.write.array);
    const bool isPlain = isFloating(array.type) || array.type == Type::Int32 || array.type == Type::Int64;
    return one.target.empty() && array.extents.empty() && isPlain && array.spelling.empty() && !array.functionStatic;
  }

  /// Do all statements of the loop that write or read it add to it, in one way?
  [[nodiscard]] bool isSummedAlone(const std::string &name) const {
    std::set<Monoid> ways;
    for (const int s : within) {
      const Statement &one = statement(s);
      const Reduction *sum = one.write.array == name ? deps.reductionOf(s) : nullptr;
      if (sum != nullptr && (!sum->comparison || isInteger(scop.array(name).type))) {
        ways.insert(sum->monoid);
        if (reads(sum->element, name)) return false;
      } else if (one.write.array == name ||
                 std::ranges::any_of(one.reads, [&](const Access &read) { return read.array == name; })) {
        return false;
      }
    }
    return ways.size() == 1;
  }
};

Expr joined(Monoid monoid, const Expr &a, const Expr &b, Type type) {
  static const std::map<Monoid, Op> operations{
      {Monoid::Sum, Op::Add}, {Monoid::Product, Op::Mul}, {Monoid::Max, Op::Max}, {Monoid::Min, Op::Min}};
  return Expr::make(operations.at(monoid), type, {a, b});
}

/// The loop with a sum for each turn, and behind it one over these.
Body byTurns(const Loop &loop, const std::map<std::string, Monoid> &sums, const Scop &scop, Function &function) {
  const Expr turn = simplify(Expr::symbol(loop.variable, Type::Int64) - loop.first);
  Loop turns = loop, joins = loop;
  turns.body.clear();
  joins.body.clear();
  joins.variable = unusedName(function, loop.variable + "_joined");
  const Expr joinedTurn = simplify(Expr::symbol(joins.variable, Type::Int64) - loop.first);
  std::map<std::string, std::string> parts;
  for (const auto &[name, monoid] : sums) {
    Array array = scop.array(name);
    array.name = unusedName(function, name + "_part");
    array.extents = {simplify(Expr::make(Op::Max, {Expr::integer(0), loop.limit - loop.first}))};
    array.storage = Array::Storage::Local;
    array.restricted = array.derived = array.aliasesAny = false;
    array.calls.clear();
    parts[name] = array.name;
    function.arrays.push_back(array);
    turns.body.emplace_back(
        std::make_shared<const Assign>(Assign{array.name, {turn}, neutral(monoid, array.type), loop.where}));
    const Expr sum =
        joined(monoid, Expr::read(name, {}, array.type), Expr::read(array.name, {joinedTurn}, array.type), array.type);
    joins.body.emplace_back(std::make_shared<const Assign>(Assign{name, {}, sum, loop.where}));
  }
  const Body added = withEach(loop.body, [&](const Assign &assign) {
    const auto at = parts.find(assign.target);
    if (at == parts.end()) return std::optional(assign);
    Assign moved = assign;
    moved.target = at->second;
    moved.subscripts = {turn};
    moved.value = rewrite(assign.value, [&](const Expr &node) {
      const bool isOld = node.op() == Op::Read && node->name == assign.target;
      return isOld ? Expr::read(at->second, {turn}, node.type()) : node;
    });
    return std::optional(moved);
  });
  turns.body.insert(turns.body.end(), added.begin(), added.end());
  return {std::make_shared<const Loop>(std::move(turns)), std::make_shared<const Loop>(std::move(joins))};
}

} // namespace

std::optional<Function> withPartialSums(const Function &function, const Scop &scop, const Dependences &dependences) {
  if (scop.statements.empty() || scop.scattered) return std::nullopt;
  const std::map<const Assign *, int> numbers = statementNumbers(function, scop);
  Function result = function;
  result.body.clear();
  bool found = false;
  for (const Node &node : function.body) {
    const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node);
    if (loop && (*loop)->step == 1 && !(*loop)->origin && !reads((*loop)->first) && !reads((*loop)->limit)) {
      const Summing summing(**loop, scop, dependences, numbers);
      if (summing.isAll()) {
        for (const Node &one : byTurns(**loop, summing.all(), scop, result)) result.body.push_back(one);
        found = true;
        continue;
      }
    }
    result.body.push_back(node);
  }
  return found ? std::optional(result) : std::nullopt;
}

} // namespace polymend
