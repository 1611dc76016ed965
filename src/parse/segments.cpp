#include "polymend/segments.h"

#include "affine.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace polymend {

namespace {

using Loops = std::map<std::string, const Loop *>;

/// Calls `f` on every assignment, with the loops around it.
void eachAssign(const Body &body, Loops &around, const std::function<void(const Assign &, const Loops &)> &f) {
  for (const Node &node : body)
    if (const auto *loop = std::get_if<std::shared_ptr<const Loop>>(&node)) {
      around[(*loop)->variable] = loop->get();
      eachAssign((*loop)->body, around, f);
      around.erase((*loop)->variable);
    } else if (const auto *branch = std::get_if<std::shared_ptr<const Branch>>(&node)) {
      eachAssign((*branch)->then, around, f);
      eachAssign((*branch)->otherwise, around, f);
    } else {
      f(*std::get<std::shared_ptr<const Assign>>(node), around);
    }
}

/// Elements of index arrays in the subscripts of what is written.
void eachIndex(const Function &function,
               const std::function<void(const std::string &, const Expr &, const Loops &)> &f) {
  Loops around;
  eachAssign(function.body, around, [&](const Assign &assign, const Loops &loops) {
    for (const Expr &subscript : assign.subscripts)
      visit(subscript, [&](const Expr &node) {
        if (node.op() == Op::Read) f(assign.target, node, loops);
      });
  });
}

/// The rows that an element's subscript, a loop's variable and a number, runs over; absent: it is something else, or
/// the loop's bounds are no sizes.
std::optional<std::pair<Expr, Expr>> rowsOf(const Expr &element, const Loops &loops) {
  if (element->args.size() != 1) return std::nullopt;
  for (const auto &[variable, loop] : loops) {
    if (coefficient(element.arg(0), variable) != 1) continue;
    const Expr offset = simplify(substitute(element.arg(0), [&, name = variable](const std::string &symbol) {
      return symbol == name ? Expr::integer(0) : Expr();
    }));
    if (offset.op() != Op::Integer) continue;
    std::set<std::string> used = symbols(loop->first);
    used.merge(symbols(loop->limit));
    const bool isOverSizes =
        std::none_of(loops.begin(), loops.end(), [&](const auto &other) { return used.contains(other.first); });
    if (!isOverSizes || loop->step != 1 || reads(loop->first) || reads(loop->limit)) return std::nullopt;
    return std::pair(simplify(loop->first + offset), simplify(loop->limit + offset));
  }
  return std::nullopt;
}

Expr outermost(Op op, const Expr &a, const Expr &b) {
  return equal(a, b) ? a : simplify(Expr::make(op, Type::Int64, {a, b}));
}

} // namespace

bool isWidening(const Expr &e) {
  return e.op() == Op::Cast && isInteger(e.type()) && (isInteger(e.arg(0).type()) || isShort(e.arg(0).type()));
}

Expr indexElement(const Expr &e) {
  if (isWidening(e)) return indexElement(e.arg(0));
  return e.op() == Op::Read && e->args.size() == 1 && !reads(e.arg(0)) ? e : Expr();
}

std::string indexOf(const Function &function, const std::string &array) {
  std::string index;
  eachIndex(function, [&](const std::string &target, const Expr &element, const Loops &) {
    if (target == array) index = element->name;
  });
  return index;
}

bool isDeclared(const Function &function, IndexFact::Kind kind, const std::string &array) {
  return std::any_of(function.facts.begin(), function.facts.end(),
                     [&](const IndexFact &fact) { return fact.kind == kind && fact.array == array; });
}

namespace {

bool isDeclaredApart(const Function &function, const std::string &index) {
  return isDeclared(function, IndexFact::Kind::Monotone, index) ||
         isDeclared(function, IndexFact::Kind::Injective, index);
}

} // namespace

std::vector<std::string> declaredApart(const Function &function) {
  std::vector<std::string> all;
  eachIndex(function, [&](const std::string &, const Expr &element, const Loops &) {
    if (isDeclaredApart(function, element->name) && std::find(all.begin(), all.end(), element->name) == all.end())
      all.push_back(element->name);
  });
  return all;
}

Result<std::vector<Rising>> risingOf(const Function &function) {
  std::vector<Rising> all;
  std::optional<Refusal> refusal;
  eachIndex(function, [&](const std::string &array, const Expr &element, const Loops &loops) {
    if (isDeclaredApart(function, element->name)) return;
    const auto rows = rowsOf(element, loops);
    if (!rows) refusal = Refusal{"where '" + array + "' is written is chosen by data: '" + show(element) + "'", {}};
    if (!rows) return;
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const Rising &one) { return one.index == element->name; });
    if (known == all.end()) {
      all.push_back({element->name, rows->first, rows->second});
    } else {
      known->first = outermost(Op::Min, known->first, rows->first);
      known->limit = outermost(Op::Max, known->limit, rows->second);
    }
  });
  if (refusal) return *refusal;
  return all;
}

} // namespace polymend
